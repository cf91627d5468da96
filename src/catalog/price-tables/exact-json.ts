/** Prices without a float between the table's digits and the integer. */

/** Like `JSON.parse`, but a number comes back as the text it was written in. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  );
}

const PICO_DIGITS = 12;
/** No float is written longer. A long number, or a high power of ten, would take minutes to compute. */
const TEXT_LENGTH_MAX = 60;

/**
 * USD per `units` as a JSON number's text → pico-USD per unit, rounded up if the table is more precise than that. Throws a `RangeError` for
 * what is no price.
 */
export function picoPerUnit(text: unknown, units: 1 | 1_000_000): bigint {
  if (typeof text !== 'string') throw new RangeError('not a price: neither a number nor text');
  const match = text.length > TEXT_LENGTH_MAX ? null : /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text);
  if (match === null) throw new RangeError(`not a price: ${text.slice(0, 40)}`);
  const fraction = match[2] ?? '';
  const digits = BigInt((match[1] as string) + fraction);
  const exponent = Number(match[3] ?? 0) - fraction.length + PICO_DIGITS - (units === 1 ? 0 : 6);
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (digits + divisor - 1n) / divisor;
}

/** A count of tokens as `parseExact` or a parser reads it; NaN for anything else. */
export function tokenCount(value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
}
