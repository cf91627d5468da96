/** Which candidates read the opaque thoughts of a conversation, and whether they may be left out: see `routing/signer-first.ts`. */
import { providerDialects } from '../../dialects/index.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { Paid } from '../phases.ts';
import { writeTargetOf } from './write-target.ts';

export interface Thoughts {
  readonly takes: (candidate: Candidate) => boolean;
  /** Whether the request forbids to leave them out. */
  readonly isForced: boolean;
}

const KEEP_HEADER = 'x-turnpike-keep-thoughts';

/**
 * Null if the conversation has no such thoughts, or it makes no difference whose they are. The body is only searched where there is a choice,
 * or the request forbids one.
 */
export function readThoughts(call: Paid, candidates: readonly Candidate[]): Thoughts | null {
  const isAsked = call.inbound.headers[KEEP_HEADER] === 'true';
  const hasNoFallbacks = call.wishes?.preferences?.allowFallbacks === false;
  if (!isAsked && !hasNoFallbacks && areAlike(call, candidates)) return null;
  const signer = call.dialect.lastSigner?.(call.inbound.document) ?? null;
  if (signer === null) return null;
  const takes = (candidate: Candidate) => takesThoughts(call, candidate, signer);
  // Without fallbacks, but with none that reads them, the caller has changed the model.
  const isForced = isAsked || (hasNoFallbacks && candidates.some(takes));
  return !isForced && candidates.every(takes) ? null : { takes, isForced };
}

/** Candidates at one provider, in one format, read the same. */
function areAlike(call: Paid, candidates: readonly Candidate[]): boolean {
  return candidates.length < 2 || areAlikeAll(call, candidates);
}

function areAlikeAll({ dialect }: Paid, candidates: readonly Candidate[]): boolean {
  const [first] = candidates;
  return candidates.every(
    ({ target }) =>
      target.provider === first?.target.provider &&
      spokenAt(dialect.name, target) === spokenAt(dialect.name, first.target),
  );
}

/** The format in which the candidate would be called: the caller's, if it speaks that. */
function spokenAt(dialect: string, { dialects }: Candidate['target']) {
  return dialects.find((name) => String(name) === dialect) ?? dialects[0];
}

function takesThoughts(call: Paid, { model, target, own }: Candidate, signer: string): boolean {
  const spoken = spokenAt(call.dialect.name, target);
  const provider = own?.service ?? call.providers.get(target.provider);
  if (spoken === undefined || provider === undefined) return false;
  const { quirks } = writeTargetOf(model, target, provider, spoken);
  return providerDialects[spoken].takesThoughts?.(signer, quirks as never) ?? false;
}
