/**
 * The ledger as it is looked at: the database and, where they are wanted, the archives of sealed months, all
 * read-only. A transaction on the database gives one moment of it, however much is written meanwhile.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { firstDayOfMonth } from './ledger-months.ts';
import type { SealSums } from './seal-sums.ts';

export const DATABASE_FILE = 'turnpike.db';
export const ARCHIVE_FOLDER = 'archive';

/** Rows come as integers of any size. */
export function bigStatement(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

export function openReadOnly(path: string): DatabaseSync {
  // A checkpoint that starts the log afresh may be in the way for an instant.
  return new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
}

export function archivePath(folder: string, month: string): string {
  return join(folder, ARCHIVE_FOLDER, `ledger-${month}.db`);
}

/** A sealed month's rows. */
export interface Archive {
  readonly month: string;
  readonly path: string;
  /** Null where the file is missing. */
  readonly database: DatabaseSync | null;
}

export interface Seal {
  readonly closing: bigint;
  /** What moved in the month by kind; null in seals of before they had it. */
  readonly sums: SealSums | null;
  readonly rows: bigint;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/** What the seals say: by month, in order, and then by account. */
export type Seals = ReadonlyMap<string, ReadonlyMap<number, Seal>>;

export class LedgerView {
  readonly database: DatabaseSync;
  readonly seals: Seals;
  /** Empty where archives are not looked at. */
  readonly archives: readonly Archive[];
  /** Days since 1970: calls admitted from this day on are not sealed. */
  readonly liveDay: number;

  constructor(folder: string, { archive }: { readonly archive: boolean }) {
    this.database = openReadOnly(join(folder, DATABASE_FILE));
    this.database.exec('BEGIN');
    this.seals = readSeals(this.database);
    const months = [...this.seals.keys()];
    const last = months.at(-1);
    this.liveDay = last === undefined ? 0 : firstDayOfMonth(last, 1);
    this.archives = archive
      ? months.map((month) => {
          const path = archivePath(folder, month);
          return { month, path, database: existsSync(path) ? openReadOnly(path) : null };
        })
      : [];
  }

  /** The archives that are there. */
  *present(): Iterable<{ readonly month: string; readonly database: DatabaseSync }> {
    for (const { month, database } of this.archives) if (database !== null) yield { month, database };
  }

  /** Whether everything that was ever settled can be looked at. */
  get isWhole(): boolean {
    return this.archives.filter(({ database }) => database !== null).length === this.seals.size;
  }

  close(): void {
    this.database.close();
    for (const { database } of this.archives) database?.close();
  }
}

type SealRow = Omit<Seal, 'sums'> & { readonly month: string; readonly account_id: bigint } & Readonly<
    Record<keyof SealSums, bigint | null>
  >;

export function readSeals(database: DatabaseSync): Seals {
  const months = new Map<string, Map<number, Seal>>();
  const rows = bigStatement(
    database,
    `SELECT month, account_id, closing_balance_nano AS closing, rows, lower(hex(hash)) AS hash, topups_nano AS topups,
       promos_nano AS promos, adjustments_nano AS adjustments, refunds_nano AS refunds, charges_nano AS charges
     FROM seals ORDER BY month, account_id`,
  ).all() as unknown as SealRow[];
  for (const { month, account_id: account, closing, rows: count, hash, ...kinds } of rows) {
    const accounts = months.get(month) ?? new Map<number, Seal>();
    const sums = Object.values(kinds).every((sum) => sum !== null) ? (kinds as SealSums) : null;
    accounts.set(Number(account), { closing, sums, rows: count, hash });
    months.set(month, accounts);
  }
  return months;
}

/** What each account had when its last month was sealed. */
export function openingBalances(seals: Seals): Map<number, bigint> {
  const opening = new Map<number, bigint>();
  for (const accounts of seals.values()) for (const [account, { closing }] of accounts) opening.set(account, closing);
  return opening;
}
