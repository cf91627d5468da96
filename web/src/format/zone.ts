/** The time zone for times and day boundaries: that of the browser, or UTC; stored in the browser. */

export type ZoneChoice = 'local' | 'utc';
const KEY = 'turnpike.zone';
const listeners = new Set<() => void>();
let choice: ZoneChoice = kept();

/** `Europe/Berlin`. */
export const LOCAL_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function zoneChoice(): ZoneChoice {
  return choice;
}

/** As sent to the API: `Europe/Berlin`, `UTC`. */
export function zoneName(): string {
  return choice === 'utc' ? 'UTC' : LOCAL_ZONE;
}

export function chooseZone(chosen: ZoneChoice): void {
  choice = chosen;
  try {
    if (chosen === 'local') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

export function onZoneChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Writes times in the zone that is selected when it is called. */
export function zoneFormat(options: Intl.DateTimeFormatOptions): (time: string | number | Date) => string {
  const formats = {
    local: new Intl.DateTimeFormat('en-GB', options),
    utc: new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }),
  };
  return (time) => formats[choice].format(new Date(time));
}

/** The first moment, ms, of the day the given number of days after that of a moment. */
export function startOfDay(ms: number, after = 0): number {
  const at = new Date(ms);
  return choice === 'utc'
    ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + after)
    : new Date(at.getFullYear(), at.getMonth(), at.getDate() + after).getTime();
}

/** The same for months. */
export function startOfMonth(ms: number, after = 0): number {
  const at = new Date(ms);
  return choice === 'utc'
    ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + after, 1)
    : new Date(at.getFullYear(), at.getMonth() + after, 1).getTime();
}

function kept(): ZoneChoice {
  try {
    return localStorage.getItem(KEY) === 'utc' ? 'utc' : 'local';
  } catch {
    return 'local';
  }
}
