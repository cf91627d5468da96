/** Checks that need more than one field: what a database requires, and what requires a database. */
import type { Parsed } from '../config.ts';
import type { Path } from '../options.ts';

interface DatabaseComplaint {
  readonly path: Path;
  readonly message: string;
  /** The environment variable that is missing; null if something that is set is wrong. */
  readonly variable: string | null;
}

export function checkDatabase({ database, durability, pepper, sealingKey }: Parsed): readonly DatabaseComplaint[] {
  const { url, readUrl } = database;
  const complaints: DatabaseComplaint[] = [];
  if (url === null) {
    if (readUrl !== null)
      complaints.push({ path: ['database', 'readUrl'], message: 'database.url must be set, too', variable: null });
    if (durability === 'database')
      complaints.push({
        path: ['durability'],
        message: 'needs database.url; choose process or power without it',
        variable: null,
      });
    return complaints;
  }
  if (pepper === null) complaints.push({ path: ['pepper'], message: required('pepper'), variable: 'TURNPIKE_PEPPER' });
  if (sealingKey === null)
    complaints.push({ path: ['sealingKey'], message: required('sealing.key'), variable: 'TURNPIKE_SEALING_KEY' });
  return complaints;
}

const REQUIRED = 'must be set with a database, to the same value on every node and ever after.';

/** Whether a problem is that a secret is missing which a database requires. */
export function isMissingSecret(message: string): boolean {
  return message.includes(REQUIRED);
}

/** `file` is in the data folder of an installation that had no database. */
function required(file: string): string {
  return (
    `${REQUIRED} For a new installation create one with ` +
    `openssl rand -hex 32, and keep a copy: without it the database cannot be used. An installation that moves here has it in the file ${file} of its data folder`
  );
}
