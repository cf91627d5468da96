/**
 * Whose opaque value the last thought of a conversation has, in OpenRouter's form:
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
import type { ReasoningOrigin } from '../../../chat/request.ts';
import { asObject } from '../../../core/json-object.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { PATH } from '../relay/foreign-thoughts.ts';

/** Null if no thought has one, or it does not say whose it is. */
export function lastSigner(document: Pick<JsonDocument, 'bytes' | 'watched'>): ReasoningOrigin | null {
  const last = document.watched.findLast(({ path, type }) => path === PATH && type === 'array');
  if (last === undefined || last.valueEnd - last.valueStart > DETAILS_BYTES_MAX) return null;
  const details = readValue(document as JsonDocument, last) as readonly unknown[];
  const signed = details.map(asObject).findLast((entry) => isText(entry?.['signature']) || isText(entry?.['data']));
  const format = signed?.['format'] ?? details.map(asObject).find((entry) => isText(entry?.['format']))?.['format'];
  return signed != null && isText(format) ? format : null;
}

/** A longer thought is not read again for this. */
const DETAILS_BYTES_MAX = 256 * 1024;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
