/**
 * Programs of several versions run at the same time during a rolling upgrade. A migration only adds what older programs can ignore, and
 * `oldest_program` names the oldest one that can. A release that removes something raises it, and refuses to start while an older
 * node lives.
 */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../sql/schema.ts';
import { UnusableDatabase } from '../engine/explain-connection.ts';

const FACT = 'oldest_program';
/** The oldest version that can work with this program's schema. */
export const OLDEST_PROGRAM = '0.0.0';

/** Throws `UnusableDatabase` if newer programs have removed what this one needs. */
export async function checkProgram(database: Kysely<Schema>, version: string): Promise<void> {
  const oldest = await readOldest(database);
  if (oldest !== null && isOlder(version, oldest))
    throw new UnusableDatabase(
      `This database was last used by a newer version of Turnpike, and this one is ${version}. Start ${oldest} or a later one.`,
    );
}

/** Does nothing on a schema that is not complete yet. Throws `UnusableDatabase` if a node lives that could not go on. */
export async function raiseOldestProgram(database: Kysely<Schema>, oldest: string): Promise<void> {
  if (!(await hasTable(database, 'facts'))) return;
  const known = await readOldest(database);
  if (known !== null && !isOlder(known, oldest)) return;
  const older = (await liveNodes(database)).filter(({ version }) => isOlder(version, oldest));
  if (older.length > 0)
    throw new UnusableDatabase(
      `Nodes of an older version are running: ${older.map(({ host, version }) => `${host} (${version})`).join(', ')}. ` +
        `Upgrade them to ${oldest} or later first; then start this version.`,
    );
  await database
    .insertInto('facts')
    .values({ name: FACT, value: oldest })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: oldest }))
    .execute();
}

/** Null on a schema that is not complete yet. */
async function readOldest(database: Kysely<Schema>): Promise<string | null> {
  if (!(await hasTable(database, 'facts'))) return null;
  const fact = database.selectFrom('facts').select('value').where('name', '=', FACT);
  return (await fact.executeTakeFirst())?.value ?? null;
}

interface LiveNode {
  readonly host: string;
  readonly version: string;
}

/** Empty on a schema that is older than nodes. */
async function liveNodes(database: Kysely<Schema>): Promise<readonly LiveNode[]> {
  if (!(await hasTable(database, 'nodes'))) return [];
  const { rows } = await sql<LiveNode>`
    select name as host, version from nodes where state in ('live', 'draining')`.execute(database);
  return rows;
}

async function hasTable(database: Kysely<Schema>, name: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${name}) is not null as exists`.execute(database);
  return rows[0]?.exists === true;
}

/** Compares the numbers of two versions; what follows a hyphen does not count. */
export function isOlder(one: string, other: string): boolean {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbersOf(version: string): readonly number[] {
  return (version.split(/[-+]/)[0] ?? '').split('.').map(Number);
}
