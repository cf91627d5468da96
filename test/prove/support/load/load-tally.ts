/** What came of thousands of calls a second, without their answers: keeping those would make the callers the slow part. */
import type { Outcome } from './load-caller.ts';

export class LoadTally {
  /** How long each took, ms. */
  readonly servedMs: number[] = [];
  readonly shedMs: number[] = [];
  /** Refused calls by what was lacking. */
  readonly shortages: Record<string, number> = {};
  /** Connections that were closed without an answer. */
  broken = 0;
  /** The first answer that is neither the answer nor the refusal that is due. */
  strange: Outcome | null = null;

  readonly note = (outcome: Outcome): void => {
    const { status, ms, text } = outcome;
    if (status === 200) this.servedMs.push(ms);
    else if (status === 0) this.broken += 1;
    else {
      const shortage = status === 503 ? shortageIn(text) : null;
      if (shortage === null) this.strange ??= outcome;
      else {
        this.shedMs.push(ms);
        this.shortages[shortage] = (this.shortages[shortage] ?? 0) + 1;
      }
    }
  };

  get all(): number {
    return this.servedMs.length + this.shedMs.length + this.broken;
  }
}

const BEFORE = '"shortage":"';

/** What a refusal says was lacking; null if it is another one. */
function shortageIn(text: string): string | null {
  const at = text.indexOf(BEFORE);
  if (at === -1 || !text.includes('overloaded')) return null;
  const start = at + BEFORE.length;
  return text.slice(start, text.indexOf('"', start));
}
