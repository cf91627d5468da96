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

/** `nowMs` is wall time, `monotonicMs` is not: a clock that is set must not let two calls run under one key. */
export class ReplayIndex {
  readonly #limits: IndexLimits;
  /** In the order of `since`. */
  readonly #running = new Map<string, RunningEntry>();
  /** In the order they ended (those of earlier runs: began), which is the order in which they expire. */
  readonly #ended = new Map<string, EndedEntry>();
  #dropped = 0;

  constructor(limits: IndexLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#ended.size;
  }

  get dropped(): number {
    return this.#dropped;
  }

  find(name: string, nowMs: number, monotonicMs: number): RunningEntry | EndedEntry | null {
    this.#forget(monotonicMs);
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const ended = this.#ended.get(name);
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

  /** Knows the end of a call; where there is no room, the one is dropped that expires first. */
  remember(entry: EndedEntry, nowMs: number): void {
    this.#ended.delete(entry.name);
    this.#ended.set(entry.name, entry);
    if (this.#ended.size <= this.#limits.entriesMax) return;
    const [first] = this.#ended.values();
    if (first === undefined) return;
    this.#ended.delete(first.name);
    if (first.expiresAt > nowMs) this.#dropped += 1;
  }

  /** Forgets at most `count` that have expired; whether there may be more of them. */
  deleteExpired(nowMs: number, count: number): boolean {
    let left = count;
    for (const { name, expiresAt } of this.#ended.values()) {
      if (expiresAt > nowMs) return false;
      if (left === 0) return true;
      this.#ended.delete(name);
      left -= 1;
    }
    return false;
  }

  #forget(monotonicMs: number): void {
    for (const { name, since } of this.#running.values()) {
      if (monotonicMs - since < this.#limits.runningMsMax) return;
      this.#running.delete(name);
    }
  }
}
