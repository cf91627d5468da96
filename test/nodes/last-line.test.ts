/**
 * Goal: the last line of the log says that a process ended in order, and what a node sent and gave back. Method: gateways in this process,
 * one with calls on PostgreSQL and one with SQLite.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatBody, type OpenGateway, openGateway, PATHS } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';

const [server] = serverNames;

async function lastLineOf(node: OpenGateway): Promise<Readonly<Record<string, unknown>>> {
  await node.app.drain({ graceMs: 0, deadlineMs: 10_000 });
  return JSON.parse(node.log.at(-1) ?? '{}');
}

test('a node says what it has sent and returned', { skip: server === undefined }, async () => {
  const nodes = await startNodes(1, server ?? 18, { durability: 'process' });
  try {
    const [node] = nodes.nodes;
    assert.ok(node);
    const headers = { authorization: `Bearer ${nodes.key}` };
    for (let call = 0; call < 3; call += 1)
      await (await node.post(PATHS['openai-chat'], chatBody(false), headers)).arrayBuffer();
    const { msg, level, node: name, forwarded, unsent, returnedUsd, placeGivenUp, ms } = await lastLineOf(node);
    assert.deepEqual([msg, level, name, unsent, placeGivenUp], ['ended', 'info', 'node-1', 0, true]);
    assert.ok(Number(forwarded) >= 0 && Number(forwarded) <= 3, `${forwarded}`);
    assert.ok(Number(returnedUsd) > 0, `${returnedUsd}`);
    assert.ok(Number.isInteger(ms));
  } finally {
    await nodes.close();
  }
});

test('a single server says that it ended', async () => {
  const gateway = await openGateway({});
  try {
    const { msg, level, node, ms } = await lastLineOf(gateway);
    assert.deepEqual([msg, level, node, Number.isInteger(ms)], ['ended', 'info', undefined, true]);
  } finally {
    await gateway.close();
  }
});
