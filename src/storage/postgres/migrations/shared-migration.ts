/** Migration `0021_shared`: what nodes share besides money. Never changed after its release; a function that changes gets a new name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

const FILES = [
  'tables.sql',
  'functions/turnpike_end_claims_1.sql',
  'functions/turnpike_claim_1.sql',
  'functions/turnpike_attempt_1.sql',
  'functions/turnpike_take_token_1.sql',
];

export async function addShared(database: Kysely<unknown>): Promise<void> {
  for (const file of FILES)
    await sql.raw(readFileSync(join(import.meta.dirname, '..', 'exchange', file), 'utf8')).execute(database);
}
