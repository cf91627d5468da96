/**
 * The space that stored answers use, and its limit. If there is no space an answer is not stored, but its key is
 * still known: forgetting older answers instead would serve and charge those requests again. An account gets at most half of
 * what the others leave free, so that there is space for theirs.
 */

/** Answers that expire in the same minute are counted together: at most 1,440 numbers per account and day, however many answers it has. */
const MINUTE_MS = 60_000;

interface Taken {
  bytes: number;
  /** By the minute in which they expire. */
  readonly byMinute: Map<number, number>;
}

export class AnswerSpace {
  readonly #bytesMax: number;
  readonly #isAlone: () => boolean;
  readonly #onFull: () => void;
  readonly #taken = new Map<number, Taken>();
  readonly #full = new Set<number>();
  #bytes = 0;

  /** `isAlone` returns whether there is only one account, which may then use all space. `onFull` is called when an account runs out of space, once until answers expire. */
  constructor(bytesMax: number, isAlone: () => boolean, onFull: () => void) {
    this.#bytesMax = bytesMax;
    this.#isAlone = isAlone;
    this.#onFull = onFull;
  }

  /** The bytes in use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether an account has space for `bytes`. Nothing is reserved: calls that end at the same time may together exceed the limit. */
  hasSpaceFor(owner: number, bytes: number): boolean {
    const own = this.#taken.get(owner)?.bytes ?? 0;
    const left = this.#bytesMax - (this.#bytes - own);
    if (own + bytes <= left / 2 || (own + bytes <= left && this.#isAlone())) return true;
    if (!this.#full.has(owner)) this.#onFull();
    this.#full.add(owner);
    return false;
  }

  /** `expiresAt` is wall time, like `nowMs` of `freeExpired`. */
  take(owner: number, bytes: number, expiresAt: number): void {
    if (bytes === 0) return;
    const minute = Math.ceil(expiresAt / MINUTE_MS);
    const taken = this.#taken.get(owner) ?? { bytes: 0, byMinute: new Map() };
    this.#taken.set(owner, taken);
    taken.byMinute.set(minute, (taken.byMinute.get(minute) ?? 0) + bytes);
    taken.bytes += bytes;
    this.#bytes += bytes;
  }

  /** Call it after expired answers have been deleted. */
  freeExpired(nowMs: number): void {
    for (const [owner, taken] of this.#taken) {
      for (const [minute, bytes] of taken.byMinute) {
        if (minute * MINUTE_MS > nowMs) continue;
        taken.byMinute.delete(minute);
        taken.bytes -= bytes;
        this.#bytes -= bytes;
      }
      if (taken.byMinute.size === 0) this.#taken.delete(owner);
    }
    this.#full.clear();
  }
}
