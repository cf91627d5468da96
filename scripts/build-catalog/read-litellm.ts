/** LiteLLM's table: USD per token, one flat object keyed by `<provider>/<model>` or the bare model. */
import type { Modality } from '../../src/catalog/model.ts';
import { parseExact } from '../../src/catalog/price-tables/exact-json.ts';
import {
  type LitellmModel,
  litellmModels,
  litellmPrices,
  litellmRetirement,
} from '../../src/catalog/price-tables/litellm-prices.ts';
import { gemini } from '../../src/dialects/gemini/gemini.ts';
import { openaiResponses } from '../../src/dialects/openai-responses/openai-responses.ts';
import { hasVectors } from './join-later.ts';
import type { Offer, Purpose } from './offer.ts';
import { type Entry, readAbilities } from './read-abilities.ts';

/** `asOf` is a date like 2026-11-21: what is deprecated by then is withdrawn. */
export function readLitellm(text: string, asOf: string): Offer[] {
  const table = parseExact(text) as Record<string, Entry>;
  return litellmModels(table).map((model) => readEntry(model, table, asOf));
}

function readEntry(model: LitellmModel, table: Readonly<Record<string, Entry>>, asOf: string): Offer {
  const { provider, upstreamModel } = model;
  const entry = model.entry as Entry;
  const retires = litellmRetirement(model, table);
  const serves = readPurpose(provider, entry);
  return {
    provider,
    upstreamModel,
    displayName: null,
    created: readDate(upstreamModel),
    knowledgeCutoff: null,
    contextWindow: readNumber(entry['max_input_tokens']),
    outputCap: serves === 'embeddings' ? null : readNumber(entry['max_output_tokens']),
    ...modalitiesOf(serves, entry),
    supportedParameters: serves === 'embeddings' ? [] : readParameters(entry),
    abilities: readAbilities(upstreamModel, entry, table),
    prices: litellmPrices(model),
    sameAs: null,
    serves,
    dialects: readDialects(provider, entry, serves),
    withdrawn: retires !== null && retires <= asOf,
    retires,
  };
}

function readPurpose(provider: string, entry: Entry): Purpose {
  const realtime = entry['gemini_native_audio'] === true || entry['gemini_audio_only_live'] === true;
  if (realtime) return 'nothing';
  switch (entry['mode']) {
    case 'chat':
      return hasEndpoint(entry, /\/(chat\/completions|messages)$/) ? 'chat' : 'nothing';
    case 'responses':
      return provider === 'openai' && hasEndpoint(entry, RESPONSES) ? 'chat' : 'nothing';
    case 'embedding':
      // The others of Vertex have another method: https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings
      return isGoogles(provider, entry) || hasVectors(provider) ? 'embeddings' : 'nothing';
    default:
      return 'nothing';
  }
}

function isGoogles(provider: string, entry: Entry): boolean {
  return provider === 'google' || entry['uses_embed_content'] === true;
}

/** The table has this mode for what OpenAI serves in Responses alone, and Google's vectors are in Google's own format alone. */
function readDialects(provider: string, entry: Entry, serves: Purpose): Offer['dialects'] {
  if (serves === 'embeddings') return isGoogles(provider, entry) ? [gemini.name] : null;
  return provider === 'openai' && entry['mode'] === 'responses' ? [openaiResponses.name] : null;
}

const RESPONSES = /\/responses$/;

function hasEndpoint(entry: Entry, ending: RegExp): boolean {
  const endpoints = entry['supported_endpoints'];
  return !Array.isArray(endpoints) || endpoints.some((path) => ending.test(String(path)));
}

/** Vectors of anything but text have prices per image and second, of which the catalogue has no lines. */
function modalitiesOf(serves: Purpose, entry: Entry): Pick<Offer, 'inputModalities' | 'outputModalities'> {
  if (serves === 'embeddings') return { inputModalities: ['text'], outputModalities: ['embeddings'] };
  return { inputModalities: readModalities(entry, 'input'), outputModalities: readModalities(entry, 'output') };
}

function readModalities(entry: Entry, side: 'input' | 'output'): Modality[] {
  const modalities: Modality[] = ['text'];
  if (side === 'output') {
    const listed = entry['supported_output_modalities'];
    if (Array.isArray(listed) && listed.includes('image')) modalities.push('image');
    if (Array.isArray(listed) && listed.includes('video')) modalities.push('video');
    if (entry['supports_audio_output'] === true) modalities.push('audio');
    return modalities;
  }
  if (entry['supports_vision'] === true) modalities.push('image');
  if (entry['supports_audio_input'] === true) modalities.push('audio');
  if (entry['supports_video_input'] === true) modalities.push('video');
  if (entry['supports_pdf_input'] === true) modalities.push('file');
  return modalities;
}

function readParameters(entry: Entry): string[] {
  const parameters = ['max_tokens'];
  if (entry['supports_function_calling'] === true) parameters.push('tools');
  if (entry['supports_tool_choice'] === true) parameters.push('tool_choice');
  if (entry['supports_parallel_function_calling'] === true) parameters.push('parallel_tool_calls');
  if (entry['supports_response_schema'] === true) parameters.push('response_format', 'structured_outputs');
  if (entry['supports_reasoning'] === true) parameters.push('reasoning', 'include_reasoning');
  return parameters;
}

/** The day in a dated name (`gpt-5-2025-08-07`, `claude-haiku-4-5-20251001`), which is all the table has. */
function readDate(upstreamModel: string): number {
  const match = /-(20\d\d)-?([01]\d)-?([0-3]\d)$/.exec(upstreamModel);
  const seconds = match === null ? 0 : Date.parse(`${match[1]}-${match[2]}-${match[3]}`) / 1000;
  return Number.isSafeInteger(seconds) ? seconds : 0;
}

function readNumber(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
