/** Which database a server has: a replica of another one would show another installation's numbers. */
import { READ_URL, UnusableDatabase } from '../engine/explain-connection.ts';
import { addressOf } from '../engine/server-address.ts';

/** The rows of a statement, on whatever connection. */
export type Ask = (text: string) => Promise<{ readonly rows: readonly object[] }>;

export interface Identity {
  /**
   * The id of the system and the number of the database, which a standby has from its primary. A dump that is loaded has another number, also on
   * the same server, and every server that was initialised by itself another id:
   * https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-CONTROLDATA
   */
  readonly database: string;
  /** Of a server that is written to: a standby that was promoted has begun another one. Null for a standby. */
  readonly timeline: string | null;
}

const IDENTITY = `select system_identifier::text || '/' || pg_database.oid::text as database,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline
  from pg_control_system(), pg_database where datname = current_database()`;

export async function readIdentity(ask: Ask): Promise<Identity> {
  const { rows } = await ask(IDENTITY);
  return rows[0] as Identity;
}

/** Throws `UnusableDatabase` if what is `found` at a URL is neither `database` itself nor a standby that has it. */
export function checkIdentity(readUrl: string, found: Identity, database: Identity): void {
  const { server, database: name } = addressOf(readUrl);
  const subject = `The database ${name} at ${server}, which ${READ_URL.name} names,`;
  if (found.database !== database.database)
    throw new UnusableDatabase(
      `${subject} is no replica of that of database.url (DATABASE_URL): reports would show the numbers of another one. ` +
        'Let it name a streaming standby of that server, or remove it.',
    );
  if (found.timeline !== null && found.timeline !== database.timeline)
    throw new UnusableDatabase(
      `${subject} was promoted, and is no replica any more: reports would not show what happened since. ` +
        'Make it a standby of the server of database.url (DATABASE_URL) again, let it name another one, or remove it.',
    );
}
