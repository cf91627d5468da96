/** Tokens of cookies and links: 256 random bits, of which only a digest is stored. */
import { createHash, randomBytes } from 'node:crypto';

/** 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256: sufficient because tokens cannot be guessed. */
export function tokenDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
