/**
 * The shares of balances and budgets that this node has: calls take from them in memory, and the bank is asked for more where
 * they do not suffice, in advance where they are half used. What is not used goes back; what others need goes back at once.
 */
import type { HoldRequest } from '../billing/bank.ts';
import type { BillingMode } from '../billing/billing-mode.ts';
import { Demand } from '../billing/demand.ts';
import type { Funds, Lent } from '../billing/lent/funds.ts';
import type { MoneyView } from '../billing/money-view.ts';
import type { CallLease } from '../billing/ports.ts';
import { type Refusal, shortfall, UNWRITABLE } from '../billing/refusal.ts';
import { dayOf } from '../core/calendar.ts';
import type { Clock, Timer } from '../core/clock.ts';
import type { AccountId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';
import { LeaseQueues } from './lease-queues.ts';
import { LeaseRequests } from './lease-requests.ts';
import { LeaseUpkeep } from './lease-upkeep.ts';
import { LentMoney } from './lent-money.ts';
import { amountNow, type LentPurse, WaitingCall } from './lent-purse.ts';
import type { NodeBank, NodePlace, PurseRef } from './ports.ts';
import { PurseTable } from './purse-table.ts';

export interface LeasesParts {
  readonly bank: Pick<NodeBank, 'lease' | 'giveBack' | 'money'>;
  /** What pages show; the bank's view if absent, which lacks what this node has not sent. */
  readonly money?: MoneyView;
  readonly mode: BillingMode;
  readonly clock: Clock;
  /** Whether what was lent may be spent: not if the node may be taken for lost already. Asked for each call. */
  readonly maySpend: () => boolean;
  /** The bank did not answer, or could not: what needs it fails or waits; calls whose money is at hand do not notice. */
  readonly onProblem: (cause: unknown) => void;
  /** The bank answers again, after it did not for this long. */
  readonly onAnswered: (afterMs: number) => void;
  /** The epoch is over, by an answer of the bank: everything lent is dropped; the node has to register again. */
  readonly onOver: () => void;
}

/** How often a part of the purses is looked at; all of them within `ROUND_MS`. */
const UPKEEP_MS = 100;

export class Leases implements Funds {
  readonly #parts: LeasesParts;
  readonly #purses: PurseTable;
  readonly #requests: LeaseRequests;
  readonly #queues: LeaseQueues;
  readonly #upkeep: LeaseUpkeep;
  readonly #timer: Timer;
  #day: number;

  constructor(parts: LeasesParts) {
    const { bank, mode, clock, maySpend, onProblem, onAnswered } = parts;
    this.#parts = parts;
    this.#day = dayOf(clock.now());
    this.#purses = new PurseTable(mode === 'prepaid', clock);
    this.#requests = new LeaseRequests({ bank, clock, onProblem, onAnswered, onOver: () => this.#end() });
    this.#queues = new LeaseQueues(this.#requests, clock, maySpend);
    this.#upkeep = new LeaseUpkeep(this.#purses, this.#requests, this.#queues, clock);
    this.#timer = clock.every(UPKEEP_MS, () => this.#upkeep.step());
  }

  get money(): MoneyView {
    return this.#parts.money ?? this.#parts.bank.money;
  }

  /** How many purses the node has something of, or had a moment ago. */
  get size(): number {
    return this.#purses.size;
  }

  /** What the node has of balances and has not spent. */
  get lent(): Money {
    let lent = 0n;
    for (const { ref, granted, spent } of this.#purses.all()) if (ref.kind === 'balance') lent += granted - spent;
    return lent as Money;
  }

  /** From now on the node takes shares as this one. What an earlier place was lent is dropped. */
  begin(place: NodePlace): void {
    this.#drop();
    this.#requests.place = place;
  }

  /** The epoch is over, or the node ends: nothing is admitted until `begin`. Running calls keep what they hold, and their epoch. */
  drop(): void {
    this.#drop();
  }

  /** Gives back what no call holds; resolves when the bank has answered, or is away. */
  async returnAll(): Promise<void> {
    await this.#upkeep.returnAll();
  }

  stop(): void {
    this.#timer.cancel();
    this.#drop();
  }

  /** What no call holds of these purses goes back, because their limits may have changed. */
  giveBack(purses: readonly PurseRef[]): void {
    this.#upkeep.recalled(purses.filter((purse) => this.#purses.known(purse) !== null));
  }

  /** Another node needs these purses, and the bank says that this one has something of them. */
  recalled(purses: readonly PurseRef[]): void {
    this.#upkeep.recalled(purses);
  }

  today(): number {
    const day = Math.max(dayOf(this.#parts.clock.now()), this.#requests.day);
    if (day > this.#day) this.#day = day;
    return this.#day;
  }

  leaseOfNone(request: HoldRequest): CallLease {
    return this.#leaseOf(request, 0);
  }

  take(request: HoldRequest, demand: Demand): Lent | Refusal | Promise<Lent | Refusal> {
    const purses = this.#pursesOf(request);
    if (purses.length === 0) return this.#lent(request, purses, demand.full);
    if (!this.#mayTake()) return UNWRITABLE;
    const taken = this.#takeNow(purses, demand);
    if (taken !== null) return this.#lent(request, purses, taken);
    const refusal = this.#knownRefusal(purses, demand.least);
    if (refusal !== null) return refusal;
    return this.#wait(purses, demand, never).then((outcome) =>
      typeof outcome === 'bigint' ? this.#lentNow(request, purses, outcome) : outcome,
    );
  }

  takeMore(lent: Lent, more: Money): boolean | Promise<boolean> {
    const money = LentMoney.of(lent);
    const { purses } = money;
    if (money.isReleased) return false;
    if (purses.length === 0) return money.grow(more);
    if (!this.#mayTake() || purses.some((purse) => purse.isOver)) return false;
    const demand = Demand.of(more);
    if (this.#takeNow(purses, demand) !== null) return money.grow(more);
    if (this.#knownRefusal(purses, more) !== null) return false;
    return this.#wait(purses, demand, () => money.isReleased).then(
      (outcome) => typeof outcome === 'bigint' && outcome > 0n && money.grow(more),
    );
  }

  knownRefusal(request: HoldRequest, needed: Money): Refusal | null {
    const purses = this.#pursesOf(request);
    if (purses.length === 0) return null;
    if (!this.#mayTake()) return UNWRITABLE;
    return this.#knownRefusal(purses, needed);
  }

  async collect(accountId: AccountId, amount: Money): Promise<boolean> {
    if (!this.#mayTake()) return false;
    const purse = this.#purses.of({ kind: 'balance', id: accountId });
    const taken = await this.#wait([purse], Demand.of(amount), never);
    if (typeof taken !== 'bigint') return false;
    while (purse.request !== null) await purse.request;
    purse.release(amount, 0n as Money, this.#parts.clock.monotonic());
    if (purse.isOver) return false;
    return this.#requests.giveBack([purse], false, purse.atHand - amount);
  }

  changed(accountId: AccountId): void {
    const purse = this.#purses.known({ kind: 'balance', id: accountId });
    if (purse !== null) purse.refusal = null;
  }

  #mayTake(): boolean {
    return this.#requests.place !== null && this.#parts.maySpend();
  }

  /** In one step, if there is enough and nobody waits for it. */
  #takeNow(purses: readonly LentPurse[], demand: Demand): Money | null {
    for (const purse of purses) if (purse.waiting.length > 0 || purse.isReturning) return null;
    const amount = amountNow(purses, demand, false);
    if (amount === null) return null;
    const nowMs = this.#parts.clock.monotonic();
    for (const purse of purses) {
      purse.take(amount, nowMs);
      if (purse.atHand < purse.refillBelow) this.#upkeep.refill(purse);
    }
    return amount;
  }

  #wait(purses: readonly LentPurse[], demand: Demand, isGone: () => boolean): Promise<Money | Refusal> {
    const home =
      purses.find((purse) => purse.waiting.length > 0 || purse.isReturning || purse.atHand < demand.full) ??
      (purses.at(-1) as LentPurse);
    const call = new WaitingCall(purses, demand, home, isGone);
    this.#queues.add(call);
    return call.done;
  }

  #lent(request: HoldRequest, purses: readonly LentPurse[], amount: Money): Lent {
    let budgets = 0;
    for (const { ref } of purses) budgets += BUDGET_BITS[ref.kind];
    return new LentMoney(purses, amount, this.#leaseOf(request, budgets), this.#parts.clock, this.#queues);
  }

  /** The epoch may have ended in the moment between. Under another one, or none, the call would be charged what it was not lent. */
  #lentNow(request: HoldRequest, purses: readonly LentPurse[], amount: Money): Lent | Refusal {
    return purses.some((purse) => purse.isOver) ? UNWRITABLE : this.#lent(request, purses, amount);
  }

  #leaseOf({ keyId }: HoldRequest, budgets: number): CallLease {
    return { epoch: this.#requests.place?.epoch ?? 0, rootId: keyId, budgets, day: this.today() };
  }

  /** The purses that limit the call, the narrowest first. */
  #pursesOf(request: HoldRequest): readonly LentPurse[] {
    const purses = this.#purses.ofCall(request);
    for (const purse of purses) if (purse.isReturning && purse.request === null) this.#upkeep.giveBack(purse);
    return purses;
  }

  #knownRefusal(purses: readonly LentPurse[], needed: Money): Refusal | null {
    const nowMs = this.#parts.clock.monotonic();
    for (const { refusal, atHand, reachable } of purses) {
      if (refusal === null || nowMs >= refusal.untilMs) continue;
      const { constraint } = refusal;
      // What a call has released meanwhile may be enough with what is free at the bank.
      if (needed > constraint.available && needed > atHand && needed > reachable) return shortfall(constraint, needed);
    }
    return null;
  }

  #end(): void {
    this.#drop();
    this.#parts.onOver();
  }

  #drop(): void {
    this.#requests.place = null;
    for (const purse of this.#purses.all()) {
      purse.isOver = true;
      this.#queues.refuseAll(purse);
    }
    this.#purses.clear();
    this.#upkeep.clear();
  }
}

const BUDGET_BITS: Readonly<Record<PurseRef['kind'], number>> = { balance: 0, key: 1, project: 2, account: 4 };

function never(): boolean {
  return false;
}
