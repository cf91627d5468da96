/** Verifies uniqueness and limits: calls, references, refunds of a call, the age of holds. */
import type { DatabaseSync } from 'node:sqlite';
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import { formatUsd, type Money } from '../../../core/money.ts';
import { firstDayOfMonth } from '../../sql/ledger/ledger-months.ts';
import type { LedgerView } from '../archive/ledger-view.ts';
import { bigStatement } from '../engine/open-read-only.ts';
import type { Findings } from './findings.ts';
import { subjectOf } from './verify-settlements.ts';

const DAY_MS = 86_400_000;
/** In addition to the longest call, time for its settlement to be written. */
const HOLD_SLACK_MS = 60_000;

/** Returns the number of holds. */
export function verifyHolds(view: LedgerView, nowMs: number, longestCallMs: number, findings: Findings): number {
  const { database } = view;
  const stale = database
    .prepare('SELECT call_id, admitted_at FROM holds WHERE admitted_at < ?')
    .iterate(nowMs - longestCallMs - HOLD_SLACK_MS) as unknown as Iterable<{
    call_id: Uint8Array;
    admitted_at: number;
  }>;
  for (const { call_id: call, admitted_at: at } of stale)
    findings.add(
      'hold_not_stale',
      subjectOf(call),
      `held since ${new Date(at).toISOString()}, longer than any call lasts`,
    );
  const ended = database
    .prepare('SELECT call_id FROM holds WHERE EXISTS (SELECT 1 FROM settlements WHERE call_id = holds.call_id)')
    .iterate() as unknown as Iterable<{ call_id: Uint8Array }>;
  for (const { call_id: call } of ended)
    findings.add('call_once', subjectOf(call), 'it is settled, and something is still held for it');
  return (database.prepare('SELECT count(*) AS count FROM holds').get() as { count: number }).count;
}

/** A call must be settled in one place: archived calls must not be in the ledger, and must be of the archive's month. */
export function verifyCalls(view: LedgerView, findings: Findings): void {
  const live = view.database.prepare('SELECT 1 FROM settlements WHERE call_id = ?');
  for (const { month, database } of view.present()) {
    const [from, to] = verifyMonth(month, database, findings);
    // Usually nothing is left of a sealed month, so the few rows that are left are searched in the archive.
    const left = view.database
      .prepare('SELECT call_id FROM settlements WHERE call_id >= ? AND call_id < ?')
      .iterate(callIdBytes(firstCallIdAt(from - DAY_MS)), callIdBytes(firstCallIdAt(to))) as unknown as Iterable<{
      call_id: Uint8Array;
    }>;
    const archived = database.prepare('SELECT 1 FROM settlements WHERE call_id = ?');
    for (const { call_id: call } of left)
      if (archived.get(call) !== undefined && live.get(call) !== undefined)
        findings.add('call_once', subjectOf(call), `it is settled here and in the archive of ${month}`);
  }
}

/** An archive must have calls of its month only. Returns when the month begins and ends, ms. */
export function verifyMonth(month: string, archive: DatabaseSync, findings: Findings): readonly [number, number] {
  const [from, to] = [firstDayOfMonth(month) * DAY_MS, firstDayOfMonth(month, 1) * DAY_MS];
  const misplaced = archive
    .prepare('SELECT call_id FROM settlements WHERE admitted_at < ? OR admitted_at >= ?')
    .iterate(from, to) as unknown as Iterable<{ call_id: Uint8Array }>;
  for (const { call_id: call } of misplaced)
    findings.add('archive_unchanged', subjectOf(call), `the archive of ${month} has a call of another month`);
  return [from, to];
}

/** The database ensures unique references itself; this also compares archives. Returns the number of entries. */
export function verifyReferences(view: LedgerView, findings: Findings): number {
  const seen = new Set<string>();
  let count = 0;
  for (const database of [...[...view.present()].map((archive) => archive.database), view.database]) {
    const rows = database.prepare('SELECT account_id, reference FROM entries').iterate() as unknown as Iterable<{
      account_id: number;
      reference: string;
    }>;
    for (const { account_id: account, reference } of rows) {
      count += 1;
      const key = `${account} ${reference}`;
      if (seen.has(key))
        findings.add('reference_once', `account ${account}`, `the reference "${reference}" is there twice`);
      seen.add(key);
    }
  }
  return count;
}

export interface Refunded {
  readonly call: Uint8Array;
  readonly account: bigint;
  amount: bigint;
}

/** Calls of sealed months are checked if their archives are available. */
export function verifyRefunds(view: LedgerView, findings: Findings): void {
  const refunds = new Map<string, Refunded>();
  for (const database of [view.database, ...[...view.present()].map((archive) => archive.database)]) {
    const rows = bigStatement(
      database,
      "SELECT call_id AS call, account_id AS account, amount_nano AS amount FROM entries WHERE kind = 'refund'",
    ).iterate() as unknown as Iterable<Omit<Refunded, 'call'> & { readonly call: Uint8Array | null }>;
    for (const { call, account, amount } of rows) {
      if (call === null) findings.add('refund_within_charge', `account ${account}`, 'a refund names no call');
      else addRefund(refunds, { call, account, amount }, findings);
    }
  }
  const finders = [view.database, ...[...view.present()].map((archive) => archive.database)].map(chargeFinder);
  const liveFrom = callIdBytes(firstCallIdAt(view.liveDay * DAY_MS));
  for (const refund of refunds.values()) {
    const found = finders.map((find) => find(refund.call)).find((charge) => charge !== null) ?? null;
    if (found === null && !view.isWhole && Buffer.compare(refund.call, liveFrom) < 0) continue;
    const charged = found === null || found.account !== refund.account ? 0n : found.charge;
    if (refund.amount > charged)
      findings.add(
        'refund_within_charge',
        subjectOf(refund.call),
        `$${formatUsd(refund.amount as Money)} was given back of a charge of $${formatUsd(charged as Money)}`,
      );
  }
}

/** A second refund of a call is added to the first. */
export function addRefund(refunds: Map<string, Refunded>, refund: Refunded, findings: Findings): void {
  const key = Buffer.from(refund.call).toString('hex');
  const known = refunds.get(key);
  if (known === undefined) refunds.set(key, { ...refund });
  else {
    known.amount += refund.amount;
    if (known.account !== refund.account)
      findings.add('refund_within_charge', subjectOf(refund.call), 'two accounts were given back the same call');
  }
}

/** Finds what a call of a database was charged; null if it is not there. */
export function chargeFinder(
  database: DatabaseSync,
): (call: Uint8Array) => { readonly account: bigint; readonly charge: bigint } | null {
  const statement = bigStatement(
    database,
    'SELECT account_id AS account, charge_nano AS charge FROM settlements WHERE call_id = ? AND hold_nano IS NOT NULL',
  );
  return (call) => (statement.get(call) as { account: bigint; charge: bigint } | undefined) ?? null;
}
