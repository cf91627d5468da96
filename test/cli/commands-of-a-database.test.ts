/**
 * Goal: with PostgreSQL every command works without a server on its machine, becomes no node, writes no data folder, and is followed by the nodes
 * that run elsewhere. Method: `turnpike` in a folder of its own, on a database with a node and with none.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { MaintenanceConnection } from '../../src/storage/postgres/maintenance/maintenance-connection.ts';
import { chatBody, OPEN_MODEL, openGateway, PATHS } from '../support/open-gateway.ts';
import { createEmptyDatabase } from '../support/postgres/database.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { NODE_SECRETS, startNodes, type TestNodes } from '../support/start-nodes.ts';
import { turnpike } from './process.ts';

const [server] = serverNames;

interface Row {
  readonly [name: string]: unknown;
}

/** Runs a command in a folder whose `turnpike.yaml` names the database. */
function commandsOf(file: object) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-command-'));
  writeFileSync(
    join(folder, 'turnpike.yaml'),
    JSON.stringify({ dataFolder: join(folder, 'data'), demo: false, ...file }),
  );
  return {
    folder,
    run: (...words: readonly string[]) => turnpike(folder, ...words),
    async good(...words: readonly string[]): Promise<string> {
      const { code, out, notes } = await turnpike(folder, ...words);
      assert.equal(code, 0, `${words.join(' ')}: ${notes}${out}`);
      return out;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function rowsOf(commands: ReturnType<typeof commandsOf>, ...words: string[]): Promise<readonly Row[]> {
  const parsed = JSON.parse(await commands.good(...words, '--json')) as { readonly data: readonly Row[] };
  return parsed.data;
}

/** Each look is a request or a command, which takes its time. */
async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await isTrue())) assert.ok(performance.now() < end, `in time: ${what}`);
}

describe('with a node elsewhere', { skip: server === undefined }, () => {
  let nodes: TestNodes;
  let commands: ReturnType<typeof commandsOf>;
  before(async () => {
    nodes = await startNodes(1, server ?? 18, { billing: { firstRunCredit: '10' } });
    commands = commandsOf(nodes.fileOf('a-command'));
  });
  after(async () => {
    commands?.remove();
    await nodes?.close();
  });
  const call = (key: string) =>
    nodes.nodes[0]?.post(PATHS['openai-chat'], chatBody(false), { authorization: `Bearer ${key}` }) ?? assert.fail();
  const statusOf = async (key: string) => {
    const answer = await call(key);
    await answer.arrayBuffer();
    return answer.status;
  };

  test('commands are no nodes, and write no data folder', async () => {
    const [node, ...more] = await rowsOf(commands, 'nodes');
    assert.deepEqual([node?.['name'], node?.['state'], node?.['answers'], more.length], ['node-1', 'live', false, 0]);
    await commands.good('keys', 'list');
    assert.ok(!existsSync(join(commands.folder, 'data')));
  });

  test('a key that a command creates is good at the node, and ends there when a command revokes it', async () => {
    const key = await commands.good('keys', 'create', '--name', 'by a command');
    assert.equal(await statusOf(key), 200);
    await commands.good('keys', 'revoke', 'by a command');
    await until('the key ends', async () => (await statusOf(key)) === 401);
    const rows = await rowsOf(commands, 'keys', 'list');
    assert.ok(rows.length >= 1);
  });

  test('entries are posted with money lent out; a debit recalls what no call holds, and takes no more than there is', async () => {
    assert.equal(await statusOf(nodes.key), 200);
    const [node] = await rowsOf(commands, 'nodes');
    assert.ok(Number(node?.['lent']) > 0, 'the node has a share');
    await commands.good('balance', 'add', '1', '--reference', 'one');
    await commands.good('balance', 'add', '1', '--reference', 'one');
    const before = await balance();
    const refused = await commands.run('balance', 'add', '--amount=-11.5', '--kind', 'adjustment');
    assert.equal(refused.code, 1);
    assert.match(refused.notes, /less credit available than this amount/);
    const most = (Math.floor(before * 1e6) / 1e6).toFixed(6);
    await commands.good('balance', 'add', `--amount=-${most}`, '--kind', 'adjustment');
    assert.ok((await balance()) < 0.000001);
    assert.equal(await statusOf(nodes.key), 402);
    await commands.good('balance', 'add', '5');
    await until('the node has heard of it', async () => (await statusOf(nodes.key)) === 200);
  });

  async function balance(): Promise<number> {
    const { data } = JSON.parse(await commands.good('balance', 'show', '--json')) as { data: { balance: number } };
    return data.balance;
  }

  test('a call is refunded, and the newest calls are listed', async () => {
    assert.equal(await statusOf(nodes.key), 200);
    let id = '';
    await until('the record is written', async () => {
      const lines = (await commands.good('records', 'tail', '--json')).split('\n').filter((line) => line !== '');
      id = String((JSON.parse(lines.at(-1) ?? '{}') as Row)['id'] ?? '');
      return id.startsWith('gen-');
    });
    await until('it is settled', async () => (await commands.run('balance', 'refund', id)).code === 0);
  });

  test('the ledger is verified and exported, and a month that is not over is not sealed', async () => {
    assert.match(await commands.good('ledger', 'verify'), /The ledger is correct/);
    assert.match(await commands.good('ledger', 'export'), /^time,debit/);
    const month = new Date().toISOString().slice(0, 7);
    const { code, notes } = await commands.run('ledger', 'seal', month);
    assert.equal(code, 1);
    assert.match(notes, /can be sealed from/);
  });

  test('what must not run while a node runs says so', async () => {
    const adopted = await commands.run('ledger', 'adopt', '--yes');
    assert.equal(adopted.code, 1);
    assert.match(adopted.notes, /The node node-1 was seen \d s ago/);
    const moved = await commands.run('migrate', '--to', `sqlite:${join(commands.folder, 'moved')}`);
    assert.equal(moved.code, 1);
    assert.match(moved.notes, /The node node-1 was seen \d s ago/);
    assert.ok(!existsSync(join(commands.folder, 'moved')));
  });

  test('people, accounts, projects, providers, aliases, own credentials and sealing keys are managed', async () => {
    assert.match(await commands.good('admin', 'reset'), /http/);
    assert.deepEqual(await rowsOf(commands, 'people', 'list'), []);
    await commands.good('accounts', 'create', 'Second');
    await commands.good('projects', 'create', 'Its project', '--account', 'Second');
    const models = await rowsOf(commands, 'models', 'list');
    assert.ok(models.some(({ id }) => id === OPEN_MODEL));
    const providers = await rowsOf(commands, 'providers', 'list');
    assert.ok(providers.some(({ name }) => name === 'scripted'));
    await commands.good('credentials', 'rotate');
    assert.equal(await statusOf(nodes.key), 200);
    await commands.good('config', 'check');
  });

  test('a backup has the secrets, and the doctor finds nothing wrong', async () => {
    const target = join(commands.folder, 'backup');
    await commands.good('backup', target);
    assert.deepEqual(readdirSync(target).sort(), ['master.key', 'pepper']);
    const { out } = await commands.run('doctor');
    assert.match(out, /ok {4}ledger/);
    assert.doesNotMatch(out, /fail {2}(?!port)/);
  });
});

