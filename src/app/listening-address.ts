/** The base URL that callers use: as configured, otherwise where the server listens. */
import type { Config } from '../config/config.ts';

export class ListeningAddress {
  readonly #config: Pick<Config, 'publicUrl' | 'host' | 'port'>;
  /** Where the server listens, `http://127.0.0.1:8080`; null until then. */
  current: string | null = null;

  constructor(config: Pick<Config, 'publicUrl' | 'host' | 'port'>) {
    this.#config = config;
  }

  /** `port` is the actual one; the configuration may have 0 for any free port. */
  listensAt(port: number): string {
    const { host } = this.#config;
    this.current = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    return this.current;
  }

  publicUrl(): string {
    const { publicUrl, host, port } = this.#config;
    return publicUrl ?? this.current ?? `http://${host}:${port}`;
  }
}
