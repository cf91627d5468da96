/**
 * Which calls run and which have ended under each idempotency key. Names and digests are their bytes as Latin 1
 * text: half the memory of a `Buffer`, and a map can find them.
 */
import type { CallId } from '../core/ids.ts';

export interface RunningEntry {
  readonly type: 'running';
  readonly name: string;
  readonly bodyDigest: string;
  readonly callId: CallId;
  /** Monotonic ms; the index sets it. */
  since: number;
}

export interface EndedEntry {
  readonly type: 'ended';
  readonly name: string;
  readonly bodyDigest: string;
  readonly callId: CallId;
  /** Wall time, ms. */
  readonly expiresAt: number;
}

export interface IndexLimits {
  readonly entriesMax: number;
  readonly runningMsMax: number;
}

/** Of one account, in the order they ended (those of earlier runs: began), which is the order in which they expire. */
type Ended = Map<string, EndedEntry>;

/**
 * `nowMs` is wall time, `monotonicMs` is not: a clock that is set must not let two calls run under one key. Each entry is
 * an account's, `owner`; where there is no room for all, it is the account that has most whose oldest entry goes, so that
 * none loses what is within an equal share.
 */
export class ReplayIndex {
  readonly #limits: IndexLimits;
  /** In the order of `since`. */
  readonly #running = new Map<string, RunningEntry>();
  readonly #ended = new Map<number, Ended>();
  /** Had the most when it was last looked for. */
  #largest: Ended = new Map();
  #size = 0;
  #dropped = 0;

  constructor(limits: IndexLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  get dropped(): number {
    return this.#dropped;
  }

  find(owner: number, name: string, nowMs: number, monotonicMs: number): RunningEntry | EndedEntry | null {
    this.#forget(monotonicMs);
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const ended = this.#ended.get(owner)?.get(name);
    return ended !== undefined && ended.expiresAt > nowMs ? ended : null;
  }

  /** Enters a call, or makes one that runs as young as a new one. */
  enter(entry: RunningEntry, monotonicMs: number): void {
    entry.since = monotonicMs;
    this.#running.delete(entry.name);
    this.#running.set(entry.name, entry);
  }

  /** False once the call has ended, or was forgotten. */
  isRunning(entry: RunningEntry): boolean {
    return this.#running.get(entry.name) === entry;
  }

  leave(entry: RunningEntry): void {
    this.#running.delete(entry.name);
  }

  /** Knows the end of a call; where there is no room, the one is dropped that expires first of the account that has most. */
  remember(owner: number, entry: EndedEntry, nowMs: number): void {
    let ended = this.#ended.get(owner);
    if (ended === undefined) {
      ended = new Map();
      this.#ended.set(owner, ended);
    }
    if (!ended.delete(entry.name)) this.#size += 1;
    ended.set(entry.name, entry);
    if (this.#size <= this.#limits.entriesMax) return;
    const [first] = this.#overShare().values();
    if (first === undefined) return;
    this.#overShare().delete(first.name);
    this.#size -= 1;
    if (first.expiresAt > nowMs) this.#dropped += 1;
  }

  /** Forgets at most `count` that have expired; whether there may be more of them. */
  deleteExpired(nowMs: number, count: number): boolean {
    let left = count;
    for (const [owner, ended] of this.#ended) {
      for (const { name, expiresAt } of ended.values()) {
        if (expiresAt > nowMs) break;
        if (left === 0) return true;
        ended.delete(name);
        this.#size -= 1;
        left -= 1;
      }
      if (ended.size === 0) this.#ended.delete(owner);
    }
    return false;
  }

  /** The entries of an account that has more than an equal share; there is one while there are more than may be. */
  #overShare(): Ended {
    const share = this.#limits.entriesMax / this.#ended.size;
    if (this.#largest.size > share) return this.#largest;
    for (const ended of this.#ended.values()) if (ended.size > this.#largest.size) this.#largest = ended;
    return this.#largest;
  }

  #forget(monotonicMs: number): void {
    for (const { name, since } of this.#running.values()) {
      if (monotonicMs - since < this.#limits.runningMsMax) return;
      this.#running.delete(name);
    }
  }
}
