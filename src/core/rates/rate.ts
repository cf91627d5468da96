/**
 * What share of a call's cost its account is charged: parts per million of the list price, an integer. A markup of 10 % is
 * 1,100,000; an own credential's fee of 5 % is 50,000.
 */
import { assert } from '../assert.ts';
import { type Money, NO_MONEY, type PicoUsd } from '../money.ts';

/** Parts per million of the cost. */
export type Rate = number & { readonly __type__: 'Rate' };

const PPM = 1_000_000;
const PPM_PER_PERCENT = PPM / 100;
const WHOLE = BigInt(PPM);

/** The highest markup, or fee, in percent: a higher one is a mistyped one. */
export const PERCENT_MAX = 10_000;
/** The list price, without a markup. */
export const LIST_RATE = PPM as Rate;
/** An own credential without a fee. */
export const NO_CHARGE = 0 as Rate;
const RATE_MAX = PPM + PERCENT_MAX * PPM_PER_PERCENT;

/** Throws for a number that is no rate: not an integer, negative, or above a markup of 10,000 %. */
export function rate(partsPerMillion: number): Rate {
  assert(isRate(partsPerMillion), 'a rate is a whole number of parts per million, from 0 to 101,000,000');
  return partsPerMillion as Rate;
}

export function isRate(partsPerMillion: number): partsPerMillion is Rate {
  return Number.isSafeInteger(partsPerMillion) && partsPerMillion >= 0 && partsPerMillion <= RATE_MAX;
}

/**
 * Whether a number is a markup or a fee in percent: 0 to 10,000, with at most 4 decimal places, which are whole parts per
 * million.
 */
export function isPercent(percent: number): boolean {
  return percent >= 0 && percent <= PERCENT_MAX && partsOf(percent) / PPM_PER_PERCENT === percent;
}

/** The rate of the operator's credential, `percent` above the list price. Throws unless `isPercent`. */
export function markupRate(percent: number): Rate {
  return rate(PPM + feeRate(percent));
}

/** The rate of an own credential: `percent` of the list price. Throws unless `isPercent`. */
export function feeRate(percent: number): Rate {
  assert(isPercent(percent), `a percentage is a number from 0 to ${PERCENT_MAX} with at most 4 decimal places`);
  return rate(partsOf(percent));
}

/** A part of a rate, rounded up: half of a markup of 10 % is 550,000. */
export function partOfRate(of: Rate, part: Rate): Rate {
  // Below 2^53 for every rate and every part.
  return rate(Math.ceil((of * part) / PPM));
}

/** The inverse of `markupRate`. */
export function markupPercent(of: Rate): number {
  return (of - PPM) / PPM_PER_PERCENT;
}

/** The inverse of `feeRate`. */
export function feePercent(of: Rate): number {
  return of / PPM_PER_PERCENT;
}

/** What a cost is charged at: cost × rate, rounded up once. */
export function atRate(cost: Money, at: Rate): Money {
  if (at === LIST_RATE) return cost;
  return at === NO_CHARGE ? NO_MONEY : (raised(cost, at) as Money);
}

/** The same of a price, for display and for bounds: never lower than what any number of units is charged. */
export function priceAtRate(price: PicoUsd, at: Rate): PicoUsd {
  return at === LIST_RATE ? price : (raised(price, at) as PicoUsd);
}

function raised(amount: bigint, at: Rate): bigint {
  return (amount * BigInt(at) + WHOLE - 1n) / WHOLE;
}

function partsOf(percent: number): number {
  return Math.round(percent * PPM_PER_PERCENT);
}
