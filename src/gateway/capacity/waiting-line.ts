/**
 * Calls that found no place and wait a moment for the next one. Calls end and come in bursts: without a line, a place that becomes free is
 * empty until the next call happens to come, and places have to be kept empty for bursts of those who have few. The line is short and so is
 * the wait, so that a refusal is still one at once. Those who have few calls have a line of their own, which is served first.
 */
import type { Clock, Timer } from '../../core/clock.ts';
import type { Ending } from '../../core/settlement.ts';
import { cutReason } from '../cut-error.ts';
import type { KeyShare } from './call-shares.ts';

/** The longest wait, and how often the line is checked for waits that are over. */
const WAIT_MS = 10;
const LOOK_EVERY_MS = 2;
/** With fewer places nobody waits: the next one seldom becomes free so soon. */
const PLACES_MIN = 16;
/** How many may wait: a part of the places, and at most. */
const FEW_PART = 1 / 8;
const OTHERS_PART = 1 / 32;
const WAITING_MAX = 100;

/** The part of a call that is used here. */
export interface WaitingCall {
  /** The step that is taking time; it can be ended from outside. */
  active: { cancel(ending: Ending): void } | null;
  /** Settles when it has a place, or will have none; null if it need not wait. */
  waiting: Promise<void> | null;
}

interface Waiting<Call> {
  readonly call: Call;
  readonly share: KeyShare;
  readonly line: Waiting<Call>[];
  /** Monotonic, ms. */
  readonly untilMs: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface WaitingLineParts<Call> {
  readonly clock: Clock;
  /** Whether the call got a place just now. Throws if it cannot get any. */
  readonly place: (call: Call, share: KeyShare) => boolean;
  /** The error for a call that has waited long enough. */
  readonly refuse: (share: KeyShare) => Error;
}

export class WaitingLine<Call extends WaitingCall> {
  readonly #parts: WaitingLineParts<Call>;
  readonly #few: Waiting<Call>[] = [];
  readonly #others: Waiting<Call>[] = [];
  #fewMax = 0;
  #othersMax = 0;
  #timer: Timer | null = null;

  constructor(places: number, parts: WaitingLineParts<Call>) {
    this.#parts = parts;
    this.setPlaces(places);
  }

  get size(): number {
    return this.#few.length + this.#others.length;
  }

  setPlaces(places: number): void {
    const part = (of: number) => (places < PLACES_MIN ? 0 : Math.min(WAITING_MAX, Math.ceil(places * of)));
    this.#fewMax = part(FEW_PART);
    this.#othersMax = part(OTHERS_PART);
  }

  /** Sets `waiting` of the call, and returns whether there is room in its line. */
  join(call: Call, share: KeyShare, hasFew: boolean): boolean {
    const line = hasFew ? this.#few : this.#others;
    if (line.length >= (hasFew ? this.#fewMax : this.#othersMax)) return false;
    const { clock } = this.#parts;
    this.#timer ??= clock.every(LOOK_EVERY_MS, () => this.#sweep());
    call.waiting = new Promise((resolve, reject) => {
      const waiting = { call, share, line, untilMs: clock.monotonic() + WAIT_MS, resolve, reject };
      line.push(waiting);
      call.active = { cancel: (ending) => this.#end(waiting, cutReason(ending)) };
    });
    return true;
  }

  /** Gives places to those that may have one now, in their order. */
  serve(): void {
    for (const line of [this.#few, this.#others]) {
      for (const waiting of [...line]) {
        try {
          if (this.#parts.place(waiting.call, waiting.share)) this.#end(waiting, null);
        } catch (error) {
          this.#end(waiting, error as Error);
        }
      }
    }
  }

  /** Nobody waits any more: all that do are refused with this. */
  close(error: () => Error): void {
    for (const waiting of [...this.#few, ...this.#others]) this.#end(waiting, error());
  }

  #sweep(): void {
    this.serve();
    const nowMs = this.#parts.clock.monotonic();
    for (const line of [this.#few, this.#others]) {
      for (const waiting of [...line]) {
        if (waiting.untilMs > nowMs) break;
        this.#end(waiting, this.#parts.refuse(waiting.share));
      }
    }
  }

  #end(waiting: Waiting<Call>, error: Error | null): void {
    const at = waiting.line.indexOf(waiting);
    if (at === -1) return;
    waiting.line.splice(at, 1);
    waiting.call.active = null;
    if (error === null) waiting.resolve();
    else waiting.reject(error);
    if (this.size > 0) return;
    this.#timer?.cancel();
    this.#timer = null;
  }
}
