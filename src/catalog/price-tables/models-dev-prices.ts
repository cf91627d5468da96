/** The prices of models.dev's table: USD per million tokens, models under their provider. */
import { CLOUDS, nameAtCloud } from './cloud-names.ts';
import { picoPerUnit } from './exact-json.ts';
import { type TableLines, type TablePrices, withTiers } from './table-prices.ts';

/** Its name of a provider → ours. */
const PROVIDERS: Readonly<Record<string, string>> = {
  ...{ openai: 'openai', anthropic: 'anthropic', google: 'google', groq: 'groq', mistral: 'mistral' },
  ...{ deepseek: 'deepseek', xai: 'xai', openrouter: 'openrouter' },
  ...{ 'amazon-bedrock': 'bedrock', 'google-vertex': 'vertex' },
};

/** Read by `parseExact`: numbers are the text they were written in. */
export type ModelsDevTable<Entry> = Readonly<Record<string, { readonly models?: Readonly<Record<string, Entry>> }>>;

export type ModelsDevCost = CostLines & {
  readonly tiers?: readonly (CostLines & { readonly tier: { readonly size: string } })[];
};

interface CostLines {
  readonly input?: string;
  readonly output?: string;
  readonly cache_read?: string;
  readonly cache_write?: string;
  readonly reasoning?: string;
  readonly input_audio?: string;
  readonly output_audio?: string;
}

/** The models of the table that one of this program's providers serves. */
export function modelsDevModels<Entry>(table: ModelsDevTable<Entry>): {
  readonly listed: string;
  readonly provider: string;
  readonly upstreamModel: string;
  readonly entry: Entry;
}[] {
  return Object.entries(PROVIDERS).flatMap(([listed, provider]) =>
    Object.entries(table[listed]?.models ?? {}).flatMap(([name, entry]) => {
      const upstreamModel = CLOUDS.has(provider) ? nameAtCloud(provider, name) : name;
      return upstreamModel === null ? [] : [{ listed, provider, upstreamModel, entry }];
    }),
  );
}

/** Null if it has no price for input or output. Throws a `RangeError` for what is no price. */
export function modelsDevPrices(
  provider: string,
  upstreamModel: string,
  cost: ModelsDevCost | undefined,
): TablePrices | null {
  const lines = readLines(cost ?? {});
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

function readLines(cost: CostLines): Partial<Record<keyof TableLines, bigint>> {
  const lines: Partial<Record<keyof TableLines, bigint>> = {};
  const read = (line: keyof TableLines, text: string | undefined) => {
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
