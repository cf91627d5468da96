/** Nodes over one model of the bank, with messages that take their time: for tests of leases. */

import type { HoldRequest } from '../../src/billing/bank.ts';
import { bound, call, settledCall } from '../../src/billing/bank-under-test.ts';
import type { BillingMode } from '../../src/billing/billing-mode.ts';
import { Demand } from '../../src/billing/demand.ts';
import type { Lent } from '../../src/billing/lent/funds.ts';
import type { CallLease } from '../../src/billing/ports.ts';
import { postingRules } from '../../src/billing/posting-rules.ts';
import type { Refusal } from '../../src/billing/refusal.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { accountId, keyId, newCallId, projectId } from '../../src/core/ids.ts';
import { type Money, parseUsd } from '../../src/core/money.ts';
import type { Settlement } from '../../src/core/settlement.ts';
import { SETTINGS } from '../../src/nodes/contract/test-node.ts';
import { Leases } from '../../src/nodes/leases.ts';
import { MemoryBank } from '../../src/nodes/memory-bank/memory-bank.ts';
import type { NodeBank, NodePlace } from '../../src/nodes/ports.ts';
import { decodeBatch } from '../../src/storage/journal/decode-batch.ts';
import { encodeBatch } from '../../src/storage/journal/encode-batch.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);

/** What a message to the bank takes, ms there and back; null if it never arrives. */
export type Delays = () => { readonly there: number | null; readonly back: number | null };

const AT_ONCE: Delays = () => ({ there: 0, back: 0 });

export class BankUnderTest {
  readonly clock: ManualClock;
  readonly bank: MemoryBank;

  constructor(mode: BillingMode = 'prepaid', startMs = NOON) {
    this.clock = new ManualClock(startMs);
    this.bank = new MemoryBank({ clock: this.clock, mode, decode: (encoded) => decodeBatch(encoded).settlements });
  }

  topUp(usd: string, account = 1): void {
    const amount = parseUsd(usd);
    this.bank.post(
      {
        accountId: accountId(account),
        kind: 'topup',
        amount,
        reference: `top-up ${this.bank.state.entries.length}`,
        callId: null,
        note: null,
        at: this.clock.now(),
      },
      postingRules({ kind: 'topup', amount } as never, 'prepaid', null),
    );
  }

  /** A node that serves. */
  async node(name: string, mode: BillingMode = 'prepaid', delays: Delays = AT_ONCE): Promise<NodeUnderTest> {
    const made = new NodeUnderTest(this, name, mode, delays);
    await made.begin();
    return made;
  }

  /** Time passes, and everything that follows from it happens. */
  async pass(ms: number, stepMs = 1): Promise<void> {
    await turns();
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passed));
      await turns();
    }
  }

  /** Passes time until the promise is settled. */
  async until<Value>(promise: Promise<Value>, mostMs = 10_000): Promise<Value> {
    let isSettled = false;
    const settled = () => {
      isSettled = true;
    };
    promise.then(settled, settled);
    for (let passed = 0; passed < mostMs && !isSettled; passed += 1) await this.pass(1);
    if (!isSettled) throw new Error(`it was not settled within ${mostMs} ms`);
    return promise;
  }
}

export class NodeUnderTest {
  readonly test: BankUnderTest;
  readonly name: string;
  readonly leases: Leases;
  readonly problems: unknown[] = [];
  /** Requests to the bank for shares. */
  asked = 0;
  overs = 0;
  maySpend = true;
  delays: Delays;
  place: NodePlace = { slot: 0, epoch: 0 };
  /** Whether it follows recalls. */
  isListening = true;
  readonly #pulsed = { isPending: false };

  constructor(test: BankUnderTest, name: string, mode: BillingMode, delays: Delays) {
    this.test = test;
    this.name = name;
    this.delays = delays;
    this.leases = new Leases({
      bank: {
        lease: (...request) => {
          this.asked += 1;
          return this.#send(() => test.bank.lease(...request));
        },
        giveBack: (...request) => this.#send(() => test.bank.giveBack(...request)),
        money: test.bank.money,
      },
      mode,
      clock: test.clock,
      maySpend: () => this.maySpend,
      onProblem: (cause) => void this.problems.push(cause),
      onAnswered: () => undefined,
      onOver: () => {
        this.overs += 1;
      },
    });
  }

  async begin(): Promise<void> {
    const node = { id: this.name, fingerprint: this.name, name: this.name, version: 'test', settings: SETTINGS };
    const registered = await this.test.bank.register(node);
    if (registered.refused !== null) throw new Error(`refused: ${registered.refused}`);
    this.place = registered.place;
    this.leases.begin(registered.place);
    await this.test.bank.listen(() => this.pulse());
  }

  /** Asks for recalls, once at a time. */
  pulse(): void {
    if (this.#pulsed.isPending || !this.isListening) return;
    this.#pulsed.isPending = true;
    const request = { feedSeq: 0, unsentFrom: null, isDraining: false };
    void this.#send(() => this.test.bank.pulse(this.place, request)).then(({ recalls }) => {
      this.#pulsed.isPending = false;
      if (recalls.length > 0) this.leases.recalled(recalls);
    });
  }

  /** What a call that may cost this much gets. */
  take(usd: string, changes: Partial<HoldRequest> = {}): Lent | Refusal | Promise<Lent | Refusal> {
    return this.leases.take(call(changes), new Demand(bound(usd)));
  }

  /** Settles a call at the bank, as the forwarder would. */
  async settle(lent: Lent, usd: string, changes: Partial<Settlement> = {}): Promise<void> {
    const charge = parseUsd(usd);
    lent.release(charge);
    await this.test.bank.settle(
      this.place,
      batch(settlementOf(lent, charge, this.test.clock.now(), changes), lent.lease),
    );
  }

  /** Sends a settlement to the bank. */
  async forward(settlement: Settlement, lease: CallLease): Promise<void> {
    await this.test.bank.settle(this.place, batch(settlement, lease));
  }

  #send<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    const { clock } = this.test;
    const { there, back } = this.delays();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const arrive = () => {
      run().then((answer) => {
        if (back === 0) resolve(answer);
        else if (back !== null) clock.after(back, () => resolve(answer));
      }, reject);
    };
    if (there === 0) arrive();
    else if (there !== null) clock.after(there, arrive);
    return promise;
  }
}

export function batch(settlement: Settlement, lease: CallLease): Parameters<NodeBank['settle']>[1] {
  return { epoch: lease.epoch, encoded: [encodeBatch([{ settlement, lease }])] };
}

export function settlementOf(
  { amount }: Pick<Lent, 'amount'>,
  charge: Money,
  nowMs: number,
  changes: Partial<Settlement> = {},
): Settlement {
  const call = {
    callId: newCallId(nowMs),
    admittedAt: nowMs,
    accountId: accountId(1),
    projectId: projectId(2),
    keyId: keyId(3),
  };
  return settledCall(call, { hold: amount, charge, ...changes });
}

/** Longer than the longest chain of promises here. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await null;
}
