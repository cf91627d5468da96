/** The thread that commits if each commit must reach the disk: it waits for the disk, and the event loop does not. */
import { workerData } from 'node:worker_threads';
import type { LedgerRow } from '../../../billing/ports.ts';
import { serveWrites } from '../../threads/serve-writes.ts';
import { openDatabase } from '../engine/open-database.ts';
import { LedgerWriter } from './ledger-writer.ts';

const database = openDatabase((workerData as { readonly path: string }).path, 'FULL');
const writer = new LedgerWriter(database);

serveWrites<readonly LedgerRow[]>({
  write: (rows) => writer.write(rows),
  probe: () => writer.probe(),
  close: () => database.close(),
});
