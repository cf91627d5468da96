/**
 * Migration `0025_shares`: what each process says of its share of a key's, a project's or an account's limits. What programs write that do not
 * know the columns was never said, so nobody relies on it.
 */
import { type Kysely, sql } from 'kysely';

export async function addShares(database: Kysely<unknown>): Promise<void> {
  await sql`alter table shared_counts
    add column share bigint not null default 0,
    add column used bigint not null default 0,
    add column asked bigint not null default 0,
    add column said_at bigint not null default 0`.execute(database);
}
