/** The most expensive lines of a price list, when only an upper limit of the prompt's length is known. */
import type { PriceLines, Prices } from '../catalog/model.ts';
import type { PicoUsd } from '../core/money.ts';

export interface DearestLines {
  /** Any token of a prompt without images: cached or not, text or audio. */
  readonly input: PicoUsd;
  /** Any token of a prompt that may have images, too. */
  readonly inputWithImages: PicoUsd;
  /** Any token of an answer. */
  readonly output: PicoUsd;
  readonly request: PicoUsd;
  readonly webSearch: PicoUsd;
  readonly fileSearch: PicoUsd;
  readonly codeInterpreter: PicoUsd;
}

/** The most expensive lines that a prompt of up to this many tokens can be billed at. */
export function dearestLines(prices: Prices, promptTokensMax: number): DearestLines {
  let known = byPrices.get(prices);
  if (known === undefined) {
    known = stepsOf(prices);
    byPrices.set(prices, known);
  }
  let dearest = known.base;
  for (const step of known.steps) {
    if (promptTokensMax <= step.abovePromptTokens) break;
    dearest = step;
  }
  return dearest;
}

interface Step extends DearestLines {
  readonly abovePromptTokens: number;
}

interface Steps {
  readonly base: DearestLines;
  /** Each at least as expensive as the previous one, because a shorter prompt is possible too. */
  readonly steps: readonly Step[];
}

/** Prices are immutable, and the same few are used by every call. */
const byPrices = new WeakMap<Prices, Steps>();

function stepsOf(prices: Prices): Steps {
  const base = dearestOf(prices);
  const steps: Step[] = [];
  let below = base;
  for (const tier of prices.tiers) {
    const own = dearestOf(tier);
    below = {
      input: larger(below.input, own.input),
      inputWithImages: larger(below.inputWithImages, own.inputWithImages),
      output: larger(below.output, own.output),
      request: larger(below.request, own.request),
      webSearch: larger(below.webSearch, own.webSearch),
      fileSearch: larger(below.fileSearch, own.fileSearch),
      codeInterpreter: larger(below.codeInterpreter, own.codeInterpreter),
    };
    steps.push({ ...below, abovePromptTokens: tier.abovePromptTokens });
  }
  return { base, steps };
}

function dearestOf(lines: PriceLines): DearestLines {
  const { cacheRead, cacheWrite, cacheWrite1h, inputAudio, cacheReadAudio, reasoning, outputAudio, outputImage } =
    lines;
  const input = largest(lines.input, cacheRead, cacheWrite, cacheWrite1h, inputAudio, cacheReadAudio);
  return {
    input,
    inputWithImages: largest(input, lines.inputImage),
    output: largest(lines.output, reasoning, outputAudio, outputImage),
    request: lines.request ?? NOTHING,
    webSearch: lines.webSearch ?? NOTHING,
    fileSearch: lines.fileSearch ?? NOTHING,
    codeInterpreter: lines.codeInterpreter ?? NOTHING,
  };
}

const NOTHING = 0n as PicoUsd;

function largest(line: PicoUsd, ...others: readonly (PicoUsd | null)[]): PicoUsd {
  return others.reduce<PicoUsd>((most, other) => (other === null ? most : larger(most, other)), line);
}

function larger(one: PicoUsd, other: PicoUsd): PicoUsd {
  return one > other ? one : other;
}
