/** The address that callers use: as configured, else where the server listens. */
import type { Config } from '../config/config.ts';

export class ListeningAddress {
  readonly #config: Pick<Config, 'publicUrl' | 'host' | 'port'>;
  /** Where the server listens, `http://127.0.0.1:8080`; null until it does. */
  current: string | null = null;

  constructor(config: Pick<Config, 'publicUrl' | 'host' | 'port'>) {
    this.#config = config;
  }

  /** `port` as the system gave it; it is 0 in the configuration where any will do. */
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
