/** Reads a price table in any of the known formats, which are distinguished by their shapes. */
import { isObject } from '../../core/json-object.ts';
import { picoUsd } from '../../core/money.ts';
import type { PriceLines, Prices } from '../model.ts';
import { FREE } from '../prices.ts';
import { complaintOf } from './check-prices.ts';
import { parseExact } from './exact-json.ts';
import { type LitellmTable, litellmModels, litellmPrices, litellmRetirement } from './litellm-prices.ts';
import { isLitellmClass, litellmClasses, litellmUnits, withClassModels, withImageTokens } from './litellm-units.ts';
import { type ModelsDevTable, modelsDevModels, modelsDevPrices } from './models-dev-prices.ts';
import { openRouterModels, openRouterPrices } from './openrouter-prices.ts';
import { readOwnRow } from './own-prices.ts';
import type { TableLines, TablePrices } from './table-prices.ts';
import { dayStart, type PriceTable, type TableFormat, type TableRow } from './table-row.ts';
import { withToolFees } from './tool-fees.ts';
import { wholePrices } from './whole-prices.ts';

/**
 * Rows without a price are left out; what is no price, or an absurd one, is a fault with its place. Throws a `RangeError` for a text that is
 * no table of a known format.
 */
export function readPriceTable(text: string): PriceTable {
  let table: unknown;
  try {
    table = parseExact(text);
  } catch {
    throw new RangeError('it is not JSON');
  }
  if (!isObject(table)) throw new RangeError('it is not an object');
  if (Array.isArray(table['prices'])) return readRows('turnpike', ownDrafts(table['prices']));
  if (Array.isArray(table['data'])) return readRows('openrouter', openRouterDrafts(table['data']));
  const entries = Object.values(table).filter(isObject);
  if (entries.some((entry) => 'litellm_provider' in entry)) return readRows('litellm', litellmDrafts(table));
  if (entries.some((entry) => isObject(entry['models']))) return readRows('models.dev', modelsDevDrafts(table));
  throw new RangeError("it is none of LiteLLM's, models.dev's, OpenRouter's or Turnpike's own price tables");
}

interface Draft {
  readonly place: string;
  /** Null without a price. Throws a `RangeError`. */
  read(): TableRow | null;
}

function readRows(format: TableFormat, drafts: readonly Draft[]): PriceTable {
  const rows: TableRow[] = [];
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { place, read } of drafts) {
    try {
      const row = read();
      if (row === null) continue;
      const wrong = complaintOf(row.prices);
      const key = JSON.stringify([row.provider, row.upstreamModel]);
      if (wrong !== null) faults.push(`${place} ${wrong}`);
      else if (seen.has(key)) faults.push(`${place} is listed twice`);
      else rows.push(row);
      seen.add(key);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      faults.push(`${place} ${error.message.replace(/^not a price/, 'has something that is no price')}`);
    }
  }
  return { format, rows, faults };
}

function ownDrafts(rows: readonly unknown[]): Draft[] {
  return rows.map((row, index) => {
    const place = `prices[${index}]`;
    return { place, read: () => readOwnRow(row, place) };
  });
}

function litellmDrafts(table: Readonly<Record<string, unknown>>): Draft[] {
  const entries = withClassModels(
    Object.fromEntries(Object.entries(table).filter(([, entry]) => isObject(entry))) as LitellmTable,
  );
  const classes = litellmClasses(entries);
  return litellmModels(entries)
    .filter(({ key }) => !isLitellmClass(key))
    .map((model) => {
      const { provider, upstreamModel, entry, key: place } = model;
      const retiresAt = dayStart(litellmRetirement(model, entries));
      const row = { provider, upstreamModel, retiresAt, place };
      return {
        place,
        read: () => {
          const units = litellmUnits(entry, upstreamModel, classes);
          if (units.length > 0) return { ...row, prices: { ...FREE, units } };
          return rowOf(row, litellmPrices({ ...model, entry: withImageTokens(entry) }));
        },
      };
    });
}

function modelsDevDrafts(table: Readonly<Record<string, unknown>>): Draft[] {
  return modelsDevModels(table as ModelsDevTable<{ readonly cost?: unknown }>).map(
    ({ listed, provider, upstreamModel, entry }) => {
      const place = `${listed}/${upstreamModel}`;
      return {
        place,
        read: () =>
          rowOf(
            { provider, upstreamModel, retiresAt: null, place },
            modelsDevPrices(provider, upstreamModel, entry.cost),
          ),
      };
    },
  );
}

function openRouterDrafts(data: readonly unknown[]): Draft[] {
  return openRouterModels(data).map((model) => {
    const { id: upstreamModel, expiration } = model;
    const retiresAt = dayStart(expiration);
    return {
      place: upstreamModel,
      read: () =>
        rowOf({ provider: 'openrouter', upstreamModel, retiresAt, place: upstreamModel }, openRouterPrices(model)),
    };
  });
}

/** Completed as the built-in list is. */
function rowOf(row: Omit<TableRow, 'prices'>, prices: TablePrices | null): TableRow | null {
  if (prices === null) return null;
  const { provider, upstreamModel } = row;
  const { tiers, ...base } = withToolFees(provider, upstreamModel, wholePrices(upstreamModel, prices));
  return {
    ...row,
    prices: {
      ...linesOf(base),
      units: [],
      tiers: tiers.map((tier) => ({ ...linesOf(tier), abovePromptTokens: tier.abovePromptTokens })),
    } satisfies Prices,
  };
}

/** As in the built-in list: a zero for the cache is a missing price, and a line that equals the one it would be billed as is left out. */
function linesOf(lines: TableLines): PriceLines {
  const price = (value: bigint | null) => (value === null ? null : picoUsd(value));
  const unlessZero = (value: bigint | null) => (value === 0n ? null : price(value));
  return {
    input: picoUsd(lines.input),
    output: picoUsd(lines.output),
    cacheRead: unlessZero(lines.cacheRead),
    cacheWrite: unlessZero(lines.cacheWrite),
    cacheWrite1h: unlessZero(lines.cacheWrite1h),
    inputAudio: price(lines.inputAudio),
    outputAudio: price(lines.outputAudio),
    cacheReadAudio: lines.cacheReadAudio === lines.cacheRead ? null : price(lines.cacheReadAudio),
    inputImage: lines.inputImage === lines.input ? null : price(lines.inputImage),
    outputImage: price(lines.outputImage),
    reasoning: lines.reasoning === lines.output ? null : price(lines.reasoning),
    image: null,
    request: price(lines.request),
    webSearch: price(lines.webSearch),
    fileSearch: price(lines.fileSearch),
    codeInterpreter: price(lines.codeInterpreter),
  };
}
