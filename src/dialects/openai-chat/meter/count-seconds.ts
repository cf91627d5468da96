/** No recording is longer: a week. */
const SECONDS_MAX = 7 * 24 * 3600;

/**
 * How many seconds a stated length has; one that has begun counts. Some servers state it as a text. Null if it is no length: `Number` makes
 * zero, which is free, of much that is no number.
 */
export function countSeconds(stated: unknown): number | null {
  const seconds = typeof stated === 'number' ? stated : typeof stated === 'string' ? secondsOf(stated) : Number.NaN;
  return seconds >= 0 && seconds <= SECONDS_MAX ? Math.ceil(seconds) : null;
}

function secondsOf(text: string): number {
  return text.length > TEXT_LENGTH_MAX || text.trim() === '' ? Number.NaN : Number(text);
}

const TEXT_LENGTH_MAX = 32;
