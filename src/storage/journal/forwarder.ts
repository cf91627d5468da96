/**
 * Sends what is in the journal to the bank: gathered for a moment, one transaction at a time, and two while much waits. While the
 * bank is away it tries again, at growing intervals, and loses nothing. A batch that the bank refuses for its content does not hold
 * up those after it: it is sent alone, then call by call.
 */
import type { Clock, Timer } from '../../core/clock.ts';
import { Outage } from '../../core/trouble/outage.ts';
import type { SentBatch, SettleAnswer } from '../../nodes/ports.ts';
import type { StorageProblem } from '../storage.ts';
import type { Outbox, Sendable } from './outbox.ts';

export interface ForwarderParts {
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** How long a settlement waits for others, ms. */
  readonly gatherMs: number;
  /** At the bank, each call counts once, however often it is sent. */
  readonly settle: (batch: SentBatch) => Promise<SettleAnswer>;
  /** Whether the bank will never take these settlements; anything else is temporary. */
  readonly isRefusal: (error: unknown) => boolean;
  /** The bytes of a batch that are only in the journal. */
  readonly read: (id: number) => Uint8Array;
  /** The bank has taken batches, this long after they were sent. */
  readonly onAnswer: (answer: SettleAnswer, tookMs: number) => void;
  /** The bank refuses this batch, which was sent alone, for good. Ends it in the outbox; if that fails, it is sent again. */
  readonly onRefused: (refused: readonly [Sendable], error: unknown) => Promise<void>;
  readonly onProblem: (problem: StorageProblem) => void;
}

/** This many calls do not wait for others. */
const FULL_CALLS = 500;
/** With more calls waiting, two transactions run at a time, and each takes more. */
const CROWDED_CALLS = 1_000;
/** The bank does not answer within this time: the batch is sent again. */
const ANSWER_MS = 10_000;
const FIRST_REST_MS = 50;
const REST_MS_MAX = 1_000;
/** A short interruption is not worth a report. */
const FAILURES_TO_REPORT = 3;

