/** The options in effect, and how a configuration is asked for (`load-config.ts`). */
import type * as z from 'zod';
import type { ConfigSource } from './config-source.ts';
import type { Origin } from './origin.ts';
import type { Problem } from './problem.ts';
import type { ProviderConfig } from './providers.ts';
import type { configSchema } from './schema.ts';

/** What the schema makes of the values of all layers. */
export type Parsed = z.output<typeof configSchema>;

/** The options in effect: plain, frozen, complete. Secrets are wrapped; `dataFolder` is absolute. */
export type Config = DeepReadonly<Omit<Parsed, 'providers'>> & { readonly providers: readonly ProviderConfig[] };

export interface ConfigRequest {
  /** Command-line flags by name, without dashes: `{ port: '9000', config: 'x.yaml' }`. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What relative paths start from. */
  readonly cwd: string;
  /**
   * Whether a value may be left out that comes from a variable which is not set, or a file of a secret which cannot be read:
   * none when absent; with `serving`, what only a server needs, of which a provider goes whole; or all but the data folder's, for
   * whoever looks for a server.
   */
  readonly mayLack?: MayLack;
}

export type MayLack = 'serving' | 'all';

export interface LoadedConfig {
  readonly config: Config;
  /** Option → its value for display (secrets masked) and where it came from. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The file that was read, or null when there is none. */
  readonly file: string | null;
  /** The same file for other processes. */
  readonly source: ConfigSource | null;
  /** What nothing reads and was probably meant for us, and what Node passes over; no reason not to serve. */
  readonly warnings: readonly Problem[];
  /** What was left out by `mayLack`. */
  readonly lacking: readonly Problem[];
}

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends Record<string, unknown>
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;
