/**
 * Goal: the limits of a scope hold over all nodes, and no call waits for that or is refused because an exchange is away. Method: limiters that
 * exchange counts within the process, each on the same clock, with calls that come to them in examples and at random.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { key, MINUTE_MS, NONE } from '../fixture.ts';
import { Limiter, type Ticket } from '../limiter.ts';
import type { CountExchange, SettledToday } from '../ports.ts';
import type { RateLimits } from '../rate-limits.ts';
import { CountSharing } from './count-sharing.ts';
import type { WayChange } from './first-working.ts';
import { MemoryExchange } from './memory-exchange.ts';
import { SharedLimits } from './shared-limits.ts';

/** What a round and the answers of the database take: promises only. */
const PERIOD_MS = 100;

class Node {
  readonly limiter: Limiter;
  readonly sharing: CountSharing;
  readonly shared: SharedLimits;
  readonly changes: WayChange[] = [];
  admitted = 0;

  constructor(clock: ManualClock, cluster: Cluster) {
    this.shared = new SharedLimits({ clock, nodes: () => cluster.size });
    this.limiter = new Limiter({ clock, requestsToday: () => 0, shared: this.shared });
    this.sharing = new CountSharing({
      limits: this.shared,
      exchanges: cluster.exchanges,
      settled: cluster.settled,
      clock,
      counter: `${cluster.made++}`.padStart(16, '0'),
      onChange: (change) => this.changes.push(change),
    });
  }

  ask(limits: RateLimits, id = 1, tokens = 0): Ticket | null {
    const answer = this.limiter.take(key(limits, id), NONE, NONE, tokens);
    if (answer === null || answer.refused !== null) return null;
    this.admitted += 1;
    return answer;
  }

  askTimes(count: number, limits: RateLimits, id = 1): number {
    return Array.from({ length: count }, () => this.ask(limits, id)).filter((ticket) => ticket !== null).length;
  }
}

class Cluster {
  readonly clock = new ManualClock();
  readonly exchange = new MemoryExchange(() => this.clock.monotonic());
  readonly exchanges: readonly CountExchange[];
  readonly settled: SettledToday | null;
  readonly nodes: Node[];
  size: number;
  made = 0;

  constructor(size: number, { fallback, settled }: { fallback?: CountExchange; settled?: SettledToday } = {}) {
    this.size = size;
    this.exchanges = fallback === undefined ? [this.exchange] : [this.exchange, fallback];
    this.settled = settled ?? null;
    this.nodes = Array.from({ length: size }, () => new Node(this.clock, this));
  }

  /** Time passes, and every node exchanges once. */
  async round(ms = PERIOD_MS): Promise<void> {
    this.clock.advance(ms);
    for (const { sharing } of this.nodes) await sharing.exchange();
  }

  get admitted(): number {
    return this.nodes.reduce((sum, { admitted }) => sum + admitted, 0);
  }
}

async function started(...parts: ConstructorParameters<typeof Cluster>): Promise<Cluster> {
  const cluster = new Cluster(...parts);
  // What was said before a node's start, as its clock has it, is not relied on.
  for (let round = 0; round < 10; round += 1) await cluster.round();
  return cluster;
}

