/**
 * What is charged by the piece instead of by the token. A name is a kind, and after a slash a class of it, in parts, if prices differ:
 * `character`, `image`, `image/1024x1024/high`.
 */
import type { PicoUsd } from '../money.ts';

export const UNIT_KINDS = ['image', 'character', 'second', 'search', 'page'] as const;
export type UnitKind = (typeof UNIT_KINDS)[number];

/** What one unit costs. */
export interface UnitPrice {
  readonly unit: string;
  readonly price: PicoUsd;
}

/** A price list has no more of them. */
export const UNIT_PRICES_MAX = 64;

/** Stands for any value of a part: what it was is known from the answer at the earliest. */
export const ANY = 'auto';

const PART = /^[a-z0-9][a-z0-9._-]{0,31}$/;
const PART_LENGTH_MAX = 32;
const PARTS_MAX = 4;

/** Whether it is a name that a price may have. */
export function isUnitName(name: string): boolean {
  const [kind = '', ...parts] = name.split('/', PARTS_MAX + 1);
  return (
    (UNIT_KINDS as readonly string[]).includes(kind) &&
    parts.length < PARTS_MAX &&
    parts.every((part) => part !== ANY && PART.test(part))
  );
}

/** A field of a request or an answer as a part of a name; `auto` for what is no such part. */
export function unitClass(value: string): string {
  const part = value.length > PART_LENGTH_MAX ? ANY : value.toLowerCase();
  return PART.test(part) ? part : ANY;
}

/** In the order in which a price list has them: the same prices are the same list. */
export function unitPrices(prices: Iterable<readonly [unit: string, price: PicoUsd]>): readonly UnitPrice[] {
  return Array.from(prices, ([unit, price]) => ({ unit, price })).sort((one, other) =>
    one.unit < other.unit ? -1 : 1,
  );
}

/**
 * The place of a unit's price in the list, from 1; 0 if it has none. The price of the class counts, otherwise that of what the class is part of:
 * for `image/1024x1024/high` also `image/1024x1024` and `image`. If a part is `auto`, the most expensive one that it may be.
 */
export function unitLineOf(units: readonly UnitPrice[], name: string): number {
  if (units.length === 0) return 0;
  const asked = name.split('/');
  const isOpen = asked.includes(ANY);
  let line = 0;
  for (const [index, { unit, price }] of units.entries()) {
    if (!includes(unit, asked)) continue;
    const best = units[line - 1];
    if (best === undefined || (isOpen ? price > best.price : unit.length > best.unit.length)) line = index + 1;
  }
  return line;
}

/** Whether a price for `unit` is one for what was asked for. */
function includes(unit: string, asked: readonly string[]): boolean {
  const parts = unit.split('/');
  return parts.length <= asked.length && parts.every((part, index) => part === asked[index] || asked[index] === ANY);
}
