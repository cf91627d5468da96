/** A digest of an account's rows of a month, which is the same for the ledger and the archive. */
import { createHash, type Hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { bigStatement } from '../engine/open-read-only.ts';
import { settlementColumnsIn } from './settlement-columns-in.ts';

export interface RowsDigest {
  /** Settlements and entries. */
  readonly rows: number;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

export interface MonthRows {
  /** The schema name of the database on the connection. */
  readonly schema: string;
  /** The WHERE conditions for settlements and for entries. */
  readonly settlements: string;
  readonly entries: string;
}

/** All rows of an archive. */
export const WHOLE_ARCHIVE: MonthRows = { schema: 'main', settlements: 'true', entries: 'true' };

export const ENTRY_COLUMNS = ['id', 'at', 'account_id', 'kind', 'amount_nano', 'reference', 'call_id', 'note'] as const;

/** By account, over every column that the database has: settlements in the order of call ids, then entries in the order of ids. */
export function digestRows(database: DatabaseSync, rows: MonthRows): Map<number, RowsDigest> {
  const digests = new AccountDigests();
  const add = (table: string, columns: readonly string[], where: string, order: string) => {
    const accountAt = columns.indexOf('account_id');
    const statement = bigStatement(
      database,
      `SELECT ${columns.join(', ')} FROM ${rows.schema}.${table} WHERE ${where} ORDER BY ${order}`,
    );
    statement.setReturnArrays(true);
    for (const row of statement.iterate() as unknown as Iterable<readonly Value[]>)
      digests.add(Number(row[accountAt]), row);
  };
  add('settlements', settlementColumnsIn(database, rows.schema), rows.settlements, 'call_id');
  add('entries', ENTRY_COLUMNS, rows.entries, 'id');
  return digests.all();
}

/** Digests of rows that are added in order, settlements before entries. */
export class AccountDigests {
  readonly #digests = new Map<number, { rows: number; readonly hash: Hash }>();

  /** Every column of the row. */
  add(account: number, row: readonly DigestedValue[]): void {
    let digest = this.#digests.get(account);
    if (digest === undefined) {
      digest = { rows: 0, hash: createHash('sha256') };
      this.#digests.set(account, digest);
    }
    digest.rows += 1;
    digest.hash.update(rowText(row));
  }

  /** Call it once, at the end. */
  all(): Map<number, RowsDigest> {
    return new Map(
      [...this.#digests].map(([account, { rows, hash }]) => [account, { rows, hash: hash.digest('hex') }]),
    );
  }
}

export type DigestedValue = bigint | string | Uint8Array | null;
type Value = DigestedValue;

/** A text that is unique to the row. */
function rowText(row: readonly Value[]): string {
  let text = '';
  for (const value of row) {
    if (typeof value === 'bigint') text += value;
    else if (typeof value === 'string') text += JSON.stringify(value);
    else if (value !== null)
      text += `x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
    text += ',';
  }
  return `${text}\n`;
}
