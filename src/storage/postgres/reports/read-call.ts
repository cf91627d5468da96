/** Reads one call from its record, or, without one, from its settlement. */
import { dayOf, dayStart } from '../../../core/calendar.ts';
import { type CallId, callIdBytes, callIdFromBytes, callIdTime, firstCallIdAt } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { CallOwner, CallRecord } from '../../../stats/ports.ts';
import type { NamedSettlementRow } from '../../sql/ledger/settlement-columns.ts';
import { readSettlement, selectSettlements } from '../../sql/ledger/settlement-rows.ts';
import { withoutDetail } from '../../sql/records/bare-record.ts';
import { SELECTED_COLUMNS } from '../../sql/records/record-row.ts';
import { ActiveHours } from '../../sql/reports/active-hours.ts';
import { type FoundRow, type ReportParts, rowOf, rowsOf, type SqlValue, type Steps } from '../../sql/reports/steps.ts';
import { type RecordRows, withNumbers } from './record-rows.ts';

/** Provider ids have no index, so this many days are searched, in the hours in which the owner has calls. */
const DAYS_SEARCHED = 31;
const HOURS_PER_DAY = 24;
const HOUR_MS = 3_600_000;
const LATE = `SELECT charge_nano AS charge, node_loss_nano AS loss,
    (SELECT count(*) FROM superseded_calls WHERE superseded_calls.call_id = settlements.call_id) AS superseded
  FROM settlements WHERE call_id = ? AND node_loss_nano > 0`;

export function* readCall(rows: RecordRows, id: CallId): Steps<CallRecord | null> {
  const found = yield* rowsOf(`SELECT ${SELECTED_COLUMNS} FROM records WHERE call_id = ?`, [callIdBytes(id)]);
  const [record] = yield* rows.read(found);
  if (record !== undefined) return yield* asSettled(record);
  const settled = yield* rowOf<FoundRow>(`${selectSettlements(null)} WHERE settled.call_id = ?`, [callIdBytes(id)]);
  if (settled === null) return null;
  return yield* asSettled(withoutDetail(readSettlement(withNumbers<NamedSettlementRow>(settled))));
}

/** Its node wrote the record before it knew that the settlement would be late. */
function* asSettled(record: CallRecord): Steps<CallRecord> {
  const late = yield* rowOf<{ charge: bigint; loss: bigint; superseded: bigint }>(LATE, [callIdBytes(record.callId)]);
  if (late === null) return record;
  const settled = { ...record, charge: nanoUsd(late.charge), nodeLoss: nanoUsd(late.loss) };
  return late.superseded === 0n ? settled : { ...settled, isSuperseded: true };
}

/** Searches from the newest record to the oldest. */
export function* findByUpstreamId(
  parts: ReportParts,
  rows: RecordRows,
  upstreamId: string,
  { accountId, projectId }: CallOwner,
): Steps<CallRecord | null> {
  const newest = yield* rowOf<{ id: Uint8Array }>('SELECT call_id AS id FROM records ORDER BY call_id DESC LIMIT 1');
  if (newest === null) return null;
  const values: readonly SqlValue[] = projectId === null ? [accountId] : [accountId, projectId];
  const condition = projectId === null ? 'account_id = ?' : 'account_id = ? AND project_id = ?';
  const lastDay = dayOf(callIdTime(callIdFromBytes(newest.id)));
  const hours = new ActiveHours(parts, {
    condition,
    values,
    first: (lastDay + 1 - DAYS_SEARCHED) * HOURS_PER_DAY,
    last: dayStart(lastDay + 1) / HOUR_MS - 1,
  });
  for (let hour = yield* hours.next(); hour !== null; hour = yield* hours.next()) {
    const ids = [hour, hour + 1].map((edge) => callIdBytes(firstCallIdAt(edge * HOUR_MS)));
    const found = yield* rowsOf(
      `SELECT ${SELECTED_COLUMNS} FROM records
       WHERE call_id >= ? AND call_id < ? AND ${condition} AND upstream_id = ? ORDER BY call_id DESC LIMIT 1`,
      [...ids, ...values, upstreamId],
    );
    const [record] = yield* rows.read(found);
    if (record !== undefined) return yield* asSettled(record);
  }
  return null;
}
