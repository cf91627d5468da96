/** When a provider's stream is read on: not while the caller takes nothing, nor for more in one turn of the event loop than others can wait for. */
import type { AnswerFlow } from '../../upstream/answer-sink.ts';
import { TURN_BYTES } from './stream-limits.ts';

export class ProviderPace {
  /** Monotonic ms of the last bytes, or of when the caller read on. */
  receivedAt: number;
  /** Since when the caller takes nothing, monotonic ms; 0 while it does. */
  stalledAt = 0;
  readonly #flow: AnswerFlow;
  /** Since it was last made to wait for a turn. */
  #turnBytes = 0;
  #waitsForTurn = false;
  /** Whether it no longer matters what the caller takes; and whether the provider is done. */
  #isReleased = false;
  #isEnded = false;

  constructor(flow: AnswerFlow, nowMs: number) {
    this.#flow = flow;
    this.receivedAt = nowMs;
  }

  /** So many bytes were relayed. Node reads megabytes in one turn where a provider has sent them, and each may hold thousands of frames. */
  relayed(bytes: number): void {
    this.#turnBytes += bytes;
    if (this.#turnBytes >= TURN_BYTES) this.#waitForTurn();
  }

  /** The caller takes nothing for now. */
  stall(nowMs: number): void {
    if (this.stalledAt !== 0 || this.#isReleased) return;
    this.stalledAt = nowMs;
    this.#flow.pause();
  }

  /** The caller reads on. */
  readOn(nowMs: number): void {
    if (this.stalledAt === 0 || this.#isReleased) return;
    this.stalledAt = 0;
    this.receivedAt = nowMs;
    if (!this.#waitsForTurn) this.#flow.resume();
  }

  release(): void {
    this.#isReleased = true;
  }

  /** The provider has sent all it had to say: a slow caller is no reason to keep its connection. */
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
