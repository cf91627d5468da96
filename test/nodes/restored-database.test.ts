/**
 * Goal: a database that is restored within the same server, to a state with as many changes, is noticed: what nodes settled in the last
 * minute is sent again, and counts once. Method: a copy of the database of a running node takes its place.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openConnections } from '../../src/storage/postgres/engine/connections.ts';
import { chatBody, type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { administer } from '../support/postgres/database.ts';
import { type ServerName, serverNames } from '../support/postgres/servers.ts';
import { startNodes, type TestNodes } from '../support/start-nodes.ts';

/** What a whole answer of the scripted provider costs. */
const COST_NANO = 10_000n;
const WITHIN_MS = 20_000;

for (const server of serverNames.slice(0, 1))
  test(`PostgreSQL ${server}: after a restore within the server, each call of the last minute is settled once`, async (context) => {
    const nodes = await startNodes(1, server);
    context.after(() => nodes.close());
    const [node] = nodes.nodes;
    assert.ok(node);
    const { name } = nodes.database;
    context.after(() => administer(server, ({ query }) => query(`drop database if exists ${name}_lost with (force)`)));
    await callUntilServed(node, nodes.key);
    await settled(nodes, 1);
    await exclusively(server, name, (query) => query(`create database ${name}_copy template ${name}`));
    const before = await stateOf(nodes);
    for (let each = 0; each < 3; each += 1) await callUntilServed(node, nodes.key);
    await settled(nodes, 4);
    const { balance, changes } = await stateOf(nodes);
    assert.equal(changes, before.changes, 'changes do not show it');
    await exclusively(server, name, async (query) => {
      await query(`alter database ${name} rename to ${name}_lost`);
      await query(`alter database ${name}_copy rename to ${name}`);
    });
    await settled(nodes, 4);
    await until('the node to be ready', () => ready(node));
    assert.ok(node.log.some((line) => line.includes('database_went_back')));
    assert.equal((await stateOf(nodes)).balance, balance);
    await callUntilServed(node, nodes.key);
    await settled(nodes, 5);
    assert.equal((await stateOf(nodes)).balance, balance - COST_NANO);
  });

for (const server of serverNames.slice(0, 1))
  test(`PostgreSQL ${server}: a node that starts after a restore without \`ledger adopt\` says what to do, and serves`, async (context) => {
    const nodes = await startNodes(1, server);
    context.after(() => nodes.close());
    const { name } = nodes.database;
    context.after(() => administer(server, ({ query }) => query(`drop database if exists ${name}_lost with (force)`)));
    const dataFolder = await mkdtemp(join(tmpdir(), 'turnpike-test-'));
    context.after(() => rm(dataFolder, { recursive: true }));
    const file = { ...nodes.fileOf('node-2'), dataFolder };
    const first = await openGateway(file);
    await callUntilServed(first, nodes.key);
    await settled(nodes, 1);
    await exclusively(server, name, (query) => query(`create database ${name}_copy template ${name}`));
    for (let each = 0; each < 3; each += 1) await callUntilServed(first, nodes.key);
    await settled(nodes, 4);
    const { balance } = await stateOf(nodes);
    await first.close();
    await exclusively(server, name, async (query) => {
      await query(`alter database ${name} rename to ${name}_lost`);
      await query(`alter database ${name}_copy rename to ${name}`);
    });
    const again = await openGateway(file);
    context.after(() => again.close());
    const said = again.log.filter((line) => line.includes('"msg":"database_went_back"'));
    assert.equal(said.length, 1, again.log.join(''));
    assert.match(
      said[0] ?? '',
      /another history than when this node last ran.*without `turnpike ledger adopt`: stop every node, run it/,
    );
    await settled(nodes, 4);
    assert.equal((await stateOf(nodes)).balance, balance, 'what it had settled in the last minute counts once');
    await callUntilServed(again, nodes.key);
  });

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await holds())) assert.ok(performance.now() - begun < WITHIN_MS, `never came: ${what}`);
}

/** Its connections are broken, and it may find that out with a call. */
async function callUntilServed(node: OpenGateway, key: string): Promise<void> {
  await until('a call to be served', async () => {
    const answer = await node.post('/api/v1/chat/completions', chatBody(false), { authorization: `Bearer ${key}` });
    await answer.text();
    return answer.status === 200;
  });
}

async function ready({ url }: OpenGateway): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`);
  await answer.text();
  return answer.status === 200;
}

/** While nobody is connected to the database. */
async function exclusively(
  server: ServerName,
  name: string,
  work: (query: (statement: string) => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  await administer(server, async ({ query }) => {
    await query(`alter database ${name} allow_connections false`);
    await query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
    await work(query);
    await query(`alter database ${name} allow_connections true`);
  });
}

/** Its own connection, because those of the nodes are broken. */
async function stateOf({ database }: TestNodes) {
  const connections = await openConnections({ url: database.url, readUrl: null, connections: 1 });
  try {
    const { rows } = await connections.query<{ calls: bigint; balance: bigint; changes: number }>(
      `select (select count(*) from settlements) as calls, (select sum(balance_nano)::bigint from balances) as balance,
        (select seq from feed) as changes`,
    );
    const [row] = rows;
    assert.ok(row);
    return row;
  } finally {
    await connections.close();
  }
}

async function settled(nodes: TestNodes, calls: number): Promise<void> {
  await until(`${calls} settlements`, async () => Number((await stateOf(nodes)).calls) === calls);
}
