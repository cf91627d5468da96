/** The thread that writes chunks of files. */
import { workerData } from 'node:worker_threads';
import { headOf } from '../../sql/files/file-chunks.ts';
import { serveWrites } from '../../threads/serve-writes.ts';
import type { ChunkChange, ChunkWorkerData } from './chunk-change.ts';
import { openChunks } from './open-chunks.ts';

const { path, synchronous } = workerData as ChunkWorkerData;
const database = openChunks(path, synchronous);
const insert = database.prepare('INSERT INTO chunks VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
const remove = database.prepare('DELETE FROM chunks WHERE file = ? AND number <= ?');

serveWrites<readonly ChunkChange[]>({
  write(changes) {
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const change of changes) apply(change);
      database.exec('COMMIT');
    } catch (error) {
      // On a full disk SQLite has rolled back already; a second rollback would fail and hide the cause.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
    // https://www.sqlite.org/pragma.html#pragma_incremental_vacuum
    if (changes.some(({ type }) => type === 'delete')) database.exec('PRAGMA incremental_vacuum');
  },
  probe: () => database.exec('BEGIN IMMEDIATE; ROLLBACK'),
  close: () => database.close(),
});

function apply(change: ChunkChange): void {
  if (change.type === 'delete') remove.run(change.file, change.to);
  else insert.run(change.file, change.number, headOf(change.sealed), change.sealed);
}
