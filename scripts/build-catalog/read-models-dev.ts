/** The table of models.dev: USD per million tokens, models under their provider. */
import type { Modality } from '../../src/catalog/model.ts';
import { CLOUDS, nameAtCloud } from './cloud-offers.ts';
import { parseExact, picoPerUnit } from './exact-json.ts';
import { NOTHING_SAID, type Offer, type OfferLines, type OfferPrices, withTiers } from './offer.ts';

/** Its name of a provider → ours. */
const PROVIDERS: Readonly<Record<string, string>> = {
  ...{ openai: 'openai', anthropic: 'anthropic', google: 'google', groq: 'groq', mistral: 'mistral' },
  ...{ deepseek: 'deepseek', xai: 'xai', openrouter: 'openrouter' },
  ...{ 'amazon-bedrock': 'bedrock', 'google-vertex': 'vertex' },
};

const MODALITIES: Readonly<Record<string, Modality>> = {
  text: 'text',
  image: 'image',
  audio: 'audio',
  video: 'video',
  pdf: 'file',
};

interface Entry {
  readonly name: string;
  readonly release_date?: string;
  readonly knowledge?: string;
  readonly base_model?: string;
  readonly status?: string;
  readonly reasoning?: boolean;
  readonly tool_call?: boolean;
  readonly structured_output?: boolean;
  readonly temperature?: boolean;
  readonly limit?: { readonly context?: string; readonly output?: string };
  readonly modalities?: { readonly input?: readonly string[]; readonly output?: readonly string[] };
  readonly cost?: CostLines & {
    readonly tiers?: readonly (CostLines & { readonly tier: { readonly size: string } })[];
  };
}

interface CostLines {
  readonly input?: string;
  readonly output?: string;
  readonly cache_read?: string;
  readonly cache_write?: string;
  readonly reasoning?: string;
  readonly input_audio?: string;
  readonly output_audio?: string;
}

export function readModelsDev(text: string): Offer[] {
  const table = parseExact(text) as Record<string, { readonly models: Record<string, Entry> }>;
  return Object.entries(PROVIDERS).flatMap(([listed, provider]) =>
    Object.entries(table[listed]?.models ?? {}).flatMap(([name, entry]) => {
      const upstreamModel = CLOUDS.has(provider) ? nameAtCloud(provider, name) : name;
      return upstreamModel === null ? [] : readEntry(provider, upstreamModel, entry);
    }),
  );
}

function readEntry(provider: string, upstreamModel: string, entry: Entry): Offer {
  return {
    provider,
    upstreamModel,
    displayName: entry.name.replace(/ \(latest\)$/, ''),
    created: entry.release_date === undefined ? 0 : readDate(entry.release_date),
    knowledgeCutoff: entry.knowledge ?? null,
    contextWindow: readLimit(entry.limit?.context),
    outputCap: readLimit(entry.limit?.output),
    inputModalities: readModalities(entry.modalities?.input),
    outputModalities: readModalities(entry.modalities?.output),
    supportedParameters: readParameters(entry),
    abilities: NOTHING_SAID,
    prices: readPrices(provider, upstreamModel, entry.cost),
    sameAs: entry.base_model ?? null,
    serves: null,
    dialects: null,
    withdrawn: entry.status === 'deprecated',
  };
}

function readPrices(provider: string, upstreamModel: string, cost: Entry['cost']): OfferPrices | null {
  const lines = readLines(cost ?? {});
  const { input, output } = lines;
  if (input === undefined || output === undefined) return null;
  let cacheWrite = lines.cacheWrite ?? null;
  // OpenRouter's table gives the storage alone for Google's cache writes; the tokens are billed as
  // input in addition: https://openrouter.ai/docs/features/prompt-caching#google-gemini
  const isStorageAlone = provider === 'openrouter' && upstreamModel.startsWith('google/');
  if (isStorageAlone && cacheWrite !== null && cacheWrite < input) cacheWrite += input;
  const base: OfferLines = {
    input,
    output,
    cacheRead: lines.cacheRead ?? null,
    cacheWrite,
    cacheWrite1h: null,
    inputAudio: lines.inputAudio ?? null,
    outputAudio: lines.outputAudio ?? null,
    cacheReadAudio: null,
    outputImage: null,
    reasoning: lines.reasoning ?? null,
    request: null,
    webSearch: null,
    fileSearch: null,
    codeInterpreter: null,
  };
  const tiers = (cost?.tiers ?? []).map((tier) => ({ ...readLines(tier), abovePromptTokens: Number(tier.tier.size) }));
  return withTiers(base, tiers);
}

function readLines(cost: CostLines): Partial<Record<keyof OfferLines, bigint>> {
  const lines: Partial<Record<keyof OfferLines, bigint>> = {};
  const read = (line: keyof OfferLines, text: string | undefined) => {
    if (text !== undefined) lines[line] = picoPerUnit(text, 1_000_000);
  };
  read('input', cost.input);
  read('output', cost.output);
  read('cacheRead', cost.cache_read);
  read('cacheWrite', cost.cache_write);
  read('reasoning', cost.reasoning);
  read('inputAudio', cost.input_audio);
  read('outputAudio', cost.output_audio);
  return lines;
}

function readModalities(names: readonly string[] = ['text']): Modality[] {
  return Object.entries(MODALITIES).flatMap(([name, modality]) => (names.includes(name) ? [modality] : []));
}

function readParameters(entry: Entry): string[] {
  const parameters = ['max_tokens'];
  if (entry.temperature === true) parameters.push('temperature', 'top_p');
  if (entry.tool_call === true) parameters.push('tools', 'tool_choice');
  if (entry.structured_output === true) parameters.push('response_format', 'structured_outputs');
  if (entry.reasoning === true) parameters.push('reasoning', 'include_reasoning');
  return parameters;
}

/** A day, a month or a year, at its beginning in UTC. */
function readDate(text: string): number {
  const seconds = Date.parse(text) / 1000;
  return Number.isSafeInteger(seconds) ? seconds : 0;
}

function readLimit(text: string | undefined): number | null {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
