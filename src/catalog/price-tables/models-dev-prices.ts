/** The prices of models.dev's table: USD per million tokens, models under their provider. */
import { isObject } from '../../core/json-object.ts';
import { CLOUDS, nameAtCloud } from './cloud-names.ts';
import { picoPerUnit, tokenCount } from './exact-json.ts';
import { type TableLines, type TablePrices, withTiers, withWholeThinking } from './table-prices.ts';

/** Its name of a provider → ours. */
const PROVIDERS: Readonly<Record<string, string>> = {
  ...{ openai: 'openai', anthropic: 'anthropic', google: 'google', groq: 'groq', mistral: 'mistral' },
  ...{ deepseek: 'deepseek', xai: 'xai', openrouter: 'openrouter' },
  ...{ moonshotai: 'moonshot', zai: 'zai', minimax: 'minimax', alibaba: 'alibaba', cohere: 'cohere' },
  ...{ inception: 'inception', stepfun: 'stepfun', upstage: 'upstage', togetherai: 'together' },
  ...{
    'fireworks-ai': 'fireworks',
    cerebras: 'cerebras',
    deepinfra: 'deepinfra',
    baseten: 'baseten',
    nebius: 'nebius',
  },
  ...{ 'novita-ai': 'novita', chutes: 'chutes', friendli: 'friendli', wandb: 'wandb' },
  ...{ 'cloudflare-workers-ai': 'cloudflare' },
  ...{ 'amazon-bedrock': 'bedrock', 'google-vertex': 'vertex' },
};

/** Read by `parseExact`: numbers are the text they were written in. */
export type ModelsDevTable<Entry> = Readonly<Record<string, { readonly models?: Readonly<Record<string, Entry>> }>>;

/** `input`, `output`, `cache_read` and others, and `tiers` of them, each with `tier.size`. */
export type ModelsDevCost = Readonly<Record<string, unknown>>;

/** The models of the table that one of this program's providers serves. */
export function modelsDevModels<Entry>(table: ModelsDevTable<Entry>): {
  readonly listed: string;
  readonly provider: string;
  readonly upstreamModel: string;
  readonly entry: Entry;
}[] {
  return Object.entries(PROVIDERS).flatMap(([listed, provider]) =>
    Object.entries(table[listed]?.models ?? {}).flatMap(([name, entry]) => {
      if (!isObject(entry)) return [];
      const upstreamModel = CLOUDS.has(provider) ? nameAtCloud(provider, name) : name;
      return upstreamModel === null ? [] : [{ listed, provider, upstreamModel, entry }];
    }),
  );
}

/** Null if it has no price for input or output. Throws a `RangeError` for what is no price. */
export function modelsDevPrices(provider: string, upstreamModel: string, cost: unknown): TablePrices | null {
  const listed: ModelsDevCost = isObject(cost) ? cost : {};
  const lines = readLines(listed);
  const { input, output } = lines;
  if (input === undefined || output === undefined) return null;
  let cacheWrite = lines.cacheWrite ?? null;
  // OpenRouter's table gives the storage alone for Google's cache writes; the tokens are billed as
  // input in addition: https://openrouter.ai/docs/features/prompt-caching#google-gemini
  const isStorageAlone = provider === 'openrouter' && upstreamModel.startsWith('google/');
  if (isStorageAlone && cacheWrite !== null && cacheWrite < input) cacheWrite += input;
  const base: TableLines = {
    input,
    output,
    cacheRead: lines.cacheRead ?? null,
    cacheWrite,
    cacheWrite1h: null,
    inputAudio: lines.inputAudio ?? null,
    outputAudio: lines.outputAudio ?? null,
    cacheReadAudio: null,
    inputImage: null,
    outputImage: null,
    reasoning: lines.reasoning ?? null,
    request: null,
    webSearch: null,
    fileSearch: null,
    codeInterpreter: null,
  };
  return withWholeThinking(provider, withTiers(base, readTiers(listed['tiers'] ?? [])));
}

function readTiers(tiers: unknown): (Partial<TableLines> & { readonly abovePromptTokens: number })[] {
  if (!Array.isArray(tiers)) throw new RangeError('not a price: tiers that are no list');
  return tiers.map((tier: unknown) => {
    const place = isObject(tier) ? tier['tier'] : null;
    if (!isObject(tier) || !isObject(place)) throw new RangeError('not a price: a tier without a size');
    return { ...readLines(tier), abovePromptTokens: tokenCount(place['size']) };
  });
}

const LINES = {
  input: 'input',
  output: 'output',
  cache_read: 'cacheRead',
  cache_write: 'cacheWrite',
  reasoning: 'reasoning',
  input_audio: 'inputAudio',
  output_audio: 'outputAudio',
} as const satisfies Readonly<Record<string, keyof TableLines>>;

function readLines(cost: ModelsDevCost): Partial<Record<keyof TableLines, bigint>> {
  const lines: Partial<Record<keyof TableLines, bigint>> = {};
  for (const [name, line] of Object.entries(LINES)) {
    const value = cost[name];
    if (value !== undefined) lines[line] = picoPerUnit(value, 1_000_000);
  }
  return lines;
}
