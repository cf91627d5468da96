/** What the model of the bank knows: plain amounts and rows, so that all of it can be copied and put back. */

import type { PostedEntry } from '../../billing/entry.ts';
import { BUDGET_WINDOWS, type Budgets, type BudgetWindow } from '../../core/budget.ts';
import { monthOf, weekOf } from '../../core/calendar.ts';
import type { FeedChange } from '../../core/feed.ts';
import type { CallId } from '../../core/ids.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { NodeState, PurseRef } from '../ports.ts';

export interface NodeRow {
  readonly slot: number;
  id: string;
  fingerprint: string;
  name: string;
  version: string;
  /** `billing.mode`. */
  mode: string;
  epoch: number;
  /** The oldest epoch whose leases the slot still has. */
  carriedEpoch: number | null;
  state: NodeState;
  seenAt: number;
  feedSeq: number;
  unsentFrom: number | null;
}

export interface AccountRow {
  /** What is not lent. */
  free: bigint;
  credited: bigint;
  /** Charged without a lease, or of leases that are closed, less refunds. */
  charged: bigint;
}

export interface LeaseRow {
  granted: bigint;
  spent: bigint;
  seq: number;
}

export interface DayRow {
  calls: number;
  charge: bigint;
  ownCost: bigint;
}

export interface Settled {
  /** As it was sent. */
  readonly sent: Settlement;
  /** As it counts. */
  readonly settlement: Settlement;
  /** Whose budgets it counts in, and in which windows. */
  readonly rootId: number;
  readonly day: number;
  readonly isLate: boolean;
}

const NOTHING: AccountRow = { free: 0n, credited: 0n, charged: 0n };

export class BankState {
  nodes = new Map<number, NodeRow>();
  accounts = new Map<number, AccountRow>();
  /** When accounts were made, ms; infinite for one that was lost. Others were always there. */
  madeAt = new Map<number, number>();
  /** By purse, then by slot. */
  leases = new Map<string, Map<number, LeaseRow>>();
  /** The limits of budgets as a node knew them last. */
  budgets = new Map<string, Budgets>();
  /** By key, project or account, then by day. */
  days = new Map<string, Map<number, DayRow>>();
  settled = new Map<CallId, Settled>();
  entries: PostedEntry[] = [];
  changes: FeedChange[] = [];
  lastEpoch = 0;

  copy(): BankState {
    return Object.assign(new BankState(), structuredClone({ ...this }));
  }

  /** To be changed: it is made if it is not there. */
  account(id: number): AccountRow {
    return rowOf(this.accounts, id, () => ({ ...NOTHING }));
  }

  knownAccount(id: number): Readonly<AccountRow> {
    return this.accounts.get(id) ?? NOTHING;
  }

  leasesOf(ref: PurseRef): Map<number, LeaseRow> {
    return rowOf(this.leases, purseKey(ref), () => new Map<number, LeaseRow>());
  }

  dayOf(ref: PurseRef, day: number): DayRow {
    const days = rowOf(this.days, purseKey(ref), () => new Map<number, DayRow>());
    return rowOf(days, day, () => ({ calls: 0, charge: 0n, ownCost: 0n }));
  }

  /** Lent and not spent: to all slots but one. */
  lent(ref: PurseRef, exceptSlot: number | null): bigint {
    let sum = 0n;
    for (const [slot, { granted, spent }] of this.leasesOf(ref)) if (slot !== exceptSlot) sum += granted - spent;
    return sum;
  }

  /** Charges of the window that contains `day`, and of every later day. */
  spent(ref: PurseRef, window: BudgetWindow, day: number): bigint {
    let sum = 0n;
    const from = firstDayOf(window, day);
    for (const [each, { charge }] of this.days.get(purseKey(ref)) ?? []) if (each >= from) sum += charge;
    return sum;
  }

  /**
   * What budgets leave in the windows of a day, and the window that leaves the least; null without any limit. `taken`: what calls that are not
   * written yet take from a day on.
   */
  room(
    ref: PurseRef,
    budgets: Budgets,
    day: number,
    taken: (firstDay: number) => bigint = () => 0n,
  ): { readonly room: bigint; readonly window: BudgetWindow } | null {
    const lent = this.lent(ref, null);
    let found: { readonly room: bigint; readonly window: BudgetWindow } | null = null;
    for (const window of BUDGET_WINDOWS) {
      const limit = budgets[window];
      if (limit === undefined) continue;
      const room = limit - this.spent(ref, window, day) - lent - taken(firstDayOf(window, day));
      if (found === null || room < found.room) found = { room, window };
    }
    return found;
  }

  balance(id: number): bigint {
    return this.knownAccount(id).free + this.lent({ kind: 'balance', id }, null);
  }

  charged(id: number): bigint {
    let sum = this.knownAccount(id).charged;
    for (const { spent } of this.leasesOf({ kind: 'balance', id }).values()) sum += spent;
    return sum;
  }

  /** Everything that is lent to the slot and not spent returns. */
  close(slot: number): void {
    for (const [key, leases] of this.leases) {
      const lease = leases.get(slot);
      if (lease === undefined) continue;
      leases.delete(slot);
      const [kind, id] = key.split(' ');
      if (kind === 'balance') this.returned(Number(id), lease.granted - lease.spent, lease.spent);
    }
  }

  /** A lease of a balance has ended. */
  returned(accountId: number, rest: bigint, spent: bigint): void {
    const account = this.account(accountId);
    account.free += rest;
    account.charged += spent;
  }
}

export function purseKey({ kind, id }: PurseRef): string {
  return `${kind} ${id}`;
}

function firstDayOf(window: BudgetWindow, day: number): number {
  if (window === 'day') return day;
  if (window === 'week') return weekOf(day);
  return window === 'month' ? monthOf(day) : Number.NEGATIVE_INFINITY;
}

function rowOf<Key, Row>(rows: Map<Key, Row>, key: Key, make: () => Row): Row {
  let row = rows.get(key);
  if (row === undefined) {
    row = make();
    rows.set(key, row);
  }
  return row;
}
