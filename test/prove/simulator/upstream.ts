/** The providers of the simulation: models with random prices, callers with random requests, usage honest or not. */
import { type BoundRequest, promptBound } from '../../../src/billing/bound.ts';
import type { PriceLines, Prices, Target } from '../../../src/catalog/model.ts';
import { type PicoUsd, picoUsd } from '../../../src/core/money.ts';
import { SEARCH_ONLY, type ServerTool } from '../../../src/core/server-tools.ts';
import { unitLineOf, unitPrices } from '../../../src/core/units/units.ts';
import { NO_USAGE, type Usage } from '../../../src/core/usage.ts';
import type { Random } from './random.ts';

/** The last is the one that is used. */
const TOOLS: readonly (readonly ServerTool[])[] = [
  ['file_search', 'web_search'],
  ['web_search', 'file_search'],
  ['web_search', 'mcp', 'code_interpreter'],
  ['mcp'],
];

/** Names of prices, and what requests ask for. */
const UNITS = ['character', 'image', 'image/1024x1024', 'image/1024x1024/high', 'image/512x512/low'];
const ASKED_UNITS = [...UNITS, 'image/auto/auto', 'image/1024x1024/auto', 'image/auto/high', 'image/512x512/high'];

export function randomPrices(random: Random): Prices {
  const factor = random.chance(0.1) ? 0 : random.between(1, 10);
  const lines = randomLines(random, factor);
  const units = randomUnits(random, factor);
  if (random.chance(0.7)) return { ...lines, units, tiers: [] };
  return {
    ...lines,
    units,
    tiers: [{ ...randomLines(random, 2 * factor), abovePromptTokens: random.between(100, 20_000) }],
  };
}

/** Of each that is asked for, some have no price. */
function randomUnits(random: Random, factor: number): Prices['units'] {
  const priced = UNITS.filter(() => random.chance(0.4));
  return unitPrices(priced.map((unit) => [unit, picoUsd(BigInt(factor * random.between(1, 400_000_001)))]));
}

/** `factor` of 0 makes a free model. */
function randomLines(random: Random, factor: number): PriceLines {
  const price = (most: number): PicoUsd => picoUsd(BigInt(factor * random.between(1, most)));
  const maybe = (most: number): PicoUsd | null => (random.chance(0.5) ? price(most) : null);
  return {
    input: price(2_000_001),
    output: price(6_000_003),
    cacheRead: maybe(300_001),
    cacheWrite: maybe(3_000_001),
    cacheWrite1h: maybe(4_000_001),
    inputAudio: maybe(5_000_001),
    outputAudio: maybe(9_000_001),
    cacheReadAudio: maybe(9_000_001),
    inputImage: maybe(9_000_001),
    outputImage: maybe(9_000_001),
    reasoning: maybe(7_000_001),
    image: null,
    request: random.chance(0.2) ? price(2_000_000_001) : null,
    webSearch: random.chance(0.5) ? price(1_000_000_001) : null,
    fileSearch: random.chance(0.5) ? price(1_000_000_001) : null,
    codeInterpreter: random.chance(0.5) ? price(1_000_000_001) : null,
  };
}

export function randomTarget(random: Random, name: string): Target {
  return {
    provider: `provider-${random.between(1, 2)}`,
    upstreamModel: random.pick([`claude-${name}`, `gpt-5-${name}`, name]),
    dialects: [],
    contextWindow: random.chance(0.05) ? null : random.pick([8_000, 128_000, 200_000]),
    outputCap: random.chance(0.1) ? null : random.between(500, 8_192),
    prices: randomPrices(random),
    priceVersion: null,
  };
}

