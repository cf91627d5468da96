/**
 * Migration `0040_input_images_settled`, of PostgreSQL only: never changed after its release. Settlements with the images that were read, see decision
 * 0087. Programs of the release before use their own functions, which leave the column at its default.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

/** In the order in which they are created. */
const FILES = ['turnpike_images_1.sql', 'turnpike_write_3.sql'];

export async function addImageFunctions(database: Kysely<unknown>): Promise<void> {
  for (const file of FILES)
    await sql.raw(readFileSync(join(import.meta.dirname, '..', 'bank', 'functions', file), 'utf8')).execute(database);
}
