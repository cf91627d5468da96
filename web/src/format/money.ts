/**
 * USD for people, by one rule for the whole dashboard. Only for showing: sums and comparisons that matter are the server's.
 *
 * Amounts in a column (with its total, a bill, the figures of a chart) have the same number of
 * decimals, so that points align and a total is as exact as its rows; an amount in a sentence or a tile is separate. There
 * are two, four or six decimals: the fewest that show each amount exactly or with two significant digits. Nine, all that the
 * ledger has, only if six would show an amount as zero. The title of each has every decimal (`exactUsd`). Prices,
 * and amounts in forms, are always shown exactly.
 */

/** USD as in the API's answers: a number, or decimal text. */
export type Usd = number | string | null | undefined;

/** `$1,234.50`, `$0.000123`, `−$5.00`; a dash for none. `together` are all amounts shown with it. */
export function formatUsd(value: Usd, together: readonly Usd[] = [value]): string {
  const amount = nanoUsd(value);
  if (amount === null) return '–';
  const places = placesOf(together);
  return written(rounded(amount, places, 'nearest'), places);
}

/** Every significant decimal: `$0.0000001 USD`; undefined for none. For the title of an amount. */
export function exactUsd(value: Usd): string | undefined {
  const amount = nanoUsd(value);
  return amount === null ? undefined : `${trimmed(written(amount, PLACES_MAX))} USD`;
}

/** The available amount, rounded down, so that nobody sees more than there is. A debt is rounded up. */
export function formatAvailable(value: Usd, together: readonly Usd[] = [value]): string {
  const amount = nanoUsd(value);
  if (amount === null) return '–';
  const places = placesOf(together);
  return written(rounded(amount, places, 'down'), places);
}

/** For the axis of a chart and narrow spaces: `$1.2K`, `$12`, `$0.003`. `together` are all amounts of the axis. */
export function formatUsdShort(value: number, together: readonly number[] = [value]): string {
  if (value === 0) return '$0';
  if (Math.max(...together.map(Math.abs)) >= 1000) return `${value < 0 ? '−' : ''}$${short.format(Math.abs(value))}`;
  const areWhole = together.every((each) => Math.abs(each) >= 10 || Number.isInteger(each));
  return areWhole ? written(rounded(nanoUsd(value) ?? 0n, 0, 'nearest'), 0) : formatUsd(value, together);
}

/** From decimal text, with every place: `$1,000.50`, `$0.000000001`. For values in forms. */
export function formatUsdWhole(text: string): string {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  const grouped = BigInt(whole).toLocaleString('en-US');
  return `${sign === '' ? '' : '−'}$${grouped}.${places.padEnd(2, '0')}`;
}

/** A number of USD as decimal text for a form or a request; empty for none. */
export function usdText(value: number | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return text.includes('e')
    ? value
        .toFixed(PLACES_MAX)
        .replace(/(?<!0)0+$/, '')
        .replace(/\.$/, '')
    : text;
}

/** A price per million tokens, from decimal text: `$2.50`, `$0.0375`. */
export function formatPrice(price: string | null): string {
  if (price === null) return '–';
  return Number(price) === 0 ? 'free' : trimmed(`$${price.includes('.') ? price : `${price}.`}`);
}

/** How many decimals amounts shown together have: 2, 4, 6 or 9. */
export function placesOf(together: readonly Usd[]): number {
  const before = placesKnown.get(together);
  if (before !== undefined) return before;
  let places = 2;
  for (const value of together) {
    const amount = nanoUsd(value) ?? 0n;
    const size = amount < 0n ? -amount : amount;
    while (places < PLACES_MAX && !isShown(size, places)) places = places < 6 ? places + 2 : PLACES_MAX;
  }
  placesKnown.set(together, places);
  return places;
}

/** Cached, because a column needs it for each of its rows. */
const placesKnown = new WeakMap<readonly Usd[], number>();

/** The ledger's unit: it counts in billionths of a dollar. */
const PLACES_MAX = 9;

function isShown(size: bigint, places: number): boolean {
  const step = stepOf(places);
  return size % step === 0n || size >= step * 10n || (places === 6 && size * 2n >= step);
}

function stepOf(places: number): bigint {
  return 10n ** BigInt(PLACES_MAX - places);
}

/** In billionths; null if it is not an amount. */
function nanoUsd(value: Usd): bigint | null {
  if (value === null || value === undefined || value === '' || !Number.isFinite(Number(value))) return null;
  // A JSON number is exact to the ninth decimal up to some millions, which its text then shows.
  const [whole = '0', places = ''] = (typeof value === 'number' ? value.toFixed(PLACES_MAX) : value).split('.');
  if (!/^-?\d+$/.test(whole) || !/^\d*$/.test(places)) return null;
  const size = BigInt(whole.replace('-', '') + places.slice(0, PLACES_MAX).padEnd(PLACES_MAX, '0'));
  return whole.startsWith('-') ? -size : size;
}

function rounded(amount: bigint, places: number, way: 'nearest' | 'down'): bigint {
  const step = stepOf(places);
  if (way === 'nearest') {
    const size = amount < 0n ? -amount : amount;
    const steps = ((size + step / 2n) / step) * step;
    return amount < 0n ? -steps : steps;
  }
  const rest = ((amount % step) + step) % step;
  return amount - rest;
}

/** An amount that is already rounded. */
function written(amount: bigint, places: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(PLACES_MAX + 1, '0');
  const whole = BigInt(digits.slice(0, -PLACES_MAX)).toLocaleString('en-US');
  const decimals = digits.slice(-PLACES_MAX).slice(0, places);
  return `${amount < 0n ? '−' : ''}$${whole}${places === 0 ? '' : `.${decimals}`}`;
}

/** Without trailing zeros, but with the cents. */
function trimmed(text: string): string {
  const [whole = '', places = ''] = text.split('.');
  return `${whole}.${places.replace(/(?<!0)0+$/, '').padEnd(2, '0')}`;
}

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
