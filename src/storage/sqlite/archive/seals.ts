/** The seals: what the ledger keeps of archived months. */
import type { DatabaseSync } from 'node:sqlite';
import { bigStatement } from '../engine/open-read-only.ts';
import type { SealSums } from './seal-sums.ts';

export interface Seal {
  readonly closing: bigint;
  /** The month's movements by kind; null in older seals without sums. */
  readonly sums: SealSums | null;
  readonly rows: bigint;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/** Seals by month, in order, and then by account. */
export type Seals = ReadonlyMap<string, ReadonlyMap<number, Seal>>;

type SealRow = Omit<Seal, 'sums'> & { readonly month: string; readonly account_id: bigint } & Readonly<
    Record<keyof SealSums, bigint | null>
  >;

export function readSeals(database: DatabaseSync): Seals {
  const months = new Map<string, Map<number, Seal>>();
  const rows = bigStatement(
    database,
    `SELECT month, account_id, closing_balance_nano AS closing, rows, lower(hex(hash)) AS hash, topups_nano AS topups,
       promos_nano AS promos, adjustments_nano AS adjustments, refunds_nano AS refunds, charges_nano AS charges
     FROM seals ORDER BY month, account_id`,
  ).all() as unknown as SealRow[];
  for (const { month, account_id: account, closing, rows: count, hash, ...kinds } of rows) {
    const accounts = months.get(month) ?? new Map<number, Seal>();
    const sums = Object.values(kinds).every((sum) => sum !== null) ? (kinds as SealSums) : null;
    accounts.set(Number(account), { closing, sums, rows: count, hash });
    months.set(month, accounts);
  }
  return months;
}

/** Each account's closing balance in its last sealed month. */
export function openingBalances(seals: Seals): Map<number, bigint> {
  const opening = new Map<number, bigint>();
  for (const accounts of seals.values()) for (const [account, { closing }] of accounts) opening.set(account, closing);
  return opening;
}
