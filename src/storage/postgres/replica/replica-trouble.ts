/** Reports that the replica cannot be used: once, and again if the reason changes, or after it was used in between. */
export class ReplicaTrouble {
  readonly #report: (cause: Error) => void;
  #reason: string | null = null;

  constructor(report: (cause: Error) => void) {
    this.#report = report;
  }

  /** Null after it was used. */
  note(reason: string | null): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    if (reason !== null) this.#report(new Error(reason));
  }
}
