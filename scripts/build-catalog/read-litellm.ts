/** LiteLLM's table: USD per token, one flat object keyed by `<provider>/<model>` or the bare model. */
import { alwaysSearches } from '../../src/catalog/always-searches.ts';
import type { Modality } from '../../src/catalog/model.ts';
import { gemini } from '../../src/dialects/gemini/gemini.ts';
import { openaiResponses } from '../../src/dialects/openai-responses/openai-responses.ts';
import { CLOUDS, nameAtCloud } from './cloud-offers.ts';
import { parseExact, picoPerUnit } from './exact-json.ts';
import { type Offer, type OfferLines, type OfferPrices, type Purpose, withTiers } from './offer.ts';
import { type Entry, readAbilities } from './read-abilities.ts';

/** Its name of a provider → ours. Its OpenRouter entries are left out: see the header of `build-catalog.ts`. */
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
  groq: 'groq',
  mistral: 'mistral',
  deepseek: 'deepseek',
  xai: 'xai',
  bedrock: 'bedrock',
  bedrock_converse: 'bedrock',
  'vertex_ai-anthropic_models': 'vertex',
  'vertex_ai-language-models': 'vertex',
  'vertex_ai-embedding-models': 'vertex',
};

const LINES: Readonly<Record<string, keyof OfferLines>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cacheRead',
  cache_creation_input_token_cost: 'cacheWrite',
  cache_creation_input_token_cost_above_1hr: 'cacheWrite1h',
  input_cost_per_audio_token: 'inputAudio',
  output_cost_per_audio_token: 'outputAudio',
  output_cost_per_reasoning_token: 'reasoning',
  cache_read_input_audio_token_cost: 'cacheReadAudio',
  output_cost_per_image_token: 'outputImage',
};

/** `asOf` is a date like 2026-11-21: what is deprecated by then is withdrawn. */
export function readLitellm(text: string, asOf: string): Offer[] {
  const offers = new Map<string, Offer>();
  const table = parseExact(text) as Record<string, Entry>;
  for (const [key, entry] of Object.entries(table)) {
    const provider = PROVIDERS[String(entry['litellm_provider'])];
    // A fine-tuned model belongs to a customer; the table contains only the pattern of its name.
    if (provider === undefined || key.startsWith('ft:')) continue;
    const name = key.replace(`${String(entry['litellm_provider'])}/`, '');
    const upstreamModel = CLOUDS.has(provider) ? nameAtCloud(provider, name) : name;
    if (upstreamModel === null) continue;
    // Some models are in the table twice, the bare name being of another house of the same vendor.
    if (upstreamModel === key && offers.has(`${provider}/${upstreamModel}`)) continue;
    offers.set(`${provider}/${upstreamModel}`, readEntry(provider, upstreamModel, entry, table, asOf));
  }
  return [...offers.values()];
}

function readEntry(
  provider: string,
  upstreamModel: string,
  entry: Entry,
  table: Readonly<Record<string, Entry>>,
  asOf: string,
): Offer {
  const deprecated = dateSource(provider, upstreamModel, entry, table)['deprecation_date'];
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
    prices: readPrices(provider, upstreamModel, entry),
    sameAs: null,
    serves,
    dialects: readDialects(provider, entry, serves),
    withdrawn: typeof deprecated === 'string' && deprecated <= asOf,
  };
}

/** A profile of Bedrock ends with its model; some entries of profiles have the day before which none ends. */
function dateSource(provider: string, name: string, entry: Entry, table: Readonly<Record<string, Entry>>): Entry {
  return provider === 'bedrock' ? (table[name.replace(/^[a-z-]+\.(?=[a-z0-9]+\.)/, '')] ?? entry) : entry;
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
      return provider === 'google' || entry['uses_embed_content'] === true ? 'embeddings' : 'nothing';
    default:
      return 'nothing';
  }
}

/** The table has this mode for what OpenAI serves in Responses alone, and Google's vectors are in Google's own format alone. */
function readDialects(provider: string, entry: Entry, serves: Purpose): Offer['dialects'] {
  if (serves === 'embeddings') return [gemini.name];
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

function readPrices(provider: string, upstreamModel: string, entry: Entry): OfferPrices | null {
  const base: Partial<Record<keyof OfferLines, bigint>> = {};
  const tiers = new Map<number, Partial<Record<keyof OfferLines, bigint>> & { abovePromptTokens: number }>();
  for (const [field, value] of Object.entries(entry)) {
    if (typeof value !== 'string') continue;
    const above = /^(.+)_above_(\d+)k_tokens$/.exec(field);
    const line = LINES[above?.[1] ?? field];
    if (line === undefined || (line === 'cacheRead' && provider === 'openai' && NOT_CACHED.test(upstreamModel)))
      continue;
    const price = picoPerUnit(value, 1);
    if (above === null) {
      base[line] = price;
      continue;
    }
    const abovePromptTokens = Number(above[2]) * 1000;
    const tier = tiers.get(abovePromptTokens) ?? { abovePromptTokens };
    tier[line] = price;
    tiers.set(abovePromptTokens, tier);
  }
  if (base.input === undefined || base.output === undefined) return null;
  const lines: OfferLines = {
    input: base.input,
    output: base.output,
    cacheRead: base.cacheRead ?? null,
    cacheWrite: base.cacheWrite ?? null,
    cacheWrite1h: base.cacheWrite1h ?? null,
    inputAudio: base.inputAudio ?? null,
    outputAudio: base.outputAudio ?? null,
    cacheReadAudio: base.cacheReadAudio ?? null,
    outputImage: base.outputImage ?? null,
    reasoning: base.reasoning ?? null,
    fileSearch: null,
    codeInterpreter: null,
    ...searchLines(provider, upstreamModel, readSearchPrice(entry)),
  };
  return withTiers(lines, [...tiers.values()]);
}

/** Whose cached tokens OpenAI bills like all others, although the table has a price for them: https://platform.openai.com/docs/pricing */
const NOT_CACHED = /^(o\d|gpt-[\d.]+)-pro/;

/**
 * A model that searches with every call has the fee in each call, since no usage counts it. The table leaves it out of some Claudes;
 * it is the same for all: https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#usage-and-pricing
 */
function searchLines(
  provider: string,
  upstreamModel: string,
  fee: bigint | null,
): Pick<OfferLines, 'request' | 'webSearch'> {
  if (alwaysSearches(upstreamModel)) return { request: fee, webSearch: null };
  return { request: null, webSearch: fee ?? (provider === 'anthropic' ? CLAUDE_SEARCH : null) };
}

const CLAUDE_SEARCH = picoPerUnit('0.01', 1);

/** Priced by the size of the context it brings; `medium` is the default. */
function readSearchPrice(entry: Entry): bigint | null {
  const sizes = entry['search_context_cost_per_query'] as Record<string, string> | undefined;
  const medium = sizes?.['search_context_size_medium'];
  return medium === undefined ? null : picoPerUnit(medium, 1);
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
