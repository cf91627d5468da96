/** Reads and writes the mark of a move, in either engine. See `moved-mark.ts`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MaintenanceConnection } from '../postgres/maintenance/maintenance-connection.ts';
import { DATABASE_FILE } from '../sqlite/files.ts';
import { MOVED_FACT, MOVED_FROM_FACT, type MovedMark, movedSentence, readMark } from './moved-mark.ts';

/** Where a mark is. */
export interface MarkedLedger {
  read(): Promise<MovedMark | null>;
  /** It is on the disk when this resolves. Null removes it. */
  write(mark: MovedMark | null): Promise<void>;
  /** The id of the move that the ledger came with; null if it came with none. */
  cameWith(): Promise<string | null>;
}

export function sqliteLedger(folder: string): MarkedLedger {
  const path = join(folder, DATABASE_FILE);
  const using = <Result>(work: (database: DatabaseSync) => Result): Result => {
    const database = new DatabaseSync(path, { timeout: 5_000 });
    try {
      database.exec('PRAGMA synchronous = FULL');
      return work(database);
    } finally {
      database.close();
    }
  };
  const fact = (name: string) =>
    using((database) => {
      if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'facts'").get() === undefined) return null;
      const row = database.prepare('SELECT value FROM facts WHERE name = ?').get(name);
      return row === undefined ? null : String(row['value']);
    });
  return {
    read: async () => (existsSync(path) ? readMark(fact(MOVED_FACT)) : null),
    async write(mark) {
      using((database) =>
        mark === null
          ? database.prepare('DELETE FROM facts WHERE name = ?').run(MOVED_FACT)
          : database
              .prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)')
              .run(MOVED_FACT, JSON.stringify(mark)),
      );
    },
    cameWith: async () => (existsSync(path) ? fact(MOVED_FROM_FACT) : null),
  };
}

export function postgresLedger(connection: MaintenanceConnection): MarkedLedger {
  const fact = async (name: string) => {
    const [row] = await connection.rows<{ value: string }>('select value from facts where name = $1', [name]);
    return row?.value ?? null;
  };
  return {
    read: async () => readMark(await fact(MOVED_FACT)),
    async write(mark) {
      if (mark === null) await connection.rows('delete from facts where name = $1', [MOVED_FACT]);
      else
        await connection.rows(
          'insert into facts (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
          [MOVED_FACT, JSON.stringify(mark)],
        );
    },
    cameWith: () => fact(MOVED_FROM_FACT),
  };
}

/**
 * Does `work` between the two marks of the source. Whatever fails, the source either can be served again because nothing moved, or is marked,
 * because the target may have everything: repeated, this finishes or begins again. Resolves to null if an earlier attempt had moved it all.
 */
export async function moveMarked<Result>(
  source: MarkedLedger,
  target: MarkedLedger,
  { to, id, at }: Pick<MovedMark, 'to' | 'id' | 'at'>,
  work: () => Promise<Result>,
): Promise<Result | null> {
  if (await isComplete(source, target)) return null;
  const mark: MovedMark = { state: 'moving', to, id, at };
  await source.write(mark);
  try {
    const result = await work();
    await source.write({ ...mark, state: 'moved' });
    return result;
  } catch (error) {
    // If the target cannot be asked, it may have everything, and the mark stays.
    const came = await target.cameWith().catch(() => id);
    if (came !== id) await source.write(null);
    throw error;
  }
}

/**
 * Whether an earlier attempt moved everything, which is then marked. Otherwise the source has no mark. Throws if it moved to another
 * place.
 */
export async function isComplete(source: MarkedLedger, target: MarkedLedger): Promise<boolean> {
  const mark = await source.read();
  if (mark === null) return false;
  if ((await target.cameWith()) === mark.id) {
    await source.write({ ...mark, state: 'moved' });
    return true;
  }
  if (mark.state === 'moved') throw new Error(movedSentence(mark));
  await source.write(null);
  return false;
}
