/**
 * Sends the rows of a price table, a part at a time: a table can have tens of thousands, and each part is one change of the catalogue, with its
 * audit entries.
 */
import type { ControlClient } from '../../control-client.ts';
import { readJson } from '../../output.ts';
import type { ReadTable } from './price-source.ts';

interface StateRow {
  readonly prices: Readonly<Record<string, unknown>> | null;
  readonly retires: string | null;
}

export interface ChangeRow {
  readonly provider: string;
  readonly upstream_model: string;
  readonly before: StateRow;
  readonly after: StateRow;
  /** Names of prices that the table lacks and that stay. */
  readonly kept: readonly string[];
  readonly suspicion: string | null;
  readonly overridden: boolean;
}

export interface PlanRow {
  readonly changes: readonly ChangeRow[];
  readonly unchanged: number;
  readonly pinned: number;
  readonly unknown: number;
  readonly is_done: boolean;
}

export interface SendOptions {
  readonly isDryRun: boolean;
  readonly allowSuspicious: boolean;
  /** Called after each part of several that changed something, with how many rows have been changed by then. */
  readonly changed?: (count: number) => void;
}

type Row = ReadTable['prices'][number];

/** Of one request. The route takes 2,000 rows, and 256 KiB. */
const ROWS_MAX = 1_000;
const BYTES_MAX = 200 * 1_024;
/** A part is checked against all rows, and the catalogue is built again. */
const PATIENCE_MS = 120_000;

/**
 * What changed, or would change. A table of several parts is checked as a whole before any of it is imported. Throws what the control plane
 * refuses: then the parts before it have been imported, and the command can be repeated.
 */
export async function sendPrices(
  control: Pick<ControlClient, 'call'>,
  table: ReadTable,
  { isDryRun, allowSuspicious, changed = () => {} }: SendOptions,
): Promise<PlanRow> {
  const send = async (rows: readonly Row[], isDry: boolean): Promise<PlanRow> => {
    const body = { prices: rows, source: table.format, dry_run: isDry, allow_suspicious: allowSuspicious };
    const text = await control.call('POST', '/control/api/model-prices/import', body, { patienceMs: PATIENCE_MS });
    return readJson<{ data: PlanRow }>(text).data;
  };
  const parts = partsOf(table.prices);
  if (parts.length <= 1) return send(parts[0] ?? [], isDryRun);
  let plan: PlanRow = { changes: [], unchanged: 0, pinned: 0, unknown: 0, is_done: false };
  for (const part of parts) plan = sumOf(plan, await send(part, true));
  if (isDryRun || plan.changes.length === 0) return plan;
  const suspicious = allowSuspicious
    ? []
    : rowsOf(
        plan.changes.filter(({ suspicion }) => suspicion !== null),
        table,
      );
  // Before anything is changed, so that it is refused as a whole.
  if (suspicious.length > 0) await send(partsOf(suspicious)[0] ?? [], false);
  let count = 0;
  for (const part of partsOf(rowsOf(plan.changes, table))) {
    count += (await send(part, false)).changes.length;
    changed(count);
  }
  return { ...plan, is_done: true };
}

function sumOf(one: PlanRow, other: PlanRow): PlanRow {
  return {
    changes: [...one.changes, ...other.changes],
    unchanged: one.unchanged + other.unchanged,
    pinned: one.pinned + other.pinned,
    unknown: one.unknown + other.unknown,
    is_done: other.is_done,
  };
}

/** The rows of the table that make these changes. */
function rowsOf(changes: readonly ChangeRow[], { prices }: ReadTable): readonly Row[] {
  const changing = new Set(changes.map(({ provider, upstream_model }) => keyOf(provider, upstream_model)));
  return prices.filter((row) => changing.has(keyOf(row['provider'], row['model'])));
}

function keyOf(provider: unknown, model: unknown): string {
  return JSON.stringify([provider, model]);
}

function partsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const parts: Row[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const rowBytes = Buffer.byteLength(JSON.stringify(row)) + 1;
    const last = parts.at(-1);
    if (last === undefined || last.length === ROWS_MAX || bytes + rowBytes > BYTES_MAX) {
      parts.push([row]);
      bytes = rowBytes;
    } else {
      last.push(row);
      bytes += rowBytes;
    }
  }
  return parts;
}
