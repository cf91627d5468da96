/** `x-ratelimit-*`, in the form that OpenAI's clients read: https://platform.openai.com/docs/guides/rate-limits */
import type { LimitReading } from './rate-limits.ts';

/**
 * Names and values in turn, as `writeHead` takes them: of requests and of tokens, the limit that leaves the least.
 * A kind that is not limited has no headers.
 */
export function rateLimitHeaders(readings: readonly LimitReading[]): string[] {
  let requests: LimitReading | null = null;
  let tokens: LimitReading | null = null;
  for (const reading of readings) {
    if (reading.name === 'tokensPerMinute') tokens = tighter(tokens, reading);
    else if (reading.name !== 'concurrentCalls') requests = tighter(requests, reading);
  }
  const headers: string[] = [];
  if (requests !== null)
    headers.push(
      'x-ratelimit-limit-requests',
      String(requests.limit),
      'x-ratelimit-remaining-requests',
      String(requests.remaining),
      'x-ratelimit-reset-requests',
      durationText(requests.resetMs ?? 0),
    );
  if (tokens !== null)
    headers.push(
      'x-ratelimit-limit-tokens',
      String(tokens.limit),
      'x-ratelimit-remaining-tokens',
      String(tokens.remaining),
      'x-ratelimit-reset-tokens',
      durationText(tokens.resetMs ?? 0),
    );
  return headers;
}

/** `20ms`, `1s`, `6m0s`, `23h59m59s`; from one second up in whole seconds, rounded up. */
export function durationText(ms: number): string {
  if (ms <= 0) return '0s';
  if (ms <= 999) return `${Math.ceil(ms)}ms`;
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds % 60}s`;
}

/** If two leave the same, the one that takes longer to recover. */
function tighter(found: LimitReading | null, reading: LimitReading): LimitReading {
  if (found === null || reading.remaining < found.remaining) return reading;
  if (reading.remaining > found.remaining) return found;
  return (reading.resetMs ?? 0) > (found.resetMs ?? 0) ? reading : found;
}
