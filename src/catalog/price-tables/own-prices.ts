/**
 * Turnpike's own table: `{"prices": [{"provider": "openai", "model": "gpt-5", "input": "1.25", "output": "10", "retires": "2027-01-31"}]}`, with the
 * names and units of a model's `prices` in turnpike.yaml: USD per million tokens, or per call, search or container.
 */
import { isObject } from '../../core/json-object.ts';
import { formatPrice, type PicoUsd, picoUsd } from '../../core/money.ts';
import type { PriceLines, Prices } from '../model.ts';
import { FREE, formatPricePerMillion } from '../prices.ts';
import { picoPerUnit, tokenCount } from './exact-json.ts';
import { dayStart, type TableRow } from './table-row.ts';

const TOKEN_LINES = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'inputAudio',
  'outputAudio',
  'cacheReadAudio',
  'outputImage',
  'reasoning',
] as const;
const FEES = ['request', 'webSearch', 'fileSearch', 'codeInterpreter'] as const;
const KNOWN: ReadonlySet<string> = new Set([...TOKEN_LINES, ...FEES, 'provider', 'model', 'retires', 'tiers']);
const TIER_KNOWN: ReadonlySet<string> = new Set([...TOKEN_LINES, ...FEES, 'abovePromptTokens']);
const TIERS_MAX = 20;
const NAME_LENGTH_MAX = 300;

/** Prices as they are written in such a table; lines that are null are left out. */
export type WrittenPrices = Readonly<Record<string, unknown>>;

/** One row. Throws a `RangeError` that says what is wrong, without the place. */
export function readOwnRow(row: unknown, place: string): TableRow {
  if (!isObject(row)) throw new RangeError('is not an object');
  refuseUnknown(row, KNOWN);
  const { provider, model, retires } = row;
  if (!isName(provider)) throw new RangeError('has no provider');
  if (!isName(model)) throw new RangeError('has no model');
  const retiresAt = retires === undefined || retires === null ? null : dayStart(retires);
  if (retiresAt === null && retires !== undefined && retires !== null)
    throw new RangeError('has something else than a date like 2027-01-31 in retires');
  return { provider, upstreamModel: model, prices: readOwnPrices(row), retiresAt, place };
}

/** Throws a `RangeError` like `readOwnRow`. */
export function readOwnPrices(row: WrittenPrices): Prices {
  const base = readLines(row);
  const tiers = row['tiers'] ?? [];
  if (!Array.isArray(tiers) || tiers.length > TIERS_MAX)
    throw new RangeError(`has no list of at most ${TIERS_MAX} tiers`);
  return {
    ...base,
    tiers: tiers.map((tier: unknown) => {
      if (!isObject(tier)) throw new RangeError('has a tier that is not an object');
      refuseUnknown(tier, TIER_KNOWN);
      const lines = readLines(tier);
      // A fee that a tier does not have is that below it: otherwise it would not be charged.
      const fees = Object.fromEntries(FEES.map((name) => [name, lines[name] ?? base[name]]));
      return { ...lines, ...fees, abovePromptTokens: tokenCount(tier['abovePromptTokens']) };
    }),
  };
}

/** The inverse of `readOwnPrices`. */
export function writeOwnPrices({ tiers, ...lines }: Prices): WrittenPrices {
  return {
    ...writeLines(lines),
    ...(tiers.length > 0 && {
      tiers: tiers.map(({ abovePromptTokens, ...tier }) => ({ abovePromptTokens, ...writeLines(tier) })),
    }),
  };
}

/** The inverse of `readOwnRow`. */
export function writeOwnRow({ provider, upstreamModel, prices, retiresAt }: Omit<TableRow, 'place'>): WrittenPrices {
  return {
    provider,
    model: upstreamModel,
    ...writeOwnPrices(prices),
    ...(retiresAt !== null && { retires: new Date(retiresAt).toISOString().slice(0, 10) }),
  };
}

function readLines(row: WrittenPrices): PriceLines {
  const read = (name: string, units: 1 | 1_000_000): PicoUsd | null => {
    const value = row[name];
    if (value === undefined || value === null) return null;
    try {
      return picoUsd(picoPerUnit(value, units));
    } catch {
      throw new RangeError(`has no price for ${name}: ${JSON.stringify(value)?.slice(0, 40)}`);
    }
  };
  const lines: Record<string, PicoUsd | null> = {};
  for (const name of TOKEN_LINES) lines[name] = read(name, 1_000_000);
  for (const name of FEES) lines[name] = read(name, 1);
  const { input = null, output = null } = lines;
  if (input === null || output === null) throw new RangeError('has no price for input and output');
  const { tiers: _tiers, ...none } = FREE;
  return { ...none, ...lines, input, output };
}

function writeLines(lines: PriceLines): WrittenPrices {
  const written: Record<string, string> = {};
  for (const name of TOKEN_LINES) {
    const price = lines[name];
    if (price !== null) written[name] = formatPricePerMillion(price);
  }
  for (const name of FEES) {
    const price = lines[name];
    if (price !== null) written[name] = formatPrice(price);
  }
  return written;
}

function refuseUnknown(row: object, known: ReadonlySet<string>): void {
  const unknown = Object.keys(row).find((name) => !known.has(name));
  if (unknown !== undefined) throw new RangeError(`has an unknown field: ${unknown.slice(0, 40)}`);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH_MAX;
}
