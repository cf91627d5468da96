/** Derives a key for each purpose from the one secret of the data folder, so that the keys are independent. */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { assert } from '../core/assert.ts';
import type { Secret } from '../core/secret.ts';

const KEY_BYTES = 32;

/** HKDF-SHA-256 (https://www.rfc-editor.org/rfc/rfc5869); `sealingKey` is 64 hexadecimal digits. */
export function deriveKey(sealingKey: Secret, purpose: string): KeyObject {
  const secret = Buffer.from(sealingKey.reveal(), 'hex');
  assert(secret.length === KEY_BYTES, 'a sealing key is 32 bytes, written as 64 hexadecimal digits');
  // Without salt: the secret is random already.
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `turnpike replay: ${purpose}`, KEY_BYTES)));
}
