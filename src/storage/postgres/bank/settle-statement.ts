/** The statement that settles batches: their columns are its parameters, put together without reading a value. */
import { type BatchTable, sentColumns } from '../../journal/batch-format.ts';
import { concatenateBatches } from '../../journal/concatenate-batches.ts';
import type { Statement } from '../engine/connections.ts';
import { inHistory } from '../ledger/history.ts';

export interface SettledRow {
  /** JSON: an array of call ids in hexadecimal, or null. */
  readonly conflicts: string | null;
  readonly late_calls: number | null;
  readonly late_loss: bigint | null;
  readonly is_fault: boolean;
}

export interface SettleRequest {
  readonly slot: number;
  readonly epoch: number;
  /** Of the place; null for any. */
  readonly history: string | null;
  readonly isPrepaid: boolean;
  readonly encoded: readonly Uint8Array[];
}

/** Null if the batches have no settlement; returns no row, and settles nothing, if the server has another history. Throws `BadBatch`. */
export function settleStatement({ slot, epoch, history, isPrepaid, encoded }: SettleRequest): Statement | null {
  const { calls, names, settlements, replays, storedIds } = concatenateBatches(encoded);
  if (calls === 0) return null;
  return { text: TEXT, values: [slot, epoch, isPrepaid, ...names, ...settlements, ...replays, ...storedIds, history] };
}

/**
 * The types of rows of arrays that the function takes: each has columns of a table of the batch, in their order, from the first one that it
 * names on. A released type never changes, so columns that come later have another one.
 */
const ROW_TYPES = [
  ['settlements', 'turnpike_calls_1', 'root_id'],
  ['settlements', 'turnpike_units_1', 'units'],
  ['settlements', 'turnpike_images_1', 'input_image_tokens'],
  ['replays', 'turnpike_replays_1', 'project_id'],
  ['storedIds', 'turnpike_stored_ids_1', 'project_id'],
] as const satisfies readonly (readonly [table: BatchTable, type: string, first: string])[];

const TEXT = statementText();

function statementText(): string {
  let parameters = 4;
  const rows = ROW_TYPES.map(([table, type, first], index) => {
    const next = ROW_TYPES[index + 1];
    const all = sentColumns(table);
    const from = all.findIndex(({ name }) => name === first);
    const end = next?.[0] === table ? all.findIndex(({ name }) => name === next[2]) : all.length;
    const columns = all.slice(from, end).map((column) => {
      parameters += 1;
      return `$${parameters}::${column.type}[]`;
    });
    return `row(${columns.join(', ')})::${type}`;
  });
  return `${inHistory(`$${parameters + 1}`)}
  select late_calls, late_loss, is_fault,
    (select json_agg(encode(id, 'hex'))::text from unnest(conflicts) as id) as conflicts
    from found cross join lateral turnpike_settle_6(
      case when found.history is not null then $1::smallint end, $2::bigint, $3::boolean, $4::text[], ${rows.join(', ')})`;
}
