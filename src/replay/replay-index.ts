/**
 * The running and the ended call of each idempotency key. Names and digests are bytes as Latin-1
 * text: half the memory of a `Buffer`, and usable as keys of a map.
 */
import type { CallId, ProjectId } from '../core/ids.ts';

export interface RunningEntry {
  readonly type: 'running';
  readonly projectId: ProjectId;
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

/** Entries of one account, in the order in which calls ended (of earlier runs: began), which is the order of expiry. */
type Ended = Map<string, EndedEntry>;

/**
 * `nowMs` is wall time, `monotonicMs` is not: setting the clock must not let two calls run under one key. Each entry belongs
 * to an account, the `owner`. If there are too many, the oldest entry of the largest account is dropped, so that no account
 * loses entries within an equal share.
 */
export class ReplayIndex {
  readonly #limits: IndexLimits;
  /** In the order of `since`. */
  readonly #running = new Map<string, RunningEntry>();
  readonly #ended = new Map<number, Ended>();
  /** The largest when it was last searched. */
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

  /** Adds a running call, or resets the age of one. */
  enter(entry: RunningEntry, monotonicMs: number): void {
    entry.since = monotonicMs;
    this.#running.delete(entry.name);
    this.#running.set(entry.name, entry);
  }

  /** In the order of `since`. */
  running(): readonly RunningEntry[] {
    return [...this.#running.values()];
  }

  /** False once the call has ended, or was forgotten. */
  isRunning(entry: RunningEntry): boolean {
    return this.#running.get(entry.name) === entry;
  }

  leave(entry: RunningEntry): void {
    this.#running.delete(entry.name);
  }

  /** Remembers that a call ended. If there are too many entries, drops the one of the largest account that expires first. */
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

  /** Forgets at most `count` expired entries; returns whether there may be more. */
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

  /** The entries of an account with more than an equal share; one exists while there are too many entries. */
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
