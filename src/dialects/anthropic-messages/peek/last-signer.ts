/**
 * Whose the last opaque thought of a conversation is: a thinking block has a signature, a redacted one only encrypted data.
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
import type { ReasoningOrigin } from '../../../chat/request.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { lastTextField, lastTextNear } from '../../kit/peek/last-text-field.ts';
import { openSignature } from '../answer/reasoning-tag.ts';
import { isInThought, thoughtAround } from '../relay/foreign-thoughts.ts';

/** Null if there is none. One without the gateway's mark is Anthropic's. */
export function lastSigner({ bytes }: Pick<JsonDocument, 'bytes'>): ReasoningOrigin | null {
  const signed = lastTextField(bytes, SIGNATURE, ({ searched, keyStart }) => isInThought(searched, keyStart));
  // Images and documents have fields of the same name as the data, so what is searched for is the type, which is rare.
  const redacted = lastTextNear(bytes, REDACTED, DATA, thoughtAround);
  const last = redacted !== null && redacted.keyStart > (signed?.keyStart ?? -1) ? redacted : signed;
  if (last === null) return null;
  const { origin, signature } = openSignature(last.value);
  return signature === null ? null : origin;
}

const SIGNATURE = Buffer.from('"signature"');
const REDACTED = Buffer.from('"redacted_thinking"');
const DATA = Buffer.from('"data"');
