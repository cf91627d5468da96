/** Calls at a steady rate over several nodes, and what became of them. */
import { systemClock } from '../../../../src/core/clock.ts';
import { CallerPool, type Outcome, quantile, requestBytes } from '../load/load-caller.ts';
import { LOAD_MODEL, type Pace, promptOf } from '../load/paced-provider.ts';

export interface NodeLoadOptions {
  /** Where calls go now, in turn; asked again for each call. */
  readonly urls: () => readonly string[];
  readonly keys: readonly string[];
  /** Calls a second. */
  readonly rate: number;
  /** Of each answer; short by default. */
  readonly pace?: Pace;
}

const SHORT: Pace = { pieces: 3, pauseMs: 20 };

/** Every second call is streamed. */
export class NodeLoad {
  /** Every answer that was not 200 and whole, the first fifty. */
  readonly failed: Outcome[] = [];
  readonly servedMs: number[] = [];
  failures = 0;
  readonly #options: NodeLoadOptions;
  readonly #pools = new Map<string, CallerPool>();
  readonly #underWay = new Set<Promise<void>>();
  #count = 0;
  #timer: { cancel(): void } | null = null;
  #startedAt = 0;

  constructor(options: NodeLoadOptions) {
    this.#options = options;
  }

  get made(): number {
    return this.#count;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#timer = systemClock.every(10, () => this.#makeDue());
  }

  /** Makes no more calls. */
  halt(): void {
    this.#timer?.cancel();
  }

  /** Makes no more calls; resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.halt();
    await Promise.all(this.#underWay);
    for (const pool of this.#pools.values()) pool.close();
  }

  /** The time under which this part of the served calls stayed, ms. */
  within(part: number): number {
    return quantile(this.servedMs, part);
  }

  #makeDue(): void {
    const due = Math.floor(((performance.now() - this.#startedAt) / 1_000) * this.#options.rate);
    while (this.#count < due) this.#call();
  }

  #call(): void {
    const { urls, keys, pace = SHORT } = this.#options;
    const index = this.#count;
    this.#count += 1;
    const all = urls();
    const url = all[index % all.length] ?? '';
    const key = keys[index % keys.length] ?? '';
    const stream = index % 2 === 0;
    const request = requestBytes(LOAD_MODEL, { key, format: 'openai-chat', stream, prompt: promptOf(pace) });
    const call = this.#poolOf(url)
      .call(request, { stream }, performance.now())
      .then((outcome) => this.#note(outcome));
    this.#underWay.add(call);
    void call.finally(() => this.#underWay.delete(call));
  }

  #note(outcome: Outcome): void {
    if (outcome.status === 200 && outcome.whole) {
      this.servedMs.push(outcome.ms);
      return;
    }
    this.failures += 1;
    if (this.failed.length < 50) this.failed.push(outcome);
  }

  #poolOf(url: string): CallerPool {
    const pool = this.#pools.get(url) ?? new CallerPool(url);
    this.#pools.set(url, pool);
    return pool;
  }
}

/** One line that says what failed, for an assertion. */
export function failuresOf(load: NodeLoad): string {
  const [first] = load.failed;
  return first === undefined
    ? 'none'
    : `${load.failures} failed, the first with ${first.status}: … ${first.text.slice(-400)}`;
}
