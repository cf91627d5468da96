/**
 * Rebuilds records from settlements: of calls whose node died before it wrote them, or had no room for them. A node that stops cleanly
 * leaves a mark, without which it searches for missing records at its next start. A record that another node still has replaces the one
 * that was rebuilt (`record-table.ts`).
 */
import { type CallId, callIdBytes, callIdFromBytes, callIdTime, firstCallIdAt } from '../../../core/ids.ts';
import type { CallRecord } from '../../../stats/ports.ts';
import type { NamedSettlementRow } from '../../sql/ledger/settlement-columns.ts';
import { readSettlement, selectSettlements } from '../../sql/ledger/settlement-rows.ts';
import { withoutDetail } from '../../sql/records/bare-record.ts';
import type { Queryable } from '../engine/role.ts';
import { sharedTypes } from '../engine/value-types.ts';
import type { TimeSpan } from './gaps.ts';

/**
 * A record is missing when its call ended in the last moments before the crash, and may have begun earlier by the longest duration of a
 * call (60 minutes unless configured otherwise).
 */
const WINDOW_MS = 2 * 60 * 60 * 1000;
const COMPLETE = 'complete';
const ROWS = 256;

/** `node` is the id of a node. */
const factOf = (node: string) => `records ${node}`;

/**
 * The time in which records of this node's last run may be missing; null if none are. From now until `markComplete`, the end of the
 * process counts as a crash. `recovered` is the number of holds that have just become settlements, which have no records. Call it before new
 * calls are settled.
 */
export async function beginRun(
  database: Queryable,
  { id: node, recovered }: { readonly id: string; readonly recovered: number },
): Promise<TimeSpan | null> {
  const { rows: marks } = await database.query<{ value: string }>(
    'delete from facts where name = $1 and value = $2 returning value',
    [factOf(node), COMPLETE],
  );
  if (marks.length > 0 && recovered === 0) return null;
  const newest = await newestCall(database);
  if (newest === null) return null;
  const toMs = callIdTime(newest) + 1;
  return { fromMs: Math.max(0, toMs - WINDOW_MS), toMs };
}

/** Says that every settlement has its record. */
export async function markComplete(database: Queryable, node: string): Promise<void> {
  await database.query(
    'insert into facts (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [factOf(node), COMPLETE],
  );
}

const MISSING = `${selectSettlements(null)}
  where settled.call_id >= $1 and settled.call_id < $2
    and not exists (select 1 from records where records.call_id = settled.call_id)
  order by settled.call_id limit ${ROWS}`;

/** Calls `write` with the records of calls of this time that are settled and have none, some at a time. */
export async function rebuildSpan(
  database: Queryable,
  { fromMs, toMs }: TimeSpan,
  write: (records: readonly CallRecord[]) => Promise<void>,
): Promise<void> {
  const end = callIdBytes(firstCallIdAt(toMs));
  for (let from: Uint8Array = callIdBytes(firstCallIdAt(fromMs)); ; ) {
    const { rows } = await database.query<NamedSettlementRow>({
      text: MISSING,
      values: [from, end],
      types: sharedTypes,
    });
    if (rows.length > 0) await write(rows.map((row) => withoutDetail(readSettlement(row))));
    if (rows.length < ROWS) return;
    from = rows.at(-1)?.call_id ?? end;
  }
}

/** The time (ms) of the first settled call from a time on; null if there is none. */
export async function firstSettled(database: Queryable, fromMs: number): Promise<number | null> {
  const { rows } = await database.query<{ id: Uint8Array }>(
    'select call_id as id from settlements where call_id >= $1 order by call_id limit 1',
    [callIdBytes(firstCallIdAt(fromMs))],
  );
  const id = rows[0]?.id ?? null;
  return id === null ? null : callIdTime(callIdFromBytes(id));
}

async function newestCall(database: Queryable): Promise<CallId | null> {
  const { rows } = await database.query<{ id: Uint8Array }>(
    'select call_id as id from settlements order by call_id desc limit 1',
  );
  const id = rows[0]?.id ?? null;
  return id === null ? null : callIdFromBytes(id);
}
