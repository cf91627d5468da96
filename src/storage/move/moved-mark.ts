/**
 * The mark of a ledger that moved to another engine, in the facts of the one that it left: nothing may be settled there again. It is written
 * before the copy begins, as `moving`, so that whatever interrupts the move, two ledgers are never served.
 */
export const MOVED_FACT = 'moved';
/** In the ledger that it moved to: the id of the move. */
export const MOVED_FROM_FACT = 'moved_from';

const FOLDER = 'the folder ';

export interface MovedMark {
  readonly state: 'moving' | 'moved';
  /** Where to, as operators read it; without a password. */
  readonly to: string;
  /** ISO 8601. */
  readonly at: string;
  /** The id of the move, which the target has as well. */
  readonly id: string;
}

/** Null if the text is not a mark. */
export function readMark(text: string | null): MovedMark | null {
  return text === null ? null : (JSON.parse(text) as MovedMark);
}

/** Why such a ledger is not opened, and what to do. */
export function movedSentence({ state, to, at }: MovedMark): string {
  return state === 'moved'
    ? `This ledger moved to ${to} at ${at}. It is not served here any more: what is settled here would be missing there. ${nextStep(to)}`
    : `This ledger is on its way to ${to} (since ${at}), and the move was interrupted. Repeat the same turnpike migrate, which finishes the move or begins it again.`;
}

function nextStep(to: string): string {
  return to.startsWith(FOLDER)
    ? 'Unset DATABASE_URL, and start with that folder as data folder.'
    : 'Set DATABASE_URL to that database, with its pepper and sealing key, and start; turnpike migrate --to sqlite:<new folder> moves it back.';
}
