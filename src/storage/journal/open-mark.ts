/** Begins the mark of a journal that is open, and says what it lacks. */
import type { StorageProblem } from '../storage.ts';
import { bootId } from './check-mark.ts';
import type { JournalDurability } from './journal-durability.ts';
import { JournalMark, MARK_FILE } from './journal-mark.ts';

export interface OpenMarkOptions {
  readonly folder: string;
  /** Of the journal. */
  readonly id: string;
  readonly durability: JournalDurability;
  /** See `checkMark`. */
  readonly missing: number;
  readonly onProblem: (problem: StorageProblem) => void;
}

/** Throws an error that says what to do if the disk does not take it. */
export function openMark({ folder, id, durability, missing, onProblem }: OpenMarkOptions): JournalMark {
  let mark: JournalMark;
  try {
    mark = new JournalMark({
      ...{ folder, id },
      boot: durability === 'process' ? bootId() : '',
      onFailure: (cause) => onProblem({ type: 'checkpoint_failed', count: 1, cause }),
    });
  } catch (error) {
    throw new Error(
      `The file ${MARK_FILE} in ${folder} cannot be written: ${(error as Error).message}. Check that its disk has space and works, and that this user ` +
        'may write the file; then start again.',
      { cause: error },
    );
  }
  if (missing > 0) {
    const cause = new Error(
      `The machine was stopped before its disk had up to ${missing} commits of this node's journal; the operator bears their calls. ` +
        'With durability: power or database, they survive that.',
    );
    onProblem({ type: 'settlements_lost', count: missing, cause });
  }
  return mark;
}
