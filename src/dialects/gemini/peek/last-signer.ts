/** Whose signature the last signed part of a conversation has: https://ai.google.dev/gemini-api/docs/thought-signatures */
import { GOOGLE_REASONING, type ReasoningOrigin } from '../../../chat/request.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { type FoundText, lastTextField } from '../../kit/peek/last-text-field.ts';
import { NO_THOUGHTS, openThoughts } from '../answer/reasoning-tag.ts';
import { NO_SIGNATURE } from '../request/assistant-parts.ts';

/** Null if no part is signed. What the gateway did not make is Google's. */
export function lastSigner({ bytes }: Pick<JsonDocument, 'bytes'>): ReasoningOrigin | null {
  const found = NAMES.map((name) => lastTextField(bytes, name, isSignature))
    .filter((each) => each !== null)
    .sort((one, other) => other.keyStart - one.keyStart)[0];
  if (found === undefined) return null;
  const thoughts = openThoughts(found.value);
  if (thoughts === null) return GOOGLE_REASONING;
  return thoughts.findLast(({ signature, encrypted }) => signature !== null || encrypted !== null)?.origin ?? null;
}

/** Not one of the values that stand for a lost signature. */
function isSignature({ value }: FoundText): boolean {
  return value !== NO_SIGNATURE && value !== NO_THOUGHTS;
}

const NAMES = [Buffer.from('"thoughtSignature"'), Buffer.from('"thought_signature"')];
