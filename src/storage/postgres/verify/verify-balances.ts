/** Verifies balances on PostgreSQL, by the comparison that SQLite's are verified with. */
import { formatUsd, type Money } from '../../../core/money.ts';
import type { ArchiveFiles } from '../../sqlite/archive/ledger-view.ts';
import type { Findings } from '../../sqlite/verify/findings.ts';
import { compareBalances, compareTotals, type KeptBalance, type Sums } from '../../sqlite/verify/verify-balances.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

interface Row {
  readonly account: number;
  readonly balance: bigint | null;
  readonly credited: bigint | null;
  readonly charged: bigint | null;
  readonly charges: bigint;
  readonly credits: bigint;
  readonly refunds: bigint;
}

/** Returns the number of accounts with a balance. A balance is what is free and what is lent and not spent, taken together. */
export async function verifyBalances(
  connection: MaintenanceConnection,
  view: ArchiveFiles,
  billingMode: string,
  findings: Findings,
): Promise<number> {
  const { kept, live } = await readSums(connection);
  compareBalances(kept, live, view.seals, findings);
  if (billingMode === 'prepaid')
    for (const [account, { balance }] of kept)
      if (balance < 0n)
        findings.add(
          'available_not_negative',
          `account ${account}`,
          `its balance is $${formatUsd(balance as Money)} in prepaid mode; a debt of postpaid times is to be topped up first`,
        );
  compareTotals(view, kept, live, findings);
  return kept.size;
}

async function readSums(connection: MaintenanceConnection) {
  const kept = new Map<number, KeptBalance>();
  const live = new Map<number, Sums>();
  for (const row of await connection.rows<Row>(
    `with charged as (
       select account_id, sum(charge_nano)::bigint as charges from settlements where hold_nano is not null group by 1
     ), posted as (
       select account_id,
         coalesce(sum(amount_nano) filter (where kind not in ('refund', 'late_charge')), 0)::bigint as credits,
         coalesce(sum(amount_nano) filter (where kind in ('refund', 'late_charge')), 0)::bigint as refunds
       from entries group by 1
     )
     select account_id as account, balance_nano::bigint as balance, credited_nano::bigint as credited, charged_nano::bigint as charged,
       coalesce(charges, 0) as charges, coalesce(credits, 0) as credits, coalesce(refunds, 0) as refunds
     from balances full join charged using (account_id) full join posted using (account_id)`,
  )) {
    const { account, balance, credited, charged, charges, credits, refunds } = row;
    live.set(account, { charged: charges, credited: credits, refunded: refunds });
    if (balance !== null) kept.set(account, { balance, credited: credited ?? 0n, charged: charged ?? 0n });
  }
  return { kept, live };
}
