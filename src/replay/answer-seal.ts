/**
 * Seals stored answers, so that a copy of the database reveals none of them, and an answer moved to another
 * row cannot be opened. AES-256-GCM: https://csrc.nist.gov/pubs/sp/800/38/d/final, which allows 2^32 random nonces per key.
 *
 * A sealed answer: version (1 byte), nonce (12), ciphertext, tag (16).
 */
import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  type DecipherGCM,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { callIdBytes } from '../core/ids.ts';
import { CIPHER_TURN_BYTES, updateInTurns } from '../core/sealing/cipher-in-turns.ts';
import type { Secret } from '../core/secret.ts';
import { deriveKey } from './derive-key.ts';
import type { ReplayRow } from './ports.ts';

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;

/** The row an answer belongs to: it cannot be opened for any other. */
export type SealedFor = Pick<ReplayRow, 'projectId' | 'callId' | 'keyDigest'>;

export class AnswerSeal {
  readonly #key: KeyObject;

  /** Takes 64 hexadecimal digits. */
  constructor(sealingKey: Secret) {
    this.#key = deriveKey(sealingKey, 'sealed answer');
  }

  seal(answer: Buffer, row: SealedFor): Buffer {
    const { nonce, cipher } = this.#begin(row);
    const text = cipher.update(answer);
    // `final` returns no data in this mode; it computes the tag.
    cipher.final();
    return Buffer.concat([Buffer.of(VERSION), nonce, text, cipher.getAuthTag()]);
  }

  /** The same for an answer of any size: calls run in between. */
  async sealInTurns(answer: Buffer, row: SealedFor): Promise<Buffer> {
    const { nonce, cipher } = this.#begin(row);
    const sealed = Buffer.allocUnsafeSlow(HEAD_BYTES + answer.length + TAG_BYTES);
    sealed[0] = VERSION;
    nonce.copy(sealed, 1);
    const end = await updateInTurns(cipher, [answer], sealed, HEAD_BYTES);
    cipher.final();
    cipher.getAuthTag().copy(sealed, end);
    return sealed;
  }

  /**
   * Resolves with the answer that was sealed for this row; calls run in between. Rejects if it was modified, truncated, or sealed for another row or
   * with another key.
   */
  async openInTurns(sealed: Uint8Array, row: SealedFor): Promise<Buffer> {
    if (sealed.length <= CIPHER_TURN_BYTES) return this.open(sealed, row);
    const decipher = this.#beginToOpen(sealed, row);
    const answer = Buffer.allocUnsafeSlow(sealed.length - HEAD_BYTES - TAG_BYTES);
    await updateInTurns(decipher, [sealed.subarray(HEAD_BYTES, sealed.length - TAG_BYTES)], answer, 0);
    decipher.final();
    return answer;
  }

  /** The same in one step. */
  open(sealed: Uint8Array, row: SealedFor): Buffer {
    const decipher = this.#beginToOpen(sealed, row);
    const answer = decipher.update(sealed.subarray(HEAD_BYTES, sealed.length - TAG_BYTES));
    decipher.final();
    return answer;
  }

  #begin(row: SealedFor): { readonly nonce: Buffer; readonly cipher: CipherGCM } {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(row));
    return { nonce, cipher };
  }

  #beginToOpen(sealed: Uint8Array, row: SealedFor): DecipherGCM {
    if (sealed.length < HEAD_BYTES + TAG_BYTES) throw new Error('a sealed answer is cut short');
    if (sealed[0] !== VERSION) throw new Error('a sealed answer is of an unknown version');
    const decipher = createDecipheriv(CIPHER, this.#key, sealed.subarray(1, HEAD_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(row));
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    return decipher;
  }
}

/** Version, project (8 bytes), call (16), digest of the idempotency key (32): each of a fixed length. */
function boundTo({ projectId, callId, keyDigest }: SealedFor): Buffer {
  const head = Buffer.alloc(9);
  head[0] = VERSION;
  head.writeBigUInt64BE(BigInt(projectId), 1);
  return Buffer.concat([head, callIdBytes(callId), keyDigest]);
}
