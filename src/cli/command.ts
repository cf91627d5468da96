/** What a command of `turnpike` is, and what it is given. The family's table is `commands.ts`. */
import type { FastifyInstance } from 'fastify';
import type { Config, ConfigSource, LoadedConfig, MayLack } from '../config/config.ts';
import type { ControlClient } from './control-client.ts';
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

/** The parts of the program that a command opens only when it needs them. */
export interface Doors {
  /** Serves until a signal, and says on standard output that it does; the exit code. */
  serve(config: Config, source: ConfigSource | null): Promise<number>;
  /** Takes the data folder's lock and opens the control plane in this process; with `mayBegin` it makes the first key where there is none and the operator chose it. */
  openApp(config: Config, options: { readonly mayBegin: boolean }): Promise<OpenedApp>;
  now(): number;
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>;
}

export interface OpenedApp {
  readonly control: Pick<FastifyInstance, 'inject'>;
  close(): Promise<void>;
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command could not be done, for a reason to be told in one sentence: exit code 1. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
}

/** The control plane answered with an error, of this HTTP status. */
export class AnsweredError extends CommandFailed {
  override readonly name = 'AnsweredError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** Whether nothing was done: what was asked is at fault, and would be again. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }
}
