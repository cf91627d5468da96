/** The rows of a call's record about where it was tried, and where it was not. */
import type { ErrorCode } from '../../core/errors.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { Note, Reason } from '../../routing/reason.ts';
import type { Call } from '../call.ts';

/** The error that goes with a reason not to try a candidate. */
const ERRORS: Partial<Record<Reason, ErrorCode>> = { unaffordable: 'insufficient_balance' };

/** The records of all accounts share one disk: of a call with hundreds of candidates, only the first that are not tried are noted. */
export const NOTED_MAX = 32;

/** Notes on the record that a candidate is not tried. `error`: what it would have failed with, if that is known better than by the reason. */
export function noteSkipped(
  call: Call,
  { target }: Candidate,
  reason: Reason,
  error: ErrorCode | null = ERRORS[reason] ?? null,
): void {
  if (call.attempts.length >= NOTED_MAX) return;
  const { provider, upstreamModel } = target;
  const last = call.attempts.at(-1);
  const startMs = last === undefined ? 0 : (last.startMs ?? 0) + last.durationMs;
  call.attempts.push({ provider, upstreamModel, status: null, error, reason, startMs, durationMs: 0 });
}

/** The same for the steps of routing. */
export function skippedOn(call: Call): Note {
  return (candidate, reason) => noteSkipped(call, candidate, reason);
}
