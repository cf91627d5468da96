/**
 * A creation that is sent again with the same `Idempotency-Key` is not made again: within a day its first answer is
 * given once more. The answer is kept sealed, for it may hold a secret.
 *
 * What was made and its answer are not one transaction. Should the process die between the two, the claim stands
 * without an answer; after a minute the same request takes it over, and makes the thing a second time.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { Sealer } from '../../../core/sealer.ts';
import type { CreationStore } from '../../../members/creation-ports.ts';

export interface CreationParts {
  readonly store: CreationStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
  /** An answer that could not be kept, or not be given back: the operator should know. */
  onTrouble(cause: unknown): void;
}

/** A JSON answer as it was sent. */
export interface Made {
  readonly status: number;
  readonly body: string;
}

export interface Asked {
  /** The `Idempotency-Key`. */
  readonly key: string;
  /** Who asks, and in which account: nobody meets the keys of others. */
  readonly scope: string;
  /** Route, parameters and body: another request is a mismatch. */
  readonly request: unknown;
}

const KEPT_MS = 24 * 3_600_000;
/** No creation takes as long; what has no answer by then lost its process. */
const ABANDONED_MS = 60_000;
const RETRY_AFTER_SECONDS = 1;

export class Creations {
  readonly #parts: CreationParts;

  constructor(parts: CreationParts) {
    this.#parts = parts;
  }

  /**
   * What `make` gives, or gave before. Throws what `make` throws, after which the key is free again; `GatewayError`
   * `idempotency_mismatch` for another request, `idempotency_in_flight` while the first one runs.
   */
  async once(asked: Asked, make: () => Promise<Made>): Promise<Made & { readonly isReplay: boolean }> {
    const { store, sealer, clock, onTrouble } = this.#parts;
    const now = clock.now();
    const keyDigest = digestOf([asked.scope, asked.key]);
    const bodyDigest = digestOf(asked.request);
    const claim = { keyDigest, bodyDigest, createdAt: now, expiresAt: now + KEPT_MS };
    const found = await store.begin(claim, now - ABANDONED_MS);
    const place = `creation:${keyDigest.toString('hex')}`;
    if (found !== null) {
      if (!bodyDigest.equals(found.bodyDigest)) throw new GatewayError('idempotency_mismatch');
      if (found.answer === null)
        throw new GatewayError('idempotency_in_flight', {
          message: 'A request with this Idempotency-Key is still running.',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      return { status: found.answer.status, body: sealer.open(found.answer.body, place).toString(), isReplay: true };
    }
    let made: Made;
    try {
      made = await make();
    } catch (error) {
      await store.abandon(claim).catch(onTrouble);
      throw error;
    }
    try {
      await store.finish(claim, { status: made.status, body: sealer.seal(Buffer.from(made.body), place) });
    } catch (error) {
      // It is made: the caller has to hear of it, whether it can be told again or not.
      onTrouble(error);
    }
    return { ...made, isReplay: false };
  }
}

function digestOf(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest();
}
