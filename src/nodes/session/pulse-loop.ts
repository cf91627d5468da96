/**
 * Sends pulses: one every `PERIOD_MS`, and one at once after a wake. Never two at a time. It runs on the main thread on purpose: a node
 * whose loop is blocked serves nobody, and must not look alive.
 */
import type { Clock, Timer } from '../../core/clock.ts';

export const PERIOD_MS = 250;
/** Between the starts of two pulses: wakes come in bursts. */
const GAP_MS = 5;

export interface PulseLoopParts {
  readonly clock: Pick<Clock, 'monotonic' | 'after' | 'every'>;
  /** Sends one pulse. Resolves to whether it was answered; never rejects. */
  readonly send: () => Promise<boolean>;
  /** Called every period, whether a pulse is under way or not. */
  readonly onTick: () => void;
}

export class PulseLoop {
  readonly #parts: PulseLoopParts;
  #ticking: Timer | null = null;
  #waking: Timer | null = null;
  #isSending = false;
  #isWoken = false;
  #isStopped = false;
  #startedAt = Number.NEGATIVE_INFINITY;
  /** Answered by the next pulse that is sent. */
  #asked: ((isAnswered: boolean) => void)[] = [];
  #sent: Promise<void> = Promise.resolve();

  constructor(parts: PulseLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    const { clock, onTick } = this.#parts;
    this.#ticking = clock.every(PERIOD_MS, () => {
      onTick();
      this.#sendSoon(false);
    });
  }

  /** Sends a pulse at once, or as soon as the one under way was answered. */
  wake(): void {
    this.#sendSoon(true);
  }

  /** Resolves once a pulse that was sent after this call was answered, or failed: then to false. */
  next(): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#isStopped) return resolve(false);
      this.#asked.push(resolve);
      this.#sendSoon(true);
    });
  }

  /** Resolves when no pulse is under way; none is sent afterwards. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#ticking?.cancel();
    this.#waking?.cancel();
    await this.#sent;
    for (const answer of this.#asked.splice(0)) answer(false);
  }

  #sendSoon(isWake: boolean): void {
    if (this.#isStopped || this.#waking !== null) return;
    const { clock } = this.#parts;
    if (this.#isSending) {
      // The pulse under way may have been answered before what woke us.
      if (isWake) this.#isWoken = true;
      return;
    }
    const waitMs = this.#startedAt + GAP_MS - clock.monotonic();
    if (waitMs <= 0) this.#sent = this.#send();
    else
      this.#waking = clock.after(waitMs, () => {
        this.#waking = null;
        this.#sendSoon(true);
      });
  }

  async #send(): Promise<void> {
    const asked = this.#asked.splice(0);
    this.#startedAt = this.#parts.clock.monotonic();
    this.#isSending = true;
    this.#isWoken = false;
    const isAnswered = await this.#parts.send();
    this.#isSending = false;
    for (const answer of asked) answer(isAnswered);
    if (this.#isWoken) this.#sendSoon(true);
  }
}
