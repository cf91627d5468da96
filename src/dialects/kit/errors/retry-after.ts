/** How long a provider asks to wait before the next try. Formats differ in which numbers they accept in `retry-after`. */

/** Names are in lower case. */
export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The header, the first if there are several; null if it is absent or blank. */
export function headerText(headers: UpstreamHeaders, name: string): string | null {
  const value = headers[name];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === undefined || text === '' ? null : text;
}

/** Seconds from the answer's own `date` to a date in `retry-after`, so that our clock does not matter; NaN without both. */
export function secondsToDate(headers: UpstreamHeaders): number {
  const until = Date.parse(headerText(headers, 'retry-after') ?? '');
  return (until - Date.parse(headerText(headers, 'date') ?? '')) / 1000;
}

/** Whole seconds, rounded up, at most a day; null for NaN. */
export function wholeSeconds(seconds: number): number | null {
  return Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds)), SECONDS_MAX) : null;
}

const SECONDS_MAX = 24 * 60 * 60;