describe('requests a minute, over several nodes', () => {
  test('one node may use fifteen sixteenths of a limit while the others are idle', async () => {
    const cluster = await started(4);
    const [node] = cluster.nodes as [Node];
    for (let round = 0; round < 30; round += 1) {
      node.askTimes(10, { requestsPerMinute: 100 });
      await cluster.round();
    }
    assert.ok(node.admitted >= 93 && node.admitted <= 100, `${node.admitted} admitted`);
    for (const other of cluster.nodes.slice(1))
      assert.ok(other.ask({ requestsPerMinute: 100 }), 'the first call passes');
    assert.ok(cluster.admitted <= 100, `${cluster.admitted} admitted`);
  });

  test('calls that are spread over four nodes use a limit up, and never exceed it', async () => {
    const limit = 1_000;
    const cluster = await started(4);
    for (let round = 0; round < 100; round += 1) {
      for (const node of cluster.nodes) node.askTimes(10, { requestsPerMinute: limit });
      await cluster.round();
    }
    assert.ok(cluster.admitted > limit - 4 && cluster.admitted <= limit, `${cluster.admitted} admitted`);
  });

  test('calls that come to all nodes before these have heard of each other do not exceed a limit', async () => {
    const cluster = await started(4);
    for (const node of cluster.nodes) node.askTimes(1_000, { requestsPerMinute: 200 });
    assert.equal(cluster.admitted, 200);
  });

  test('with a limit below the number of nodes, one call of each passes at most', async () => {
    const cluster = await started(4);
    for (const node of cluster.nodes) assert.equal(node.askTimes(3, { requestsPerMinute: 1 }), 1);
    for (let round = 0; round < 5; round += 1) await cluster.round();
    assert.equal(cluster.nodes[0]?.askTimes(3, { requestsPerMinute: 1 }), 0);
  });

  test('a key that few calls use is not exchanged at all', async () => {
    const cluster = await started(4);
    for (const node of cluster.nodes) node.askTimes(12, { requestsPerMinute: 100 });
    for (let round = 0; round < 10; round += 1) await cluster.round();
    assert.equal(cluster.exchange.received, 0);
    assert.equal(cluster.nodes[0]?.shared.size, 0);
  });

  test('a node with few calls gives up its share as soon as another one has announced the key', async () => {
    const cluster = await started(4);
    const limits = { requestsPerMinute: 100 };
    const [busy, ...others] = cluster.nodes as [Node, Node, Node, Node];
    for (const other of others) assert.equal(other.askTimes(10, limits), 10);
    for (let round = 0; round < 20; round += 1) {
      busy.askTimes(10, limits);
      await cluster.round();
    }
    // What they have counted without having sent it is taken for half of an equal share.
    assert.ok(busy.admitted >= 50 && busy.admitted <= 70, `${busy.admitted} admitted`);
  });

  test('the wait that a refusal names includes the calls of the others', async () => {
    const cluster = await started(2);
    const limits = { requestsPerMinute: 10 };
    const [first, second] = cluster.nodes as [Node, Node];
    assert.equal(first.askTimes(10, limits) + second.askTimes(10, limits), 10);
    const [alone] = second.limiter.readings(key(limits), NONE, NONE);
    assert.equal(alone?.waitMs, 1_000, 'its share may grow');
    for (let round = 0; round < 3; round += 1) await cluster.round();
    const readings = second.limiter.readings(key(limits), NONE, NONE);
    assert.equal(readings[0]?.remaining, 0);
    const waitMs = readings[0]?.waitMs ?? 0;
    assert.ok(waitMs > 50_000 && waitMs < MINUTE_MS, `${waitMs} ms`);
  });

  test('a node that restarts does not forget what it had counted', async () => {
    const cluster = await started(2);
    const limits = { requestsPerMinute: 20 };
    for (const node of cluster.nodes) assert.equal(node.askTimes(15, limits), 10);
    for (let round = 0; round < 5; round += 1) await cluster.round();
    const again = new Node(cluster.clock, cluster);
    cluster.nodes[0] = again;
    for (let round = 0; round < 5; round += 1) await cluster.round();
    assert.equal(again.askTimes(20, limits), 0);
  });
});

test('tokens of all nodes count, and corrections of them', async () => {
  const cluster = await started(2);
  const limits = { tokensPerMinute: 1_000 };
  const [first, second] = cluster.nodes as [Node, Node];
  const ticket = first.ask(limits, 1, 900);
  assert.ok(ticket !== null);
  for (let round = 0; round < 2; round += 1) await cluster.round();
  assert.equal(second.ask(limits, 1, 200), null);
  first.limiter.correct(ticket, 100);
  for (let round = 0; round < 2; round += 1) await cluster.round();
  assert.ok(second.ask(limits, 1, 200));
});

describe('running calls, over several nodes', () => {
  const limits = { concurrentCalls: 4 };

  test('calls of another node take places, and free them when they end', async () => {
    const cluster = await started(2);
    const [first, second] = cluster.nodes as [Node, Node];
    const tickets = [first, second].flatMap((node) => [node.ask(limits), node.ask(limits), node.ask(limits)]);
    assert.equal(cluster.admitted, 4);
    for (let round = 0; round < 5; round += 1) await cluster.round();
    assert.equal(second.askTimes(3, limits), 0);
    for (const ticket of tickets.slice(0, 3)) if (ticket !== null) first.limiter.correct(ticket, 0);
    for (let round = 0; round < 20; round += 1) {
      second.ask(limits);
      await cluster.round();
    }
    assert.ok(cluster.admitted >= 5, 'places are used again, by whichever node is asked');
  });

  test('calls of a node that died free their places after five seconds, long ones of a node that lives do not', async () => {
    const cluster = await started(2);
    const [dies, lives] = cluster.nodes as [Node, Node];
    assert.equal(dies.askTimes(2, limits), 2);
    assert.equal(lives.askTimes(2, limits), 2);
    for (let round = 0; round < 200; round += 1) await cluster.round();
    assert.equal(lives.askTimes(1, limits), 0);
    const [running] = lives.limiter.readings(key(limits), NONE, NONE);
    assert.equal(running?.remaining, 0);
    cluster.nodes.splice(0, 1);
    // Its share holds for two minutes; then a node that is alone has all of it.
    cluster.size = 1;
    for (let round = 0; round < 140; round += 1) {
      lives.ask(limits);
      await cluster.round(1_000);
    }
    assert.equal(lives.admitted, 4);
  });
});

