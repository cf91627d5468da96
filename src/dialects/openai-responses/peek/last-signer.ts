/** Who encrypted the last thought of a conversation: https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items */
import { OPENAI_REASONING, type ReasoningOrigin } from '../../../chat/request.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { lastTextField } from '../../kit/peek/last-text-field.ts';
import { openThought } from '../answer/thought-seal.ts';

/** Null if nothing is encrypted. What has no mark of the gateway's is OpenAI's. */
export function lastSigner({ bytes }: Pick<JsonDocument, 'bytes'>): ReasoningOrigin | null {
  const found = lastTextField(bytes, ENCRYPTED);
  if (found === null) return null;
  const sealed = openThought(found.value);
  if (sealed === null) return OPENAI_REASONING;
  return (
    sealed.restore('').find(({ signature, encrypted }) => signature !== null || encrypted !== null)?.origin ?? null
  );
}

const ENCRYPTED = Buffer.from('"encrypted_content"');
