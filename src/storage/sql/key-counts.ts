/** The number of keys of each account, updated with each change of a key, in its transaction: an account may have a hundred thousand keys. */
import { type Kysely, sql } from 'kysely';
import type { Key, KeyCounts } from '../../accounts/ports.ts';
import type { AccountId } from '../../core/ids.ts';
import { listsLength } from './limits-json.ts';
import type { Schema } from './schema.ts';

const NONE: KeyCounts = Object.freeze({ keys: 0, live: 0, standing: 0, listsLength: 0 });

export async function readKeyCounts(database: Kysely<Schema>, account: AccountId): Promise<KeyCounts> {
  const row = await database.selectFrom('key_counts').selectAll().where('account_id', '=', account).executeTakeFirst();
  if (row === undefined) return NONE;
  return { keys: row.keys, live: row.live, standing: row.standing, listsLength: row.lists_length };
}

/** `before` is null for a new key, `after` for a deleted one. */
export async function countKey(database: Kysely<Schema>, before: Key | null, after: Key | null): Promise<void> {
  const account = before?.accountId ?? after?.accountId;
  const [was, is] = [partOf(before), partOf(after)];
  const grown = {
    keys: is.keys - was.keys,
    live: is.live - was.live,
    standing: is.standing - was.standing,
    lists_length: is.listsLength - was.listsLength,
  };
  if (account === undefined || Object.values(grown).every((count) => count === 0)) return;
  await database
    .insertInto('key_counts')
    .values({ account_id: account, ...grown })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({
        keys: sql`key_counts.keys + excluded.keys`,
        live: sql`key_counts.live + excluded.live`,
        standing: sql`key_counts.standing + excluded.standing`,
        lists_length: sql`key_counts.lists_length + excluded.lists_length`,
      }),
    )
    .execute();
}

/** What one key adds to the counts. */
function partOf(key: Key | null): KeyCounts {
  if (key === null) return NONE;
  const { revokedAt, retiringAt, permissions } = key;
  if (revokedAt !== null) return { ...NONE, keys: 1 };
  return { keys: 1, live: retiringAt === null ? 1 : 0, standing: 1, listsLength: listsLength(permissions) };
}
