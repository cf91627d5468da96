/** The seals of months, as `storage/sqlite/archive/seals.ts` reads them from SQLite. */
import type { Seals } from '../../sqlite/archive/seals.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

interface Row {
  readonly month: string;
  readonly account: number;
  readonly closing: bigint;
  readonly rows: bigint;
  readonly hash: string;
  readonly topups: bigint | null;
  readonly promos: bigint | null;
  readonly adjustments: bigint | null;
  readonly refunds: bigint | null;
  readonly charges: bigint | null;
}

export async function readSeals(connection: MaintenanceConnection): Promise<Seals> {
  const months = new Map<string, Map<number, NonNullable<ReturnType<NonNullable<ReturnType<Seals['get']>>['get']>>>>();
  for (const { month, account, closing, rows, hash, ...kinds } of await connection.rows<Row>(
    `select month, account_id as account, closing_balance_nano as closing, rows::bigint as rows, encode(hash, 'hex') as hash,
       topups_nano as topups, promos_nano as promos, adjustments_nano as adjustments, refunds_nano as refunds,
       charges_nano as charges
     from seals order by month, account_id`,
  )) {
    const { topups, promos, adjustments, refunds, charges } = kinds;
    const isWhole = topups !== null && promos !== null && adjustments !== null && refunds !== null && charges !== null;
    const accounts = months.get(month) ?? new Map();
    accounts.set(account, {
      closing,
      sums: isWhole ? { topups, promos, adjustments, refunds, charges } : null,
      rows,
      hash,
    });
    months.set(month, accounts);
  }
  return months;
}