export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #outage: Outage;
  #lanes = 0;
  #failures = 0;
  /** Gathering, or resting after a failure. */
  #timer: Timer | null = null;
  #isResting = false;
  /** When the oldest of what waits was seen, monotonic ms; null if nothing waits. */
  #waitingSince: number | null = null;
  /** Batches up to this id are sent at once, without gathering. */
  #urgentThrough = 0;
  /** Batches up to this id are sent one by one, because one of them is refused. */
  #aloneThrough = 0;
  #isStopped = false;
  #idle: PromiseWithResolvers<void> | null = null;

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
    this.#outage = new Outage(parts.clock);
  }

  /** Call it when there is something more in the outbox. */
  added(): void {
    if (this.#isResting || this.#isStopped) return;
    const { outbox } = this.#parts;
    if (outbox.waitingCalls === 0) return;
    this.#waitingSince ??= this.#parts.clock.monotonic();
    if (this.#lanes >= this.#lanesMax()) return;
    const gatherMs = this.#restOfGathering();
    if (gatherMs <= 0 || outbox.waitingCalls >= FULL_CALLS || this.#isUrgent()) return this.#start();
    this.#timer ??= this.#parts.clock.after(gatherMs, () => {
      this.#timer = null;
      this.#start();
    });
  }

  /** Sends what is in the outbox now without gathering more, and without waiting until the time to try again has come. */
  hurry(): void {
    this.#urgentThrough = this.#parts.outbox.lastId;
    this.retryNow();
  }

  /** Ends the wait after a failure: the bank seems to be back. */
  retryNow(): void {
    if (this.#isResting) this.#endRest();
    this.added();
  }

  /** Resolves when nothing is under way; nothing more is sent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    if (this.#lanes === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  #lanesMax(): number {
    return this.#failures === 0 && this.#parts.outbox.waitingCalls > CROWDED_CALLS ? 2 : 1;
  }

  #isUrgent(): boolean {
    return this.#parts.outbox.acknowledgedThrough < this.#urgentThrough;
  }

  #restOfGathering(): number {
    const { clock, gatherMs } = this.#parts;
    const nowMs = clock.monotonic();
    return gatherMs - (nowMs - (this.#waitingSince ?? nowMs));
  }

  #start(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const { outbox, clock } = this.#parts;
    const isAlone = outbox.acknowledgedThrough < this.#aloneThrough;
    const callsMax = outbox.waitingCalls > CROWDED_CALLS ? CROWDED_CALLS : FULL_CALLS;
    const taken = outbox.take(isAlone ? 0 : callsMax);
    if (taken.length === 0) return;
    this.#waitingSince = outbox.waitingCalls > 0 ? clock.monotonic() : null;
    this.#lanes += 1;
    void this.#send(taken).finally(() => this.#ended());
    if (!isAlone) this.added();
  }

  #ended(): void {
    this.#lanes -= 1;
    if (this.#lanes === 0) this.#idle?.resolve();
    this.added();
  }

  async #send(taken: readonly Sendable[]): Promise<void> {
    const { clock } = this.#parts;
    const sentAt = clock.monotonic();
    let answer: SettleAnswer;
    try {
      const encoded = taken.map(({ id, batch }) => batch ?? this.#parts.read(id));
      answer = await this.#answered({ epoch: taken[0]?.epoch ?? 0, encoded });
    } catch (error) {
      return this.#failed(taken, error);
    }
    this.#worked();
    const nowMs = clock.monotonic();
    if (this.#parts.outbox.acknowledge(taken, nowMs)) this.#parts.onAnswer(answer, nowMs - sentAt);
  }

  /** An answer that comes too late is ignored: what was sent again counts once. */
  #answered(batch: SentBatch): Promise<SettleAnswer> {
    return new Promise((resolve, reject) => {
      const timer = this.#parts.clock.after(ANSWER_MS, () =>
        reject(new Error(`The database did not take settlements within ${ANSWER_MS / 1_000} s.`)),
      );
      this.#parts
        .settle(batch)
        .then(resolve, reject)
        .finally(() => timer.cancel());
    });
  }

  async #failed(taken: readonly Sendable[], error: unknown): Promise<void> {
    const { outbox, isRefusal } = this.#parts;
    if (isRefusal(error) && taken.length > 1) {
      this.#aloneThrough = Math.max(this.#aloneThrough, taken.at(-1)?.id ?? 0);
      return outbox.putBack(taken);
    }
    try {
      if (!isRefusal(error)) throw error;
      await this.#parts.onRefused(taken as readonly [Sendable], error);
    } catch (failure) {
      outbox.putBack(taken);
      this.#rest(failure);
    }
  }

  #rest(error: unknown): void {
    this.#failures += 1;
    this.#outage.failed();
    if (this.#failures === FAILURES_TO_REPORT) {
      const count = this.#parts.outbox.unsent().calls;
      this.#parts.onProblem({ type: 'settlements_delayed', count, cause: error });
    }
    if (this.#isResting || this.#isStopped) return;
    this.#timer?.cancel();
    this.#isResting = true;
    const delayMs = Math.min(REST_MS_MAX, FIRST_REST_MS * 2 ** (this.#failures - 1));
    this.#timer = this.#parts.clock.after(delayMs, () => this.retryNow());
  }

  #worked(): void {
    const lastedMs = this.#outage.worked();
    if (lastedMs !== null && this.#failures >= FAILURES_TO_REPORT) {
      const count = this.#parts.outbox.unsent().calls;
      this.#parts.onProblem({ type: 'settlements_delayed', count, cause: null, overAfterMs: lastedMs });
    }
    this.#failures = 0;
  }

  #endRest(): void {
    this.#isResting = false;
    this.#waitingSince = Number.NEGATIVE_INFINITY;
    this.#timer?.cancel();
    this.#timer = null;
  }
}
