/** What can be drawn of a call's times. */
import type { WholeCall } from './whole-call.ts';

export interface AttemptBar {
  readonly attempt: WholeCall['attempts'][number];
  /** Percent of the whole. */
  readonly offset: number;
  readonly width: number;
}

/** From when each began; one after the other, if that is not on record. */
export function attemptBars(call: Pick<WholeCall, 'attempts' | 'duration_ms'>): readonly AttemptBar[] {
  const sum = call.attempts.reduce((total, attempt) => total + attempt.duration_ms, 0);
  const whole = Math.max(call.duration_ms ?? 0, sum, 1);
  let at = 0;
  return call.attempts.map((attempt) => {
    const start = attempt.start_ms ?? at;
    const offset = (start / whole) * 100;
    at = start + attempt.duration_ms;
    return { attempt, offset: Math.min(offset, 99.5), width: (attempt.duration_ms / whole) * 100 };
  });
}

/** Completion tokens a second after the first byte, of a stream that says something; else null. */
export function speedOf(
  call: Pick<WholeCall, 'streamed' | 'first_byte_ms' | 'duration_ms' | 'completion_tokens'>,
): string | null {
  if (!call.streamed || call.first_byte_ms === null || call.duration_ms === null || call.completion_tokens < 2)
    return null;
  const seconds = (call.duration_ms - call.first_byte_ms) / 1000;
  if (seconds < 0.05) return null;
  const speed = call.completion_tokens / seconds;
  return speed < 10 ? speed.toFixed(1) : speed.toFixed(0);
}
