/**
 * When a provider's stream is read: not while the caller is stalled, and only so much in one turn of the event loop that
 * others need not wait.
 */
import type { AnswerFlow } from '../../upstream/answer-sink.ts';
import { TURN_BYTES } from './stream-limits.ts';

export class ProviderPace {
  /** Monotonic ms of the last bytes, or of when the caller resumed reading. */
  receivedAt: number;
  /** Since when the caller has been stalled, monotonic ms; 0 while it reads. */
  stalledAt = 0;
  readonly #flow: AnswerFlow;
  /** Bytes since it last waited for a turn. */
  #turnBytes = 0;
  #waitsForTurn = false;
  /** Whether the caller's reading no longer matters, and whether the provider is done. */
  #isReleased = false;
  #isEnded = false;

  constructor(flow: AnswerFlow, nowMs: number) {
    this.#flow = flow;
    this.receivedAt = nowMs;
  }

  /**
   * Counts relayed bytes. Node reads megabytes in one turn if a provider has sent them, and each may contain thousands of
   * frames.
   */
  relayed(bytes: number): void {
    this.#turnBytes += bytes;
    if (this.#turnBytes >= TURN_BYTES) this.#waitForTurn();
  }

  /** The caller is stalled. */
  stall(nowMs: number): void {
    if (this.stalledAt !== 0 || this.#isReleased) return;
    this.stalledAt = nowMs;
    this.#flow.pause();
  }

  /** The caller resumes reading. */
  readOn(nowMs: number): void {
    if (this.stalledAt === 0 || this.#isReleased) return;
    this.stalledAt = 0;
    this.receivedAt = nowMs;
    if (!this.#waitsForTurn) this.#flow.resume();
  }

  release(): void {
    this.#isReleased = true;
  }

  /** The provider's answer is complete: a slow caller is no reason to keep its connection. */
  drain(): void {
    if (this.stalledAt !== 0) this.#flow.resume();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  end(): void {
    this.#isEnded = true;
  }

  #waitForTurn(): void {
    this.#turnBytes = 0;
    this.#waitsForTurn = true;
    this.#flow.pause();
    setImmediate(() => {
      this.#waitsForTurn = false;
      if ((this.#isReleased || this.stalledAt === 0) && !this.#isEnded) this.#flow.resume();
    });
  }
}
