/** Prices by the piece, as lists of models show them. */
import { formatPrice } from '../core/money.ts';
import { LIST_RATE, priceAtRate, type Rate } from '../core/rates/rate.ts';
import type { Prices } from './model.ts';

/** USD per piece as exact decimal text, by the unit's name, at the rate that is charged; null without any. */
export function unitPriceTexts(
  units: Prices['units'],
  rate: Rate = LIST_RATE,
): Readonly<Record<string, string>> | null {
  if (units.length === 0) return null;
  return Object.fromEntries(units.map(({ unit, price }) => [unit, formatPrice(priceAtRate(price, rate))]));
}

/** Whether pieces cost something, and neither tokens read nor tokens written do: it has no price by the token, and is not free. */
export function isChargedByPiece({ input, output, units }: Pick<Prices, 'input' | 'output' | 'units'>): boolean {
  return input === 0n && output === 0n && units.some(({ price }) => price > 0n);
}
