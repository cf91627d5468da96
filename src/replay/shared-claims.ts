/**
 * Claims of idempotency keys that all nodes respect. While they cannot be reached, the node decides alone: it asks again after a while, one
 * call at a time, and the others do not wait.
 */
import type { Clock } from '../core/clock.ts';
import type { CallId, ProjectId } from '../core/ids.ts';
import type { EarlierCall, ReplayClaim, ReplayClaims, RunningClaim } from './ports.ts';

const REST_MS = 2_000;
/** Calls whose keys could not be released yet. Those of more are free when their claims expire. */
const WAITING_MAX = 10_000;
const RELEASED_AT_ONCE = 500;

export class SharedClaims {
  readonly #claims: ReplayClaims;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #restsUntil = Number.NEGATIVE_INFINITY;
  readonly #waiting = new Set<CallId>();
  #releasing: Promise<void> | null = null;

  constructor(claims: ReplayClaims, clock: Pick<Clock, 'monotonic'>) {
    this.#claims = claims;
    this.#clock = clock;
  }

  /** Null if the key is the call's now; `away` if nobody could be asked. Never rejects. */
  async claim(claim: ReplayClaim): Promise<EarlierCall | null | 'away'> {
    const nowMs = this.#clock.monotonic();
    if (nowMs < this.#restsUntil) return 'away';
    // It is known to be well once an answer has come.
    if (this.#restsUntil > Number.NEGATIVE_INFINITY) this.#restsUntil = nowMs + REST_MS;
    try {
      // Perhaps it is the key of a call that has just failed.
      if (this.#waiting.size > 0) await this.#release();
      const earlier = await this.#claims.claim(claim);
      this.#restsUntil = Number.NEGATIVE_INFINITY;
      return earlier;
    } catch {
      // The answer says that only this node has decided; the database itself reports why it is away.
      this.#restsUntil = this.#clock.monotonic() + REST_MS;
      return 'away';
    }
  }

  /** See `ReplayClaims.claimAgain`; rejects if nobody can be asked. */
  claimAgain(running: readonly RunningClaim[]): Promise<void> {
    return this.#claims.claimAgain(running);
  }

  /** See `ReplayClaims.between`; rejects if nobody can be asked. */
  between(
    projectId: ProjectId,
    first: Uint8Array,
    last: Uint8Array,
    nowMs: number,
  ): ReturnType<ReplayClaims['between']> {
    return this.#claims.between(projectId, first, last, nowMs);
  }

  /** See `ReplayClaims.giveUp`; rejects if nobody can be asked. */
  giveUp(calls: readonly CallId[], nowMs: number): Promise<boolean> {
    return this.#claims.giveUp(calls, nowMs);
  }

  /** In the background; tried again before the next claim if it fails. */
  release(callId: CallId): void {
    if (this.#waiting.size < WAITING_MAX) this.#waiting.add(callId);
    if (this.#clock.monotonic() < this.#restsUntil) return;
    this.#release().catch(() => {
      this.#restsUntil = this.#clock.monotonic() + REST_MS;
    });
  }

  deleteExpired(nowMs: number): Promise<void> {
    return this.#claims.deleteExpired(nowMs);
  }

  #release(): Promise<void> {
    this.#releasing ??= this.#releaseWaiting().finally(() => {
      this.#releasing = null;
    });
    return this.#releasing;
  }

  async #releaseWaiting(): Promise<void> {
    while (this.#waiting.size > 0) {
      const calls = [...this.#waiting].slice(0, RELEASED_AT_ONCE);
      await this.#claims.release(calls);
      for (const call of calls) this.#waiting.delete(call);
    }
  }
}
