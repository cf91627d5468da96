/**
 * Goal: whatever nodes ask, in whatever order, PostgreSQL answers as the model does with which everything else is proven. Method: random
 * sequences of requests of two nodes, sent to both; every answer and every sum is compared.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openMemoryBank } from '../../../../test/support/memory-bank-under-test.ts';
import { openPostgresBank } from '../../../../test/support/postgres/bank-under-test.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import type { BillingMode } from '../../../billing/billing-mode.ts';
import type { Budgets } from '../../../core/budget.ts';
import { type BankUnderTest, type BatchCall, money } from '../../../nodes/contract/bank-under-test.ts';
import { ACCOUNT, BALANCE, KEY, PROJECT, TestNode } from '../../../nodes/contract/test-node.ts';
import type { PurseRef } from '../../../nodes/ports.ts';

const DAY_MS = 86_400_000;
const LOST_AFTER_MS = 120_000;
const PURSES: readonly PurseRef[] = [BALANCE, KEY, PROJECT, { kind: 'account', id: ACCOUNT }];
const BUDGETS: readonly Budgets[] = [
  {},
  { day: money(40) },
  { day: money(60), total: money(150) },
  { week: money(70), month: money(90) },
  { total: money(0) },
];

const node = fc.nat(1);
const asked = fc.record({ shortfall: fc.nat(50), more: fc.nat(80) });
const charged = fc.record({
  charge: fc.nat(30),
  budgets: fc.nat(7),
  day: fc.nat(2),
  isHeld: fc.boolean(),
});
const step = fc.oneof(
  fc.record({
    what: fc.constant('lease' as const),
    node,
    asked: fc.array(asked, { minLength: 1, maxLength: 4 }),
    first: fc.nat(3),
    isTogether: fc.boolean(),
  }),
  fc.record({ what: fc.constant('settle' as const), node, calls: fc.array(charged, { minLength: 1, maxLength: 4 }) }),
  fc.record({ what: fc.constant('late' as const), node, calls: fc.array(charged, { minLength: 1, maxLength: 6 }) }),
  fc.record({ what: fc.constant('unlent' as const), node, calls: fc.array(charged, { minLength: 1, maxLength: 2 }) }),
  fc.record({ what: fc.constant('again' as const), node, isOther: fc.boolean() }),
  fc.record({
    what: fc.constant('give back' as const),
    node,
    purse: fc.nat(3),
    keeps: fc.nat(60),
    isLast: fc.boolean(),
  }),
  fc.record({ what: fc.constant('limit' as const), purse: fc.nat(2), budgets: fc.nat(BUDGETS.length - 1) }),
  fc.record({ what: fc.constant('post' as const), amount: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ what: fc.constantFrom('restart' as const, 'close' as const, 'lose' as const), node }),
  fc.record({ what: fc.constant('days' as const), days: fc.integer({ min: 1, max: 40 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

for (const server of serverNames)
  for (const mode of ['prepaid', 'postpaid'] as const)
    test(`PostgreSQL ${server}, ${mode}: random requests of two nodes are answered as by the model`, {
      timeout: 300_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const model = await Side.open(await openMemoryBank(mode), mode);
          const real = await Side.open(await openPostgresBank(server, mode), mode);
          try {
            for (const [index, each] of steps.entries()) {
              const expected = await model.take(each, null);
              assert.deepEqual(await real.take(each, model), expected, `step ${index}: ${each.what}`);
            }
          } finally {
            for (const { subject } of [model, real]) await subject.dispose();
          }
        }),
        { numRuns: 40 },
      );
    });

/** A bank with two nodes. The calls of the real one are those of the model. */
class Side {
  readonly subject: BankUnderTest;
  readonly nodes: readonly [TestNode, TestNode];
  /** Nobody is lent a balance that is paid for afterwards; what is charged to it, the model takes at once. */
  readonly #purses: readonly PurseRef[];
  readonly #budgets: Budgets[] = [{}, {}, {}];
  /** Of each node: the epoch before the present one, whether its leases are still open, and whether the present one is over. */
  readonly #before = [0, 0];
  readonly #isCarried = [false, false];
  readonly #isOver = [false, false];
  calls: readonly BatchCall[] = [];
  #sent: { readonly calls: readonly BatchCall[]; readonly epoch: number } | null = null;

  private constructor(subject: BankUnderTest, nodes: readonly [TestNode, TestNode], mode: BillingMode) {
    this.subject = subject;
    this.nodes = nodes;
    this.#purses = mode === 'prepaid' ? PURSES : PURSES.slice(1);
  }

  static async open(subject: BankUnderTest, mode: BillingMode): Promise<Side> {
    await subject.post(ACCOUNT, 100n);
    return new Side(subject, [await TestNode.start(subject, 0), await TestNode.start(subject, 1)], mode);
  }

