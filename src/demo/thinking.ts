/**
 * Signatures of thinking blocks. They are opaque to others, prove that a block is from this provider, and bind its text: a
 * block must be sent back unchanged, with an empty text, or not at all.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Not a secret: it only has to survive a restart, so that conversations can continue. */
const SIGNING_KEY = 'turnpike demo provider';
const DIGEST_BYTES = 32;

/** Base64 of a digest of the text and a digest of that digest. */
export function signThinking(text: string): string {
  const body = digest(`text:${text}`);
  return Buffer.concat([body, digest(body)]).toString('base64');
}

/** Whether the signature is from this provider, and matches the text unless the text was left out. */
export function verifyThinking(text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  if (bytes.length !== 2 * DIGEST_BYTES || bytes.toString('base64') !== signature) return false;
  const body = bytes.subarray(0, DIGEST_BYTES);
  if (!timingSafeEqual(digest(body), bytes.subarray(DIGEST_BYTES))) return false;
  return text === '' || timingSafeEqual(digest(`text:${text}`), body);
}

function digest(content: string | Buffer): Buffer {
  return createHmac('sha256', SIGNING_KEY).update(content).digest();
}
