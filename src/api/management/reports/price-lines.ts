/** What a call cost, line by line: the sum is `costOf` of `billing/cost.ts`, which rounds up once to the nano-USD. */
import { cachedAudio, inputImages, linesFor, outputParts, unitPriceOf } from '../../../billing/cost.ts';
import type { Prices } from '../../../catalog/model.ts';
import { type PicoUsd, picoUsd } from '../../../core/money.ts';
import type { UnitKind } from '../../../core/units/units.ts';
import { promptTokens, type Usage } from '../../../core/usage.ts';

export interface CostLine {
  /** Of what is not counted in tokens, the name of its price: `image/1024x1024/high`. */
  readonly what: CostLineName | UnitName;
  readonly count: number;
  /** Per unit. */
  readonly price: PicoUsd;
  readonly cost: PicoUsd;
}

export type CostLineName =
  | 'request'
  | 'input'
  | 'cache_read'
  | 'cache_read_audio'
  | 'cache_write'
  | 'cache_write_1h'
  | 'input_audio'
  | 'output'
  | 'reasoning'
  | 'output_audio'
  | 'input_image'
  | 'output_image'
  | 'web_search'
  | 'file_search'
  | 'code_interpreter';

/** A name that begins with a kind of unit. */
type UnitName = UnitKind | `${UnitKind}/${string}`;

/** Lines with a count above zero. A line without its own price has the price of the line it is billed as. */
export function costLines(usage: Usage, prices: Prices): CostLine[] {
  const lines = linesFor(promptTokens(usage), prices);
  const { input, output } = lines;
  const { reasoning, image, plain } = outputParts(usage, lines);
  const audio = cachedAudio(usage, lines);
  const images = inputImages(usage, lines);
  return [
    line('request', lines.request === null ? 0 : 1, lines.request),
    line('input', usage.inputTokens - images, input),
    line('input_image', images, lines.inputImage),
    line('cache_read', usage.cacheReadTokens - audio, lines.cacheRead ?? input),
    line('cache_read_audio', audio, lines.cacheReadAudio),
    line('cache_write', usage.cacheWriteTokens, lines.cacheWrite ?? input),
    line('cache_write_1h', usage.cacheWrite1hTokens, lines.cacheWrite1h ?? lines.cacheWrite ?? input),
    line('input_audio', usage.inputAudioTokens, lines.inputAudio ?? input),
    line('output', plain, output),
    line('reasoning', reasoning, lines.reasoning),
    line('output_audio', usage.outputAudioTokens, lines.outputAudio ?? output),
    line('output_image', image, lines.outputImage),
    line('web_search', lines.webSearch === null ? 0 : usage.webSearches, lines.webSearch),
    line('file_search', lines.fileSearch === null ? 0 : usage.fileSearches, lines.fileSearch),
    ...unitLines(usage, prices),
    line('code_interpreter', lines.codeInterpreter === null ? 0 : usage.codeContainers, lines.codeInterpreter),
  ].filter(({ count }) => count > 0);
}

function unitLines({ units, unitLine }: Usage, prices: Prices): CostLine[] {
  if (units === 0 || unitLine === 0) return [];
  return [line(prices.units[unitLine - 1]?.unit as UnitName, units, unitPriceOf({ unitLine }, prices))];
}

function line(what: CostLine['what'], count: number, price: PicoUsd | null): CostLine {
  return { what, count, price: price ?? picoUsd(0n), cost: picoUsd(BigInt(count) * (price ?? 0n)) };
}