export function randomRequest(random: Random): BoundRequest {
  const uses = random.chance(0.05) ? random.between(1, 3) : 0;
  const media = random.chance(0.1)
    ? { images: random.between(0, 2), audioTokens: random.between(0, 500), bytes: random.between(0, 5_000) }
    : { images: 0, audioTokens: 0, bytes: 0 };
  return {
    outputCap: random.chance(0.5) ? null : random.between(1, 4_000),
    choices: random.chance(0.1) ? random.between(2, 4) : 1,
    hasTools: random.chance(0.3),
    namedTools: random.chance(0.1) ? random.between(1, 3) : 0,
    hasFormat: random.chance(0.1),
    promptUnbounded: uses > 0 || random.chance(0.02),
    serverToolUses: uses,
    ...(random.chance(0.5) && { serverTools: random.pick(TOOLS) }),
    searchField: null,
    compacts: random.chance(0.02),
    media,
    bodyBytes: media.bytes + random.between(20, random.pick([500, 5_000, 20_000])),
    values: random.between(5, 500),
    growth: random.chance(0.1) ? random.between(1, 2_000) : 0,
    predictedTokens: random.chance(0.05) ? random.between(1, 2_000) : 0,
    ...(random.chance(0.2) && { units: { name: random.pick(ASKED_UNITS), most: random.between(1, 40) } }),
  };
}

/** What an honest provider may report at most under a cap of `cap` tokens, or anything below. */
export function honestUsage(random: Random, request: BoundRequest, target: Target, cap: number): Usage {
  const uses = Number(request.serverToolUses);
  const times = request.compacts ? 2 : 1;
  const prompt = promptBound(request, target.upstreamModel, target.contextWindow) * (uses + 1) * times;
  const share = () => (random.chance(0.3) ? 1 : random.unit());
  const [cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, inputAudioTokens, inputTokens] = split(
    random,
    Math.floor(prompt * share()),
  );
  const mayRead = request.media.images > 0 || request.promptUnbounded || uses > 0;
  const output = Math.floor(request.choices * (times * cap + request.predictedTokens) * share());
  const outputAudioTokens = random.chance(0.1) ? Math.floor(output * random.unit()) : 0;
  const outputTokens = output - outputAudioTokens;
  return {
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    cacheWrite1hTokens,
    inputAudioTokens,
    outputTokens,
    outputAudioTokens,
    cachedAudioTokens: random.chance(0.3) ? Math.floor(cacheReadTokens * random.unit()) : 0,
    inputImageTokens: mayRead && random.chance(0.5) ? Math.floor(inputTokens * random.unit()) : 0,
    outputImageTokens: random.chance(0.3) ? Math.floor(outputTokens * random.unit()) : 0,
    reasoningTokens: random.chance(0.3) ? Math.floor(outputTokens * random.unit()) : 0,
    ...toolUses(request, Math.floor(uses * random.unit())),
    ...unitUse(random, request, target),
  };
}

/** Of what was asked for, or of a class that its open parts may be. */
function unitUse(random: Random, { units }: BoundRequest, { prices }: Target): Pick<Usage, 'units' | 'unitLine'> {
  if (units === undefined || prices === null) return { units: 0, unitLine: 0 };
  const name = units.name
    .replace('auto', random.pick(['1024x1024', '512x512']))
    .replace('auto', random.pick(['high', 'low']));
  return { units: random.between(0, units.most), unitLine: unitLineOf(prices.units, random.pick([units.name, name])) };
}

/** All uses by one of the tools that may run. */
function toolUses({ serverTools = SEARCH_ONLY }: BoundRequest, uses: number) {
  const last = serverTools.at(-1);
  return {
    webSearches: last === 'web_search' ? uses : 0,
    fileSearches: last === 'file_search' ? uses : 0,
    codeContainers: last === 'code_interpreter' ? uses : 0,
  };
}

/** More than the provider was allowed: somewhat, or by an absurd amount. */
export function excessiveUsage(random: Random, request: BoundRequest, target: Target, cap: number): Usage {
  const most = honestUsage(random, request, target, cap);
  if (random.chance(0.5)) return { ...most, outputTokens: most.outputTokens + random.between(1, 2 * cap) };
  return { ...NO_USAGE, inputTokens: random.between(1, 900_000_000), outputTokens: random.between(1, 900_000_000) };
}

/** Mostly plain text. */
function split(random: Random, tokens: number): [number, number, number, number, number] {
  if (random.chance(0.7)) return [0, 0, 0, 0, tokens];
  const parts = [0, 0, 0, 0, 0] as [number, number, number, number, number];
  let left = tokens;
  for (let index = 0; index < 4; index += 1) {
    const part = Math.floor(left * random.unit() * 0.7);
    parts[index] = part;
    left -= part;
  }
  parts[4] = left;
  return parts;
}
