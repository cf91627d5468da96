/** How long a provider asks to wait before the next try. What of `retry-after` is a number differs between the formats. */

/** Lower-case names. */
export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The header, the first where there are several; null where it is absent or blank. */
export function headerText(headers: UpstreamHeaders, name: string): string | null {
  const value = headers[name];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === undefined || text === '' ? null : text;
}

/** Seconds to a date in `retry-after`, set against the answer's own `date`, so that no clock of ours is asked; not a number without both. */
export function secondsToDate(headers: UpstreamHeaders): number {
  const until = Date.parse(headerText(headers, 'retry-after') ?? '');
  return (until - Date.parse(headerText(headers, 'date') ?? '')) / 1000;
}

/** Whole seconds, rounded up, of at most a day; null for what is no number. */
export function wholeSeconds(seconds: number): number | null {
  return Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds)), SECONDS_MAX) : null;
}

const SECONDS_MAX = 24 * 60 * 60;
