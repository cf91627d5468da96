/** Verifies on PostgreSQL that the records of calls agree with their settlements, as far as those are not sealed. */
import { dayOf, dayStart } from '../../../core/calendar.ts';
import { callIdBytes, callIdFromBytes, callIdTime, firstCallIdAt } from '../../../core/ids.ts';
import { settledIn } from '../../sql/ledger/rollup-columns.ts';
import type { Findings } from '../../sqlite/verify/findings.ts';
import type { RecordCounts, RecordTimes } from '../../sqlite/verify/verify-records.ts';
import { subjectOf } from '../../sqlite/verify/verify-settlements.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';

/** A call that was admitted this long ago, in addition to the longest call, must have its record, and its settlement. */
const SLACK_MS = 60_000;

/** What a record says, and the same of its settlement. */
const SHARED: readonly (readonly [what: string, recorded: string, settled: string])[] = [
  ['account', 'r.account_id', 's.account_id'],
  ['project', 'r.project_id', 's.project_id'],
  ['key', 'r.key_id', 's.key_id'],
  ['ending', 'r.ending', 's.ending'],
  ['prompt', 'r.prompt_tokens', settledIn('prompt_tokens').replace(/\b([a-z]\w+)/g, 's.$1')],
  ['completion', 'r.completion_tokens', settledIn('completion_tokens').replace(/\b([a-z]\w+)/g, 's.$1')],
  ['cost', 'r.cost_nano', 's.cost_nano'],
  // The node that made the record did not know whether its settlement would come late.
  [
    'charge',
    'r.charge_nano',
    'case when r.charge_nano = s.charge_nano + s.node_loss_nano then r.charge_nano else s.charge_nano end',
  ],
];

interface Row {
  readonly call: Uint8Array;
  readonly settled: boolean;
  /** Null if the record has no settlement. */
  readonly wrong: string | null;
}

export async function verifyRecords(
  connection: MaintenanceConnection,
  liveDay: number,
  { nowMs, longestCallMs }: RecordTimes,
  findings: Findings,
): Promise<RecordCounts> {
  const [first] = await connection.rows<{ call: Uint8Array }>(
    'select call_id as call from records order by call_id limit 1',
  );
  if (first === undefined) return { records: 0, missing: 0 };
  const day = Math.max(liveDay, dayOf(callIdTime(callIdFromBytes(first.call))));
  const toMs = Math.max(dayStart(day), nowMs - longestCallMs - SLACK_MS);
  const range = [callIdBytes(firstCallIdAt(dayStart(day))), callIdBytes(firstCallIdAt(toMs))];
  const differing = SHARED.map(
    ([what, recorded, settled]) =>
      `when ${recorded} is distinct from ${settled} then format('${what} is %s on the record and %s in the ledger', ${recorded}, ${settled})`,
  ).join(' ');
  const rows = await connection.rows<Row>(
    `select * from (
       select r.call_id as call, s.call_id is not null as settled, case when s.call_id is null then null ${differing} end as wrong
       from records r left join settlements s using (call_id) where r.call_id >= $1
     ) as compared where wrong is not null or not settled and call < $2`,
    range,
  );
  for (const { call, wrong } of rows)
    findings.add('record_agrees', subjectOf(call), wrong ?? 'it has a record and no settlement');
  const [counts] = await connection.rows<{ records: bigint; missing: bigint }>(
    `select (select count(*) from records) as records, (
       select count(*) from settlements s where call_id >= $1 and call_id < $2
         and not exists (select from records r where r.call_id = s.call_id)) as missing`,
    range,
  );
  return { records: Number(counts?.records ?? 0n), missing: Number(counts?.missing ?? 0n) };
}
