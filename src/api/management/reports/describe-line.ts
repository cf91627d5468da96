/** Describes a line of a call's cost, with the price per million units. */
import { formatPrice, picoUsd } from '../../../core/money.ts';
import type { CostLine } from './price-lines.ts';

const MILLION = 1_000_000n;

export function describeLine({ what, count, price, cost }: CostLine) {
  return {
    name: what,
    units: count,
    price_per_million: formatPrice(picoUsd(price * MILLION)),
    // Lines are exact to the pico-USD; their sum is rounded once.
    cost: JSON.rawJSON(formatPrice(cost)),
  };
}
