/** The options in effect, and the request to load them (`load-config.ts`). */
import type * as z from 'zod';
import type { ConfigSource } from './config-source.ts';
import type { Origin } from './origin.ts';
import type { Problem } from './problem.ts';
import type { ProviderConfig } from './providers.ts';
import type { configSchema } from './schema.ts';

/** The values of all layers, parsed by the schema. */
export type Parsed = z.output<typeof configSchema>;

/** The options in effect: plain, frozen, complete. Secrets are wrapped; `dataFolder` is absolute. */
export type Config = DeepReadonly<Omit<Parsed, 'providers' | 'durability'>> & {
  readonly providers: readonly ProviderConfig[];
  readonly durability: NonNullable<Parsed['durability']>;
};

export interface ConfigRequest {
  /** Command-line flags by name, without dashes: `{ port: '9000', config: 'x.yaml' }`. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Relative paths start here. */
  readonly cwd: string;
  /**
   * Which values may be left out if their variable is not set, or their secret file cannot be read. Absent: none. `serving`:
   * those that only a server needs; a provider is then left out as a whole. `all`: all but the data folder, for commands that
   * connect to a server.
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
  /** Identifies the same file for other processes. */
  readonly source: ConfigSource | null;
  /** Unknown variables that were probably meant for Turnpike, variables that enable no provider, and files that Node ignores; no reason not to serve. */
  readonly warnings: readonly Problem[];
  /** What was left out as `mayLack` allows. */
  readonly lacking: readonly Problem[];
}

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends Record<string, unknown>
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;
