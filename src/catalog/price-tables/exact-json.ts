/** Prices without a float between the table's digits and the integer. */

/** Like `JSON.parse`, but a number comes back as the text it was written in. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  );
}

const PICO_DIGITS = 12;

/** USD per `units` as a JSON number's text → pico-USD per unit, rounded up if the table is more precise than that. */
export function picoPerUnit(text: string, units: 1 | 1_000_000): bigint {
  const match = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) throw new RangeError(`not a price: ${text}`);
  const fraction = match[2] ?? '';
  const digits = BigInt((match[1] as string) + fraction);
  const exponent = Number(match[3] ?? 0) - fraction.length + PICO_DIGITS - (units === 1 ? 0 : 6);
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (digits + divisor - 1n) / divisor;
}
