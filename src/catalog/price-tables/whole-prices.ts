/** Lines that the tables lack, or have in the wrong unit, where the vendor says what they are. */
import type { TableLines, TablePrices, TableTier } from './table-prices.ts';

/** Each fee that a tier does not have is that below it: otherwise it would not be charged. */
export function wholePrices(upstreamModel: string, { tiers, ...base }: TablePrices): TablePrices {
  const complete = correctionOf(upstreamModel);
  const withFees = (tier: TableTier) => ({ ...tier, ...feesOf(tier, base) });
  return { ...complete(base), tiers: tiers.map((tier) => complete(withFees(tier))) };
}

type Correction = <Lines extends TableLines>(lines: Lines) => Lines;

function correctionOf(upstreamModel: string): Correction {
  if (upstreamModel.includes('claude-')) return withHourWrites;
  return /^(google\/)?gemini-/.test(upstreamModel) ? geminiLines(upstreamModel) : (lines) => lines;
}

/**
 * Writing into the cache for an hour costs twice the input, for every Claude:
 * https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching#pricing
 */
function withHourWrites<Lines extends TableLines>(lines: Lines): Lines {
  const { cacheWrite, cacheWrite1h, input } = lines;
  if (cacheWrite === null) return lines;
  const least = 2n * input;
  return { ...lines, cacheWrite1h: cacheWrite1h !== null && cacheWrite1h > least ? cacheWrite1h : least };
}

/**
 * Gemini has no fee for a write that it makes by itself; what the tables have is the storage of caches that are made on purpose. Sounds from
 * the cache are as much cheaper than other sounds as text is:
 * https://ai.google.dev/gemini-api/docs/pricing, https://cloud.google.com/vertex-ai/generative-ai/docs/context-cache/context-cache-overview
 */
function geminiLines(upstreamModel: string): Correction {
  const isResold = upstreamModel.startsWith('google/');
  return (lines) => ({
    ...lines,
    ...(isResold ? {} : { cacheWrite: null, cacheWrite1h: null }),
    cacheReadAudio: lines.cacheReadAudio ?? cachedAudio(lines),
  });
}

/** Rounded up. */
function cachedAudio({ input, cacheRead, inputAudio }: TableLines): bigint | null {
  if (inputAudio === null || cacheRead === null || cacheRead === 0n || input === 0n) return null;
  return (inputAudio * cacheRead + input - 1n) / input;
}

function feesOf(lines: TableLines, base: TableLines): Partial<TableLines> {
  return {
    request: lines.request ?? base.request,
    webSearch: lines.webSearch ?? base.webSearch,
    fileSearch: lines.fileSearch ?? base.fileSearch,
    codeInterpreter: lines.codeInterpreter ?? base.codeInterpreter,
  };
}
