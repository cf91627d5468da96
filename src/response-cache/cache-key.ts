/**
 * Which requests are equal: a keyed digest of everything that may make a difference to their answer. The secret is the process's own, as the
 * cache is: nothing can be learnt from a digest, and the digests of two processes are not comparable.
 */
import { createHash, createHmac, createSecretKey, type Hmac, type KeyObject, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProjectId } from '../core/ids.ts';

/** Bytes hashed in one turn of the event loop, which takes 0.4 ms. */
const TURN_BYTES = 512 * 1024;
const SECRET_BYTES = 32;

export interface CacheKeyParts {
  readonly projectId: ProjectId;
  /** Texts without a line break that must be equal: format, operation, model, what may serve it, headers. */
  readonly texts: readonly string[];
  /** The parts of the body that must be equal byte for byte, in order. */
  readonly body: readonly Buffer[];
}

export class CacheKeys {
  readonly #secret: KeyObject = createSecretKey(randomBytes(SECRET_BYTES));

  /** HMAC-SHA-256 as Latin-1 text, with turns of the event loop between the parts of a large body, which must not be modified meanwhile. */
  async of({ projectId, texts, body }: CacheKeyParts): Promise<string> {
    const digest = createHmac('sha256', this.#secret);
    digest.update(`${projectId}\n${texts.length}\n${body.length}\n`);
    for (const text of texts) digest.update(`${Buffer.byteLength(text)}\n${text}\n`);
    for (const part of body) {
      // With each length, no two lists of parts are the same bytes.
      digest.update(`${part.length}\n`);
      await addInTurns(digest, part);
    }
    return digest.digest('latin1');
  }
}

/** A digest of what one way of sending an answer depends on, such as the options of a stream. */
export function formOf(name: string, options: Buffer | null): string {
  return options === null ? name : `${name} ${createHash('sha256').update(options).digest('latin1')}`;
}

async function addInTurns(digest: Hmac, part: Buffer): Promise<void> {
  for (let at = 0; at < part.length; at += TURN_BYTES) {
    if (at > 0) await nextTurn();
    digest.update(part.subarray(at, at + TURN_BYTES));
  }
}
