/** Prices by the piece in a cell of a table: `0.01/image`, or `0.01-0.17/image` if classes of a kind differ. */

/** `units`: USD a piece as decimal text, by the unit's name. Null if all of them are zero. */
export function shortUnitPrices(units: Readonly<Record<string, string>>): string | null {
  const kinds = new Map<string, string[]>();
  for (const [unit, price] of Object.entries(units)) {
    const [kind = unit] = unit.split('/', 1);
    kinds.set(kind, [...(kinds.get(kind) ?? []), price]);
  }
  const texts = [...kinds].flatMap(([kind, prices]) => rangeText(prices, kind) ?? []);
  return texts.length === 0 ? null : texts.join(' + ');
}

function rangeText(prices: readonly string[], kind: string): string | null {
  const [least = '0', ...dearer] = prices.toSorted((one, other) => Number(one) - Number(other));
  const most = dearer.at(-1) ?? least;
  if (Number(most) === 0) return null;
  return `${least === most ? most : `${least}-${most}`}/${kind}`;
}
