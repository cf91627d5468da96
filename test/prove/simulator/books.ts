/**
 * The simulator's own bookkeeping: every row that reached the disk, added up in the simplest way. It shares no
 * code with the bank, so that both cannot be wrong in the same way. A row that breaks a promise throws.
 */

import { costOf } from '../../../src/billing/cost.ts';
import type { NewEntry } from '../../../src/billing/entry.ts';
import type { LedgerRow } from '../../../src/billing/ports.ts';
import type { Prices } from '../../../src/catalog/model.ts';
import type { CallId, PriceVersionId } from '../../../src/core/ids.ts';
import { roundUpToNano } from '../../../src/core/money.ts';
import type { Settlement } from '../../../src/core/settlement.ts';
import { promise, same } from './violation.ts';

/** Sums of one account. */
export interface AccountSums {
  credited: bigint;
  charged: bigint;
}

const FREE_ENDINGS = new Set(['empty', 'upstream_failed', 'upstream_timeout', 'refused_upstream', 'gateway_failed']);

export class Books {
  readonly settled = new Map<CallId, Settlement>();
  readonly holds = new Map<CallId, Settlement>();
  readonly entries = new Map<string, NewEntry>();
  readonly accounts = new Map<number, AccountSums>();
  /** Both sides of every transfer, by the ledger's accounts; they add up to nothing. */
  readonly legs = new Map<string, bigint>();
  readonly #refunded = new Map<CallId, bigint>();
  readonly #prices: (version: PriceVersionId) => Prices;
  /** Called with each settlement that became durable. */
  readonly #onSettled: (settlement: Settlement) => void;

  constructor(prices: (version: PriceVersionId) => Prices, onSettled: (settlement: Settlement) => void) {
    this.#prices = prices;
    this.#onSettled = onSettled;
  }

  sums(account: number): AccountSums {
    let sums = this.accounts.get(account);
    if (sums === undefined) {
      sums = { credited: 0n, charged: 0n };
      this.accounts.set(account, sums);
    }
    return sums;
  }

  balance(account: number): bigint {
    const { credited, charged } = this.sums(account);
    return credited - charged;
  }

  committed(rows: readonly LedgerRow[]): void {
    for (const row of rows) {
      const { settlement } = row;
      if (row.type === 'settlement') {
        this.holds.delete(settlement.callId);
        this.#settle(settlement);
      } else if (row.type === 'hold' || this.holds.has(settlement.callId)) {
        promise(!this.settled.has(settlement.callId), () => `settled call ${settlement.callId} holds money again`);
        this.holds.set(settlement.callId, settlement);
      }
    }
  }

  posted(entry: NewEntry): void {
    const name = `${entry.accountId} ${entry.reference}`;
    promise(!this.entries.has(name), () => `the reference ${name} was posted twice`);
    this.entries.set(name, entry);
    const sums = this.sums(entry.accountId);
    if (entry.kind === 'refund') {
      sums.charged -= entry.amount;
      this.#refund(entry);
    } else sums.credited += entry.amount;
    this.#transfer(entry.kind === 'refund' ? 'revenue' : entry.kind, 'available', entry.amount);
  }

  /** What the storage must do with open holds when it is opened. Returns how many there were. */
  recovered(): number {
    const open = [...this.holds.values()];
    this.holds.clear();
    for (const settlement of open) {
      same(settlement.ending === 'gateway_crashed' ? 1 : 0, 1, () => `crash ending of ${settlement.callId}`);
      this.#settle(settlement);
    }
    return open.length;
  }

  /** Promises about all the rows together. */
  check(): void {
    let legs = 0n;
    for (const amount of this.legs.values()) legs += amount;
    same(legs, 0n, () => 'the sum of all legs');
    let balances = 0n;
    for (const account of this.accounts.keys()) balances += this.balance(account);
    same(this.legs.get('available') ?? 0n, balances, () => 'what the transfers leave the accounts');
  }

  #settle(settlement: Settlement): void {
    const { callId, hold, charge, fault, variance, nodeLoss, ending } = settlement;
    promise(!this.settled.has(callId), () => `call ${callId} was settled twice`);
    this.settled.set(callId, settlement);
    promise(charge >= 0n && fault >= 0n && variance >= 0n && nodeLoss >= 0n, () => `a share of ${callId} is negative`);
    promise(hold === null || charge <= hold, () => `call ${callId} is charged ${charge}, above its hold ${hold}`);
    this.#checkShares(settlement);
    promise(charge === 0n || !FREE_ENDINGS.has(ending), () => `call ${callId} is charged, and ended ${ending}`);
    this.#recompute(settlement);
    if (hold !== null) {
      this.sums(settlement.accountId).charged += charge;
      this.#transfer('available', 'revenue', charge);
    }
    this.#transfer('expense:upstream_fault', 'revenue', fault);
    this.#transfer('expense:variance', 'revenue', variance);
    this.#transfer('expense:node_loss', 'revenue', nodeLoss);
    this.#onSettled(settlement);
  }

  /**
   * The account is charged the cost at the rate, rounded up, and at most the hold; the operator bears the rest, or a failure's cost, but nothing
   * of an own credential.
   */
  #checkShares({
    callId,
    cost,
    rate,
    ownCredential,
    hold,
    charge,
    fault,
    variance,
    nodeLoss,
    ending,
  }: Settlement): void {
    const borne = ownCredential ? 0n : (cost ?? 0n);
    if (FREE_ENDINGS.has(ending)) return same(charge + fault + variance, borne, () => `the shares of ${callId}`);
    const exact = (cost ?? 0n) * BigInt(rate);
    const whole = exact / 1_000_000n + (exact % 1_000_000n === 0n ? 0n : 1n);
    const most = ownCredential ? (hold ?? charge + nodeLoss) : whole;
    same(charge + variance + nodeLoss, whole < most ? whole : most, () => `what ${callId} cost at its rate`);
    same<bigint>(fault, 0n, () => `what the operator bears of ${callId}, which is charged`);
  }

  #recompute({ callId, usage, usageSource, priceVersion, cost }: Settlement): void {
    if (priceVersion === null) return same(cost === null || cost === 0n ? 0 : 1, 0, () => `the price of ${callId}`);
    const expected = usageSource === 'none' ? 0n : roundUpToNano(costOf(usage, this.#prices(priceVersion)));
    same<bigint>(cost ?? -1n, expected, () => `the cost of ${callId} by its tokens and price version`);
  }

  #refund({ callId, amount, accountId }: NewEntry): void {
    const settlement = callId === null ? undefined : this.settled.get(callId);
    promise(settlement?.accountId === accountId, () => `a refund of ${callId}, which is no call of ${accountId}`);
    const refunded = (this.#refunded.get(callId as CallId) ?? 0n) + amount;
    this.#refunded.set(callId as CallId, refunded);
    promise(refunded <= (settlement?.charge ?? 0n), () => `call ${callId} is refunded ${refunded}, above its charge`);
  }

  #transfer(debit: string, credit: string, amount: bigint): void {
    this.legs.set(debit, (this.legs.get(debit) ?? 0n) - amount);
    this.legs.set(credit, (this.legs.get(credit) ?? 0n) + amount);
  }
}
