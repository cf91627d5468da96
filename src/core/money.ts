/**
 * Money is always an integer: prices in pico-USD per unit, balances and charges in
 * nano-USD, both `bigint`. It is never converted to a float; JSON contains it as an exact decimal literal.
 */
import { assert } from './assert.ts';

/** Nano-USD: 1 USD = 1,000,000,000. */
export type Money = bigint & { readonly __type__: 'Money' };
/** Pico-USD: 1 USD = 1,000,000,000,000. A price of $1 per million tokens is 1,000,000 pico-USD per token. */
export type PicoUsd = bigint & { readonly __type__: 'PicoUsd' };

export const NO_MONEY = 0n as Money;

const NANO_DIGITS = 9;
const PICO_DIGITS = 12;
const PICO_PER_NANO = 1000n;

export function nanoUsd(nano: bigint): Money {
  return nano as Money;
}

export function picoUsd(pico: bigint): PicoUsd {
  return pico as PicoUsd;
}

/** A call's cost is summed in pico-USD and rounded once, up to the next nano-USD. */
export function roundUpToNano(pico: PicoUsd): Money {
  assert(pico >= 0n, 'a cost cannot be negative');
  return ((pico + PICO_PER_NANO - 1n) / PICO_PER_NANO) as Money;
}

/** `1234500000n` → `"1.2345"`: exact, without trailing zeros. */
export function formatUsd(amount: Money): string {
  return formatDecimal(amount, NANO_DIGITS);
}

/** A price as OpenRouter's clients read it: USD per unit, an exact decimal string. */
export function formatPrice(price: PicoUsd): string {
  return formatDecimal(price, PICO_DIGITS);
}

/** `"0.0000025"` → `2500000n`. Throws on anything but a plain decimal with at most 12 places. */
export function parsePrice(text: string): PicoUsd {
  return parseDecimal(text, PICO_DIGITS) as PicoUsd;
}

/** `"5.00"` → `5000000000n`. Throws on anything but a plain decimal with at most 9 places. */
export function parseUsd(text: string): Money {
  return parseDecimal(text, NANO_DIGITS) as Money;
}

declare global {
  interface JSON {
    /** https://tc39.es/proposal-json-parse-with-source/ */
    rawJSON(text: string): unknown;
  }
}

/** A value that `JSON.stringify` writes as the exact decimal number literal. */
export function usdLiteral(amount: Money | null): unknown {
  return amount === null ? null : JSON.rawJSON(formatUsd(amount));
}

function formatDecimal(amount: bigint, digits: number): string {
  const sign = amount < 0n ? '-' : '';
  const text = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, -digits);
  let end = text.length;
  while (end > text.length - digits && text.charCodeAt(end - 1) === 0x30) end -= 1;
  const fraction = text.slice(text.length - digits, end);
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

function parseDecimal(text: string, digits: number): bigint {
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[3] ?? '';
  if (match === null || fraction.length > digits)
    throw new RangeError(`not a decimal with at most ${digits} places: ${text}`);
  const value = BigInt(match[2] + fraction.padEnd(digits, '0'));
  return match[1] === '-' ? -value : value;
}
