/**
 * What is stored of an idempotency key and of a request: keyed digests, from which nothing can be guessed without the
 * secret of the data folder. Both include the project, so that equal keys or bodies of two projects cannot be recognized as equal.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProjectId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import { deriveKey } from './derive-key.ts';

/** What a stored answer belongs to if the gateway made the call for a line of a batch. */
export interface LineName {
  readonly batchId: string;
  readonly number: number;
}

/** The first bytes of what lines are stored under. That of a caller's key begins so by chance once in 2^64. */
const LINE_MARK = Buffer.alloc(8);
const BATCH_PART_BYTES = 8;
const DIGEST_BYTES = 32;

/** Whether something is stored under the name of a line, not under a caller's key. */
export function isOfLine(keyDigest: Uint8Array): boolean {
  return LINE_MARK.every((byte, at) => keyDigest[at] === byte);
}

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

  /**
   * The same for a line of a batch: a mark, 8 bytes of the batch's digest, 16 of the line's. So all of a batch are next to each other, and none
   * can be that of a key that a caller sends.
   */
  ofLine(projectId: ProjectId, { batchId, number }: LineName): Buffer {
    // A key that is sent has no space in it.
    const line = this.ofKey(projectId, `line ${batchId} ${number}`);
    return Buffer.concat([LINE_MARK, this.#ofBatch(projectId, batchId), line], DIGEST_BYTES);
  }

  /** Whatever is stored for lines of the batch is between these two, both included. */
  linesOf(projectId: ProjectId, batchId: string): { readonly first: Buffer; readonly last: Buffer } {
    const start = Buffer.concat([LINE_MARK, this.#ofBatch(projectId, batchId)]);
    const rest = DIGEST_BYTES - start.length;
    return {
      first: Buffer.concat([start, Buffer.alloc(rest)]),
      last: Buffer.concat([start, Buffer.alloc(rest, 0xff)]),
    };
  }

  #ofBatch(projectId: ProjectId, batchId: string): Buffer {
    return this.ofKey(projectId, `batch ${batchId}`).subarray(0, BATCH_PART_BYTES);
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
