/**
 * Goal: the limits of a scope hold over all nodes, and no call waits for that or is refused because an exchange is away. Method: limiters that
 * exchange counts within the process, each on the same clock, with calls that come to them in examples and at random.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
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
  readonly size: number;
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
  await cluster.round();
  return cluster;
}

describe('requests a minute, over several nodes', () => {
  test('one node may use the whole limit while the others are idle', async () => {
    const cluster = await started(4);
    const [node] = cluster.nodes as [Node];
    for (let round = 0; round < 12; round += 1) {
      node.askTimes(10, { requestsPerMinute: 100 });
      await cluster.round();
    }
    assert.equal(node.admitted, 100);
  });

  test('calls that are spread over four nodes exceed the limit by what the others admit in two periods at most', async () => {
    const limit = 1_000;
    const perRound = 10;
    const cluster = await started(4);
    for (let round = 0; round < 100; round += 1) {
      for (const node of cluster.nodes) node.askTimes(perRound, { requestsPerMinute: limit });
      await cluster.round();
    }
    assert.ok(cluster.admitted >= limit, `${cluster.admitted} admitted`);
    assert.ok(cluster.admitted <= limit + 2 * 3 * perRound, `${cluster.admitted} admitted`);
  });

  test('a key that few calls use is not exchanged at all', async () => {
    const cluster = await started(4);
    for (const node of cluster.nodes) node.askTimes(12, { requestsPerMinute: 100 });
    for (let round = 0; round < 10; round += 1) await cluster.round();
    assert.equal(cluster.exchange.received, 0);
    assert.equal(cluster.nodes[0]?.shared.size, 0);
  });

  test('a node with few calls sends its count as soon as another one has announced the key', async () => {
    const cluster = await started(4);
    const limits = { requestsPerMinute: 100 };
    const [busy, ...others] = cluster.nodes as [Node, Node, Node, Node];
    for (const other of others) assert.equal(other.askTimes(10, limits), 10);
    assert.equal(busy.askTimes(40, limits), 40);
    for (let round = 0; round < 3; round += 1) await cluster.round();
    assert.equal(busy.askTimes(100, limits), 30);
    await cluster.round();
    for (const other of others) assert.equal(other.askTimes(10, limits), 0);
  });

  test('the wait that a refusal names includes the calls of the others', async () => {
    const cluster = await started(2);
    const limits = { requestsPerMinute: 10 };
    const [first, second] = cluster.nodes as [Node, Node];
    assert.equal(first.askTimes(10, limits), 10);
    for (let round = 0; round < 3; round += 1) await cluster.round();
    const readings = second.limiter.readings(key(limits), NONE, NONE);
    assert.equal(readings[0]?.remaining, 0);
    const waitMs = readings[0]?.waitMs ?? 0;
    assert.ok(waitMs > 59_000 && waitMs < MINUTE_MS, `${waitMs} ms`);
    await cluster.round(waitMs - 1_000);
    assert.equal(second.askTimes(1, limits), 0);
    await cluster.round(1_100);
    assert.equal(second.askTimes(1, limits), 1);
  });

  test('at random, a limit is never exceeded by more than two periods of the others, nor refused below it', async () => {
    const calls = fc.array(fc.array(fc.nat(6), { minLength: 3, maxLength: 3 }), { minLength: 30, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 20, max: 90 }), async (rounds, limit) => {
        const cluster = await started(3);
        let refused = 0;
        for (const round of rounds) {
          const before = cluster.admitted;
          let asked = 0;
          for (const [index, count] of round.entries()) {
            asked += count;
            cluster.nodes[index]?.askTimes(count, { requestsPerMinute: limit });
          }
          refused += asked - (cluster.admitted - before);
          if (refused > 0) assert.ok(cluster.admitted >= limit, `refused at ${cluster.admitted} of ${limit}`);
          await cluster.round();
        }
        assert.ok(cluster.admitted <= limit + 2 * 3 * 6, `${cluster.admitted} of ${limit}`);
      }),
      { numRuns: 60 },
    );
  });

  test('a node that restarts does not forget what it had counted', async () => {
    const cluster = await started(2);
    const limits = { requestsPerMinute: 20 };
    assert.equal(cluster.nodes[0]?.askTimes(15, limits), 15);
    for (let round = 0; round < 2; round += 1) await cluster.round();
    const again = new Node(cluster.clock, cluster);
    cluster.nodes[0] = again;
    await cluster.round();
    again.ask(limits);
    await cluster.round();
    assert.equal(again.askTimes(20, limits), 4);
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
    const tickets = Array.from({ length: 3 }, () => first.ask(limits));
    for (let round = 0; round < 2; round += 1) await cluster.round();
    assert.equal(second.askTimes(3, limits), 1);
    for (const ticket of tickets) if (ticket !== null) first.limiter.correct(ticket, 0);
    for (let round = 0; round < 2; round += 1) await cluster.round();
    assert.equal(second.askTimes(4, limits), 3);
  });

  test('calls of a node that died free their places after five seconds, long ones of a node that lives do not', async () => {
    const cluster = await started(2);
    const [dies, lives] = cluster.nodes as [Node, Node];
    assert.equal(dies.askTimes(2, limits), 2);
    assert.equal(lives.askTimes(2, limits), 2);
    for (let round = 0; round < 200; round += 1) await cluster.round();
    assert.equal(lives.askTimes(1, limits), 0);
    cluster.nodes.splice(0, 1);
    for (let round = 0; round < 51; round += 1) {
      lives.ask(limits);
      await cluster.round();
    }
    assert.equal(lives.admitted, 4);
  });
});

describe('requests a day, over several nodes', () => {
  const limits = { requestsPerDay: 100 };

  test('the calls of all nodes count, and the next day begins at none', async () => {
    const cluster = await started(2);
    const [first, second] = cluster.nodes as [Node, Node];
    assert.equal(first.askTimes(60, limits), 60);
    for (let round = 0; round < 2; round += 1) await cluster.round();
    second.ask(limits);
    for (let round = 0; round < 2; round += 1) await cluster.round();
    assert.equal(second.askTimes(100, limits), 39);
    await cluster.round(24 * 60 * MINUTE_MS);
    assert.equal(second.askTimes(50, limits), 50);
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
    // 98 were settled, perhaps that first one among them.
    assert.equal(node.askTimes(10, limits), 2);
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
    assert.equal(node.askTimes(100, { requestsPerMinute: 100 }), 100, 'what others have counted is still known');
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
    assert.equal(cluster.nodes[3]?.askTimes(5, { requestsPerMinute: 4 }, 2), 4);
  });

  test('the next exchange takes over in the same round, with all counts', async () => {
    const clock = { now: () => 0 };
    const fallback = new MemoryExchange(() => clock.now());
    const cluster = await started(2, { fallback });
    clock.now = () => cluster.clock.monotonic();
    const limits = { requestsPerMinute: 100 };
    const [first, second] = cluster.nodes as [Node, Node];
    assert.equal(first.askTimes(60, limits), 60);
    for (let round = 0; round < 2; round += 1) await cluster.round();
    cluster.exchange.problem = new Error('away');
    first.ask(limits);
    second.ask(limits);
    for (let round = 0; round < 2; round += 1) await cluster.round();
    assert.equal(second.askTimes(100, limits), 38);
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
