/** USD for people. Only for showing: sums and comparisons that matter are the server's. */

/** `$1,234.50`, `$12.34`, `$0.50`, `$0.000123`, `$0`; below a cent at most six places, or what is significant of less. */
export function formatUsd(value: number | string | null | undefined): string {
  if (value === null || value === undefined || value === '') return '–';
  const usd = Number(value);
  if (!Number.isFinite(usd)) return '–';
  const size = Math.abs(usd);
  const sign = usd < 0 ? '−' : '';
  if (size === 0) return '$0.00';
  if (size >= 0.1) return `${sign}$${cents.format(size)}`;
  if (size < 0.000001) return `${sign}$${size.toFixed(9).replace(/(?<!0)0+$/, '')}`;
  return `${sign}$${size.toFixed(6).replace(/0{1,4}$/, '')}`;
}

/** Of decimal text, with every place: `$1,000.50`, `$0.000000001`. For what is about to be changed. */
export function formatUsdWhole(text: string): string {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  const grouped = BigInt(whole).toLocaleString('en-US');
  return `${sign === '' ? '' : '−'}$${grouped}.${places.padEnd(2, '0')}`;
}

/**
 * What there is to spend: rounded down, to the cent from a dollar on, so that nobody sees more than there is. What is
 * owed is rounded up.
 */
export function formatAvailable(usd: number | null | undefined): string {
  if (usd === null || usd === undefined || !Number.isFinite(usd)) return '–';
  if (usd === 0) return '$0.00';
  const size = Math.abs(usd);
  const places = size >= 1 ? 2 : size >= 0.000001 ? 6 : 9;
  const text = size.toFixed(9);
  const cut = text.slice(0, text.length - (9 - places));
  const isRounded = Number(text) !== Number(cut);
  const shown = usd < 0 && isRounded ? (Number(cut) + 10 ** -places).toFixed(places) : cut;
  const [whole = '', rest = ''] = shown.split('.');
  return formatUsdWhole(`${usd < 0 ? '-' : ''}${whole}.${rest.replace(/(?<!0)0+$/, '')}`);
}

/** For the axis of a chart and narrow places: `$1.2k`, `$12`, `$0.003`. */
export function formatUsdShort(usd: number): string {
  const size = Math.abs(usd);
  if (size >= 1000) return `$${short.format(usd)}`;
  if (size === 0) return '$0';
  if (size >= 10 || (size >= 1 && Number.isInteger(usd))) return `$${usd.toFixed(0)}`;
  if (size >= 0.1) return `$${usd.toFixed(2)}`;
  return `$${Number(usd.toPrecision(2))
    .toFixed(9)
    .replace(/(?<!0)0+$/, '')}`;
}

/** A price per million tokens, from decimal text: `$2.50`, `$0.0375`. */
export function formatPrice(price: string | null): string {
  if (price === null) return '–';
  const usd = Number(price);
  return usd === 0 ? 'free' : `$${price.includes('.') ? trimmedPrice(price) : `${price}.00`}`;
}

function trimmedPrice(price: string): string {
  const [whole, places = ''] = price.split('.');
  return `${whole}.${places.replace(/(?<!0)0+$/, '').padEnd(2, '0')}`;
}

const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
