/** The thread that writes the journal if each commit must reach the disk: it waits for the disk, and the event loop does not. */
import { workerData } from 'node:worker_threads';
import { serveWrites } from '../threads/serve-writes.ts';
import { openJournalDatabase } from './journal-database.ts';
import type { JournalPart } from './journal-part.ts';
import { JournalRows } from './journal-rows.ts';

const database = openJournalDatabase((workerData as { readonly folder: string }).folder, 'FULL');
const rows = new JournalRows(database);

serveWrites<JournalPart>({
  write: (part) => rows.write(part),
  probe: () => rows.probe(),
  close: () => database.close(),
});