  /** What it answered, and what is known then. */
  async take(each: Step, model: Side | null): Promise<unknown> {
    const answer = await this.#take(each, model);
    const { subject } = this;
    const { free, ...account } = await subject.account(ACCOUNT);
    return {
      answer,
      account: this.#purses === PURSES ? { free, ...account } : account,
      rolledUp: await subject.rolledUp(ACCOUNT),
      lent: await Promise.all(this.#purses.map((purse) => subject.lent(purse))),
      spending: await Promise.all(PURSES.slice(1).map((purse) => subject.spending(purse))),
      settled: await Promise.all(this.calls.map(({ settlement }) => subject.settlement(settlement.callId))),
    };
  }

  async #take(each: Step, model: Side | null): Promise<unknown> {
    const { subject, nodes } = this;
    switch (each.what) {
      case 'limit':
        this.#budgets[each.purse] = BUDGETS[each.budgets] as Budgets;
        return null;
      case 'post':
        return subject.post(ACCOUNT, BigInt(each.amount));
      case 'days':
        await subject.advance(each.days * DAY_MS);
        for (const { bank, place } of nodes)
          await bank.pulse(place, { feedSeq: 0, unsentFrom: null, isDraining: false });
        return null;
      default:
    }
    const which = nodes[each.node] as TestNode;
    const { bank, place } = which;
    switch (each.what) {
      case 'lease': {
        const purses = [...PURSES, ...PURSES].slice(each.first, each.first + each.asked.length);
        const wants = purses.flatMap((purse, index) => {
          const { shortfall, more } = each.asked[index] as { shortfall: number; more: number };
          const at = PURSES.indexOf(purse);
          const budgets = at === 0 ? null : (this.#budgets[at - 1] ?? null);
          return this.#purses.includes(purse) ? [{ purse, shortfall, wish: shortfall + more, budgets }] : [];
        });
        if (wants.length === 0) return null;
        return which.ask(wants, each.isTogether);
      }
      case 'give back': {
        const purse = this.#purses[each.purse];
        if (purse === undefined || this.#isOver[each.node]) return null;
        return which.giveBack(each.keeps, { purse, isLast: each.isLast });
      }
      case 'restart':
        this.#before[each.node] = place.epoch;
        this.#isOver[each.node] = false;
        return which.restart().then((carried) => {
          this.#isCarried[each.node] = carried !== null;
          return [carried, which.place.epoch];
        });
      case 'close':
        this.#isCarried[each.node] = false;
        return bank.closeLeases(place);
      case 'lose': {
        const other = nodes[1 - each.node] as TestNode;
        await subject.advance(LOST_AFTER_MS + 1_000);
        await other.pulse();
        const lost = await other.bank.reap(other.place, LOST_AFTER_MS);
        if (lost.length > 0) {
          this.#isOver[each.node] = true;
          this.#isCarried[each.node] = false;
        }
        return lost;
      }
      case 'again': {
        if (this.#sent === null) return null;
        const { calls, epoch } = this.#sent;
        const [first, ...rest] = calls as [BatchCall, ...BatchCall[]];
        const other = { ...first, settlement: { ...first.settlement, operation: 'other' } };
        return this.#settle(which, each.isOther ? [other, ...rest] : calls, epoch);
      }
      default: {
        // If too little is lent, the real bank takes all calls of the batch for late, and the model some: such calls are sent alone.
        const isLent = each.what === 'settle' || (each.what === 'late' && this.#isCarried[each.node]);
        const made = isLent ? each.calls.slice(0, 1) : each.calls;
        this.calls = model?.calls ?? made.map((call) => callOf(which, call));
        const epochs = { settle: place.epoch, late: this.#before[each.node] ?? 0, unlent: 0 };
        const epoch = epochs[each.what];
        this.#sent = { calls: this.calls, epoch };
        return this.#settle(which, this.calls, epoch);
      }
    }
  }

  /** Of calls that are charged in full, whether they are late makes no difference. */
  async #settle(which: TestNode, calls: readonly BatchCall[], epoch: number): Promise<unknown> {
    const { conflicts, late } = await which.settle(calls, epoch);
    return this.#purses === PURSES ? { conflicts, late } : { conflicts, loss: late?.loss ?? 0n };
  }
}

function callOf(
  which: TestNode,
  { charge, budgets, day, isHeld }: { charge: number; budgets: number; day: number; isHeld: boolean },
): BatchCall {
  const call = which.call(charge, { budgets, ...(isHeld ? {} : { hold: null }) });
  return { ...call, lease: { ...call.lease, day: call.lease.day + day } };
}
