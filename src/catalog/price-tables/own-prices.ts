/**
 * Turnpike's own table: `{"prices": [{"provider": "openai", "model": "gpt-5", "input": "1.25", "output": "10", "retires": "2027-01-31"}]}`, with the
 * names and units of a model's `prices` in turnpike.yaml: USD per million tokens, or per call, search, container or unit.
 */
import { isObject } from '../../core/json-object.ts';
import { formatPrice, type PicoUsd, picoUsd } from '../../core/money.ts';
import { isUnitName, UNIT_PRICES_MAX, type UnitPrice, unitPrices } from '../../core/units/units.ts';
import type { PriceLines, Prices } from '../model.ts';
import { FREE, formatPricePerMillion } from '../prices.ts';
import { picoPerUnit, tokenCount } from './exact-json.ts';
import { dayStart, type TableRow } from './table-row.ts';

/** USD per million tokens. */
export const TOKEN_LINES = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'inputAudio',
  'outputAudio',
  'cacheReadAudio',
  'inputImage',
  'outputImage',
  'reasoning',
] as const;
/** USD per call, search or container. */
export const FEES = ['request', 'webSearch', 'fileSearch', 'codeInterpreter'] as const;
const KNOWN: ReadonlySet<string> = new Set([...TOKEN_LINES, ...FEES, 'provider', 'model', 'retires', 'units', 'tiers']);
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
  const units = readUnits(row['units']);
  // A model that is charged by the piece need not have prices of tokens.
  const base = readLines(units.length === 0 ? row : { input: '0', output: '0', ...row });
  const tiers = row['tiers'] ?? [];
  if (!Array.isArray(tiers) || tiers.length > TIERS_MAX)
    throw new RangeError(`has no list of at most ${TIERS_MAX} tiers`);
  return {
    ...base,
    units,
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
export function writeOwnPrices({ tiers, units, ...lines }: Prices): WrittenPrices {
  return {
    ...writeLines(lines),
    ...(units.length > 0 && {
      units: Object.fromEntries(units.map(({ unit, price }) => [unit, formatPrice(price)])),
    }),
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
    return readPrice(name, value, units);
  };
  const lines: Record<string, PicoUsd | null> = {};
  for (const name of TOKEN_LINES) lines[name] = read(name, 1_000_000);
  for (const name of FEES) lines[name] = read(name, 1);
  const { input = null, output = null } = lines;
  if (input === null || output === null) throw new RangeError('has no price for input and output');
  const { tiers: _tiers, units: _units, ...none } = FREE;
  return { ...none, ...lines, input, output };
}

/** `{"image/1024x1024/high": "0.19"}`: US dollars for one. */
function readUnits(units: unknown): readonly UnitPrice[] {
  if (units === undefined || units === null) return [];
  if (!isObject(units)) throw new RangeError('has no object of prices in units');
  const names = Object.keys(units);
  if (names.length > UNIT_PRICES_MAX) throw new RangeError(`has more than ${UNIT_PRICES_MAX} units`);
  return unitPrices(
    names.map((name) => {
      if (!isUnitName(name)) throw new RangeError(`has an unknown unit: ${name.slice(0, 40)}`);
      return [name, readPrice(name, units[name], 1)];
    }),
  );
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

function readPrice(name: string, value: unknown, units: 1 | 1_000_000): PicoUsd {
  try {
    return picoUsd(picoPerUnit(value, units));
  } catch {
    throw new RangeError(`has no price for ${name}: ${JSON.stringify(value)?.slice(0, 40)}`);
  }
}

function refuseUnknown(row: object, known: ReadonlySet<string>): void {
  const unknown = Object.keys(row).find((name) => !known.has(name));
  if (unknown !== undefined) throw new RangeError(`has an unknown field: ${unknown.slice(0, 40)}`);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH_MAX;
}
