/** Step: a conversation goes on where it was served before, because its prompt may be cached there. */
import type { Candidate } from './candidate.ts';
import type { KeptAt } from './ports.ts';
import type { Note } from './reason.ts';

/** Only among the candidates of the first model: the caller would rather have that than a cached prompt. */
export function stickFirst(
  candidates: readonly Candidate[],
  kept: KeptAt | null,
  note: Note | null,
): readonly Candidate[] {
  const [first] = candidates;
  if (kept === null || first === undefined || isAt(first, kept)) return candidates;
  const found = candidates.find((candidate) => candidate.model === first.model && isAt(candidate, kept));
  if (found === undefined) return candidates;
  if (note !== null)
    for (const candidate of candidates) {
      if (candidate === found) break;
      note(candidate, 'kept_elsewhere');
    }
  return [found, ...candidates.filter((candidate) => candidate !== found)];
}

function isAt({ target, own }: Candidate, { provider, upstreamModel, own: keptOwn }: KeptAt): boolean {
  return (own?.id ?? null) === keptOwn && target.provider === provider && target.upstreamModel === upstreamModel;
}
