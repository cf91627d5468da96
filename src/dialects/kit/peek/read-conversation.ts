/**
 * Reads what a request calls its conversation, so that the next turn can go to the provider that has its beginning in the cache. Clients of
 * each format send these fields in others, too, so they are the same for all.
 */
import { asObject } from '../../../core/json-object.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';

/** The first of `session_id`, `prompt_cache_key` and `metadata.user_id` with a text. What is longer than any real name is not read. */
export function readConversation(document: JsonDocument): string | null {
  const { fields } = document;
  return (
    shortText(document, fields.get('session_id')) ??
    shortText(document, fields.get('prompt_cache_key')) ??
    userIn(document, fields.get('metadata'))
  );
}

/** OpenRouter's maximum for a session's id is 256 characters; each may be an escape of 6 bytes. */
const NAME_BYTES_MAX = 256 * 6 + 2;
const METADATA_BYTES_MAX = 16 * 1024;

function shortText(document: JsonDocument, field: JsonField | undefined): string | null {
  if (field?.type !== 'string' || field.valueEnd - field.valueStart > NAME_BYTES_MAX) return null;
  return textOf(readValue(document, field));
}

function userIn(document: JsonDocument, field: JsonField | undefined): string | null {
  if (field?.type !== 'object' || field.valueEnd - field.valueStart > METADATA_BYTES_MAX) return null;
  return textOf(asObject(readValue(document, field))?.['user_id']);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
