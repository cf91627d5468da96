/** The rules for entries, checked by the ledger within the transaction that writes them. */
import { type Money, parseUsd } from '../core/money.ts';
import type { BillingMode } from './billing-mode.ts';
import { isOfCharges, type NewEntry } from './entry.ts';
import type { AccountTotals, PostingRules } from './ports.ts';

/** A larger one is a typo. */
export const ENTRY_MAX = parseUsd('1000000000');

/**
 * The sums credited and owed each stay within this, so the sum charged stays within twice as much: 64 bits hold $9.2 billion.
 */
export const SUM_MAX = parseUsd('4000000000');

/** `debitMax`: the most that a debit may take, because running calls hold the rest; null if a balance may go below zero, or the
 * ledger itself knows what is free. */
export function postingRules(entry: NewEntry, mode: BillingMode, debitMax: Money | null): PostingRules {
  const { accountId, kind, amount } = entry;
  return ({ totals, call, free }) => {
    if (mode === 'off') return 'billing_off';
    if (amount > ENTRY_MAX || -amount > ENTRY_MAX) return 'exceeds_entry_max';
    if (amount === 0n || (amount < 0n && kind !== 'adjustment')) return 'not_positive';
    if (kind === 'refund') {
      if (call === null || call.accountId !== accountId) return 'unknown_call';
      if (call.refunded + amount > call.charge) return 'exceeds_charge';
    }
    if (!staysWithinLimits(totals, entry)) return 'exceeds_sum_max';
    const most = free ?? debitMax;
    if (amount < 0n && most !== null && (-amount > most || -amount > totals.balance)) return 'exceeds_available';
    return null;
  };
}

/**
 * Whether every sum stays within `SUM_MAX` after an entry: beyond 64 bits, a database would continue with an inexact number.
 */
function staysWithinLimits({ balance, credited, charged }: AccountTotals, { kind, amount }: NewEntry): boolean {
  return mayMove(balance, amount) && (isOfCharges(kind) ? mayMove(charged, -amount) : mayMove(credited, amount));
}

/** A sum that exceeds the limit, from before there was one, may move towards it. */
function mayMove(sum: bigint, by: bigint): boolean {
  return by > 0n ? sum + by <= SUM_MAX : sum + by >= -SUM_MAX;
}
