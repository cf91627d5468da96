/** Whether a price list says what an operation costs, before anything of a request is known. */
import type { UnitKind } from '../core/units/units.ts';
import type { Prices } from './model.ts';
import { FREE, hasTokenPrices } from './prices.ts';

/** `unitKinds`: what the operation may be charged by, besides tokens. */
export function isPricedFor(prices: Prices, unitKinds: readonly UnitKind[]): boolean {
  if (prices === FREE || hasTokenPrices(prices)) return true;
  // A list of pieces alone says nothing about tokens, and one of neither nothing about pieces.
  if (unitKinds.length === 0) return prices.units.length === 0;
  return prices.units.some(({ unit }) => unitKinds.some((kind) => kind === unit.split('/', 1)[0]));
}
