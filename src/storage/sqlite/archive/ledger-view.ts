/**
 * A read-only view of the ledger: the database and, if requested, the archives of sealed months.
 * A transaction fixes a snapshot of the database, however much is written meanwhile.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { firstDayOfMonth } from '../../sql/ledger/ledger-months.ts';
import { openReadOnly } from '../engine/open-read-only.ts';
import { archivePath, DATABASE_FILE } from '../files.ts';
import { readSeals, type Seals } from './seals.ts';

/** A sealed month's rows. */
export interface Archive {
  readonly month: string;
  readonly path: string;
  /** Null if the file is missing. */
  readonly database: DatabaseSync | null;
}

/** The archives of sealed months, as files of the data folder: the same with every database. */
export class ArchiveFiles {
  readonly seals: Seals;
  /** Empty if archives were not requested. */
  readonly archives: readonly Archive[];
  /** Days since 1970: calls admitted from this day on are not sealed. */
  readonly liveDay: number;

  constructor(folder: string, seals: Seals, { archive }: { readonly archive: boolean }) {
    this.seals = seals;
    const months = [...seals.keys()];
    const last = months.at(-1);
    this.liveDay = last === undefined ? 0 : firstDayOfMonth(last, 1);
    this.archives = archive
      ? months.map((month) => {
          const path = archivePath(folder, month);
          return { month, path, database: existsSync(path) ? openReadOnly(path) : null };
        })
      : [];
  }

  /** The archives whose files exist. */
  *present(): Iterable<{ readonly month: string; readonly database: DatabaseSync }> {
    for (const { month, database } of this.archives) if (database !== null) yield { month, database };
  }

  /** Whether everything that was ever settled can be read. */
  get isWhole(): boolean {
    return this.archives.filter(({ database }) => database !== null).length === this.seals.size;
  }

  close(): void {
    for (const { database } of this.archives) database?.close();
  }
}

export class LedgerView extends ArchiveFiles {
  readonly database: DatabaseSync;

  constructor(folder: string, options: { readonly archive: boolean }) {
    const database = openReadOnly(join(folder, DATABASE_FILE));
    database.exec('BEGIN');
    super(folder, readSeals(database), options);
    this.database = database;
  }

  override close(): void {
    this.database.close();
    super.close();
  }
}
