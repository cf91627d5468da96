/** The catalogue's file: a header, then one model a line, so that a new price is a line in a diff. */

import type { TableLines, TablePrices } from '../../src/catalog/price-tables/table-prices.ts';
import { withToolFees } from '../../src/catalog/price-tables/tool-fees.ts';
import { wholePrices } from '../../src/catalog/price-tables/whole-prices.ts';
import { anthropicMessages } from '../../src/dialects/anthropic-messages/anthropic-messages.ts';
import type { MergedModel, PricedOffer } from './merge-offers.ts';
import type { Abilities } from './offer.ts';

const SAMPLING = ['temperature', 'top_p', 'top_k'];

export interface Source {
  readonly name: string;
  readonly address: string;
  readonly license: string;
  /** The day of the copy, like 2026-08-01. */
  readonly date: string;
}

export function writeCatalog(sources: readonly Source[], models: readonly MergedModel[]): string {
  const lines = models.map((model) => `    ${JSON.stringify(modelLine(model))}`);
  return [
    '{',
    '  "about": "Facts about models: limits, modalities, and prices in pico-USD per unit (1 USD per million tokens = 1000000). Made by scripts/build-catalog.ts; edit that, not this.",',
    `  "sources": [\n${sources.map((source) => `    ${JSON.stringify(source)}`).join(',\n')}\n  ],`,
    `  "models": [\n${lines.join(',\n')}\n  ]`,
    '}\n',
  ].join('\n');
}

function modelLine({ id, aliases, offers: sold, facts: offers = sold }: MergedModel): object {
  const [first] = offers;
  return {
    id,
    name: offers.find(({ displayName }) => displayName !== null)?.displayName ?? id.slice(id.indexOf('/') + 1),
    ...(aliases.length > 0 ? { aliases } : {}),
    created: offers.find(({ created }) => created > 0)?.created ?? 0,
    knowledgeCutoff: offers.find(({ knowledgeCutoff }) => knowledgeCutoff !== null)?.knowledgeCutoff ?? null,
    inputModalities: first.inputModalities,
    outputModalities: first.outputModalities,
    supportedParameters: parametersOf(id, offers),
    ...abilitiesOf(offers),
    targets: sold.map(targetOf),
  };
}

/** What at least one target takes. */
function parametersOf(id: string, offers: readonly PricedOffer[]): string[] {
  const parameters = new Set(offers.flatMap(({ supportedParameters }) => supportedParameters));
  // Claude takes `top_k` with the others or none of them: https://docs.anthropic.com/en/api/messages
  if (id.startsWith('anthropic/claude-') && parameters.has('temperature')) parameters.add('top_k');
  if (firstSaid(offers, 'sampling') === false) for (const name of SAMPLING) parameters.delete(name);
  return [...parameters].sort();
}

/** What no table says is left out of the line. */
function abilitiesOf(offers: readonly PricedOffer[]): object {
  const quirks = saidOf(offers, ['thinking', 'systemAnywhere', 'prefill']);
  const hasQuirks = Object.keys(quirks).length > 0;
  return { ...saidOf(offers, ['efforts']), ...(hasQuirks ? { quirks: { [anthropicMessages.name]: quirks } } : {}) };
}

function saidOf(offers: readonly PricedOffer[], names: readonly (keyof Abilities)[]): object {
  return Object.fromEntries(
    names.flatMap((name) => {
      const said = firstSaid(offers, name);
      return said === null ? [] : [[name, said]];
    }),
  );
}

function firstSaid<Name extends keyof Abilities>(offers: readonly PricedOffer[], name: Name): Abilities[Name] | null {
  return offers.find(({ abilities }) => abilities[name] !== null)?.abilities[name] ?? null;
}

function targetOf(offer: PricedOffer): object {
  const { provider, upstreamModel, dialects, contextWindow, outputCap, prices, retires, units } = offer;
  // Models of a single purpose run no tools.
  const whole =
    units === undefined ? withToolFees(provider, upstreamModel, wholePrices(upstreamModel, prices)) : prices;
  return {
    provider,
    upstreamModel,
    ...(dialects === null ? {} : { dialects }),
    contextWindow,
    outputCap,
    ...(retires === null ? {} : { retires }),
    prices: {
      ...pricesOf(whole),
      ...(units !== undefined &&
        units.length > 0 && { units: Object.fromEntries(units.map(({ unit, price }) => [unit, exact(price)])) }),
    },
  };
}

function pricesOf({ tiers, ...lines }: TablePrices): object {
  const base = linesOf(lines);
  if (tiers.length === 0) return base;
  return {
    ...base,
    tiers: tiers.map(({ abovePromptTokens, ...above }) => ({ abovePromptTokens, ...linesOf(above) })),
  };
}

function linesOf(lines: TableLines): Record<string, number> {
  const written: Record<string, number> = { input: exact(lines.input), output: exact(lines.output) };
  const write = (name: keyof TableLines, price: bigint | null) => {
    if (price !== null) written[name] = exact(price);
  };
  // No vendor of paid tokens reads its cache for nothing: a zero in a table is a missing price.
  if (lines.cacheRead !== 0n) write('cacheRead', lines.cacheRead);
  // A write that costs nothing extra is billed as the input it is.
  if (lines.cacheWrite !== 0n) write('cacheWrite', lines.cacheWrite);
  if (lines.cacheWrite1h !== 0n) write('cacheWrite1h', lines.cacheWrite1h);
  write('inputAudio', lines.inputAudio);
  write('outputAudio', lines.outputAudio);
  if (lines.cacheReadAudio !== lines.cacheRead) write('cacheReadAudio', lines.cacheReadAudio);
  if (lines.inputImage !== lines.input) write('inputImage', lines.inputImage);
  write('outputImage', lines.outputImage);
  if (lines.reasoning !== lines.output) write('reasoning', lines.reasoning);
  write('request', lines.request);
  write('webSearch', lines.webSearch);
  write('fileSearch', lines.fileSearch);
  write('codeInterpreter', lines.codeInterpreter);
  return written;
}

/** Prices are small enough for a JSON number, which is checked. */
function exact(price: bigint): number {
  if (price > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`too dear for a JSON number: ${price}`);
  return Number(price);
}
