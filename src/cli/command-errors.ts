/** Why a command ended without having done what it was asked to. */

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
