/**
 * Goal: limits stay as exact as the exchange allows, and no call waits or is refused because Valkey is away. Method: four nodes on a real server
 * that is killed, emptied, stopped, slowed down, and replaced by one that has lost every write; with an exchange to fall back on, or none.
 */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startFaultProxy } from '../../../test/support/fault-proxy.ts';
import { type RedisServer, startRedis } from '../../../test/support/redis-server.ts';
import { ManualClock } from '../../core/clock.ts';
import { Secret } from '../../core/secret.ts';
import { Limiter } from '../../limits/limiter.ts';
import { CountSharing } from '../../limits/sharing/count-sharing.ts';
import type { WayChange } from '../../limits/sharing/first-working.ts';
import { MemoryExchange } from '../../limits/sharing/memory-exchange.ts';
import { SharedLimits } from '../../limits/sharing/shared-limits.ts';
import { GOOD, startHostile } from './hostile-server.ts';
import { Valkey } from './valkey.ts';
import { ValkeyCounts } from './valkey-counts.ts';

const NODES = 4;
const LIMIT = 400;
/** Calls that each node gets in a period. */
const PER_ROUND = 5;
const PERIOD_MS = 100;
/** Shares are whole calls. */
const ROUNDING = NODES;
/** An exchange that has not answered by then is passed over. */
const ANSWER_MS = 300;
const NONE = { id: 1, limits: {} };

test('without a fault, a limit holds over four nodes', async (context) => {
  const nodes = await openNodes(context, (await openServer(context)).url);
  await untilRefused(nodes);
  assertLimit(nodes);
});

test('a server that is killed: the next exchange takes over in the same round', async (context) => {
  const server = await openServer(context);
  const nodes = await openNodes(context, server.url);
  await nodes.rounds(4);
  await server.kill();
  await untilRefused(nodes);
  assertLimit(nodes);
  assert.deepEqual(new Set(nodes.changes.map(({ way, state }) => `${way} ${state}`)), new Set(['valkey failing']));
});

test('a server that has lost everything: each node sends all of its counts again', async (context) => {
  const server = await openServer(context);
  const nodes = await openNodes(context, server.url);
  await nodes.rounds(8);
  await server.client.flushall();
  await untilRefused(nodes);
  assertLimit(nodes);
  assert.deepEqual(nodes.changes, []);
});

test('a server that stops answering: calls are judged meanwhile, and the next exchange takes over after 300 ms', async (context) => {
  const server = await openServer(context);
  const nodes = await openNodes(context, server.url);
  await nodes.rounds(4);
  server.hang();
  const before = nodes.admitted;
  const round = nodes.exchange();
  nodes.ask();
  assert.equal(nodes.admitted, before + NODES * PER_ROUND, 'no call waits');
  nodes.clock.advance(ANSWER_MS);
  await round;
  await untilRefused(nodes);
  assertLimit(nodes);
  server.goOn();
});

test('a server that answers after 200 ms: limits hold', async (context) => {
  const server = await openServer(context);
  const proxy = await startFaultProxy(server.url.replace('redis', 'http'));
  context.after(() => proxy.close());
  for (const direction of ['upstream', 'downstream'] as const) proxy.add(direction, { verb: 'latency', ms: 100 });
  const nodes = await openNodes(context, proxy.origin.replace('http', 'redis'));
  await untilRefused(nodes);
  assertLimit(nodes);
  assert.deepEqual(nodes.changes, []);
});

test('a failover that loses every write: the new server is complete after one round', async (context) => {
  const server = await openServer(context);
  const nodes = await openNodes(context, server.url);
  await nodes.rounds(8);
  await server.kill();
  const next = await startRedis(server.port);
  context.after(() => next.close());
  await nodes.connected();
  await untilRefused(nodes);
  assertLimit(nodes);
});

test('with no other exchange each node has its part of a limit, at least one call, and takes part in the exchange later', async (context) => {
  const server = await openServer(context);
  const nodes = await openNodes(context, server.url, false);
  await server.kill();
  for (let round = 0; round < 31; round += 1) {
    nodes.clock.advance(PERIOD_MS);
    await nodes.exchange();
  }
  for (let node = 0; node < NODES; node += 1) {
    assert.equal(nodes.askOne(node, LIMIT, { requestsPerMinute: LIMIT }), LIMIT / NODES);
    assert.equal(nodes.askOne(node, 5, { requestsPerMinute: 2 }, 2), 1);
  }
  const next = await startRedis(server.port);
  context.after(() => next.close());
  await nodes.connected();
  nodes.clock.advance(10_000);
  await nodes.exchange();
  let alone = 0;
  for (let round = 0; round < 30; round += 1) {
    alone += nodes.askOne(0, 10, { requestsPerMinute: 100 }, 3);
    nodes.clock.advance(PERIOD_MS);
    await nodes.exchange();
  }
  assert.ok(alone > 90 && alone <= 100, `${alone} of 100 at one node`);
  assert.equal(nodes.changes.filter(({ state }) => state === 'good').length, NODES);
});

