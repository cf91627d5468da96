/** Recovery codes for a lost authenticator: ten codes of 80 random bits, each valid once, stored as digests. */
import { createHash, randomBytes } from 'node:crypto';
import { base32 } from './base32.ts';

const CODES = 10;
const CODE_BYTES = 10;

export interface RecoveryCodes {
  /** `ABCD-EFGH-2345-WXYZ`; shown only to the person. */
  readonly codes: readonly string[];
  /** SHA-256, hexadecimal; sufficient because the codes cannot be guessed. */
  readonly digests: readonly string[];
}

export function newRecoveryCodes(): RecoveryCodes {
  const codes = Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES)).replace(/(.{4})(?=.)/g, '$1-'));
  return { codes, digests: codes.map(recoveryDigest) };
}

/** Ignores case, spaces and hyphens. */
export function recoveryDigest(code: string): string {
  return createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z2-7]/g, ''))
    .digest('hex');
}
