/**
 * Goal: whatever happens to the database, a change is written once or reported as the database's trouble, in bounded time, and work goes on as
 * soon as the database does. Method: real servers that kill, refuse, lock and hang.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createDatabase, execute } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { startServer } from '../../../../test/support/postgres/start-server.ts';
import { type ConnectionOptions, openConnections } from './connections.ts';
import { isDatabaseTrouble } from './postgres-errors.ts';
import { PostgresTransactions } from './transactions.ts';
import { WriteTurns } from './write-turns.ts';

async function open(context: TestContext, url: string, timeouts: ConnectionOptions['timeouts'] = {}) {
  const connections = await openConnections({ url, readUrl: null, connections: 4, timeouts });
  context.after(() => connections.close());
  const transactions = new PostgresTransactions(connections.control, new WriteTurns(timeouts.statementMs));
  const add = (value: string) =>
    transactions.run(async () => {
      await transactions.connection?.query('insert into facts (name, value) values ($1, $1)', [value]);
    });
  const written = async () => {
    const { rows } = await connections.query<{ name: string }>(
      'select name from facts where name = value order by name',
    );
    return rows.map((row) => row.name);
  };
  return { connections, transactions, add, written };
}

const KILL_ALL =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()';

for (const name of serverNames) {
  const title = `PostgreSQL ${name}`;

  test(`${title}: connections that were killed while idle are replaced without an error`, async (context) => {
    const database = await createDatabase(name);
    context.after(() => database.drop());
    const { connections, add, written } = await open(context, database.url);
    await add('a');
    await Promise.all([1, 2, 3].map(() => connections.query('select 1')));
    await connections.leases.query(KILL_ALL, [database.name]);
    await add('b');
    assert.deepEqual(await written(), ['a', 'b']);
  });

  test(`${title}: a transaction whose connection is killed is trouble, and nothing of it is written`, async (context) => {
    const database = await createDatabase(name);
    context.after(() => database.drop());
    const { connections, transactions, add, written } = await open(context, database.url);
    const killed = transactions.run(async () => {
      await transactions.connection?.query("insert into facts values ('lost', 'lost')");
      await connections.leases.query(KILL_ALL, [database.name]);
      await transactions.connection?.query("insert into facts values ('lost too', 'lost too')");
    });
    await assert.rejects(killed, isDatabaseTrouble);
    await add('kept');
    assert.deepEqual(await written(), ['kept']);
  });

  test(`${title}: a transaction that must be run again is, without what it did first`, async (context) => {
    const database = await createDatabase(name);
    context.after(() => database.drop());
    const { transactions, written } = await open(context, database.url);
    for (const code of ['40001', '40P01']) {
      let runs = 0;
      const effects: number[] = [];
      await transactions.run(async () => {
        runs += 1;
        const run = runs;
        transactions.afterCommit(() => effects.push(run));
        await transactions.connection?.query('insert into facts values ($1, $1)', [`${code} ${run}`]);
        if (run < 3)
          await transactions.connection?.query(`do $$ begin raise exception using errcode = '${code}'; end $$`);
      });
      assert.deepEqual(effects, [3]);
    }
    assert.deepEqual(await written(), ['40001 3', '40P01 3']);
  });

  test(`${title}: a transaction of which a statement failed is not committed, even if the error was caught`, async (context) => {
    const database = await createDatabase(name);
    context.after(() => database.drop());
    const { connections, transactions, written } = await open(context, database.url);
    const work = async (query: typeof connections.query | undefined) => {
      await query?.("insert into facts values ('half', 'half')");
      await query?.('select 1 / 0').catch(() => undefined);
    };
    await assert.rejects(transactions.run(() => work(transactions.connection?.query.bind(transactions.connection))));
    await assert.rejects(connections.leases.transaction((connection) => work(connection.query.bind(connection))));
    assert.deepEqual(await written(), []);
  });

  test(`${title}: writes to a server that was made read-only are trouble, and go on as soon as it writes`, async (context) => {
    const database = await createDatabase(name);
    context.after(() => database.drop());
    const { connections, add, written } = await open(context, database.url);
    await Promise.all([1, 2, 3, 4].map(() => connections.query('select pg_sleep(0.01)')));
    const others = { url: database.url, readUrl: null, connections: 1 };
    await using administrator = await openConnections(others).then((opened) => ({
      ...opened,
      [Symbol.asyncDispose]: () => opened.close(),
    }));
    await administrator.query(`alter database ${database.name} set default_transaction_read_only = on`);
    await administrator.query(KILL_ALL, [database.name]);
    await assert.rejects(add('a'), isDatabaseTrouble);
    await Promise.all([1, 2, 3, 4].map(() => connections.query('select pg_sleep(0.01)')));
    // Connections that were opened meanwhile are read-only for ever.
    await administrator.query(`alter database ${database.name} reset default_transaction_read_only`);
    await assert.rejects(add('b'), isDatabaseTrouble);
    await add('c');
    assert.deepEqual(await written(), ['c']);
  });

  test(`${title}: a change that waits for a lock too long is trouble, and others are not blocked for ever`, async (context) => {
    const database = await createDatabase(name);
    context.after(() => database.drop());
    const { add, written } = await open(context, database.url, { statementMs: 400 });
    const other = await open(context, database.url);
    const { promise: locked, resolve: onLocked } = Promise.withResolvers<void>();
    const { promise: end, resolve: onEnd } = Promise.withResolvers<void>();
    const holder = other.transactions.run(async () => {
      onLocked();
      await end;
    });
    await locked;
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map(add));
    for (const result of results) assert.ok(result.status === 'rejected' && isDatabaseTrouble(result.reason));
    onEnd();
    await holder;
    await add('after');
    assert.deepEqual(await written(), ['after']);
  });

  if (name !== 'configured')
    test(`${title}: a server that hangs makes bounded waits, and is used again when it goes on`, async (context) => {
      const server = await startServer(name);
      context.after(() => server.stop());
      await execute(server.url, 'create table facts (name text, value text)');
      const { connections, add, written } = await open(context, server.url, { connectMs: 500, statementMs: 500 });
      await add('before');
      server.pause();
      try {
        const results = await Promise.allSettled([add('a'), add('b'), connections.query('select 1'), written()]);
        for (const result of results) assert.ok(result.status === 'rejected' && isDatabaseTrouble(result.reason));
      } finally {
        server.resume();
      }
      await add('after');
      assert.deepEqual(await written(), ['after', 'before']);
    });

  if (name !== 'configured')
    test(`${title}: while the pulse gets no answer, nobody waits for the control plane, which goes on with the pulse`, async (context) => {
      const server = await startServer(name);
      context.after(() => server.stop());
      await execute(server.url, 'create table facts (name text, value text)');
      const { connections, add, written } = await open(context, server.url, { pulseMs: 300 });
      await add('before');
      await connections.pulse.query('select 1');
      server.pause();
      try {
        const waiting = Promise.allSettled([add('a'), connections.query('select 1'), written()]);
        await assert.rejects(connections.pulse.query('select 1'), isDatabaseTrouble);
        const startedAt = performance.now();
        const results = [...(await waiting), ...(await Promise.allSettled([add('b'), written()]))];
        for (const result of results) assert.ok(result.status === 'rejected' && isDatabaseTrouble(result.reason));
        assert.ok(performance.now() - startedAt < 5_000, 'the statements themselves may take 20 s');
      } finally {
        server.resume();
      }
      await connections.pulse.query('select 1');
      await add('after');
      assert.deepEqual(await written(), ['after', 'before']);
    });
}

test('without a database at all everything is trouble, at once', async (context) => {
  const { connections, add } = await open(context, 'postgres://ada@127.0.0.1:1/turnpike');
  await assert.rejects(add('a'), isDatabaseTrouble);
  await assert.rejects(connections.query('select 1'), isDatabaseTrouble);
  await connections.close();
  await assert.rejects(add('a'), isDatabaseTrouble);
});

test('a connection that is killed in the same moment in which it was opened is trouble, and ends nothing else', async (context) => {
  // https://www.postgresql.org/docs/current/protocol-message-formats.html: AuthenticationOk, ReadyForQuery, ErrorResponse.
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const killed = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const greeting = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I')), message('E', killed)];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat(greeting)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { connections, add } = await open(context, `postgres://ada@127.0.0.1:${port}/turnpike`);
  await assert.rejects(connections.query('select 1'), isDatabaseTrouble);
  await assert.rejects(add('a'), isDatabaseTrouble);
});
