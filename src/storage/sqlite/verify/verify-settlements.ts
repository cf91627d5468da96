/** Each settlement by itself: what the domain says of its amounts, its tokens and the prices of its version. */
import type { DatabaseSync } from 'node:sqlite';
import type { LedgerRules, SettledFigures } from '../../../billing/maintenance-ports.ts';
import type { Prices } from '../../../billing/ports.ts';
import { callIdFromBytes, generationId, type PriceVersionId } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import { endingOf, usageSourceOf } from '../../sql/codes.ts';
import { bigStatement } from '../engine/open-read-only.ts';
import type { Findings } from './findings.ts';

export type PricesById = ReadonlyMap<number, Prices>;

const COLUMNS = [
  'call_id',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'input_audio_tokens',
  'output_tokens',
  'output_audio_tokens',
  'reasoning_tokens',
  'web_searches',
  'usage_source',
  'price_version',
  'cost_nano',
  'charge_nano',
  'ending',
  'hold_nano',
  'fault_nano',
  'variance_nano',
] as const;

/** As they are selected: an object a row would take half as long again. */
type Row = readonly [
  callId: Uint8Array,
  input: bigint,
  cacheRead: bigint,
  cacheWrite: bigint,
  cacheWrite1h: bigint,
  inputAudio: bigint,
  output: bigint,
  outputAudio: bigint,
  reasoning: bigint,
  webSearches: bigint,
  usageSource: bigint,
  priceVersion: bigint | null,
  cost: Money | null,
  charge: Money,
  ending: bigint,
  hold: Money | null,
  fault: Money,
  variance: Money,
];

/** Returns how many there are. `database` is the ledger or an archive. */
export function verifySettlements(
  database: DatabaseSync,
  prices: PricesById,
  rules: LedgerRules,
  findings: Findings,
): number {
  let count = 0;
  for (const table of ['settlements', 'holds'] as const) {
    if (table === 'holds' && !hasTable(database, table)) continue;
    const statement = bigStatement(database, `SELECT ${COLUMNS.join(', ')} FROM ${table}`);
    statement.setReturnArrays(true);
    for (const row of statement.iterate() as unknown as Iterable<Row>) {
      if (table === 'settlements') count += 1;
      verifyRow(row, prices, rules, findings);
    }
  }
  return count;
}

/** The versions of prices that its settlements and holds name. */
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

function verifyRow(row: Row, prices: PricesById, rules: LedgerRules, findings: Findings): void {
  let found: readonly string[];
  const version = row[11] === null ? null : Number(row[11]);
  const known = version === null ? null : (prices.get(version) ?? null);
  try {
    found = rules.faultsOf(figuresOf(row, version), known);
  } catch (error) {
    // A count or a code that none of ours is.
    found = [error instanceof Error ? error.message : String(error)];
  }
  for (const fault of found) findings.add('settlement_adds_up', subjectOf(row[0]), fault);
  if (version !== null && known === null)
    findings.add('price_version_known', subjectOf(row[0]), `there is no price version ${version}`);
}

function figuresOf(row: Row, version: number | null): SettledFigures {
  return {
    usage: {
      inputTokens: Number(row[1]),
      cacheReadTokens: Number(row[2]),
      cacheWriteTokens: Number(row[3]),
      cacheWrite1hTokens: Number(row[4]),
      inputAudioTokens: Number(row[5]),
      outputTokens: Number(row[6]),
      outputAudioTokens: Number(row[7]),
      reasoningTokens: Number(row[8]),
      webSearches: Number(row[9]),
    },
    usageSource: usageSourceOf(Number(row[10])),
    priceVersion: version as PriceVersionId | null,
    cost: row[12],
    charge: row[13],
    ending: endingOf(Number(row[14])),
    hold: row[15],
    fault: row[16],
    variance: row[17],
  };
}

export function subjectOf(callId: Uint8Array): string {
  return generationId(callIdFromBytes(callId));
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}
