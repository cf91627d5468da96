/**
 * How the settlements of a commit are stored in a node's journal and sent to the bank: columns, each as the elements of one of
 * PostgreSQL's binary arrays (`length, bytes`, big-endian; length -1 for null). So the columns of many batches become parameters by
 * putting them one after the other; see `concatenate-batches.ts`.
 *
 * A batch is its format number, then four tables: settlements, replays, stored ids, names. A table is its number of rows, its number
 * of columns, the size of each column in bytes, then the columns; all numbers have 32 bits. A column is empty if all of its values
 * are its default: null where it may be null, else 0. A column that a later version adds is absent in older batches, and means its
 * default, too; so new columns are added at the end, and only another layout needs another format number.
 */
import { SETTLEMENT_COLUMNS, type SettlementColumn } from '../sql/ledger/settlement-columns.ts';

export const BATCH_FORMAT = 1;

/** PostgreSQL's name of the type of an element. */
export type ElementType = 'bytea' | 'int4' | 'int8' | 'text';

export interface BatchColumn {
  readonly name: string;
  readonly type: ElementType;
  readonly nullable: boolean;
  /** A name is its place in the table of names, from 1. A call is a place in its own batch, which the bank is not sent. */
  readonly holds: 'number' | 'money' | 'name' | 'bytes' | 'text' | 'call';
}

export type BatchTable = 'settlements' | 'replays' | 'storedIds' | 'names';

const SETTLEMENT_TYPES: Readonly<Record<SettlementColumn['kind'], ElementType>> = {
  callId: 'bytea',
  accountId: 'int4',
  projectId: 'int4',
  keyId: 'int4',
  name: 'int4',
  count: 'int8',
  usageSource: 'int4',
  ending: 'int4',
  priceVersion: 'int4',
  rate: 'int4',
  flag: 'int4',
  money: 'int8',
};

/** What a settlement has in a batch in addition to its own columns: as what its money was lent; see `CallLease`. */
const LEASE_COLUMNS: readonly BatchColumn[] = [
  // Without a lease: the key itself, no budgets, and the day of admission.
  column('root_id', 'int4'),
  column('budgets', 'int4'),
  column('day', 'int4'),
];

export const BATCH_COLUMNS: Readonly<Record<BatchTable, readonly BatchColumn[]>> = {
  settlements: [...LEASE_COLUMNS, ...SETTLEMENT_COLUMNS.map(ofSettlement)],
  replays: [
    column('project_id', 'int4'),
    column('key_digest', 'bytea'),
    column('body_digest', 'bytea'),
    column('call_id', 'bytea'),
    column('created_at', 'int8'),
    column('expires_at', 'int8'),
    { ...column('answer', 'bytea'), nullable: true },
  ],
  storedIds: [
    column('project_id', 'int4'),
    column('digest', 'bytea'),
    { ...column('provider', 'int4'), holds: 'name' },
    { ...column('upstream_model', 'int4'), holds: 'name' },
    column('created_at', 'int8'),
    { ...column('credential', 'int4'), nullable: true, holds: 'name' },
    // Whose it is: the place of its call among the settlements, from 1; 0 in batches of before.
    { ...column('call', 'int4'), holds: 'call' },
  ],
  names: [column('name', 'text')],
};

/** The columns of a table that are sent to the bank, which are its first ones. */
export function sentColumns(table: BatchTable): readonly BatchColumn[] {
  return BATCH_COLUMNS[table].filter(({ holds }) => holds !== 'call');
}

export const LEASE_COLUMN_COUNT = LEASE_COLUMNS.length;

/** The size of an element with its length, in bytes; null if elements differ in size. */
export function elementBytes({ type, nullable }: BatchColumn): number | null {
  return nullable || WIDTHS[type] === null ? null : 4 + WIDTHS[type];
}

/** The size of a value that is not null, in bytes; null if values differ in size. */
export const WIDTHS: Readonly<Record<ElementType, number | null>> = { bytea: null, int4: 4, int8: 8, text: null };

function column(name: string, type: ElementType): BatchColumn {
  return { name, type, nullable: false, holds: type === 'bytea' ? 'bytes' : type === 'text' ? 'text' : 'number' };
}

function ofSettlement({ column: name, kind, nullable }: SettlementColumn): BatchColumn {
  const plain = { ...column(name, SETTLEMENT_TYPES[kind]), nullable };
  return kind === 'money' || kind === 'name' ? { ...plain, holds: kind } : plain;
}
