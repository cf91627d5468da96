/**
 * Migration `0034_node_settings`, of PostgreSQL only: never changed after its release. Nodes say how they are configured; one whose accounts would pay
 * in another way than those of the nodes that run is refused.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

const FILE = join(import.meta.dirname, '..', 'bank', 'functions', 'turnpike_register_3.sql');

export async function addNodeSettings(database: Kysely<unknown>): Promise<void> {
  await sql.raw(readFileSync(FILE, 'utf8')).execute(database);
}
