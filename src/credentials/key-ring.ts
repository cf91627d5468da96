/**
 * Encrypts the secrets in the database, so that a copy of it reveals none. One key of the ring seals, the older ones
 * only open. AES-256-GCM: https://csrc.nist.gov/pubs/sp/800/38/d/final, which allows 2^32 random nonces per key.
 *
 * A sealed value: version (1 byte), key id (8), nonce (12), ciphertext, tag (16). Version, key id and the name it is
 * sealed for are authenticated with it.
 */
import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type DecipherGCM,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { assert } from '../core/assert.ts';
import { type Body, bodyLength } from '../core/body.ts';
import { CIPHER_TURN_BYTES, updateInTurns } from '../core/sealing/cipher-in-turns.ts';
import type { SharedSealer } from '../core/sealing/sealer.ts';
import type { Secret } from '../core/secret.ts';

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_END = 1 + KEY_ID_BYTES;
const HEAD_BYTES = KEY_ID_END + NONCE_BYTES;

/** A sealed value that this ring cannot open; the message says why, and reveals nothing of it. */
export class NotOpened extends Error {
  override readonly name = 'NotOpened';
}

export class KeyRing implements SharedSealer {
  #keys: readonly RingKey[];
  #follow: () => Promise<void> = async () => undefined;

  /** The active key first; each is 64 hexadecimal digits. */
  constructor(secrets: readonly Secret[]) {
    this.#keys = readKeys(secrets);
  }

  /** The id of the active key: 16 hexadecimal digits, which reveal nothing of the key. */
  get activeId(): string {
    return this.#active.id;
  }

  /** Replaces the keys of the ring, the active one first. */
  replace(secrets: readonly Secret[]): void {
    this.#keys = readKeys(secrets);
  }

  /** `follow` reads the keys again, which another process may have changed, and replaces those of the ring. */
  onUnknownKey(follow: () => Promise<void>): void {
    this.#follow = follow;
  }

  seal(plain: Buffer, about: string): Buffer {
    const { head, cipher } = this.#begin(about);
    const text = cipher.update(plain);
    // `final` returns no data in this mode; it computes the tag.
    cipher.final();
    return Buffer.concat([head, text, cipher.getAuthTag()]);
  }

  async sealInTurns(plain: Body, about: string): Promise<Buffer> {
    const { head, cipher } = this.#begin(about);
    const sealed = Buffer.allocUnsafeSlow(HEAD_BYTES + bodyLength(plain) + TAG_BYTES);
    head.copy(sealed);
    const end = await updateInTurns(cipher, Buffer.isBuffer(plain) ? [plain] : plain, sealed, HEAD_BYTES);
    cipher.final();
    cipher.getAuthTag().copy(sealed, end);
    return sealed;
  }

  /** Throws `NotOpened`. */
  open(sealed: Uint8Array, about: string): Buffer {
    const decipher = this.#beginToOpen(sealed, about);
    const plain = decipher.update(textIn(sealed));
    finish(decipher);
    return plain;
  }

  async openStored(sealed: Uint8Array, about: string): Promise<Buffer> {
    const id = keyIdOf(sealed);
    if (id !== null && this.#keys.every((each) => each.id !== id)) await this.#follow();
    if (sealed.length <= CIPHER_TURN_BYTES) return this.open(sealed, about);
    const decipher = this.#beginToOpen(sealed, about);
    const text = textIn(sealed);
    const plain = Buffer.allocUnsafeSlow(text.length);
    await updateInTurns(decipher, [text], plain, 0);
    finish(decipher);
    return plain;
  }

  /** `head`: everything before the text. */
  #begin(about: string): { readonly head: Buffer; readonly cipher: CipherGCM } {
    const { id, key } = this.#active;
    const head = Buffer.concat([Buffer.of(VERSION), Buffer.from(id, 'hex')]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.concat([head, Buffer.from(about)]));
    return { head: Buffer.concat([head, nonce]), cipher };
  }

  #beginToOpen(sealed: Uint8Array, about: string): DecipherGCM {
    const id = keyIdOf(sealed);
    if (id === null || sealed.length < HEAD_BYTES + TAG_BYTES)
      throw new NotOpened('it is cut short, or of an unknown version');
    const found = this.#keys.find((each) => each.id === id);
    if (found === undefined) throw new NotOpened('it was sealed under a key that is not in the ring');
    const nonce = sealed.subarray(KEY_ID_END, HEAD_BYTES);
    const decipher = createDecipheriv(CIPHER, found.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.concat([sealed.subarray(0, KEY_ID_END), Buffer.from(about)]));
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    return decipher;
  }

  get #active(): RingKey {
    const [active] = this.#keys;
    assert(active !== undefined, 'a ring has an active key');
    return active;
  }
}

function textIn(sealed: Uint8Array): Uint8Array {
  return sealed.subarray(HEAD_BYTES, sealed.length - TAG_BYTES);
}

/** Throws `NotOpened`: what was decrypted counts only after this. */
function finish(decipher: DecipherGCM): void {
  try {
    decipher.final();
  } catch (cause) {
    throw new NotOpened('it was changed, or sealed for another place', { cause });
  }
}

/** The id of the key that sealed it, read from its first 9 bytes or more; null if it is not a sealed value of this version. */
export function keyIdOf(sealed: Uint8Array): string | null {
  if (sealed.length < KEY_ID_END || sealed[0] !== VERSION) return null;
  return Buffer.from(sealed.subarray(1, KEY_ID_END)).toString('hex');
}

/** The id of a key in a ring; it reveals nothing of the key. */
export function ringKeyId(secret: Secret): string {
  return derive(secret, 'key id', KEY_ID_BYTES).toString('hex');
}

interface RingKey {
  readonly id: string;
  readonly key: KeyObject;
}

function readKeys(secrets: readonly Secret[]): readonly RingKey[] {
  assert(secrets.length > 0, 'a ring has an active key');
  return secrets.map((secret) => ({
    id: ringKeyId(secret),
    key: createSecretKey(derive(secret, 'seal', KEY_BYTES)),
  }));
}

/** HKDF-SHA-256 (https://www.rfc-editor.org/rfc/rfc5869), without salt: the secret is random already. */
function derive(secret: Secret, purpose: string, bytes: number): Buffer {
  const whole = Buffer.from(secret.reveal(), 'hex');
  assert(whole.length === KEY_BYTES, 'a sealing key is 32 bytes, written as 64 hexadecimal digits');
  return Buffer.from(hkdfSync('sha256', whole, '', `turnpike credentials: ${purpose}`, bytes));
}
