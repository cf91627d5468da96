/**
 * Writes stored bodies soon after the fact, some at a time, to a store of days. Nothing that happens here affects a call: what cannot be
 * written is counted and reported. It and its store work one piece at a time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SealedCapture } from '../../../capture/ports.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import { Serial } from '../../../core/serial.ts';
import type { StorageProblem } from '../../storage.ts';
import { dayOfChunk, WaitingCaptures } from './waiting-captures.ts';

/** Where bodies are written to, by the day on which their call was admitted. */
export interface CaptureDays {
  /** Bytes on disk of each day that there is. */
  sizes(): Promise<ReadonlyMap<number, number>>;
  /** Drops a day with all its bodies; false if that is not possible now. */
  drop(day: number): Promise<boolean>;
  /** Writes bodies of one day. */
  write(day: number, chunk: readonly SealedCapture[]): Promise<void>;
  /** Whether what failed may work a moment later: the bodies are kept until then. */
  isPassing(error: unknown): boolean;
}

export interface CaptureWriterParts {
  readonly days: CaptureDays;
  readonly clock: Clock;
  /** The maximum size of all days: the oldest are dropped first; if the newest alone exceeds it, nothing more is stored. */
  readonly bytesMax: number;
  /** Until what could not be written is tried again. */
  readonly retryMs: number;
  readonly onProblem: (problem: StorageProblem) => void;
}

const FLUSH_DELAY_MS = 250;
/** Bytes written here between two measurements of all days. */
const MEASURE_EVERY_BYTES = 1024 * 1024;

export class CaptureWriter {
  readonly waiting = new WaitingCaptures();
  readonly serial = new Serial();
  readonly #parts: CaptureWriterParts;
  #timer: Timer | null = null;
  /** Bytes written since all days were last measured; infinite before the first measurement. */
  #unmeasuredBytes = Number.POSITIVE_INFINITY;
  #isFull = false;
  #isClosing = false;

  constructor(parts: CaptureWriterParts) {
    this.#parts = parts;
  }

  append(capture: SealedCapture): void {
    if (!this.waiting.add(capture)) return this.lose(1, new Error('too many bodies are waiting to be written'));
    this.#flushAfter(FLUSH_DELAY_MS);
  }

  /** Part of a piece of work. False if something is waiting that could not be written now. */
  async flush(): Promise<boolean> {
    const { days, retryMs } = this.#parts;
    while (this.waiting.count > 0) {
      const chunk = this.waiting.nextChunk();
      try {
        if (await this.#hasRoomOn(dayOfChunk(chunk))) await this.#write(chunk);
        else this.lose(chunk.length, new Error('the stored bodies of one day use all the space allowed for all'));
      } catch (error) {
        if (days.isPassing(error)) {
          this.#flushAfter(retryMs);
          return false;
        }
        this.lose(chunk.length, error);
      }
      const written = new Set(chunk);
      this.waiting.drop((each) => written.has(each));
      if (this.waiting.count > 0) await nextTurn();
    }
    return true;
  }

  /** Part of a piece of work: drops a day, and measures again before the next write. */
  async drop(day: number): Promise<boolean> {
    const isDropped = await this.#parts.days.drop(day);
    if (isDropped) this.#unmeasuredBytes = Number.POSITIVE_INFINITY;
    return isDropped;
  }

  lose(count: number, cause: unknown): void {
    this.#parts.onProblem({ type: 'captures_lost', count, cause });
  }

  /** From now on nothing is written but by `flush`. */
  close(): void {
    this.#isClosing = true;
    this.#timer?.cancel();
  }

  #flushAfter(delayMs: number): void {
    if (this.#isClosing) return;
    this.#timer ??= this.#parts.clock.after(delayMs, () => {
      this.#timer = null;
      void this.serial.run(() => this.flush());
    });
  }

  async #write(chunk: readonly SealedCapture[]): Promise<void> {
    await this.#parts.days.write(dayOfChunk(chunk), chunk);
    for (const { sealed } of chunk) this.#unmeasuredBytes += sealed.length;
  }

  /** Whether there is space to write; drops the oldest days if the limit is exceeded. */
  async #hasRoomOn(day: number): Promise<boolean> {
    const { days, bytesMax, onProblem } = this.#parts;
    if (this.#unmeasuredBytes < MEASURE_EVERY_BYTES) return !this.#isFull;
    const sizes = await days.sizes();
    this.#unmeasuredBytes = 0;
    const newest = Math.max(day, ...sizes.keys());
    let bytes = sizes.values().reduce((sum, each) => sum + each, 0);
    for (const each of [...sizes.keys()].sort((left, right) => left - right))
      if (each < newest && bytes > bytesMax && (await days.drop(each))) bytes -= sizes.get(each) ?? 0;
    const isFull = bytes > bytesMax;
    if (isFull && !this.#isFull)
      onProblem({
        type: 'captures_over_limit',
        count: 1,
        cause: new Error(`the stored bodies of one day exceed the ${bytesMax} bytes allowed for all`),
      });
    this.#isFull = isFull;
    // Otherwise there would be no further measurement, because nothing is written.
    if (isFull) this.#unmeasuredBytes = MEASURE_EVERY_BYTES;
    return !isFull;
  }
}
