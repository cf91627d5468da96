/** Verifies balances: each must be the sum of the last seal, entries, and the charges of calls with a hold. */
import type { DatabaseSync } from 'node:sqlite';
import { formatUsd, type Money } from '../../../core/money.ts';
import type { ArchiveFiles, LedgerView } from '../archive/ledger-view.ts';
import { NO_SUMS as NO_KINDS, type SealSums, sealSumsOf } from '../archive/seal-sums.ts';
import { openingBalances, type Seals } from '../archive/seals.ts';
import { bigStatement } from '../engine/open-read-only.ts';
import type { Findings } from './findings.ts';

/** What moved a balance, nano-USD. */
export interface Sums {
  charged: bigint;
  credited: bigint;
  /** Refunds, less what was charged late. */
  refunded: bigint;
}

/** Returns the number of accounts with a balance. `billingMode` is that of the installation. */
export function verifyBalances(view: LedgerView, billingMode: string, findings: Findings): number {
  const kept = readBalances(view.database);
  compareBalances(kept, sumsOf(view.database), view.seals, findings);
  if (billingMode === 'prepaid') verifyAvailable(view.database, findings);
  return kept.size;
}

/** Each balance against what moved it; `live` is the sum of the rows that are not sealed. */
export function compareBalances(
  kept: ReadonlyMap<number, KeptBalance>,
  live: ReadonlyMap<number, Sums>,
  seals: Seals,
  findings: Findings,
): void {
  const opening = openingBalances(seals);
  for (const account of new Set([...kept.keys(), ...live.keys(), ...opening.keys()])) {
    const { balance, credited, charged } = kept.get(account) ?? NO_BALANCE;
    const sums = live.get(account) ?? NO_SUMS;
    const expected = (opening.get(account) ?? 0n) + sums.credited + sums.refunded - sums.charged;
    if (balance !== expected) differ(findings, account, 'balance', balance, expected);
    if (balance !== credited - charged)
      differ(findings, account, 'difference of credits and charges', credited - charged, balance);
  }
}

export function verifyTotals(view: LedgerView, findings: Findings): void {
  compareTotals(view, readBalances(view.database), sumsOf(view.database), findings);
}

/** Verifies the totals of all credits and charges, for which sealed months need their archives, and the seals themselves. */
export function compareTotals(
  view: ArchiveFiles,
  kept: ReadonlyMap<number, KeptBalance>,
  live: ReadonlyMap<number, Sums>,
  findings: Findings,
): void {
  if (!view.isWhole) return;
  const totals = new Map([...live].map(([account, sums]) => [account, { ...sums }]));
  const closing = new Map<number, bigint>();
  for (const { month, database } of view.present()) {
    const sums = sumsOf(database);
    for (const [account, of] of sums) {
      closing.set(account, (closing.get(account) ?? 0n) + of.credited + of.refunded - of.charged);
      const total = totals.get(account) ?? { ...NO_SUMS };
      total.charged += of.charged;
      total.credited += of.credited;
      total.refunded += of.refunded;
      totals.set(account, total);
    }
    verifyClosing(view.seals, month, closing, findings);
    verifySums(view.seals, month, sealSumsOf(database), findings);
  }
  for (const account of new Set([...kept.keys(), ...totals.keys()])) {
    const { credited, charged } = kept.get(account) ?? NO_BALANCE;
    const of = totals.get(account) ?? NO_SUMS;
    if (credited !== of.credited) differ(findings, account, 'sum of all credits', credited, of.credited);
    if (charged !== of.charged - of.refunded)
      differ(findings, account, 'sum of all charges', charged, of.charged - of.refunded);
  }
}

/** The charges, credits and refunds of the rows of a database, by account. */
function sumsOf(database: DatabaseSync): Map<number, Sums> {
  const sums = new Map<number, Sums>();
  const charges = bigStatement(
    database,
    `SELECT account_id AS account, sum(charge_nano) AS charged FROM settlements WHERE hold_nano IS NOT NULL GROUP BY 1`,
  ).all() as unknown as { account: bigint; charged: bigint }[];
  for (const { account, charged } of charges) sums.set(Number(account), { ...NO_SUMS, charged });
  const entries = bigStatement(
    database,
    `SELECT account_id AS account, sum(CASE WHEN kind IN ('refund', 'late_charge') THEN 0 ELSE amount_nano END) AS credited,
       sum(CASE WHEN kind IN ('refund', 'late_charge') THEN amount_nano ELSE 0 END) AS refunded
     FROM entries GROUP BY 1`,
  ).all() as unknown as { account: bigint; credited: bigint; refunded: bigint }[];
  for (const { account, credited, refunded } of entries)
    sums.set(Number(account), { charged: sums.get(Number(account))?.charged ?? 0n, credited, refunded });
  return sums;
}

function verifyAvailable(database: DatabaseSync, findings: Findings): void {
  const rows = bigStatement(
    database,
    `SELECT account_id AS account, balance_nano - coalesce(
       (SELECT sum(hold_nano) FROM holds WHERE holds.account_id = balances.account_id), 0) AS available
     FROM balances`,
  ).all() as unknown as { account: bigint; available: bigint }[];
  for (const { account, available } of rows)
    if (available < 0n)
      findings.add(
        'available_not_negative',
        `account ${account}`,
        `${usd(available)} is available in prepaid mode; a debt of postpaid times is to be topped up first`,
      );
}

function verifyClosing(seals: Seals, month: string, closing: ReadonlyMap<number, bigint>, findings: Findings): void {
  for (const [account, { closing: sealed }] of seals.get(month) ?? []) {
    const expected = closing.get(account) ?? 0n;
    if (sealed !== expected)
      findings.add(
        'balance_is_the_sum',
        `account ${account}, ${month}`,
        `the seal says ${usd(sealed)}, and the archives add up to ${usd(expected)}`,
      );
  }
}

function verifySums(seals: Seals, month: string, archived: ReadonlyMap<number, SealSums>, findings: Findings): void {
  for (const [account, { sums }] of seals.get(month) ?? []) {
    if (sums === null) continue;
    const expected = archived.get(account) ?? NO_KINDS;
    for (const kind of Object.keys(NO_KINDS) as (keyof SealSums)[])
      if (sums[kind] !== expected[kind])
        findings.add(
          'balance_is_the_sum',
          `account ${account}, ${month}`,
          `the seal says ${usd(sums[kind])} of ${kind}, and the archive adds up to ${usd(expected[kind])}`,
        );
  }
}

export interface KeptBalance {
  readonly balance: bigint;
  readonly credited: bigint;
  readonly charged: bigint;
}

const NO_BALANCE: KeptBalance = { balance: 0n, credited: 0n, charged: 0n };
const NO_SUMS: Readonly<Sums> = { charged: 0n, credited: 0n, refunded: 0n };

function readBalances(database: DatabaseSync): Map<number, KeptBalance> {
  const rows = bigStatement(
    database,
    'SELECT account_id AS account, balance_nano AS balance, credited_nano AS credited, charged_nano AS charged FROM balances',
  ).all() as unknown as (KeptBalance & { account: bigint })[];
  return new Map(
    rows.map(({ account, balance, credited, charged }) => [Number(account), { balance, credited, charged }]),
  );
}

function differ(findings: Findings, account: number, what: string, is: bigint, expected: bigint): void {
  findings.add('balance_is_the_sum', `account ${account}`, `the ${what} is ${usd(is)}, and should be ${usd(expected)}`);
}

function usd(amount: bigint): string {
  return `$${formatUsd(amount as Money)}`;
}
