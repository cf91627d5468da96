/**
 * Governed fields inside a top-level object, where the fields around them pass. Fails closed: what is too long to be looked into
 * is refused.
 */
import { GatewayError } from '../../core/errors.ts';
import { type JsonDocument, readValue } from '../../wire/json-scan.ts';
import { asObject } from './json-value.ts';
import type { PeekedField } from './peeked-fields.ts';
import { present } from './request-fields.ts';

/** Throws 400 for the first that is not accepted. */
export function refuseNestedFields(document: JsonDocument): void {
  refuseSearchSize(document);
  refuseExtraBody(document);
}

const OBJECT_BYTES_MAX = 16 * 1024;
/**
 * What Gemini's compatible side takes there: https://ai.google.dev/gemini-api/docs/openai. Other servers merge whatever stands in
 * it with the request, past all that was looked at.
 */
const EXTRA: Readonly<Record<string, ReadonlySet<string>>> = {
  google: new Set(['thinking_config', 'thought_tag_marker', 'safety_settings']),
};

/** A model that searches with every call has one fee, for the size of search that its vendor takes by default. */
function refuseSearchSize(document: JsonDocument): void {
  const options = objectOf(document, 'web_search_options');
  if (options === null || (options['search_context_size'] ?? null) === null) return;
  throw new GatewayError('unsupported_value', {
    message:
      'The field "search_context_size" is not accepted by this gateway: it changes the price of the call. Leave this field out.',
    param: 'web_search_options.search_context_size',
  });
}

function refuseExtraBody(document: JsonDocument): void {
  const extra = objectOf(document, 'extra_body');
  if (extra === null) return;
  for (const [name, value] of Object.entries(extra)) {
    const allowed = Object.hasOwn(EXTRA, name) ? EXTRA[name] : undefined;
    if (allowed === undefined) throw extraRefused(`extra_body.${name}`);
    for (const inner of Object.keys(asObject(value) ?? {})) {
      if (!allowed.has(inner)) throw extraRefused(`extra_body.${name}.${inner}`);
    }
  }
}

function extraRefused(param: string): GatewayError {
  return new GatewayError('field_not_allowed', {
    message: `The field "${param}" is not accepted by this gateway: some servers merge what stands there with the request, unseen. Send a field of the format itself.`,
    param,
  });
}

function objectOf(document: JsonDocument, name: PeekedField): Record<string, unknown> | null {
  const field = present(document, name);
  if (field === null) return null;
  const isRead = field.type === 'object' && field.valueEnd - field.valueStart <= OBJECT_BYTES_MAX;
  const value = isRead ? asObject(readValue(document, field)) : null;
  if (value !== null) return value;
  throw new GatewayError('invalid_value', {
    message: `"${name}" must be an object of at most ${OBJECT_BYTES_MAX} bytes.`,
    param: name,
  });
}
