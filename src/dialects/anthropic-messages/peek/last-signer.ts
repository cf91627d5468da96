/** Whose signature the last thought of a conversation has: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking */
import type { ReasoningOrigin } from '../../../chat/request.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { lastTextField } from '../../kit/peek/last-text-field.ts';
import { openSignature } from '../answer/reasoning-tag.ts';
import { isInThought } from '../relay/foreign-thoughts.ts';

/** Null if no thought is signed. One without the gateway's mark is Anthropic's. */
export function lastSigner({ bytes }: Pick<JsonDocument, 'bytes'>): ReasoningOrigin | null {
  const found = lastTextField(bytes, SIGNATURE, ({ searched, keyStart }) => isInThought(searched, keyStart));
  if (found === null) return null;
  const { origin, signature } = openSignature(found.value);
  return signature === null ? null : origin;
}

const SIGNATURE = Buffer.from('"signature"');
