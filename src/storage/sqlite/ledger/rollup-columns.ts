/** The columns of the two tables of sums: what rows are told apart by, and what is added up. */
import type { RollupRow } from '../../sql/schema.ts';

const DIMENSIONS = [
  'start',
  'account_id',
  'project_id',
  'key_id',
  'model',
  'provider',
] as const satisfies readonly (keyof RollupRow)[];

const SUMS = [
  'calls',
  'failed',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'cost_nano',
  'charge_nano',
] as const satisfies readonly (keyof RollupRow)[];

/** In the order in which they are written. */
export const ROLLUP_COLUMNS: readonly string[] = [...DIMENSIONS, ...SUMS];

/** What follows rows that are inserted: they are added to those that are there. */
export const ADD_TO_ROLLUP = `ON CONFLICT (${DIMENSIONS.join(', ')}) DO UPDATE SET ${added(SUMS)}`;

export const BALANCE_COLUMNS: readonly string[] = ['account_id', 'balance_nano', 'credited_nano', 'charged_nano'];

/** As `ADD_TO_ROLLUP`, of balances. */
export const ADD_TO_BALANCE = `ON CONFLICT (account_id) DO UPDATE SET ${added(BALANCE_COLUMNS.slice(1))}`;

/**
 * `excluded` has values as they were bound: amounts as integers, which SQLite adds exactly, counts as doubles, which are
 * exact below 2^53.
 */
function added(columns: readonly string[]): string {
  return columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', ');
}
