/**
 * Goal: the shares of all nodes are never more than the whole, so no limit is exceeded in any minute, whatever becomes of the exchanges. Method:
 * nodes that exchange at random moments, with answers that come late or never, over two exchanges that fail, forget everything and are
 * seen by some nodes only; property-based.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../core/clock.ts';
import { key, MINUTE_MS, NONE } from '../fixture.ts';
import { Limiter } from '../limiter.ts';
import type { CountBatch, CountExchange } from '../ports.ts';
import { CountSharing } from './count-sharing.ts';
import { MemoryExchange } from './memory-exchange.ts';
import { SharedLimits } from './shared-limits.ts';

const NODES = 4;

/** A node's way to an exchange: it may be cut, and its answers may be lost. */
class Link implements CountExchange {
  readonly name: string;
  readonly periodMs = 100;
  fault: 'none' | 'cut' | 'lost' = 'none';
  readonly #to: MemoryExchange;

  constructor(name: string, to: MemoryExchange) {
    this.name = name;
    this.#to = to;
  }

  async exchange(batch: CountBatch) {
    if (this.fault === 'cut') throw new Error('cut');
    const answer = await this.#to.exchange(batch);
    if (this.fault === 'lost') throw new Error('lost');
    return answer;
  }
}

const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('ask' as const), node: fc.nat(NODES - 1), count: fc.nat(40) }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('exchange' as const), node: fc.nat(NODES - 1) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('round' as const) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('busy' as const), node: fc.nat(NODES - 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      node: fc.nat(NODES - 1),
      link: fc.nat(1),
      fault: fc.constantFrom('none' as const, 'none' as const, 'cut' as const, 'lost' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const), store: fc.nat(1) }) },
);

function openNodes() {
  const clock = new ManualClock();
  const stores = [new MemoryExchange(() => clock.monotonic()), new MemoryExchange(() => clock.monotonic())] as const;
  const nodes = Array.from({ length: NODES }, (_, index) => {
    const links = [new Link('first', stores[0]), new Link('second', stores[1])] as const;
    const shared = new SharedLimits({ clock, nodes: () => NODES });
    const limiter = new Limiter({ clock, requestsToday: () => 0, shared });
    const counter = `${index}`.padStart(16, '0');
    const parts = { limits: shared, exchanges: links, settled: null, clock, counter, onChange: () => undefined };
    return { links, limiter, sharing: new CountSharing(parts) };
  });
  return { clock, stores, nodes };
}

for (const limit of [64, 200, 1_001])
  test(`at random, ${limit} calls a minute are never exceeded`, async () => {
    let used = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 160 }), async (steps) => {
        const { clock, stores, nodes } = openNodes();
        const admitted = new Map<number, number>();
        const ask = (node: number, count: number) => {
          const minute = Math.floor(clock.now() / MINUTE_MS);
          for (let call = 0; call < count; call += 1) {
            const answer = nodes[node]?.limiter.take(key({ requestsPerMinute: limit }), NONE, NONE, 0);
            if (answer?.refused !== null) continue;
            admitted.set(minute, (admitted.get(minute) ?? 0) + 1);
          }
          const sum = admitted.get(minute) ?? 0;
          used = Math.max(used, sum);
          assert.ok(sum <= limit, `${sum} of ${limit} were admitted in a minute`);
        };
        const round = async () => {
          clock.advance(100);
          for (const { sharing } of nodes) await sharing.exchange();
        };
        for (const step of steps) {
          if (step.kind === 'ask') ask(step.node, step.count);
          else if (step.kind === 'exchange') await nodes[step.node]?.sharing.exchange();
          else if (step.kind === 'round') await round();
          else if (step.kind === 'wait') clock.advance(step.ms);
          else if (step.kind === 'flush') stores[step.store as 0 | 1].flush();
          else if (step.kind === 'fault') {
            const link = nodes[step.node]?.links[step.link];
            if (link !== undefined) link.fault = step.fault;
          } else
            for (let turn = 0; turn < 12; turn += 1) {
              ask(step.node, Math.ceil(limit / 20));
              await round();
            }
        }
      }),
      { numRuns: 60 },
    );
    assert.ok(used > limit / 2, `at most ${used} were used: nothing was shared`);
  });
