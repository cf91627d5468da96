/** The parts of the program that a command opens only when it needs them. */

import type { FastifyInstance } from 'fastify';
import type { Config, LoadedConfig } from '../config/config.ts';
import type { ConfigSource } from '../config/config-source.ts';
import type { Steps } from '../core/turns/steps.ts';

export interface Doors {
  /**
   * Serves until a signal, and prints to standard output when it is ready. `reread` reads the configuration again, on SIGHUP. Resolves with
   * the exit code.
   */
  serve(config: Config, source: ConfigSource | null, reread: () => Steps<LoadedConfig>): Promise<number>;
  /**
   * Takes the data folder's lock, unless everything is in a database, and opens the control plane in this process. With `mayBegin`, creates the first key if there is none and
   * the operator chose it.
   */
  openApp(config: Config, options: { readonly mayBegin: boolean }): Promise<OpenedApp>;
  now(): number;
  /** Resolves after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
}

export interface OpenedApp {
  readonly control: Pick<FastifyInstance, 'inject'>;
  close(): Promise<void>;
}
