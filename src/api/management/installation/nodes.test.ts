import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nanoUsd } from '../../../core/money.ts';
import type { KnownNode } from '../../../nodes/ports.ts';
import type { RequestContext } from '../door/request-context.ts';
import { nodeHandlers, nodeList } from './nodes.ts';

const known: KnownNode = {
  slot: 1,
  epoch: 4,
  id: '0195d0c8-0000-7000-8000-000000000001',
  name: 'one',
  version: '1.2.3',
  state: 'live',
  seenAt: Date.UTC(2026, 10, 21, 12),
  seenAgoMs: 15_000,
  feedSeq: 40,
  unsentFrom: null,
  lent: nanoUsd(9_007_199_254_740_993_000_000n),
};

test('nodes are listed by slot, with what each has not followed and every digit of what is lent to it', async () => {
  const { shared, data } = await nodeList({
    slot: 2,
    list: async () => [
      { ...known, slot: 2, state: 'draining', feedSeq: 42, unsentFrom: Date.UTC(2026, 10, 21, 11) },
      known,
    ],
    lastChange: async () => 41,
    setAside: null,
  });
  assert.equal(shared, true);
  assert.deepEqual(
    data.map(({ slot, state, answers, changes_behind, unsent_since }) => [
      slot,
      state,
      answers,
      changes_behind,
      unsent_since,
    ]),
    [
      [1, 'live', false, 1, null],
      [2, 'draining', true, 0, '2026-11-21T11:00:00.000Z'],
    ],
  );
  assert.match(JSON.stringify(data[0]), /"lent":9007199254740\.993/);
});

test('a node that was not seen for a while is silent, until it is lost or seen again', async () => {
  const listed = async (state: KnownNode['state'], seenAgoMs: number) => {
    const list = async () => [{ ...known, state, seenAgoMs }];
    const { data } = await nodeList({ slot: 2, list, lastChange: async () => 41, setAside: null });
    return [data[0]?.state, data[0]?.seen_ago_ms];
  };
  assert.deepEqual(await listed('live', 15_000), ['live', 15_000]);
  assert.deepEqual(await listed('live', 15_001), ['silent', 15_001]);
  assert.deepEqual(await listed('draining', 60_000), ['silent', 60_000]);
  assert.deepEqual(await listed('lost', 130_000), ['lost', 130_000]);
  assert.deepEqual(await listed('gone', 130_000), ['gone', 130_000]);
});

test('nodes that are there and have one name are marked, and what is left of one that was killed is not', async () => {
  const list = async () => [
    known,
    { ...known, slot: 2, state: 'draining' as const },
    { ...known, slot: 3, name: 'three' },
    { ...known, slot: 4, seenAgoMs: 60_000 },
    { ...known, slot: 5, name: 'three', state: 'gone' as const },
  ];
  const { data } = await nodeList({ slot: 2, list, lastChange: async () => 41, setAside: null });
  assert.deepEqual(
    data.map(({ name_is_shared: isShared }) => isShared),
    [true, true, false, false, false],
  );
});

test('without a database there is nothing to list, and the answer says so', async () => {
  assert.deepEqual(await nodeList(null), { shared: false, data: [] });
});

test('what is sent again after a refusal is audited, unless there was nothing; without a node it is a conflict', async () => {
  const audited: unknown[] = [];
  const context = { auditDone: async (entry: unknown) => void audited.push(entry) } as unknown as RequestContext;
  const input = { params: {}, query: {}, body: {} };
  const withSent = (sent: number) => ({
    slot: 3,
    list: async () => [],
    lastChange: async () => 0,
    setAside: {
      list: () => ({ calls: [], count: 0 }),
      sendAgain: async () => ({ sent, refused: 1, isAnswered: true }),
    },
  });
  await nodeHandlers({ nodes: withSent(0) }).sendSetAside(context, input);
  assert.deepEqual(audited, []);
  assert.deepEqual(await nodeHandlers({ nodes: withSent(2) }).sendSetAside(context, input), {
    data: { sent: 2, refused: 1, answered: true },
  });
  assert.deepEqual(audited, [
    {
      action: 'node.send_set_aside',
      subject: { kind: 'node', id: '3', name: null },
      accountId: null,
      before: null,
      after: { sent: 2, refused: 1, answered: true },
    },
  ]);
  await assert.rejects(
    async () => nodeHandlers({ nodes: null }).listSetAside(context, input),
    /No node runs in this process/,
  );
});