test('values of another type under our keys: the next exchange takes over, they are left alone, and one sentence says so', async (context) => {
  const server = await openServer(context);
  const nodes = await openNodes(context, server.url);
  const foreign = '{turnpike:faults}:k1';
  await server.client.set(foreign, 'of another program');
  await untilRefused(nodes);
  assertLimit(nodes);
  assert.equal(await server.client.get(foreign), 'of another program');
  const failures = nodes.changes.filter(({ state }) => state === 'failing');
  assert.equal(failures.length, NODES, 'each node says it once');
  for (const { way, cause } of failures) {
    assert.equal(way, 'valkey');
    assert.match(String(cause), /begins with "\{turnpike:faults\}:" has a value of another type.*remove it/);
  }
});

for (const [what, answer] of [
  ['refuses everything', (socket) => socket.write('-ERR something is wrong here\r\n')],
  [
    'has a memory that is full',
    (socket) => socket.write("-OOM command not allowed when used memory > 'maxmemory'.\r\n"),
  ],
  ['is a replica', (socket) => socket.write("-READONLY You can't write against a read only replica.\r\n")],
  ['is loading', (socket) => socket.write('-LOADING Redis is loading the dataset in memory\r\n')],
  ['wants a password', (socket) => socket.write('-NOAUTH Authentication required.\r\n')],
  ['refuses with words without end', (socket) => socket.write(`-ERR ${'x'.repeat(60_000)}\r\n`)],
  ['announces more than there can be', (socket) => socket.write(announcing(70_000))],
  ['answers another question', (socket) => socket.write(GOOD)],
  ['answers nobody', (socket) => socket.write('+OK\r\n'.repeat(1_000))],
  ['closes after each command', (socket) => socket.end(GOOD)],
  ['closes at once', (socket) => socket.destroy()],
] as const satisfies readonly (readonly [string, (socket: Socket) => unknown])[])
  test(`a server that ${what}: limits hold, no call waits, and each node says it once`, async (context) => {
    const hostile = await startHostile(context);
    const nodes = await openNodes(context, hostile.url.reveal());
    hostile.answer = answer;
    await untilRefused(nodes);
    assertLimit(nodes);
    const lines = nodes.changes.filter(({ way }) => way === 'valkey');
    assert.deepEqual(
      lines.map(({ state }) => state),
      Array.from({ length: NODES }, () => 'failing'),
    );
    for (const { cause } of lines) assert.ok(String(cause).length < 500, 'in a sentence');
  });

function announcing(count: number): string {
  const keys = Array.from({ length: count }, (_, id) => `$6\r\nk${10_000 + id}\r\n`).join('');
  return `*3\r\n$13\r\n1795262400000\r\n*${count}\r\n${keys}*0\r\n`;
}

async function openServer(context: TestContext): Promise<RedisServer> {
  const server = await startRedis();
  context.after(() => server.close());
  return server;
}

async function openNodes(context: TestContext, url: string, hasFallback = true) {
  const clock = new ManualClock();
  const fallback = new MemoryExchange(() => clock.monotonic());
  const changes: WayChange[] = [];
  const nodes = await Promise.all(
    Array.from({ length: NODES }, async (_, index) => {
      const valkey = await Valkey.open({ url: new Secret(url), name: 'faults' });
      await valkey.connected();
      context.after(() => valkey.close());
      const limits = new SharedLimits({ clock, nodes: () => NODES });
      const limiter = new Limiter({ clock, requestsToday: () => 0, shared: limits });
      const exchanges = [new ValkeyCounts(valkey), ...(hasFallback ? [fallback] : [])];
      const onChange = (change: WayChange) => changes.push(change);
      const counter = `${index}`.padStart(16, '0');
      const sharing = new CountSharing({ limits, exchanges, settled: null, clock, counter, onChange });
      return { valkey, limiter, sharing };
    }),
  );
  const all = {
    clock,
    changes,
    admitted: 0,
    refused: 0,
    async exchange() {
      await Promise.all(nodes.map(({ sharing }) => sharing.exchange()));
    },
    async connected() {
      await Promise.all(nodes.map(({ valkey }) => valkey.connected()));
    },
    /** How many of these calls pass. */
    askOne(node: number, count: number, limits: object, id = 1): number {
      let passed = 0;
      for (let call = 0; call < count; call += 1)
        if (nodes[node]?.limiter.take({ id, limits }, NONE, NONE, 0)?.refused === null) passed += 1;
      return passed;
    },
    ask() {
      for (let node = 0; node < NODES; node += 1) {
        const passed = all.askOne(node, PER_ROUND, { requestsPerMinute: LIMIT });
        if (passed < PER_ROUND)
          assert.ok(all.admitted + passed >= LIMIT - PER_ROUND * NODES, `refused at ${all.admitted + passed}`);
        all.admitted += passed;
        all.refused += PER_ROUND - passed;
      }
    },
    async rounds(count: number) {
      for (let round = 0; round < count; round += 1) {
        all.ask();
        clock.advance(PERIOD_MS);
        await all.exchange();
      }
    },
  };
  await all.exchange();
  return all;
}

type Nodes = Awaited<ReturnType<typeof openNodes>>;

/** Until no node admits a call any more. */
async function untilRefused(nodes: Nodes): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    const before = nodes.admitted;
    await nodes.rounds(1);
    if (nodes.admitted === before) return;
  }
  assert.fail(`${nodes.admitted} admitted, and still more`);
}

function assertLimit({ admitted }: Nodes): void {
  assert.ok(admitted > LIMIT - ROUNDING && admitted <= LIMIT, `${admitted} of ${LIMIT} admitted`);
}
