/**
 * Goal: what an operator changes by hand, many rows in a statement and many statements in a transaction, is followed once each, with a cost in
 * proportion. Method: a real server; the feed compared with what was changed, and the blocks counted that were visited.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createDatabase } from '../../../../test/support/postgres/database.ts';
import { allServerNames, type ServerName, serverNames } from '../../../../test/support/postgres/servers.ts';
import { systemClock } from '../../../core/clock.ts';
import { controlStores, openControlDatabase } from '../control-stores.ts';
import { openConnections } from '../engine/connections.ts';

const KEYS = 2_000;
/** A changed row, its change and its number are each found once or twice. */
const READ_MOST = 10;

for (const server of allServerNames) {
  test(`PostgreSQL ${server}: a transaction by hand gives each row that it changed one number, without a gap`, async (context) => {
    const { transaction, query, feed, idsOf } = await open(context, server);
    await transaction(insertKeys(20));
    const ids = await idsOf('keys');
    const [first, second, third] = ids;
    const before = await feed.last();
    await transaction(
      `update keys set label = 'a' where id <= ${second}`,
      `update keys set label = 'b' where id <= ${third}`,
      'savepoint before',
      `update projects set name = 'rolled back'`,
      'rollback to savepoint before',
      'savepoint kept',
      `update projects set name = 'kept'`,
      'release savepoint kept',
      // As the program does it.
      `update keys set label = 'mine' where id = ${first}`,
      `with next as (update feed set seq = seq + 1 returning seq), noted as (insert into changes (seq, at, topic, id)
         select seq, 1, 'key', '${first}' from next) update keys set seq = next.seq from next where id = ${first}`,
      `delete from keys where id > ${third}`,
      "update accounts set name = 'nobody' where id = 99",
    );
    const changes = (await feed.since(before, 100)) ?? [];
    assert.deepEqual(
      changes.map(({ seq }) => seq),
      changes.map((_, at) => before + 1 + at),
    );
    assert.equal(await feed.last(), changes.at(-1)?.seq);
    assert.deepEqual(
      changes.map(({ topic, id }) => `${topic} ${id}`).sort(),
      [...ids.map((id) => `key ${id}`), 'project 1'].sort(),
    );
    for (const [table, topic] of [
      ['keys', 'key'],
      ['projects', 'project'],
    ] as const) {
      const { rows } = await query<{ id: number; seq: bigint }>(`select id, seq from ${table}`);
      for (const { id, seq } of rows)
        assert.equal(Number(seq), changes.findLast((each) => each.topic === topic && each.id === String(id))?.seq);
    }
    assert.deepEqual((await query('select * from touched')).rows, []);

    await transaction(
      "insert into entries (at, account_id, kind, amount_nano, reference) values (1, 1, 'topup', 5, 'a'), (1, 1, 'topup', 6, 'b')",
      'set constraints all immediate',
      "update keys set label = 'now'",
      "insert into entries (at, account_id, kind, amount_nano, reference) values (1, 1, 'promo', 7, 'c')",
      "update keys set label = 'later'",
    );
    const last = changes.at(-1)?.seq ?? 0;
    assert.deepEqual(
      ((await feed.since(last, 100)) ?? []).map(({ seq, topic }) => [seq - last, topic]),
      ['money', 'key', 'key', 'key', 'money', 'key', 'key', 'key'].map((topic, at) => [at + 1, topic]),
    );
  });

  if (server === serverNames[0])
    test(`PostgreSQL ${server}: thousands of rows in a statement, and of statements in a transaction, cost each the same`, async (context) => {
      const { transaction, query, work } = await open(context, server);
      const each = async (statement: string) => {
        const before = await work();
        await transaction(statement);
        const after = await work();
        return { moved: after.moved - before.moved, read: after.read - before.read };
      };
      const costs = {
        inserted: await each(insertKeys(KEYS)),
        updated: await each("update keys set label = 'all'"),
        apart: await each(
          `do $$ begin for v in 1..${KEYS} loop update keys set label = v::text where id = v; end loop; end $$`,
        ),
        deleted: await each('delete from keys'),
        posted: await each(
          `insert into entries (at, account_id, kind, amount_nano, reference) select 1, 1, 'topup', 1, n::text from generate_series(1, ${KEYS}) as n`,
        ),
      };
      const { rows } = await query<{ count: bigint }>("select count(*) from changes where topic = 'key'");
      assert.equal(Number(rows[0]?.count), 4 * KEYS);
      for (const [what, { moved, read }] of Object.entries(costs)) {
        // Each version of the feed's row that a transaction makes is in the way of its next one.
        assert.ok(moved <= 2, `${what} moved the feed's number ${moved} times`);
        assert.ok(read <= READ_MOST * KEYS, `${what} read ${read} rows`);
      }
    });
}

function insertKeys(count: number): string {
  return `insert into keys (root_id, project_id, name, label, kind, digest, pepper_id, disabled, limits, permissions, created_at)
    select 0, 1, 'key ' || n, 'tp_' || n, 'inference', sha256(('key ' || n)::bytea), 'x', 0, '{}', '{}', 0 from generate_series(1, ${count}) as n`;
}

async function open(context: TestContext, server: ServerName) {
  const database = await createDatabase(server);
  const connections = await openConnections({ url: database.url, readUrl: null, connections: 1 });
  context.after(async () => {
    await connections.close();
    await database.drop();
  });
  const { query, control } = connections;
  const { feed } = controlStores(openControlDatabase(control), systemClock);
  await query("insert into accounts (name, created_at) values ('Acme', 1)");
  await query("insert into projects (account_id, name, created_at) values (1, 'Web', 1)");
  return {
    query,
    feed,
    async transaction(...statements: readonly string[]) {
      const connection = await control.acquire();
      try {
        for (const statement of ['begin', ...statements, 'commit']) await connection.query(statement);
      } finally {
        connection.release(false);
      }
    },
    async idsOf(table: string) {
      const { rows } = await query<{ id: number }>(`select id from ${table} order by id`);
      return rows.map(({ id }) => id);
    },
    /** How often the feed's row was written, and how many rows of everything that changes are followed with were read. */
    async work() {
      await query('select pg_stat_force_next_flush()');
      const { rows } = await query<{ moved: bigint; read: bigint }>(
        `select sum(n_tup_upd) filter (where relname = 'feed')::bigint as moved,
           sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read
         from pg_stat_user_tables where relname in ('keys', 'changes', 'feed', 'touched', 'entries')`,
      );
      return { moved: Number(rows[0]?.moved), read: Number(rows[0]?.read) };
    },
  };
}
