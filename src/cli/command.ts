/** The interface of a command of `turnpike`, and its context. `commands/index.ts` has the table. */
import type { LoadedConfig, MayLack } from '../config/config.ts';
import type { Steps } from '../core/turns/steps.ts';
import type { ControlClient } from './control-client.ts';
import type { Doors } from './doors.ts';
import type { Program } from './program.ts';

export interface Flag {
  readonly type: 'string' | 'boolean';
  /** The placeholder of the value in the help; absent for a switch. */
  readonly value?: string;
  readonly description: string;
  /** Whether it may be repeated, or take several values separated by commas. */
  readonly repeatable?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Command {
  /** One or two words: `keys create`. */
  readonly name: string;
  readonly summary: string;
  /** Positional parameters for the help: `<id|label|name>`. */
  readonly parameters?: string;
  readonly parameterCount?: { readonly min: number; readonly max: number };
  /** In addition to the common flags. */
  readonly flags?: Flags;
  /** Words in its output, with what they mean, for the help. */
  readonly words?: readonly (readonly [word: string, meaning: string])[];
  /** Whether it uses providers, so that it must report those that are left out. */
  readonly usesProviders?: true;
  /** Returns the exit code: 0 done, 1 failed. Throws `UsageError` for 2. */
  run(context: CommandContext): Promise<number>;
}

export interface CommandContext {
  readonly parameters: readonly string[];
  text(flag: string): string | null;
  /** All values of a repeatable flag, in order; empty if it is absent. */
  list(flag: string): readonly string[];
  has(flag: string): boolean;
  readonly json: boolean;
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly doors: Doors;
  /** The working directory. */
  readonly cwd: string;
  /** How to type commands that messages mention. */
  readonly program: Program;
  /**
   * Throws `ConfigError`. Cached. With `mayLack`, values of unset variables may be missing; `file` is read instead of the one that is found
   * or named.
   */
  config(mayLack?: MayLack, file?: string): LoadedConfig;
  /** The same, read again, as it is now. Throws `ConfigError`. */
  reread(): Steps<LoadedConfig>;
  /**
   * The control plane of the running server, otherwise of the data folder; closed after the command. If there is no data yet, a command
   * with `mayBegin` creates it; for others it throws `UsageError` or `CommandFailed`.
   */
  control(options?: { readonly mayBegin: boolean }): Promise<ControlClient>;
}

export interface Terminal {
  /** Results. */
  out(line: string): void;
  /** Notes and errors, on standard error. */
  note(line: string): void;
  readonly colour: boolean;
  /** Asks a person, and resolves with the line typed. Absent if nobody is there to answer. */
  readonly ask?: (question: string) => Promise<string>;
}
