/** Errors of commands. */

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command failed; the message is one sentence. Exit code 1. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
}

/** The control plane answered with this HTTP error status. */
export class AnsweredError extends CommandFailed {
  override readonly name = 'AnsweredError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** Whether the request was refused and nothing was done; repeating it would fail again. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }
}
