/**
 * What is stored of an idempotency key and of a request: keyed digests, from which nothing can be guessed without the
 * secret of the data folder. Both include the project, so that equal keys or bodies of two projects cannot be recognized as equal.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProjectId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import { deriveKey } from './derive-key.ts';

/**
 * Bytes hashed in one turn of the event loop, which takes 0.4 ms. Hashing 32 MiB at once takes 26 ms, during which
 * every stream of the gateway would stop; Web Crypto copies the body first, which takes even longer.
 */
const TURN_BYTES = 512 * 1024;

export class ReplayDigests {
  readonly #keyKey: KeyObject;
  readonly #bodyKey: KeyObject;

  /** Takes 64 hexadecimal digits. */
  constructor(sealingKey: Secret) {
    this.#keyKey = deriveKey(sealingKey, 'digest of idempotency key');
    this.#bodyKey = deriveKey(sealingKey, 'digest of route and body');
  }

  /** HMAC-SHA-256. */
  ofKey(projectId: ProjectId, idempotencyKey: string): Buffer {
    return createHmac('sha256', this.#keyKey).update(`${projectId} ${idempotencyKey}`).digest();
  }

  /** HMAC-SHA-256, with turns of the event loop between the parts of a large body, which must not be modified meanwhile. */
  async ofBody(projectId: ProjectId, route: string, body: Buffer): Promise<Buffer> {
    // A path has no line break, so different pairs of route and body never produce the same text.
    const digest = createHmac('sha256', this.#bodyKey).update(`${projectId} ${route}\n`);
    for (let at = 0; at < body.length; at += TURN_BYTES) {
      if (at > 0) await nextTurn();
      digest.update(body.subarray(at, at + TURN_BYTES));
    }
    return digest.digest();
  }
}
