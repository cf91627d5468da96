/**
 * Migration `0024_live_records`: who wrote a record, and when, so that each node can show the calls of all as they end. Records of programs
 * that do not know the columns are those of no node, with a time. The rows of one statement have one time, so an entry of the index takes
 * about six bytes, and is added at its end.
 */
import { type Kysely, sql } from 'kysely';

export async function addLiveRecords(database: Kysely<unknown>): Promise<void> {
  // The default comes later: with it at once, all rows would be written again.
  await sql`alter table records add column slot smallint, add column written_at bigint`.execute(database);
  await sql`alter table records alter column written_at
    set default (extract(epoch from statement_timestamp()) * 1000)::bigint`.execute(database);
  // Partitions that are here already get the default, too; their rows have no time, and are not in the index.
  await sql`create index records_written on records (written_at) where written_at is not null`.execute(database);
}
