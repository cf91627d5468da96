/** A node of a test: its place, the numbers of its requests, and its calls. */
import assert from 'node:assert/strict';
import type { Budgets } from '../../core/budget.ts';
import { dayOf } from '../../core/calendar.ts';
import { type AccountId, accountId, type CallId, keyId, newCallId, projectId } from '../../core/ids.ts';
import type { Settlement } from '../../core/settlement.ts';
import { NO_USAGE } from '../../core/usage.ts';
import type {
  LeaseAnswer,
  NodeBank,
  NodeIdentity,
  NodePlace,
  NodeSettings,
  PurseRef,
  SettleAnswer,
  Share,
  Want,
} from '../ports.ts';
import { type BankUnderTest, type BatchCall, money } from './bank-under-test.ts';

/** All nodes of a test have the same. */
export const SETTINGS: NodeSettings = { 'billing.mode': 'prepaid' };

/** The account, and a key and a project of it, that calls use unless they say otherwise. */
export const ACCOUNT: AccountId = accountId(7);
export const BALANCE: PurseRef = { kind: 'balance', id: 7 };
export const KEY: PurseRef = { kind: 'key', id: 31 };
export const PROJECT: PurseRef = { kind: 'project', id: 21 };

export interface Asked {
  readonly purse?: PurseRef;
  readonly shortfall: number | bigint;
  readonly wish?: number | bigint;
  readonly budgets?: Budgets | null;
  readonly seq?: number;
}

export class TestNode {
  readonly bank: NodeBank;
  readonly identity: NodeIdentity;
  place: NodePlace;
  readonly #subject: BankUnderTest;
  #seq = 0;

  constructor(subject: BankUnderTest, bank: NodeBank, identity: NodeIdentity, place: NodePlace) {
    this.#subject = subject;
    this.bank = bank;
    this.identity = identity;
    this.place = place;
  }

  /** `which` says over whose connections it talks, and is its name. */
  static async start(subject: BankUnderTest, which: 0 | 1, name = `node ${which}`): Promise<TestNode> {
    return TestNode.startOn(subject, subject.banks[which], name);
  }

  static async startOn(subject: BankUnderTest, bank: NodeBank, name: string): Promise<TestNode> {
    const identity = {
      id: `id of ${name}`,
      fingerprint: `disk of ${name}`,
      name,
      version: '1.2.3',
      settings: SETTINGS,
    };
    const answer = await bank.register(identity);
    assert.ok(answer.refused === null, 'it is registered');
    return new TestNode(subject, bank, identity, answer.place);
  }

  /** Registers anew, as a node that was killed; returns the epoch whose leases it still has. */
  async restart(): Promise<number | null> {
    const answer = await this.bank.register(this.identity);
    assert.ok(answer.refused === null, 'it is registered');
    this.place = answer.place;
    return answer.carriedEpoch;
  }

  want({ purse = BALANCE, shortfall, wish = shortfall, budgets = null, seq }: Asked): Want {
    this.#seq += 1;
    return { purse, seq: seq ?? this.#seq, shortfall: money(shortfall), wish: money(wish), budgets };
  }

  ask(asked: readonly Asked[], isTogether = false): Promise<LeaseAnswer> {
    const wants = asked.map((each) => this.want(each));
    return this.bank.lease(this.place, wants, isTogether);
  }

  async lease(asked: Asked): Promise<Share> {
    const [share] = sharesOf(await this.ask([asked]));
    assert.ok(share !== undefined);
    return share;
  }

  async giveBack(keeps: number | bigint, { purse = BALANCE, isLast = false } = {}): Promise<boolean> {
    this.#seq += 1;
    const [isGone] = await this.bank.giveBack(this.place, [{ purse, seq: this.#seq, keeps: money(keeps), isLast }]);
    return isGone ?? false;
  }

  settle(calls: readonly BatchCall[], epoch = this.place.epoch): Promise<SettleAnswer> {
    return this.bank.settle(this.place, { epoch, encoded: [this.#subject.encode(calls)] });
  }

  /** A call of this node that counts today, for whose money it holds a lease of its balance. */
  call(charge: number | bigint, changes: Partial<Settlement> & { budgets?: number; day?: number } = {}): BatchCall {
    const { budgets = 0, day, ...settled } = changes;
    const now = this.#subject.now();
    const settlement = sampleCall(now, charge, settled);
    return {
      settlement,
      lease: { epoch: this.place.epoch, rootId: settlement.keyId, budgets, day: day ?? dayOf(settlement.admittedAt) },
    };
  }

  pulse(): ReturnType<NodeBank['pulse']> {
    return this.bank.pulse(this.place, { feedSeq: 0, unsentFrom: null, isDraining: false });
  }
}

export function sharesOf(answer: LeaseAnswer): readonly Share[] {
  assert.ok(!answer.isOver, 'the epoch is not over');
  return answer.shares;
}

export function idOf({ settlement }: BatchCall): CallId {
  return settlement.callId;
}

function sampleCall(now: number, charge: number | bigint, changes: Partial<Settlement>): Settlement {
  return {
    callId: newCallId(now),
    admittedAt: now,
    accountId: ACCOUNT,
    projectId: projectId(PROJECT.id),
    keyId: keyId(KEY.id),
    operation: 'chat',
    model: 'acme/large',
    provider: 'acme',
    usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 5 },
    usageSource: 'reported',
    priceVersion: null,
    cost: money(charge),
    rate: 1_000_000 as Settlement['rate'],
    ownCredential: false,
    hold: money(charge),
    charge: money(charge),
    fault: money(0),
    variance: money(0),
    nodeLoss: money(0),
    saved: money(0),
    ending: 'complete',
    ...changes,
  };
}
