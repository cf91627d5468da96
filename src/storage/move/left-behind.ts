/** A new installation is never begun silently where the operator's ledger is elsewhere. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_FILE, journalPath } from '../journal/journal-database.ts';
import { DATABASE_FILE } from '../sqlite/files.ts';
import { sqliteLedger } from './mark-source.ts';
import { movedSentence } from './moved-mark.ts';

const ON_PURPOSE = 'To begin a new installation on purpose, start with another data folder (--data).';

/**
 * Why no installation may be begun in an empty database over a data folder: it has a ledger of its own. Null if it has none. `place` is the
 * database, as operators read it.
 */
export async function ledgerLeftBehind(folder: string, place: string): Promise<string | null> {
  if (!existsSync(join(folder, DATABASE_FILE))) return null;
  const subject = `The data folder ${folder} has a ledger (${DATABASE_FILE})`;
  try {
    const mark = await sqliteLedger(folder).read();
    if (mark === null)
      return `${subject} that did not move, and the database ${place} is empty. Run turnpike migrate --to postgres first. ${ON_PURPOSE}`;
    if (mark.state === 'moving') return movedSentence(mark);
    return `The ledger of the data folder ${folder} moved to ${mark.to} at ${mark.at}, and the database ${place}, which is another one, is empty. Set DATABASE_URL to the former. ${ON_PURPOSE}`;
  } catch (error) {
    return `${subject} that cannot be read (${(error as Error).message}), and the database ${place} is empty. Correct that first. ${ON_PURPOSE}`;
  }
}

/** Why no ledger may be begun in a data folder: it is that of a node, whose ledger is in PostgreSQL. Null if it is not. */
export function nodesFolder(folder: string): string | null {
  if (existsSync(join(folder, DATABASE_FILE)) || !existsSync(journalPath(folder))) return null;
  return `The data folder ${folder} is that of a node (${JOURNAL_FILE}), whose ledger is in PostgreSQL, and DATABASE_URL is not set. Set it, with the pepper and the sealing key. ${ON_PURPOSE}`;
}
