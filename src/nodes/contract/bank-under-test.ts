/** A bank under test, with what a test sees of it past its port. */
import type { CallLease } from '../../billing/ports.ts';
import type { AccountId, CallId } from '../../core/ids.ts';
import type { Money } from '../../core/money.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { NodeBank, PurseRef } from '../ports.ts';

export interface BankUnderTest {
  /** Connections of two nodes: what one does waits for the other only where it has to. */
  readonly banks: readonly [NodeBank, NodeBank];
  /** The database's time, ms. */
  now(): number;
  /** Sets it forward. */
  advance(byMs: number): Promise<void>;
  /** Posts an entry: credit, or a debit if it is negative. */
  post(accountId: AccountId, amount: bigint): Promise<void>;
  /** Makes an account, at a time in ms; does nothing if it is there. `ACCOUNT`, and those for which entries were posted, always were. */
  makeAccount(accountId: AccountId, at: number): Promise<void>;
  /** The database goes back to a time at which there was no such account: neither it nor its money. */
  loseAccount(accountId: AccountId): Promise<void>;
  /** Encodes settlements as journals do. */
  encode(rows: readonly BatchCall[]): Uint8Array;
  /** All zeros for an unknown account. */
  account(accountId: AccountId): Promise<AccountMoney>;
  /** Of all nodes together. */
  lent(purse: PurseRef): Promise<LentSum>;
  settlement(callId: CallId): Promise<Pick<Settlement, 'charge' | 'nodeLoss'> | null>;
  /** Calls and charges that count for a key, a project or an account, by day; ever, in the order of days. */
  spending(purse: PurseRef): Promise<readonly SpentDay[]>;
  /** The sums of charges in the hourly and in the daily sums. */
  rolledUp(accountId: AccountId): Promise<{ readonly hours: bigint; readonly days: bigint }>;
  dispose(): Promise<void>;
}

export interface BatchCall {
  readonly settlement: Settlement;
  readonly lease: CallLease;
}

export interface AccountMoney {
  readonly free: bigint;
  readonly balance: bigint;
  readonly credited: bigint;
  readonly charged: bigint;
}

export interface LentSum {
  readonly granted: bigint;
  readonly spent: bigint;
}

export interface SpentDay {
  readonly day: number;
  readonly calls: number;
  readonly charge: bigint;
}

/** What a test of one promise gets. */
export type BankPromise = (sentence: string, run: (subject: BankUnderTest) => Promise<void>) => void;

export const money = (nano: number | bigint) => BigInt(nano) as Money;
