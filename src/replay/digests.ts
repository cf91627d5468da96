/**
 * What is kept of an idempotency key and of a request: keyed digests, of which nothing can be guessed without the
 * secret of the data folder. The project is in both, so that the same key or body of two projects cannot be told to be the same.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProjectId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import { deriveKey } from './derive-key.ts';

/**
 * What is hashed in one turn of the event loop: 0.4 ms of it. A body of 32 MiB in one go takes 26 ms, in which
 * every stream of the gateway would stand still; Web Crypto copies the body first, which takes even longer.
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

  /** HMAC-SHA-256, with turns of the event loop between the parts of a large body, which must not change meanwhile. */
  async ofBody(projectId: ProjectId, route: string, body: Buffer): Promise<Buffer> {
    // No path has a line break, so no two pairs of route and body make the same text.
    const digest = createHmac('sha256', this.#bodyKey).update(`${projectId} ${route}\n`);
    for (let at = 0; at < body.length; at += TURN_BYTES) {
      if (at > 0) await nextTurn();
      digest.update(body.subarray(at, at + TURN_BYTES));
    }
    return digest.digest();
  }
}
