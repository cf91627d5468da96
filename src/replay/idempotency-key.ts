/** Reads the header that makes a retried request safe: it is served once. */
import { GatewayError } from '../core/errors.ts';

const NAME = 'Idempotency-Key';
const LOWER_NAME = NAME.toLowerCase();
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * The idempotency key among raw headers (names and values alternate, as in Node's `rawHeaders`), taken literally; null
 * without one. Throws `GatewayError` `invalid_value` unless it is 1 to 255 visible ASCII characters, and
 * `duplicate_header` when it was sent twice: there is no way to choose between two keys.
 */
export function readIdempotencyKey(rawHeaders: readonly string[]): string | null {
  let key: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    // Nearly every other header has a different length, which saves a lower-case copy.
    if (name.length !== LOWER_NAME.length || name.toLowerCase() !== LOWER_NAME) continue;
    if (key !== null) throw new GatewayError('duplicate_header', { message: `The header ${NAME} was sent twice.` });
    key = rawHeaders[index + 1] as string;
  }
  if (key !== null && !VISIBLE_ASCII.test(key))
    throw new GatewayError('invalid_value', {
      message: `The header ${NAME} must be 1 to 255 visible ASCII characters without spaces.`,
      param: NAME,
    });
  return key;
}
