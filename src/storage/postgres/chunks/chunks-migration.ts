/**
 * Migration `0038_file_chunks`, of PostgreSQL only: never changed after its release. What is in files of callers, in the schema of what
 * dumps may leave out.
 */
import { type Kysely, sql } from 'kysely';

export async function addFileChunks(database: Kysely<unknown>): Promise<void> {
  await sql`create table captures.file_chunks (
    file bytea not null, number integer not null, head bytea not null, sealed bytea not null, primary key (file, number)
  )`.execute(database);
  // Encrypted bytes do not become smaller.
  await sql`alter table captures.file_chunks alter column sealed set storage external`.execute(database);
  await sql`create index file_chunks_by_head on captures.file_chunks (head)`.execute(database);
}
