/**
 * Governed fields inside a top-level object whose other fields pass, and fields that depend on another one. Fails closed: what is too long
 * to inspect is refused.
 */
import { GatewayError } from '../../../core/errors.ts';
import { asObject } from '../../../core/json-object.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { nameGivenTwice } from '../../../wire/json-twice.ts';
import { foldName } from '../../../wire/name-fold.ts';
import { misspelled, SpelledNames } from '../../../wire/spelled-names.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { minima, type PeekedField, present, readCount } from './peeked-fields.ts';

/** Throws 400 for the first that is not accepted. `outputCap` is the caller's. */
export function refuseNestedFields(document: JsonDocument, outputCap: number | null): void {
  refuseOtherSearches(document);
  refuseLongMinimum(document, outputCap);
  refuseExtraBody(document);
  refuseOddReasoning(document);
}

const OBJECT_BYTES_MAX = 16 * 1024;
/**
 * What Gemini's compatible API accepts there: https://ai.google.dev/gemini-api/docs/openai. Other servers merge its contents with the
 * request, which would bypass all checks.
 */
const EXTRA: Readonly<Record<string, ReadonlySet<string>>> = {
  google: new Set(['thinking_config', 'thought_tag_marker', 'safety_settings']),
};

/** The caller's location, which does not change the price. https://platform.openai.com/docs/guides/tools-web-search */
const FREE_OF_SEARCH: ReadonlySet<string> = new Set(['user_location']);
const SHOWN_CHARACTERS = 100;

/**
 * A model that searches with every call has one fee, for the vendor's default search. Others cost more: a larger context, and Perplexity's
 * search types: https://docs.perplexity.ai/getting-started/pricing
 */
function refuseOtherSearches(document: JsonDocument): void {
  const options = objectOf(document, 'web_search_options') ?? {};
  for (const [name, value] of Object.entries(options)) {
    if (value === null || FREE_OF_SEARCH.has(name)) continue;
    const shown = name.slice(0, SHOWN_CHARACTERS);
    throw unsupported(
      `web_search_options.${shown}`,
      `The field ${JSON.stringify(shown)} is not accepted by this gateway: it may change the price of a search. Leave this field out.`,
    );
  }
}

/**
 * The minimum length of an answer: https://docs.vllm.ai/en/latest/api/vllm/sampling_params.html. Some servers exceed the cap for it, so the
 * cap must not be smaller.
 */
function refuseLongMinimum(document: JsonDocument, outputCap: number | null): void {
  for (const name of minima) {
    const least = readCount(document, name, Number.MAX_SAFE_INTEGER);
    if (least === null || least === 0 || (outputCap !== null && least <= outputCap)) continue;
    throw unsupported(
      name,
      `"${name}" is larger than the output cap, and some servers would exceed the cap. Send a "max_tokens" that is at least as large, or leave this field out.`,
    );
  }
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

/** Its budget is compared with the output cap, so it must be unambiguous. */
function refuseOddReasoning(document: JsonDocument): void {
  const field = document.fields.get('reasoning');
  if (field?.type !== 'object') return;
  const { valueStart, valueEnd } = field;
  if (valueEnd - valueStart > REASONING_BYTES_MAX)
    throw invalid('reasoning', `"reasoning" may take at most ${REASONING_BYTES_MAX} bytes.`);
  const twice = nameGivenTwice(document.bytes.toString('utf8', valueStart, valueEnd), foldName);
  if (twice !== null) {
    const shown = JSON.stringify(twice.slice(0, SHOWN_CHARACTERS));
    throw invalid('reasoning', `"reasoning" contains ${shown} twice: some providers use the first, others the last.`);
  }
  for (const name of Object.keys(asObject(readValue(document, field)) ?? {})) {
    const spelling = REASONING_NAMES.spellingOf(name);
    if (spelling !== null) throw misspelled(name, spelling, `reasoning.${name.slice(0, SHOWN_CHARACTERS)}`);
  }
}

const REASONING_BYTES_MAX = 4096;
/** https://openrouter.ai/docs/use-cases/reasoning-tokens */
const REASONING_NAMES = new SpelledNames(['effort', 'max_tokens', 'exclude', 'enabled']);

function extraRefused(param: string): GatewayError {
  return new GatewayError('field_not_allowed', {
    message: `The field "${param}" is not accepted by this gateway: some servers merge its content into the request. Send the field at the top level instead.`,
    param,
  });
}

function objectOf(document: JsonDocument, name: PeekedField): Record<string, unknown> | null {
  const field = present(document, name);
  if (field === null) return null;
  const isRead = field.type === 'object' && field.valueEnd - field.valueStart <= OBJECT_BYTES_MAX;
  const value = isRead ? asObject(readValue(document, field)) : null;
  if (value !== null) return value;
  throw invalid(name, `"${name}" must be an object of at most ${OBJECT_BYTES_MAX} bytes.`);
}