describe('with no node', { skip: server === undefined }, () => {
  test('keys create is the very first thing on an empty database; the first node then makes no other key', async () => {
    const database = await createEmptyDatabase(server ?? 18);
    const commands = commandsOf({ ...NODE_SECRETS, database: { url: database.url } });
    try {
      const key = await commands.good('keys', 'create', '--name', 'first');
      assert.match(key, /^sk-tp-\w+$/);
      assert.deepEqual(await rowsOf(commands, 'nodes'), []);
      assert.deepEqual(
        (await rowsOf(commands, 'keys', 'list')).map(({ name }) => name),
        ['first'],
      );
      assert.equal((await rowsOf(commands, 'accounts', 'list')).length, 1);
      await commands.good('balance', 'add', '2');
      await commands.good('balance', 'add', '--amount=-1', '--kind', 'adjustment');
      assert.match(await commands.good('ledger', 'verify', '--archive'), /The ledger is correct/);
      assert.match(await commands.good('ledger', 'adopt', '--yes'), /0 nodes/);
      assert.match(await commands.good('records', 'tail'), /^$/);
      await commands.good('credentials', 'rotate');
      await commands.good('backup', join(commands.folder, 'backup'));
      await commands.good('migrate', '--to', `sqlite:${join(commands.folder, 'moved')}`);
      const { code, notes } = await commands.run('keys', 'list');
      assert.equal(code, 1);
      assert.match(notes, /moved/);
    } finally {
      commands.remove();
      await database.drop();
    }
  });

  test('two nodes that start at once on an empty database make one key and one link for the first operator', async () => {
    const database = await createEmptyDatabase(server ?? 18);
    const file = { ...NODE_SECRETS, database: { url: database.url }, billing: { firstRunCredit: '10' } };
    const opening = await Promise.allSettled(['one', 'two'].map((name) => openGateway({ ...file, nodes: { name } })));
    const commands = commandsOf({ ...NODE_SECRETS, database: { url: database.url } });
    try {
      const gateways = opening.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      assert.deepEqual(
        opening.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : [])),
        [],
      );
      assert.equal((await rowsOf(commands, 'keys', 'list')).length, 1);
      assert.equal((await rowsOf(commands, 'accounts', 'list')).length, 1);
      assert.equal((await rowsOf(commands, 'projects', 'list')).length, 1);
      const { data } = JSON.parse(await commands.good('balance', 'show', '--json')) as { data: { balance: number } };
      assert.equal(data.balance, 10);
      const links = await Promise.all(gateways.map(({ app }) => app.setUpLink()));
      assert.equal(links.length, 2);
      const connection = await MaintenanceConnection.open(database.url);
      const open = await connection.rows("select from links where purpose = 'setup'").finally(() => connection.close());
      assert.equal(open.length, 1, 'a new link replaces the other');
    } finally {
      commands.remove();
      for (const each of opening) if (each.status === 'fulfilled') await each.value.close();
      await database.drop();
    }
  });

  test('a database that does not answer is named, without its password', async () => {
    const commands = commandsOf({ ...NODE_SECRETS, database: { url: 'postgres://turnpike:hunter2@127.0.0.1:1/none' } });
    const { code, notes } = await commands.run('keys', 'list');
    commands.remove();
    assert.equal(code, 1);
    assert.match(notes, /127\.0\.0\.1/);
    assert.doesNotMatch(notes, /hunter2/);
  });
});
