/**
 * The master key (`sealingKey` of the configuration) encrypts the keys of the ring, which are in the database; who has a copy of the
 * database can open nothing. AES-256-GCM: https://csrc.nist.gov/pubs/sp/800/38/d/final. A wrapped key: nonce (12 bytes), ciphertext,
 * tag (16); its id is authenticated with it.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Secret } from '../../../core/secret.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'turnpike sealing keys 1';
const ID_BYTES = 16;

export class MasterKey {
  readonly #key: Buffer;

  /** 64 hexadecimal digits. */
  constructor(secret: Secret) {
    this.#key = Buffer.from(hkdfSync('sha256', Buffer.from(secret.reveal(), 'hex'), '', PURPOSE, KEY_BYTES));
  }

  wrap(id: Uint8Array, secret: Secret): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(id);
    const text = cipher.update(secret.reveal(), 'hex');
    cipher.final();
    return Buffer.concat([nonce, text, cipher.getAuthTag()]);
  }

  /** Throws if it was wrapped with another key, or changed. */
  unwrap(id: Uint8Array, wrapped: Uint8Array): Secret {
    const decipher = createDecipheriv(CIPHER, this.#key, wrapped.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(id);
    decipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
    const text = decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES));
    decipher.final();
    return new Secret(text.toString('hex'));
  }
}

/** Identifies a key of the ring, and reveals nothing of it. */
export function idOfKey(secret: Secret): Buffer {
  return createHash('sha256').update('turnpike key id').update(secret.reveal()).digest().subarray(0, ID_BYTES);
}

/** Whether two nodes have the same secret; reveals nothing of it, because it has 256 random bits. */
export function digestOf(secret: Secret, name: string): string {
  return createHmac('sha256', Buffer.from(secret.reveal(), 'hex')).update(`turnpike ${name}`).digest('hex');
}
