/** The records that a list of calls searches. */
import { callIdFromBytes, callIdTime } from '../../../core/ids.ts';
import type { CallSummary, CallsQuery } from '../../../stats/ports.ts';
import { matchesPacked, type RecordCondition, recordCondition, summaryOf } from '../../sql/records/record-filter.ts';
import { SELECTED_COLUMNS } from '../../sql/records/record-row.ts';
import type { ListedRecords, TimeSpan } from '../../sql/reports/list-calls.ts';
import { rowOf, rowsOf, type Steps } from '../../sql/reports/steps.ts';
import { type RecordRows, recordNameId } from './record-rows.ts';

/** Rows read at a time if some of them may not match. */
const ROWS = 256;

export class PostgresCalls implements ListedRecords {
  readonly #rows: RecordRows;
  readonly #query: CallsQuery;
  #condition: RecordCondition | null = null;

  constructor(rows: RecordRows, query: CallsQuery) {
    this.#rows = rows;
    this.#query = query;
  }

  *span(): Steps<TimeSpan | null> {
    const { model, provider } = this.#query;
    const names = { model: yield* recordNameId(model), provider: yield* recordNameId(provider) };
    // No record ever had this name.
    if ((model !== null && names.model === null) || (provider !== null && names.provider === null)) return null;
    this.#condition = recordCondition(this.#query, names);
    const first = yield* edgeOf('ASC');
    const last = yield* edgeOf('DESC');
    return first === null || last === null ? null : { fromMs: first, toMs: last + 1 };
  }

  has(): boolean {
    return true;
  }

  *read(from: Uint8Array, end: Uint8Array, found: CallSummary[]): Steps<void> {
    const query = this.#query;
    if (this.#condition === null) return;
    const { sql, values } = this.#condition;
    const isWhole = query.streamed === null && query.labels === null;
    const select = `SELECT ${SELECTED_COLUMNS} FROM records
      WHERE call_id >= ? AND call_id < ? AND ${sql} ORDER BY call_id DESC LIMIT ?`;
    for (let to = end; ; ) {
      const most = isWhole ? query.limit + 1 - found.length : ROWS;
      const rows = yield* rowsOf(select, [from, to, ...values, most]);
      for (const record of yield* this.#rows.read(rows)) {
        if (matchesPacked(query, record)) found.push(summaryOf(record));
        if (found.length > query.limit) return;
      }
      if (rows.length < most) return;
      to = rows.at(-1)?.['call_id'] as Uint8Array;
    }
  }

  close(): void {}
}

/** The time of the oldest or the newest record, ms; null if there is none. */
function* edgeOf(order: 'ASC' | 'DESC'): Steps<number | null> {
  const row = yield* rowOf<{ id: Uint8Array }>(`SELECT call_id AS id FROM records ORDER BY call_id ${order} LIMIT 1`);
  return row === null ? null : callIdTime(callIdFromBytes(row.id));
}
