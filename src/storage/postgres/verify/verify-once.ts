/** Verifies uniqueness and limits on PostgreSQL: calls, references, refunds of a call. */
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import { formatUsd, type Money } from '../../../core/money.ts';
import type { ArchiveFiles } from '../../sqlite/archive/ledger-view.ts';
import { bigStatement } from '../../sqlite/engine/open-read-only.ts';
import type { Findings } from '../../sqlite/verify/findings.ts';
import { addRefund, chargeFinder, type Refunded, verifyMonth } from '../../sqlite/verify/verify-once.ts';
import { subjectOf } from '../../sqlite/verify/verify-settlements.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

const DAY_MS = 86_400_000;

/** Archived calls must not be in the ledger, and must be of the archive's month. */
export async function verifyCalls(
  connection: MaintenanceConnection,
  view: ArchiveFiles,
  findings: Findings,
): Promise<void> {
  for (const { month, database } of view.present()) {
    const [from, to] = verifyMonth(month, database, findings);
    // Usually nothing is left of a sealed month.
    const archived = database.prepare('SELECT 1 FROM settlements WHERE call_id = ?');
    for (const { call } of await connection.rows<{ call: Uint8Array }>(
      'select call_id as call from settlements where call_id >= $1 and call_id < $2',
      [callIdBytes(firstCallIdAt(from - DAY_MS)), callIdBytes(firstCallIdAt(to))],
    ))
      if (archived.get(call) !== undefined)
        findings.add('call_once', subjectOf(call), `it is settled here and in the archive of ${month}`);
  }
}

/** The database itself ensures that the references of its rows differ; this compares those of archives. Returns the number of entries. */
export async function verifyReferences(
  connection: MaintenanceConnection,
  view: ArchiveFiles,
  findings: Findings,
): Promise<number> {
  const seen = new Set<string>();
  let count = 0;
  const add = (account: bigint | number, reference: string) => {
    count += 1;
    const key = `${account} ${reference}`;
    if (seen.has(key))
      findings.add('reference_once', `account ${account}`, `the reference "${reference}" is there twice`);
    seen.add(key);
  };
  for (const { database } of view.present())
    for (const row of database.prepare('SELECT account_id, reference FROM entries').iterate() as unknown as Iterable<{
      account_id: number;
      reference: string;
    }>)
      add(row.account_id, row.reference);
  await connection.readRows<readonly [bigint, string]>(
    'select account_id, reference from entries',
    ['integer', 'text'],
    ([account, reference]) => add(account, reference),
  );
  return count;
}

/** Calls of sealed months are checked if their archives are available. */
export async function verifyRefunds(
  connection: MaintenanceConnection,
  view: ArchiveFiles,
  findings: Findings,
): Promise<void> {
  const refunds = new Map<string, Refunded>();
  const add = (call: Uint8Array | null, account: bigint, amount: bigint) => {
    if (call === null) findings.add('refund_within_charge', `account ${account}`, 'a refund names no call');
    else addRefund(refunds, { call, account, amount }, findings);
  };
  const charges = new Map<string, { readonly account: bigint; readonly charge: bigint }>();
  await connection.readRows<readonly [Uint8Array | null, bigint, bigint, bigint | null, bigint | null]>(
    `select entries.call_id, entries.account_id, amount_nano, settlements.account_id, settlements.charge_nano
     from entries left join settlements on settlements.call_id = entries.call_id and settlements.hold_nano is not null
     where kind = 'refund'`,
    ['bytes', 'integer', 'integer', 'integer', 'integer'],
    ([call, account, amount, owner, charge]) => {
      add(call, account, amount);
      if (call !== null && owner !== null && charge !== null) charges.set(hexOf(call), { account: owner, charge });
    },
  );
  const databases = [...view.present()].map(({ database }) => database);
  for (const database of databases)
    for (const { call, account, amount } of bigStatement(
      database,
      "SELECT call_id AS call, account_id AS account, amount_nano AS amount FROM entries WHERE kind = 'refund'",
    ).iterate() as unknown as Iterable<{ call: Uint8Array | null; account: bigint; amount: bigint }>)
      add(call, account, amount);
  const finders = databases.map(chargeFinder);
  const liveFrom = callIdBytes(firstCallIdAt(view.liveDay * DAY_MS));
  for (const [key, refund] of refunds) {
    const found =
      charges.get(key) ?? finders.map((find) => find(refund.call)).find((charge) => charge !== null) ?? null;
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

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
