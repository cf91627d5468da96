/** What a cookie or a link carries: 256 random bits, of which only a digest is kept. */
import { createHash, randomBytes } from 'node:crypto';

/** 43 characters of base 64 for addresses. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256: enough for what cannot be guessed. */
export function tokenDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