describe('requests a day, over several nodes', () => {
  const limits = { requestsPerDay: 100 };

  test('the calls of all nodes count, and the next day begins at none', async () => {
    const cluster = await started(2);
    const [first, second] = cluster.nodes as [Node, Node];
    for (let round = 0; round < 40; round += 1) {
      first.askTimes(3, limits);
      second.ask(limits);
      await cluster.round();
    }
    assert.ok(cluster.admitted >= 98 && cluster.admitted <= 100, `${cluster.admitted} admitted`);
    assert.ok(first.admitted > 60, 'most calls come to the first');
    await cluster.round(24 * 60 * MINUTE_MS);
    assert.ok(second.askTimes(50, limits) > 0);
  });

  test('what was settled before this start is asked of the ledger when a key is first used', async () => {
    const asked: number[] = [];
    const settled: SettledToday = {
      async callsOf(scopes) {
        asked.push(...scopes.map(({ id }) => id));
        return scopes.map(() => 98);
      },
    };
    const cluster = await started(2, { settled });
    const [node] = cluster.nodes as [Node];
    assert.ok(node.ask(limits));
    await cluster.round();
    // 98 were settled, perhaps that first one among them: of the rest, half is this node's.
    assert.equal(node.askTimes(10, limits), 0);
    assert.deepEqual(asked, [1]);
  });

  test('a limit that no other node has used is not exchanged for ever', async () => {
    const cluster = await started(2);
    cluster.nodes[0]?.ask(limits);
    await cluster.round();
    assert.equal(cluster.nodes[0]?.shared.size, 1);
    for (let minute = 0; minute < 5; minute += 1) await cluster.round(MINUTE_MS);
    assert.equal(cluster.nodes[0]?.shared.size, 0);
  });
});

describe('while no exchange works', () => {
  test('each node has its part of a limit, at least one call, once three seconds have passed', async () => {
    const cluster = await started(4);
    const [node] = cluster.nodes as [Node];
    cluster.exchange.problem = new Error('away');
    assert.equal(node.askTimes(100, { requestsPerMinute: 100 }), 25);
    for (let round = 0; round < 31; round += 1) await cluster.round();
    assert.equal(cluster.nodes[1]?.askTimes(100, { requestsPerMinute: 100 }), 25);
    assert.equal(cluster.nodes[2]?.askTimes(5, { requestsPerMinute: 2 }), 1);
    assert.deepEqual(
      node.changes.map(({ state }) => state),
      ['failing'],
    );
    cluster.exchange.problem = null;
    for (let round = 0; round < 120; round += 1) await cluster.round();
    assert.deepEqual(
      node.changes.map(({ state }) => state),
      ['failing', 'good'],
    );
    for (let round = 0; round < 20; round += 1) {
      cluster.nodes[3]?.askTimes(5, { requestsPerMinute: 40 }, 2);
      await cluster.round();
    }
    assert.ok((cluster.nodes[3]?.admitted ?? 0) > 30, 'a node alone has nearly all of it again');
  });

  test('the next exchange takes over in the same round, with all counts', async () => {
    const clock = { now: () => 0 };
    const fallback = new MemoryExchange(() => clock.now());
    const cluster = await started(2, { fallback });
    clock.now = () => cluster.clock.monotonic();
    const limits = { requestsPerMinute: 100 };
    const [first, second] = cluster.nodes as [Node, Node];
    for (let round = 0; round < 120; round += 1) {
      if (round === 5) cluster.exchange.problem = new Error('away');
      first.askTimes(2, limits);
      second.askTimes(1, limits);
      await cluster.round();
    }
    assert.ok(cluster.admitted >= 98 && cluster.admitted <= 100, `${cluster.admitted} admitted`);
  });

  test('an exchange that never answers keeps neither a call nor the next exchange waiting for long', async () => {
    const hung: CountExchange = { name: 'hung', periodMs: 100, exchange: () => new Promise(() => undefined) };
    const cluster = new Cluster(2, { fallback: hung });
    cluster.exchange.problem = new Error('away');
    const [node] = cluster.nodes as [Node];
    const round = node.sharing.exchange();
    assert.ok(node.ask({ requestsPerMinute: 10 }), 'a call is judged meanwhile');
    // The round asks the hung one in a later step than this.
    while (node.changes.length < 2) {
      cluster.clock.advance(50);
      await Promise.resolve();
    }
    await round;
    assert.deepEqual(
      node.changes.map(({ way }) => way),
      ['memory', 'hung'],
    );
  });

  test('an exchange that fails rests, longer each time, ten seconds at most', async () => {
    const cluster = await started(1);
    let asked = 0;
    cluster.exchange.exchange = async () => {
      asked += 1;
      throw new Error('away');
    };
    for (let round = 0; round < 600; round += 1) await cluster.round();
    // 0.5, 1, 2, 4, 8 and then 10 s apart.
    assert.ok(asked >= 9 && asked <= 11, `asked ${asked} times in a minute`);
  });
});
