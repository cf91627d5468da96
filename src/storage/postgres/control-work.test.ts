/**
 * Goal: a change of what nodes follow reads the rows that it is about, however many there are: all other changes wait meanwhile. Method: counts of
 * the rows that were read, on every PostgreSQL that is here, with many keys, accounts and projects.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '../../../test/support/postgres/database.ts';
import { serverNames } from '../../../test/support/postgres/servers.ts';
import { systemClock } from '../../core/clock.ts';
import { newKey } from '../contract/sample-rows.ts';
import { controlStores, openControlDatabase } from './control-stores.ts';
import { openConnections } from './engine/connections.ts';

const MANY = 3_000;
/** A change reads a row some times. */
const READ_MOST = 60;

for (const server of serverNames)
  test(`PostgreSQL ${server}: with many rows, a change reads what it is about`, async (context) => {
    const database = await createDatabase(server);
    const connections = await openConnections({ url: database.url, readUrl: null, connections: 1 });
    context.after(async () => {
      await connections.close();
      await database.drop();
    });
    const { query } = connections;
    const { accounts: store } = controlStores(openControlDatabase(connections.control), systemClock);
    const account = await store.createAccount({ name: 'Acme', createdAt: 1 });
    const project = await store.createProject({ accountId: account.id, name: 'Web', createdAt: 1 });
    const keyOf = (seed: number) => newKey(seed, { projectId: project.id, name: `key ${seed}` });
    const first = await store.createKey(keyOf(1));
    for (const table of ['keys', 'projects', 'accounts']) {
      const { rows } = await query<{ columns: string }>(
        `select string_agg(column_name, ', ') as columns from information_schema.columns
         where table_name = '${table}' and column_name not in ('id', 'digest')`,
      );
      const columns = rows[0]?.columns ?? '';
      const [into, digest] = table === 'keys' ? [', digest', ', sha256(number::text::bytea)'] : ['', ''];
      await query(`insert into ${table} (${columns}${into}) select ${columns}${digest}
        from (select ${columns} from ${table} limit 1) as one, generate_series(1, ${MANY}) as number`);
    }
    await query('analyze');
    const works = {
      'making a key': () => store.createKey(keyOf(2)),
      'changing a key': () => store.changeKey(first.id, { name: 'Renamed' }),
      'revoking a key': () => store.changeKey(first.id, { revokedAt: 7 }),
      'changing a project': () => store.changeProject(project.id, { name: 'Shop' }),
      'changing an account': () => store.changeAccount(account.id, { name: 'Ajax' }),
      'changing a key by hand': () => query('update keys set name = $1 where id = $2', ['By hand', first.id]),
      'deleting a key': async () => {
        const { id } = await store.createKey(keyOf(3));
        await store.deleteKey(id, 7);
      },
    };
    const rowsRead = async () => {
      await query('select pg_stat_force_next_flush()');
      const { rows } = await query<{ read: bigint }>(
        `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read from pg_stat_user_tables
         where relname in ('keys', 'projects', 'accounts', 'changes')`,
      );
      return Number(rows[0]?.read);
    };
    const read: Record<string, number> = {};
    for (const [name, work] of Object.entries(works)) {
      const before = await rowsRead();
      await work();
      read[name] = (await rowsRead()) - before;
    }
    assert.deepEqual(
      Object.entries(read).filter(([, rows]) => rows > READ_MOST),
      [],
      JSON.stringify(read),
    );
    const { rows } = await query<{ seq: bigint }>('select seq from keys where id = $1', [first.id]);
    const { rows: changes } = await query<{ seq: bigint }>(
      "select seq from changes where topic = 'key' and id = $1 order by seq desc limit 1",
      [String(first.id)],
    );
    assert.deepEqual(rows, changes, 'the change by hand has its number');
  });
