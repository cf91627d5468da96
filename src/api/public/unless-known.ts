/** Conditional requests: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
import { createHash } from 'node:crypto';

interface ConditionalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The body with its entity tag, or 304 without one if the caller has it; `ifNoneMatch` is that header, as sent. */
export function unlessKnown(body: string, ifNoneMatch: string | undefined): ConditionalAnswer {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, TAG_CHARACTERS)}"`;
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  const isKnown = known.includes(etag) || known.includes('*');
  const headers = { etag };
  return isKnown ? { status: 304, headers, body: '' } : { status: 200, headers, body };
}

const TAG_CHARACTERS = 27;
