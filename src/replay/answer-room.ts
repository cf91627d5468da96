/**
 * How much the kept answers take, of what they may take. Where there is no room an answer is not kept, and its key is
 * known all the same: to forget older ones instead would serve and charge them again. An account takes at most half of
 * what the others leave free, so that there is room for theirs.
 */

/** What goes within the same minute is counted together: a day is some 1,440 numbers an account, however many answers it has. */
const MINUTE_MS = 60_000;

interface Taken {
  bytes: number;
  /** By the minute in which they have expired. */
  readonly byMinute: Map<number, number>;
}

export class AnswerRoom {
  readonly #bytesMax: number;
  readonly #isAlone: () => boolean;
  readonly #onFull: () => void;
  readonly #taken = new Map<number, Taken>();
  readonly #full = new Set<number>();
  #bytes = 0;

  /** `isAlone`: whether there is one account only, which may have all. `onFull` is called when an account has no room, once until answers have expired. */
  constructor(bytesMax: number, isAlone: () => boolean, onFull: () => void) {
    this.#bytesMax = bytesMax;
    this.#isAlone = isAlone;
    this.#onFull = onFull;
  }

  /** What the answers take that were taken in and not freed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether an account has room for so much. Nothing is set aside: those that end at the same time may together take more. */
  hasRoomFor(owner: number, bytes: number): boolean {
    const own = this.#taken.get(owner)?.bytes ?? 0;
    const left = this.#bytesMax - (this.#bytes - own);
    if (own + bytes <= left / 2 || (own + bytes <= left && this.#isAlone())) return true;
    if (!this.#full.has(owner)) this.#onFull();
    this.#full.add(owner);
    return false;
  }

  /** `expiresAt` is wall time, as `nowMs` of `freeExpired`. */
  take(owner: number, bytes: number, expiresAt: number): void {
    if (bytes === 0) return;
    const minute = Math.ceil(expiresAt / MINUTE_MS);
    const taken = this.#taken.get(owner) ?? { bytes: 0, byMinute: new Map() };
    this.#taken.set(owner, taken);
    taken.byMinute.set(minute, (taken.byMinute.get(minute) ?? 0) + bytes);
    taken.bytes += bytes;
    this.#bytes += bytes;
  }

  /** To be called when what has expired has been deleted. */
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
