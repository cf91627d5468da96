/**
 * Whether something that failed is asked again: it rests for a while, then one call probes it, then it is asked as before or rests longer.
 * Times are monotonic, ms; `askedAt` is when the call that is reported was begun.
 */
import type { Readiness, Resting } from '../ports.ts';

/** What rests, one after another; short enough that what is well again is asked within 30 s. */
const RESTS_MS = [5_000, 10_000, 20_000, 25_000] as const;
/** A provider may ask for a longer rest, but not to be forgotten; and one that asks for none has still refused. */
export const REST_MS_MAX = 300_000;
const REST_MS_MIN = 1_000;
/** A probe that has no answer by then no longer keeps others from probing. */
const PROBE_MS = 25_000;
/** What has been well for so long begins with the shortest rest again. */
const WELL_MS = 30_000;
const NEVER = Number.NEGATIVE_INFINITY;

export class Circuit {
  /** Whether it opened because a credential was refused. */
  wasRejected = false;
  #closedAt = NEVER;
  /** What was begun before says nothing any more: when it opened, or when the call was begun that closed it. */
  #newsFrom = NEVER;
  /** Set while it is open. */
  #resting: Resting | null = null;
  /** Set while a probe runs. */
  #probed: Resting | null = null;
  #probeAt = NEVER;
  #rest = 0;

  get isOpen(): boolean {
    return this.#resting !== null;
  }

  /** `probing`: it has rested, and the next call may probe it. */
  readiness(nowMs: number): Readiness {
    if (this.#resting === null) return 'ready';
    if (nowMs < this.#resting.until) return this.#resting;
    return this.#probed === null || nowMs >= this.#probed.until ? 'probing' : this.#probed;
  }

  /** A call that is about to be made is the probe, if it is time for one. */
  begin(nowMs: number): void {
    if (this.readiness(nowMs) !== 'probing') return;
    this.#probeAt = nowMs;
    this.#probed = { until: nowMs + PROBE_MS };
  }

  /** Whether what a call shows still matters. */
  isNews(askedAt: number): boolean {
    return askedAt >= this.#newsFrom;
  }

  /** A call that failed while it was closed has opened it. `atLeastMs`: what the provider asked for, if it did. */
  open(nowMs: number, atLeastMs: number | null): void {
    this.#restFor(nowMs, Math.max(this.#nextRest(nowMs), atLeastMs ?? 0));
  }

  /** A call failed while it was open: only one that was begun after the rest says more than what opened it. */
  failedOpen(nowMs: number, askedAt: number, atLeastMs: number | null): void {
    if (this.#resting !== null && askedAt >= this.#resting.until) this.open(nowMs, atLeastMs);
  }

  /** The provider asked to wait: as long as it said, or as after a failure if it did not say. */
  limit(nowMs: number, askedAt: number, forMs: number | null): void {
    if (this.#resting !== null && askedAt < this.#resting.until) {
      // Calls that ran at the same time are answered alike; the longest wait counts.
      if (forMs !== null && nowMs + forMs > this.#resting.until) this.#restFor(nowMs, forMs);
      return;
    }
    const ownMs = this.#nextRest(nowMs);
    this.#restFor(nowMs, forMs ?? ownMs);
  }

  /** A call that was begun after it opened was answered. Returns whether that closed it. */
  answered(nowMs: number, askedAt: number): boolean {
    if (this.#resting === null || askedAt < this.#newsFrom) return false;
    this.#resting = null;
    this.#probed = null;
    this.#closedAt = nowMs;
    this.#newsFrom = askedAt;
    return true;
  }

  /** A call ended without showing anything: if it was the probe, the next one may be. */
  showedNothing(askedAt: number): void {
    if (askedAt >= this.#probeAt) this.#probed = null;
  }

  /** Longer each time, until it has been well for a while. */
  #nextRest(nowMs: number): number {
    const wasWell = this.#resting === null && nowMs - this.#closedAt > WELL_MS;
    this.#rest = wasWell ? 0 : Math.min(this.#rest + 1, RESTS_MS.length - 1);
    return RESTS_MS[this.#rest] as number;
  }

  #restFor(nowMs: number, forMs: number): void {
    if (this.#resting === null) this.#newsFrom = nowMs;
    this.#probed = null;
    this.#resting = { until: nowMs + Math.min(Math.max(forMs, REST_MS_MIN), REST_MS_MAX) };
  }
}
