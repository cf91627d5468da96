/** What stands in for a lost authenticator: ten codes of 80 random bits, good once each, kept as digests. */
import { createHash, randomBytes } from 'node:crypto';
import { base32 } from './base32.ts';

const CODES = 10;
const CODE_BYTES = 10;

export interface RecoveryCodes {
  /** `ABCD-EFGH-2345-WXYZ`, for the person alone. */
  readonly codes: readonly string[];
  /** SHA-256, hexadecimal; enough for what cannot be guessed. */
  readonly digests: readonly string[];
}

export function newRecoveryCodes(): RecoveryCodes {
  const codes = Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES)).replace(/(.{4})(?=.)/g, '$1-'));
  return { codes, digests: codes.map(recoveryDigest) };
}

/** However it was typed: in small letters, with or without what separates the groups. */
export function recoveryDigest(code: string): string {
  return createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z2-7]/g, ''))
    .digest('hex');
}
