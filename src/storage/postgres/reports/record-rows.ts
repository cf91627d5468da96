/** Reads records in the steps of a report, with the names that they refer to. */
import type { CallRecord } from '../../../stats/ports.ts';
import type { NamedSettlementRow } from '../../sql/ledger/settlement-columns.ts';
import { type RecordRow, readRecord } from '../../sql/records/record-row.ts';
import { type FoundRow, rowOf, rowsOfEach, type Steps } from '../../sql/reports/steps.ts';
import { KnownNames } from '../records/known-names.ts';

const READS_MAX = 5;

export class RecordRows {
  readonly #names = new KnownNames();

  *read(rows: readonly FoundRow[]): Steps<readonly CallRecord[]> {
    const found = rows.map((row) => withNumbers<RecordRow>(row));
    for (let read = 1; ; read += 1) {
      const records = found.map((row) => readRecord(row, this.#names));
      const unknown = this.#names.takeUnknownIds();
      if (unknown.length === 0) return records;
      if (read === READS_MAX) throw new Error('records have numbers of names that do not exist');
      const names = yield* rowsOfEach<{ name: string }>(
        'SELECT name FROM record_names WHERE id = ?',
        unknown.map((id) => [id]),
      );
      for (const [index, id] of unknown.entries()) {
        const name = names[index]?.[0]?.name;
        if (name !== undefined) this.#names.learn(id, name);
      }
    }
  }
}

/** The number of a name of records, or null. */
export function* recordNameId(name: string | null): Steps<bigint | null> {
  if (name === null) return null;
  const row = yield* rowOf<{ id: bigint }>('SELECT id FROM record_names WHERE name = ?', [name]);
  return row?.id ?? null;
}

/** Reports read every integer as a `bigint`; where rows are read, they are numbers, and amounts are text. */
export function withNumbers<Row extends RecordRow | NamedSettlementRow>(row: FoundRow): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  ) as unknown as Row;
}
