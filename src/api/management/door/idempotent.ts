/**
 * A creation retried with the same `Idempotency-Key` is not made again: within a day the first answer is returned. The answer is stored
 * sealed, because it may contain a secret.
 *
 * The creation and its answer are not one transaction. If the process dies between the two, the claim has no answer; after a minute the
 * same request takes it over, and creates the thing a second time.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { SharedSealer } from '../../../core/sealing/sealer.ts';
import type { CreationStore } from '../../../members/creation-ports.ts';

export interface CreationParts {
  readonly store: CreationStore;
  readonly sealer: SharedSealer;
  readonly clock: Clock;
  /** Receives failures to store or withdraw a claim, for the operator. */
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
  /** The caller and the account: keys of others are separate. */
  readonly scope: string;
  /** Route, parameters and body; a different request is a mismatch. */
  readonly request: unknown;
}

const KEPT_MS = 24 * 3_600_000;
/** No creation takes this long; without an answer by then, its process has died. */
const ABANDONED_MS = 60_000;
const RETRY_AFTER_SECONDS = 1;

export class Creations {
  readonly #parts: CreationParts;

  constructor(parts: CreationParts) {
    this.#parts = parts;
  }

  /**
   * The result of `make`, or the stored one. Throws the errors of `make`, after which the key can be used again; `GatewayError`
   * `idempotency_mismatch` for a different request, `idempotency_in_flight` while the first one runs.
   */
  async once(asked: Asked, make: () => Promise<Made>): Promise<Made & { readonly isReplay: boolean }> {
    const { store, sealer, clock, onTrouble } = this.#parts;
    const now = clock.now();
    const keyDigest = digestOf([asked.scope, asked.key]);
    const bodyDigest = digestOf(asked.request);
    const claim = { keyDigest, bodyDigest, createdAt: now, expiresAt: now + KEPT_MS };
    const found = await store.begin(claim, now - ABANDONED_MS);
    const sealedAs = `creation:${keyDigest.toString('hex')}`;
    if (found !== null) {
      if (!bodyDigest.equals(found.bodyDigest)) throw new GatewayError('idempotency_mismatch');
      if (found.answer === null)
        throw new GatewayError('idempotency_in_flight', {
          message: 'A request with this Idempotency-Key is still running.',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      const body = await sealer.openStored(found.answer.body, sealedAs);
      return { status: found.answer.status, body: body.toString(), isReplay: true };
    }
    let made: Made;
    try {
      made = await make();
    } catch (error) {
      await store.abandon(claim).catch(onTrouble);
      throw error;
    }
    try {
      await store.finish(claim, { status: made.status, body: sealer.seal(Buffer.from(made.body), sealedAs) });
    } catch (error) {
      // The creation is done: the caller must get the answer even if it cannot be stored.
      onTrouble(error);
    }
    return { ...made, isReplay: false };
  }
}

function digestOf(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest();
}
