/**
 * Keys and tokens that end: fetched when first needed, and again before they end. One fetch runs at a time, whoever waits for it; while
 * the present value is good, nobody waits. A value that has ended is never used.
 */
import type { Clock } from '../../core/clock.ts';
import { asGatewayError, GatewayError } from '../../core/errors.ts';

export interface Renewed<Value> {
  readonly value: Value;
  /** From the moment it was made. */
  readonly lifetimeMs: number;
}

export interface RenewalParts<Value> {
  readonly clock: Clock;
  /** Rejects with a `GatewayError` whose message may be shown to callers. */
  fetch(): Promise<Renewed<Value>>;
}

/** Whoever needs a value waits this long. */
export const WAIT_MS = 10_000;
/** A value is renewed this long before its end, but never in the first half of its life. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** It is no longer used this long before its end, because the request is on its way for a while. */
const UNUSED_BEFORE_MS = 10_000;
/** After a failure, the next fetch waits this long; meanwhile calls fail with the same error. */
const PAUSE_MS = 1_000;
/** A refusal says nothing about a value that is younger. */
const KEPT_MS = 30_000;

interface Held<Value> {
  readonly value: Value;
  readonly madeAt: Moment;
  readonly renewAfterMs: number;
  readonly endsAfterMs: number;
}

/** The process's clock stands still while the machine sleeps; the wall clock may be set. The later of the two counts. */
interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export class Renewal<Value> {
  readonly #parts: RenewalParts<Value>;
  #held: Held<Value> | null = null;
  #running: Promise<Value> | null = null;
  #failure: { readonly error: GatewayError; readonly at: Moment } | null = null;

  constructor(parts: RenewalParts<Value>) {
    this.#parts = parts;
  }

  /** The value; a promise only if it must be waited for, at most `WAIT_MS`. Rejects with a `GatewayError`. */
  current(): Value | Promise<Value> {
    const held = this.#held;
    if (held !== null) {
      const age = this.#since(held.madeAt);
      if (age < held.renewAfterMs) return held.value;
      if (age < held.endsAfterMs) {
        // Nobody waits for it, and a failure matters only when the value has ended.
        this.#renew().catch(() => undefined);
        return held.value;
      }
      this.#held = null;
    }
    return this.#inTime(this.#renew());
  }

  /**
   * Forgets a value that was refused. Whether another may be accepted: not if this one was just made, so that a credential that is
   * always refused does not fetch a token for each call.
   */
  drop(value: Value): boolean {
    const held = this.#held;
    if (held === null || held.value !== value) return true;
    if (this.#since(held.madeAt) < KEPT_MS) return false;
    this.#held = null;
    return true;
  }

  #renew(): Promise<Value> {
    if (this.#running !== null) return this.#running;
    const { clock, fetch } = this.#parts;
    if (this.#failure !== null && this.#since(this.#failure.at) < PAUSE_MS) return Promise.reject(this.#failure.error);
    // Its life is counted from before it was asked for.
    const madeAt = momentOf(clock);
    const running = fetch().then(
      ({ value, lifetimeMs }) => {
        this.#failure = null;
        this.#held = {
          value,
          madeAt,
          renewAfterMs: Math.max(lifetimeMs / 2, lifetimeMs - RENEW_BEFORE_MS),
          endsAfterMs: lifetimeMs - UNUSED_BEFORE_MS,
        };
        return value;
      },
      (error: unknown) => {
        this.#failure = { error: asGatewayError(error), at: momentOf(clock) };
        throw this.#failure.error;
      },
    );
    this.#running = running;
    const forget = () => {
      this.#running = null;
    };
    running.then(forget, forget);
    return running;
  }

  #inTime(running: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const timer = this.#parts.clock.after(WAIT_MS, () => reject(tooSlow()));
      running.then(resolve, reject).finally(() => timer.cancel());
    });
  }

  #since({ wallMs, monotonicMs }: Moment): number {
    const { clock } = this.#parts;
    return Math.max(clock.now() - wallMs, clock.monotonic() - monotonicMs);
  }
}

function momentOf(clock: Clock): Moment {
  return { wallMs: clock.now(), monotonicMs: clock.monotonic() };
}

function tooSlow(): GatewayError {
  return new GatewayError('upstream_unreachable', {
    message: `The service that issues the provider's access tokens did not respond within ${WAIT_MS / 1000} s.`,
  });
}
