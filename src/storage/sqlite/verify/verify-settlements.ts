/** Verifies each settlement by itself: its amounts must follow from its tokens and the prices of its version. */
import type { DatabaseSync } from 'node:sqlite';
import type { LedgerRules, SettledFigures } from '../../../billing/maintenance-ports.ts';
import type { Prices } from '../../../billing/ports.ts';
import { callIdFromBytes, generationId } from '../../../core/ids.ts';
import { SETTLEMENT_COLUMNS } from '../../sql/ledger/settlement-columns.ts';
import { compileFiguresReader } from '../../sql/ledger/settlement-rows.ts';
import { settlementColumnsIn } from '../archive/settlement-columns-in.ts';
import { bigStatement } from '../engine/open-read-only.ts';
import type { Findings } from './findings.ts';

export type PricesById = ReadonlyMap<number, Prices>;

/** The fields that the rules of the domain check. */
const FIGURES: ReadonlySet<string> = new Set([
  'usage',
  'usageSource',
  'priceVersion',
  'rate',
  'ownCredential',
  'cost',
  'hold',
  'charge',
  'fault',
  'variance',
  'nodeLoss',
  'saved',
  'ending',
] satisfies (keyof SettledFigures)[]);
/** Their columns, in the order of the rows that `verifyRow` takes, after the id and the price version. */
export const FIGURE_COLUMNS = SETTLEMENT_COLUMNS.filter(({ field }) => FIGURES.has(field.split('.')[0] as string));

/** Rows as arrays: an object per row would take half as long again. */
export type FiguresRow = readonly [callId: Uint8Array, version: bigint | null, ...figures: unknown[]];
const figuresOf = compileFiguresReader<SettledFigures>(FIGURE_COLUMNS, 2);

/** Returns the number of settlements. `database` is the ledger or an archive. */
export function verifySettlements(
  database: DatabaseSync,
  prices: PricesById,
  rules: LedgerRules,
  findings: Findings,
): number {
  let count = 0;
  for (const table of ['settlements', 'holds'] as const) {
    if (table === 'holds' && !hasTable(database, table)) continue;
    const there: readonly string[] = settlementColumnsIn(database, 'main', table);
    // A month that was sealed before a column was added has 0 in it.
    const selected = FIGURE_COLUMNS.map(({ column }) => (there.includes(column) ? column : '0'));
    const statement = bigStatement(database, `SELECT call_id, price_version, ${selected.join(', ')} FROM ${table}`);
    statement.setReturnArrays(true);
    for (const row of statement.iterate() as unknown as Iterable<FiguresRow>) {
      if (table === 'settlements') count += 1;
      verifyRow(row, prices, rules, findings);
    }
  }
  return count;
}

/** The price versions of its settlements and holds. */
export function priceVersionsOf(database: DatabaseSync): number[] {
  return ['settlements', 'holds']
    .filter((table) => hasTable(database, table))
    .flatMap(
      (table) =>
        database.prepare(`SELECT DISTINCT price_version AS id FROM ${table} WHERE price_version IS NOT NULL`).all() as {
          id: number;
        }[],
    )
    .map(({ id }) => id);
}

export function verifyRow(row: FiguresRow, prices: PricesById, rules: LedgerRules, findings: Findings): void {
  let found: readonly string[];
  const version = row[1] === null ? null : Number(row[1]);
  const known = version === null ? null : (prices.get(version) ?? null);
  try {
    found = rules.faultsOf(figuresOf(row), known);
  } catch (error) {
    // An invalid count or code.
    found = [error instanceof Error ? error.message : String(error)];
  }
  for (const fault of found) findings.add('settlement_adds_up', subjectOf(row[0]), fault);
  if (version !== null && known === null)
    findings.add('price_version_known', subjectOf(row[0]), `there is no price version ${version}`);
}

export function subjectOf(callId: Uint8Array): string {
  return generationId(callIdFromBytes(callId));
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}
