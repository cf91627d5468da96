import type { Candidate } from '../../routing/candidate.ts';
import type { Note, Reason } from '../../routing/reason.ts';

export interface Noted {
  readonly candidate: Candidate;
  readonly reason: Reason;
}

/** What the steps of routing say of candidates, in the order in which they say it. */
export class PlanNotes {
  readonly all: Noted[] = [];
  readonly note: Note = (candidate, reason) => void this.all.push({ candidate, reason });
}
