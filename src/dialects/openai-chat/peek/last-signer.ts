/**
 * Whose opaque value the last thought of a conversation has, in OpenRouter's form:
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
import type { ReasoningOrigin } from '../../../chat/request.ts';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { PATH } from '../relay/foreign-thoughts.ts';

/** Null if no thought has one, or it does not say whose it is. */
export function lastSigner(document: Pick<JsonDocument, 'bytes' | 'watched'>): ReasoningOrigin | null {
  const { watched } = document;
  let read = 0;
  for (let at = watched.length - 1; at >= 0 && read < DETAILS_BYTES_MAX; at -= 1) {
    const field = watched[at];
    if (field?.path !== PATH || field.type !== 'array') continue;
    read += field.valueEnd - field.valueStart;
    if (read > DETAILS_BYTES_MAX) return null;
    const details = (readValue(document as JsonDocument, field) as readonly unknown[]).map(asObject);
    const signed = details.findLast((entry) => isText(entry?.['signature']) || isText(entry?.['data']));
    if (signed != null) return formatOf(signed, details);
  }
  return null;
}

/** More than this is not read again for it. */
const DETAILS_BYTES_MAX = 256 * 1024;

function formatOf(signed: JsonObject, details: readonly (JsonObject | null)[]): ReasoningOrigin | null {
  const format = signed['format'] ?? details.find((entry) => isText(entry?.['format']))?.['format'];
  return isText(format) ? format : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
