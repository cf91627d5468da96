/**
 * Step: a conversation whose thoughts only their vendor can read goes on with that vendor, whatever its weight or price. Elsewhere they would
 * be left out, and a model that loses them in the middle of a loop of calls begins to think again.
 */
import { GatewayError } from '../core/errors.ts';
import type { Candidate } from './candidate.ts';
import { keepWithout, type Note } from './reason.ts';

/** `takes`: whether the candidate reads the thoughts. The same list if that moves none. */
export function signerFirst(
  candidates: readonly Candidate[],
  takes: (candidate: Candidate) => boolean,
  note: Note | null,
): readonly Candidate[] {
  const taking = candidates.filter(takes);
  if (taking.length === 0 || taking.every((candidate, index) => candidate === candidates[index])) return candidates;
  const others = candidates.filter((candidate) => !taking.includes(candidate));
  if (note !== null) for (const candidate of others) note(candidate, 'kept_elsewhere');
  return [...taking, ...others];
}

/** For a request that forbids to leave the thoughts out. Throws `GatewayError` 503 `model_unavailable` if no candidate reads them. */
export function onlySigner(
  candidates: readonly Candidate[],
  takes: (candidate: Candidate) => boolean,
  note: Note | null,
): readonly Candidate[] {
  const taking = keepWithout(candidates, (candidate) => (takes(candidate) ? null : 'kept_elsewhere'), note);
  if (taking.length === 0) throw thoughtsUnreadable();
  return taking;
}

/** 503 `model_unavailable`. */
export function thoughtsUnreadable(): GatewayError {
  return new GatewayError('model_unavailable', {
    message:
      'The conversation has reasoning that only the provider which made it can read, that provider is not available, and the request forbids to leave the reasoning out. Try again later, or without x-turnpike-keep-thoughts and provider.allow_fallbacks.',
  });
}
