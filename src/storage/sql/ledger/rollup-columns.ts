/** The columns of the hourly and daily sums, declared once: the dimensions, and what each sum adds up. */
import { endingCodes, usageSourceCodes } from '../codes.ts';
import type { RollupRow } from '../schema.ts';
import { assignments, compile } from './compile-columns.ts';
import type { SettlementColumnName } from './settlement-columns.ts';

/** Sums of the settlements of one hour that agree in all dimensions. */
export interface RollupSum {
  /** Since 1970 UTC. */
  readonly hour: number;
  readonly accountId: number;
  readonly projectId: number;
  readonly keyId: number;
  /** A number from the table of names, like `provider`. */
  readonly model: number;
  readonly provider: number;
  calls: number;
  failed: number;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  reasoningTokens: number;
  cost: bigint;
  charge: bigint;
  /** The part of `cost` that was billed to own credentials of the accounts. */
  ownCost: bigint;
  /** Calls that were answered from the response cache. */
  cacheHits: number;
  saved: bigint;
}

/** After `start`, the number of the hour or the day. */
const dimensions = [
  { column: 'account_id', field: 'accountId' },
  { column: 'project_id', field: 'projectId' },
  { column: 'key_id', field: 'keyId' },
  { column: 'model', field: 'model' },
  { column: 'provider', field: 'provider' },
] as const satisfies readonly RollupColumn[];

/** `settled` is what a settlement adds, as an expression over its columns. */
const sums = [
  { column: 'calls', field: 'calls', settled: '1' },
  {
    column: 'failed',
    field: 'failed',
    settled: `CASE WHEN ending IN (${endingCodes.complete}, ${endingCodes.empty}) THEN 0 ELSE 1 END`,
  },
  {
    column: 'prompt_tokens',
    field: 'promptTokens',
    settled: 'input_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens + input_audio_tokens',
  },
  { column: 'completion_tokens', field: 'completionTokens', settled: 'output_tokens + output_audio_tokens' },
  { column: 'cached_tokens', field: 'cachedTokens', settled: 'cache_read_tokens' },
  { column: 'reasoning_tokens', field: 'reasoningTokens', settled: 'reasoning_tokens' },
  { column: 'cost_nano', field: 'cost', settled: 'coalesce(cost_nano, 0)' },
  { column: 'charge_nano', field: 'charge', settled: 'charge_nano' },
  {
    column: 'own_cost_nano',
    field: 'ownCost',
    settled: 'CASE WHEN own_credential = 0 THEN 0 ELSE coalesce(cost_nano, 0) END',
  },
  {
    column: 'cache_hits',
    field: 'cacheHits',
    settled: `CASE WHEN usage_source = ${usageSourceCodes.cache} THEN 1 ELSE 0 END`,
  },
  { column: 'saved_nano', field: 'saved', settled: 'saved_nano' },
] as const satisfies readonly (RollupColumn & { readonly settled: string })[];

interface RollupColumn {
  readonly column: Exclude<keyof RollupRow, 'start'>;
  readonly field: keyof RollupSum;
}

export type RollupSumColumn = (typeof sums)[number]['column'];

export const ROLLUP_DIMENSIONS: readonly string[] = ['start', ...dimensions.map(({ column }) => column)];
export const ROLLUP_SUMS: readonly RollupSumColumn[] = sums.map(({ column }) => column);
/** In the order of writing. */
export const ROLLUP_COLUMNS: readonly string[] = [...ROLLUP_DIMENSIONS, ...ROLLUP_SUMS];

/** What a settlement adds to a sum, as an expression over its columns. */
export function settledIn(name: RollupSumColumn): string {
  return (sums.find(({ column }) => column === name) as (typeof sums)[number]).settled;
}

/** The sums that need a column of settlements which older archives do not have; without it they are 0. */
const LATER_SUMS: Readonly<Partial<Record<RollupSumColumn, SettlementColumnName>>> = {
  own_cost_nano: 'own_credential',
  saved_nano: 'saved_nano',
};

/** The same for a table of settlements with these columns. */
export function settledInOf(name: RollupSumColumn, columns: readonly string[]): string {
  const needed = LATER_SUMS[name];
  return needed === undefined || columns.includes(needed) ? settledIn(name) : '0';
}

/** What a settlement adds to each sum, in the order of the columns, after the dimensions; `spanMs` is an hour or a day. */
export function settledColumns(spanMs: number): readonly string[] {
  return [`admitted_at / ${spanMs}`, ...ROLLUP_DIMENSIONS.slice(1), ...sums.map(({ settled }) => settled)];
}

/** The clause after rows inserted into a table of sums: they are added to existing rows. */
export function addToRollup(table: string): string {
  return `ON CONFLICT (${ROLLUP_DIMENSIONS.join(', ')}) DO UPDATE SET ${added(table, ROLLUP_SUMS)}`;
}

/** Writes the values of an hourly or daily row into `values`, in the order of the columns, starting at `at`. */
export type WriteRollup = (sum: RollupSum, values: unknown[], at: number) => void;
export const writeHour = compileRollup('sum.hour');
export const writeDay = compileRollup('Math.floor(sum.hour / 24)');

export const BALANCE_COLUMNS: readonly string[] = ['account_id', 'balance_nano', 'credited_nano', 'charged_nano'];

/** Like `addToRollup`, for balances. */
export const ADD_TO_BALANCE = `ON CONFLICT (account_id) DO UPDATE SET ${added('balances', BALANCE_COLUMNS.slice(1))}`;

function compileRollup(start: string): WriteRollup {
  const fields = [...dimensions, ...sums].map(({ field }) => `sum.${field}`);
  return compile(['sum', 'values', 'at'], assignments([start, ...fields]));
}

/**
 * `excluded` has the values to be inserted, as they were bound. Amounts are bound as integers, which SQLite adds exactly; counts are bound
 * as doubles, which are exact below 2^53.
 */
function added(table: string, columns: readonly string[]): string {
  return columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
}
