/**
 * How much the kept answers take, of what they may take. Where there is no room an answer is not kept, and its key is
 * known all the same: to forget older ones instead would serve and charge them again.
 */

/** What goes within the same minute is counted together: a day is some 1,440 numbers, however many answers it has. */
const MINUTE_MS = 60_000;

export class AnswerRoom {
  readonly #bytesMax: number;
  readonly #onFull: () => void;
  /** By the minute in which they have expired. */
  readonly #bytesByMinute = new Map<number, number>();
  #bytes = 0;
  #isFull = false;

  /** `onFull` is called when there is no room, once until answers have expired. */
  constructor(bytesMax: number, onFull: () => void) {
    this.#bytesMax = bytesMax;
    this.#onFull = onFull;
  }

  /** What the answers take that were taken in and not freed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether there is room for so much. Nothing is set aside: those that end at the same time may together take more. */
  hasRoomFor(bytes: number): boolean {
    if (this.#bytes + bytes <= this.#bytesMax) return true;
    if (!this.#isFull) this.#onFull();
    this.#isFull = true;
    return false;
  }

  /** `expiresAt` is wall time, as `nowMs` of `freeExpired`. */
  take(bytes: number, expiresAt: number): void {
    const minute = Math.ceil(expiresAt / MINUTE_MS);
    this.#bytesByMinute.set(minute, (this.#bytesByMinute.get(minute) ?? 0) + bytes);
    this.#bytes += bytes;
  }

  /** To be called when what has expired has been deleted. */
  freeExpired(nowMs: number): void {
    for (const [minute, bytes] of this.#bytesByMinute) {
      if (minute * MINUTE_MS > nowMs) continue;
      this.#bytesByMinute.delete(minute);
      this.#bytes -= bytes;
    }
    this.#isFull = false;
  }
}
