/**
 * Migration `0020_records`, of PostgreSQL only: never changed after its release. Creates the tables of records and of stored bodies,
 * a partition for each UTC day; ids of calls begin with their time. The partitions are made by `day-partitions.ts`.
 */
import { type Kysely, sql } from 'kysely';

export async function addRecords(database: Kysely<unknown>): Promise<void> {
  // The columns of `sql/records/record-row.ts`.
  await sql`create table records (
    call_id bytea not null primary key, account_id integer not null, project_id integer not null, key_id integer not null,
    model integer not null, provider integer not null, status integer not null, ending integer not null,
    prompt_tokens bigint not null, completion_tokens bigint not null, cost_nano bigint, charge_nano bigint not null,
    first_byte_us bigint, duration_us bigint not null, upstream_id text collate "C", detail bytea not null
  ) partition by range (call_id)`.execute(database);
  // Numbers for the names in records. Not those of the ledger: what is dropped with the records must not have a place in it.
  await sql`create table record_names (
    id integer generated always as identity primary key, name text collate "C" not null unique
  )`.execute(database);
  // Calls by account, hour of admission, model and bucket of their time to first byte, by the slot of the node that wrote them.
  await sql`create table first_bytes (
    account_id integer not null, hour integer not null, model integer not null, bucket integer not null, slot smallint not null,
    calls bigint not null, primary key (account_id, hour, model, bucket, slot)
  ) partition by range (hour)`.execute(database);
  // A schema of its own, so that a dump can leave the bodies out.
  await sql`create schema captures`.execute(database);
  await sql`create table captures.bodies (
    call_id bytea not null primary key, account_id integer not null, expires_at bigint not null, sealed bytea not null
  ) partition by range (call_id)`.execute(database);
  // Encrypted bytes do not become smaller.
  await sql`alter table captures.bodies alter column sealed set storage external`.execute(database);
  await sql`create index bodies_of_account on captures.bodies (account_id, expires_at)`.execute(database);
}
