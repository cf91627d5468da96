/** How much of a purse a node uses, and from it, how much of it the node wishes to have at hand. Times are monotonic, ms. */

const BUCKET_MS = 5_000;
/** Charges of this many buckets make the mean rate: 30 s, or since the purse is known if that is less. */
const RATE_BUCKETS = 6;
const RATE_MS_MIN = 10_000;
/** The wish covers the charges of so long at that rate: longer than a node goes on without the bank. */
const COVERED_MS = 120_000n;
const HELD_TIMES = 2n;
/** To begin with, as long as nothing is known: so many of the largest hold. */
const FIRST_HOLDS = 16n;
const YOUNG_MS = 10_000;

export class PurseUse {
  /** When money was last taken or charged. */
  lastMs: number;
  readonly #bornMs: number;
  #bucket: number;
  readonly #charged: bigint[] = new Array(RATE_BUCKETS).fill(0n);
  /** The most held at once, in this bucket and the one before: in the last five to ten seconds. */
  #highest = 0n;
  #highestBefore = 0n;
  #largestHold = 0n;

  constructor(nowMs: number) {
    this.lastMs = nowMs;
    this.#bornMs = nowMs;
    this.#bucket = Math.floor(nowMs / BUCKET_MS);
  }

  /** A call needs so much. */
  wants(amount: bigint): void {
    if (amount > this.#largestHold) this.#largestHold = amount;
  }

  /** `amount` was taken; `held` is what running calls hold with it. */
  took(amount: bigint, held: bigint, nowMs: number): void {
    this.#rollTo(nowMs, held);
    this.lastMs = nowMs;
    if (held > this.#highest) this.#highest = held;
    this.wants(amount);
  }

  charged(amount: bigint, held: bigint, nowMs: number): void {
    this.#rollTo(nowMs, held);
    this.lastMs = nowMs;
    const at = this.#bucket % RATE_BUCKETS;
    this.#charged[at] = (this.#charged[at] ?? 0n) + amount;
  }

  /** What the node wishes to have of the purse, with what running calls hold. */
  wish(held: bigint, nowMs: number): bigint {
    this.#rollTo(nowMs, held);
    const highest = this.#highest > this.#highestBefore ? this.#highest : this.#highestBefore;
    let charged = 0n;
    for (const amount of this.#charged) charged += amount;
    const ageMs = nowMs - this.#bornMs;
    const rateMs = Math.min(Math.max(Math.floor(ageMs), RATE_MS_MIN), RATE_BUCKETS * BUCKET_MS);
    const wish = HELD_TIMES * highest + (COVERED_MS * charged) / BigInt(rateMs);
    const first = ageMs < YOUNG_MS ? FIRST_HOLDS * this.#largestHold : 0n;
    return wish > first ? wish : first;
  }

  #rollTo(nowMs: number, held: bigint): void {
    const bucket = Math.floor(nowMs / BUCKET_MS);
    if (bucket === this.#bucket) return;
    const passed = bucket - this.#bucket;
    for (let step = 1; step <= Math.min(passed, RATE_BUCKETS); step += 1)
      this.#charged[(this.#bucket + step) % RATE_BUCKETS] = 0n;
    this.#highestBefore = passed === 1 ? this.#highest : held;
    this.#highest = held;
    this.#bucket = bucket;
  }
}
