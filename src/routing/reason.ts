/** Why a candidate was left out, or comes later than it would. The words are published: they never change their meaning. */
import type { Candidate } from './candidate.ts';

export type Reason =
  /** The key may not use the model. */
  | 'not_allowed'
  /** `provider.ignore` names the provider. */
  | 'ignored'
  /** `provider.only` does not name it. */
  | 'not_in_only'
  /** `provider.allow_fallbacks` is false, and this is one. */
  | 'no_fallback'
  | 'above_max_price'
  /** `provider.require_parameters`: the model is not known to support a parameter of the request. */
  | 'lacks_parameter'
  /** `provider.data_collection`: the provider collects what it is sent, or the operator does not state that it does not. */
  | 'collects_data'
  | 'collects_data_unknown'
  /** `provider.zdr`: the same about whether it keeps anything. */
  | 'retains_data'
  | 'retains_data_unknown'
  /** `provider.quantizations`. */
  | 'other_quantization'
  | 'quantization_unknown'
  /** A price that the call may need is not known. */
  | 'unpriced'
  /** It speaks another format than the caller: those that speak the same come before it. */
  | 'other_format'
  /** The provider does not run a tool that the call leaves to it. */
  | 'tool_not_run'
  /** It has failed lately. */
  | 'resting'
  /** Its credentials were rejected or limited lately. */
  | 'credential_resting'
  /** The balance or a budget does not cover what it may cost. */
  | 'unaffordable'
  /** The request has something that the model, or the provider's format, has no way to say. */
  | 'cannot_express'
  /** The conversation was served elsewhere, where its prompt may be cached; or it has thoughts that only another vendor can read. */
  | 'kept_elsewhere';

/** Called by a step of routing for every candidate that it leaves out or moves. */
export type Note = (candidate: Candidate, reason: Reason) => void;

/** Keeps those for which `reasonOf` is null; the same list if that is all of them. `note` gets the others. */
export function keepWithout(
  candidates: readonly Candidate[],
  reasonOf: (candidate: Candidate) => Reason | null,
  note: Note | null,
): readonly Candidate[] {
  let kept: Candidate[] | null = null;
  for (let index = 0; index < candidates.length; index += 1) {
    const candidate = candidates[index] as Candidate;
    const reason = reasonOf(candidate);
    if (reason === null) kept?.push(candidate);
    else {
      kept ??= candidates.slice(0, index);
      note?.(candidate, reason);
    }
  }
  return kept ?? candidates;
}

/** Those for which `isLater` holds come after the others; the same list if that moves none. Both parts keep their order. */
export function moveLater(
  candidates: readonly Candidate[],
  isLater: (candidate: Candidate) => boolean,
  reason: Reason,
  note: Note | null,
): readonly Candidate[] {
  let first: Candidate[] | null = null;
  const later: Candidate[] = [];
  for (let index = 0; index < candidates.length; index += 1) {
    const candidate = candidates[index] as Candidate;
    if (isLater(candidate)) {
      first ??= candidates.slice(0, index);
      later.push(candidate);
      note?.(candidate, reason);
    } else first?.push(candidate);
  }
  if (first === null || first.length === 0) return candidates;
  return [...first, ...later];
}
