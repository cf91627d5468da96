/**
 * Migration `0019_nodes`, of PostgreSQL only: never changed after its release. What several nodes share: nodes, leases, funds, sums with
 * a row per node, a partition of settlements per month, the functions of the bank, and triggers that follow changes made by hand. Functions
 * have their version in their names: a later one gets a new name, so that older programs still find theirs. No installation has
 * settlements or balances on PostgreSQL before this migration.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

/** In the order in which they are created: a type or a function of SQL has to exist before it is used. */
const FILES = [
  'nodes.sql',
  'functions/turnpike_now.sql',
  'functions/turnpike_lock_slot.sql',
  'functions/turnpike_close_slot_1.sql',
  'functions/turnpike_register_1.sql',
  'functions/turnpike_pulse_1.sql',
  'functions/turnpike_budget_room_1.sql',
  'functions/turnpike_lock_purses_1.sql',
  'functions/turnpike_lease_1.sql',
  'functions/turnpike_give_back_1.sql',
  'functions/turnpike_close_leases_1.sql',
  'functions/turnpike_reap_1.sql',
  'functions/turnpike_batch_1.sql',
  'functions/turnpike_names_1.sql',
  'functions/turnpike_write_1.sql',
  'functions/turnpike_late_1.sql',
  'functions/turnpike_settle_1.sql',
  'functions/turnpike_months_1.sql',
  'functions/turnpike_follow_1.sql',
  'feed-triggers.sql',
];

export async function addNodes(database: Kysely<unknown>): Promise<void> {
  for (const file of FILES) await sql.raw(readFileSync(join(import.meta.dirname, file), 'utf8')).execute(database);
}
