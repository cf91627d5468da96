/** Verifies each settlement by itself, by the rules that SQLite's are verified with. */
import type { LedgerRules } from '../../../billing/maintenance-ports.ts';
import type { Findings } from '../../sqlite/verify/findings.ts';
import { FIGURE_COLUMNS, type FiguresRow, type PricesById, verifyRow } from '../../sqlite/verify/verify-settlements.ts';
import type { CopiedKind } from '../copy/copy-text.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

const KINDS: readonly CopiedKind[] = ['bytes', 'integer', ...FIGURE_COLUMNS.map(() => 'integer' as const)];

/** Returns the number of settlements that are not sealed. */
export async function verifySettlements(
  connection: MaintenanceConnection,
  prices: PricesById,
  rules: LedgerRules,
  findings: Findings,
): Promise<number> {
  let count = 0;
  await connection.readRows<FiguresRow & readonly (bigint | Uint8Array | null)[]>(
    `select call_id, price_version, ${FIGURE_COLUMNS.map(({ column }) => column).join(', ')} from settlements`,
    KINDS,
    (row) => {
      count += 1;
      verifyRow(row, prices, rules, findings);
    },
  );
  return count;
}
