/** The prices that a pin sets. */
import type { Prices } from '../model.ts';
import { readOwnPrices, type WrittenPrices } from './own-prices.ts';

/** Whether it says nothing of the price of tokens read and written, so that what applies of tokens stays. */
export function isOfUnitsOnly(written: WrittenPrices): boolean {
  return written['input'] === undefined && written['output'] === undefined && written['units'] !== undefined;
}

/**
 * Prices as they are sent for a pin: all that apply from then on. Those of units alone are added to what applies of tokens and fees (`before`), and
 * replace the units before. Throws a `RangeError` that says what is wrong.
 */
export function readPinnedPrices(written: WrittenPrices, before: Prices | null): Prices {
  const read = readOwnPrices(written);
  if (before === null || !isOfUnitsOnly(written)) return read;
  const { input: _input, output: _output, tiers, ...lines } = read;
  const named = Object.entries(lines).filter(([, price]) => price !== null);
  return { ...before, ...Object.fromEntries(named), tiers: tiers.length === 0 ? before.tiers : tiers };
}
