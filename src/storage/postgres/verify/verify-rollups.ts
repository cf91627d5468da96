/** Verifies that hourly and daily sums, of all slots together, equal those of the settlements; and the days of budgets those of the sums. */
import { firstDayOfMonth } from '../../sql/ledger/ledger-months.ts';
import {
  ROLLUP_COLUMNS,
  ROLLUP_DIMENSIONS,
  ROLLUP_SUMS,
  settledColumns,
  settledIn,
} from '../../sql/ledger/rollup-columns.ts';
import type { ArchiveFiles } from '../../sqlite/archive/ledger-view.ts';
import type { Findings } from '../../sqlite/verify/findings.ts';
import {
  compareSums,
  SPANS,
  type Span,
  type SumsRow,
  settledSums,
  subject,
} from '../../sqlite/verify/verify-rollups.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

const DAY_MS = 86_400_000;
const NEVER_MS = Number.MAX_SAFE_INTEGER;
const DIMENSIONS = ROLLUP_DIMENSIONS.join(', ');

export async function verifyRollups(
  connection: MaintenanceConnection,
  view: ArchiveFiles,
  findings: Findings,
): Promise<void> {
  for (const span of SPANS) {
    await verifyLive(connection, span, view.liveDay * DAY_MS, findings);
    if (view.isWhole)
      for (const { month, database } of view.present()) {
        const [fromMs, toMs] = [firstDayOfMonth(month) * DAY_MS, firstDayOfMonth(month, 1) * DAY_MS];
        const kept = await keptRows(connection, span, fromMs, toMs);
        compareSums(settledSums(database, span, fromMs, toMs), kept.values(), span, findings);
      }
  }
}

/** Both sides are added up in one statement, which returns what differs. */
async function verifyLive(
  connection: MaintenanceConnection,
  { table, what, spanMs }: Span,
  fromMs: number,
  findings: Findings,
): Promise<void> {
  const [start, ...others] = settledColumns(spanMs).slice(0, ROLLUP_DIMENSIONS.length);
  const asText = (side: string) =>
    `case when ${side}.calls is null then null else concat_ws(' ', ${ROLLUP_SUMS.map((name) => `${side}.${name}`).join(', ')}) end`;
  const rows = await connection.rows<{
    /** Numbers with spaces between them, as the next two. */
    readonly dimensions: string;
    readonly settled: string | null;
    readonly kept: string | null;
  }>(
    `with settled as (
       select ${start} as start, ${others.join(', ')}, ${ROLLUP_SUMS.map((name) => `sum((${settledIn(name)})::bigint) as ${name}`).join(', ')}
       from settlements where admitted_at >= $1 group by 1, 2, 3, 4, 5, 6
     ), kept as (
       select ${DIMENSIONS}, ${ROLLUP_SUMS.map((name) => `sum(${name}) as ${name}`).join(', ')}
       from ${table} where start >= $2 group by ${DIMENSIONS}
     )
     select concat_ws(' ', ${DIMENSIONS}) as dimensions, ${asText('settled')} as settled, ${asText('kept')} as kept
     from settled full join kept using (${DIMENSIONS})
     where (${ROLLUP_SUMS.map((name) => `settled.${name}`).join(', ')}) is distinct from (${ROLLUP_SUMS.map((name) => `kept.${name}`).join(', ')})`,
    [fromMs, Math.ceil(fromMs / spanMs)],
  );
  for (const { dimensions, settled, kept } of rows) {
    const wrong =
      kept === null ? 'it is missing' : settled === null ? 'there is no such settlement' : difference(kept, settled);
    findings.add('rollup_is_the_sum', subject(what, spanMs, dimensions.split(' ').map(BigInt)), wrong);
  }
}

function difference(kept: string, settled: string): string {
  const [found, expected] = [kept.split(' '), settled.split(' ')];
  const at = ROLLUP_SUMS.findIndex((_name, index) => found[index] !== expected[index]);
  return `${ROLLUP_SUMS[at]} is ${found[at]}, and the settlements add up to ${expected[at]}`;
}

/** The sums of a sealed month. */
async function keptRows(
  connection: MaintenanceConnection,
  { table, spanMs }: Span,
  fromMs: number,
  toMs: number,
): Promise<SumsRow[]> {
  const rows: SumsRow[] = [];
  await connection.readRows<SumsRow>(
    `select ${DIMENSIONS}, ${ROLLUP_SUMS.map((name) => `sum(${name})`).join(', ')} from ${table}
     where start >= ${Math.ceil(fromMs / spanMs)} and start < ${Math.ceil(Math.min(toMs, NEVER_MS) / spanMs)}
     group by ${DIMENSIONS} order by ${DIMENSIONS}`,
    ROLLUP_COLUMNS.map(() => 'integer'),
    (row) => void rows.push(row),
  );
  return rows;
}
