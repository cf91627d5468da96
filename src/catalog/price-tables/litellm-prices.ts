/** The prices of LiteLLM's table: USD per token, one flat object keyed by `<provider>/<model>` or the bare model. */
import { isObject } from '../../core/json-object.ts';
import { alwaysSearches } from '../always-searches.ts';
import { CLOUDS, nameAtCloud } from './cloud-names.ts';
import { picoPerUnit, tokenCount } from './exact-json.ts';
import { type TableLines, type TablePrices, withTiers, withWholeThinking } from './table-prices.ts';

/** Read by `parseExact`: numbers are the text they were written in. */
export type LitellmEntry = Readonly<Record<string, unknown>>;
export type LitellmTable = Readonly<Record<string, LitellmEntry>>;

export interface LitellmModel {
  readonly key: string;
  /** One of this program's kinds of providers. */
  readonly provider: string;
  readonly upstreamModel: string;
  readonly entry: LitellmEntry;
}

/** Its name of a provider → ours. Its OpenRouter entries are left out: see the header of `build-catalog.ts`. */
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
  groq: 'groq',
  mistral: 'mistral',
  deepseek: 'deepseek',
  xai: 'xai',
  moonshot: 'moonshot',
  zai: 'zai',
  minimax: 'minimax',
  dashscope: 'alibaba',
  cohere: 'cohere',
  cohere_chat: 'cohere',
  ai21: 'ai21',
  inception: 'inception',
  perplexity: 'perplexity',
  voyage: 'voyage',
  // Of W&B the table has prices that are a hundred thousand times too high.
  together_ai: 'together',
  fireworks_ai: 'fireworks',
  cerebras: 'cerebras',
  deepinfra: 'deepinfra',
  baseten: 'baseten',
  nebius: 'nebius',
  novita: 'novita',
  bedrock: 'bedrock',
  bedrock_converse: 'bedrock',
  'vertex_ai-anthropic_models': 'vertex',
  'vertex_ai-language-models': 'vertex',
  'vertex_ai-embedding-models': 'vertex',
};

const LINES: Readonly<Record<string, keyof TableLines>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cacheRead',
  cache_creation_input_token_cost: 'cacheWrite',
  cache_creation_input_token_cost_above_1hr: 'cacheWrite1h',
  input_cost_per_audio_token: 'inputAudio',
  output_cost_per_audio_token: 'outputAudio',
  output_cost_per_reasoning_token: 'reasoning',
  cache_read_input_audio_token_cost: 'cacheReadAudio',
  input_cost_per_image_token: 'inputImage',
  output_cost_per_image_token: 'outputImage',
};

/** The models of the table that one of this program's providers serves, each once. */
export function litellmModels(table: LitellmTable): LitellmModel[] {
  const models = new Map<string, LitellmModel>();
  for (const [key, entry] of Object.entries(table)) {
    const listed = entry['litellm_provider'];
    if (typeof listed !== 'string') continue;
    const provider = Object.hasOwn(PROVIDERS, listed) ? PROVIDERS[listed] : undefined;
    // A fine-tuned model belongs to a customer; the table contains only the pattern of its name.
    if (provider === undefined || key.startsWith('ft:')) continue;
    const name = key.replace(`${listed}/`, '');
    const upstreamModel = CLOUDS.has(provider) ? nameAtCloud(provider, name) : name;
    if (upstreamModel === null) continue;
    // Some models are in the table twice, the bare name being of another house of the same vendor.
    if (upstreamModel === key && models.has(`${provider}/${upstreamModel}`)) continue;
    models.set(`${provider}/${upstreamModel}`, { key, provider, upstreamModel, entry });
  }
  return [...models.values()];
}

/** When the vendor ends the model, a date like 2026-11-21; null if the table does not say. */
export function litellmRetirement(
  { provider, upstreamModel, entry }: LitellmModel,
  table: LitellmTable,
): string | null {
  const date = dateSource(provider, upstreamModel, entry, table)['deprecation_date'];
  return typeof date === 'string' ? date : null;
}

/** A profile of Bedrock ends with its model; some entries of profiles have the day before which none ends. */
function dateSource(provider: string, name: string, entry: LitellmEntry, table: LitellmTable): LitellmEntry {
  return provider === 'bedrock' ? (table[name.replace(/^[a-z-]+\.(?=[a-z0-9]+\.)/, '')] ?? entry) : entry;
}

/** Null if it has no price for input or output. Throws a `RangeError` for what is no price. */
export function litellmPrices({ provider, upstreamModel, entry }: LitellmModel): TablePrices | null {
  const base: Partial<Record<keyof TableLines, bigint>> = {};
  const tiers = new Map<number, Partial<Record<keyof TableLines, bigint>> & { abovePromptTokens: number }>();
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
  for (const { abovePromptTokens, ...lines } of readTieredPricing(entry['tiered_pricing'])) {
    if (abovePromptTokens === 0) Object.assign(base, lines);
    else tiers.set(abovePromptTokens, { abovePromptTokens, ...lines });
  }
  if (base.input === undefined || base.output === undefined) return null;
  const lines: TableLines = {
    input: base.input,
    output: base.output,
    cacheRead: base.cacheRead ?? null,
    cacheWrite: base.cacheWrite ?? null,
    cacheWrite1h: base.cacheWrite1h ?? null,
    inputAudio: base.inputAudio ?? null,
    outputAudio: base.outputAudio ?? null,
    cacheReadAudio: base.cacheReadAudio ?? null,
    inputImage: base.inputImage ?? null,
    outputImage: base.outputImage ?? null,
    reasoning: base.reasoning ?? null,
    fileSearch: null,
    codeInterpreter: null,
    ...searchLines(provider, upstreamModel, readSearchPrice(entry)),
  };
  return withWholeThinking(provider, withTiers(lines, [...tiers.values()]));
}

type Tier = Partial<Record<keyof TableLines, bigint>> & { readonly abovePromptTokens: number };

/** Prices by the length of the prompt, each for a range of tokens; the first begins at 0. */
function readTieredPricing(ranges: unknown): readonly Tier[] {
  if (!Array.isArray(ranges)) return [];
  return ranges.map((range: unknown): Tier => {
    const from = isObject(range) && Array.isArray(range['range']) ? range['range'][0] : null;
    if (!isObject(range) || from === null) throw new RangeError('not a price: a range of prompts without a beginning');
    const tier: Record<string, bigint> = {};
    for (const [field, value] of Object.entries(range)) {
      const line = LINES[field];
      if (line !== undefined) tier[line] = picoPerUnit(value, 1);
    }
    return { ...tier, abovePromptTokens: from === '0' ? 0 : tokenCount(from) };
  });
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
): Pick<TableLines, 'request' | 'webSearch'> {
  if (alwaysSearches(upstreamModel)) return { request: fee, webSearch: null };
  return { request: null, webSearch: fee ?? (provider === 'anthropic' ? CLAUDE_SEARCH : null) };
}

const CLAUDE_SEARCH = picoPerUnit('0.01', 1);

/** Priced by the size of the context it brings; `medium` is the default. */
function readSearchPrice(entry: LitellmEntry): bigint | null {
  const sizes = entry['search_context_cost_per_query'];
  const medium = isObject(sizes) ? sizes['search_context_size_medium'] : undefined;
  return medium === undefined ? null : picoPerUnit(medium, 1);
}
