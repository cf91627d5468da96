/** What a command of `turnpike` is, and what it is given. The family's table is `commands.ts`. */
import type { LoadedConfig, MayLack } from '../config/config.ts';
import type { ControlClient } from './control-client.ts';
import type { Doors } from './doors.ts';
import type { Program } from './program.ts';

export interface Flag {
  readonly type: 'string' | 'boolean';
  /** How the value is called in the help; absent for a switch. */
  readonly value?: string;
  readonly description: string;
  /** Whether it may be given several times, or with several values between commas. */
  readonly repeatable?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Command {
  /** One or two words: `keys create`. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name, for the help: `<id|label|name>`. */
  readonly parameters?: string;
  readonly parameterCount?: { readonly min: number; readonly max: number };
  /** Beyond those that every command takes. */
  readonly flags?: Flags;
  /** Whether it is about providers, so that one which is left out must be told. */
  readonly tellsProviders?: true;
  /** Returns the exit code: 0 done, 1 failed. Throws `UsageError` for 2. */
  run(context: CommandContext): Promise<number>;
}

export interface CommandContext {
  readonly parameters: readonly string[];
  text(flag: string): string | null;
  /** All that a repeatable flag was given, in order; empty when it was not. */
  list(flag: string): readonly string[];
  has(flag: string): boolean;
  readonly json: boolean;
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly doors: Doors;
  /** The folder it was started in. */
  readonly cwd: string;
  /** How the commands that messages tell are to be typed. */
  readonly program: Program;
  /** Throws `ConfigError`. Read once; with `mayLack` what comes from variables that are not set may be left out;
   * `file` is read in place of the one that is found or named. */
  config(mayLack?: MayLack, file?: string): LoadedConfig;
  /**
   * The control plane of the running server, else of the data folder; closed after the command. Where there
   * is no data yet a command that makes something may begin it; for any other `UsageError` or `CommandFailed`.
   */
  control(options?: { readonly mayBegin: boolean }): Promise<ControlClient>;
}

export interface Terminal {
  /** Results. */
  out(line: string): void;
  /** What is said beside results. */
  note(line: string): void;
  readonly colour: boolean;
}
