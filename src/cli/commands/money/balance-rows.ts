/** A balance and its entries in answers of the management API, and as commands print them; money is decimal text. */
import type { Named } from '../accounts/find-account.ts';

export interface ManagedBalance {
  readonly billing_mode: string;
  /** Null without billing. */
  readonly balance: string | null;
  readonly available: string | null;
  readonly held: string | null;
  readonly credited: string | null;
  readonly charged: string | null;
}

export interface ManagedEntry {
  readonly entry: number;
  readonly at: string;
  readonly kind: string;
  readonly amount: string;
  readonly reference: string;
  readonly call: string | null;
  readonly note: string | null;
}

export function balanceRow(balance: ManagedBalance, account: Named) {
  return {
    account: { id: account.id, name: account.name },
    billing_mode: balance.billing_mode,
    balance: balance.balance,
    available: balance.available,
    held: balance.held,
    credited: balance.credited,
    charged: balance.charged,
  };
}

export function entryRow(entry: ManagedEntry, accountId: number) {
  return {
    id: entry.entry,
    at: entry.at,
    account_id: accountId,
    kind: entry.kind,
    amount: entry.amount,
    reference: entry.reference,
    call: entry.call,
    note: entry.note,
  };
}
