/** What a call was settled as, read from the ledger itself, in a data folder or in PostgreSQL. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { generationId } from '../../src/core/ids.ts';
import type { Ending } from '../../src/core/settlement.ts';
import { decodeBatch } from '../../src/storage/journal/decode-batch.ts';
import { JOURNAL_FILE } from '../../src/storage/journal/journal-database.ts';
import { inLedger, type SettledCall } from '../prove/support/ledger-file.ts';
import { LedgerDatabase } from '../prove/support/nodes/ledger-database.ts';

/** Where a ledger is: `databaseUrl` is null if it is in the data folder. */
export interface LedgerPlace {
  readonly dataFolder: string;
  readonly databaseUrl: string | null;
}

/** A node sends its journal to the database a moment after a call has ended. */
const SENT_WITHIN_MS = 10_000;

/** The row of a call that has ended, after the whole ledger was found right. `id` is the caller's, `gen-…`. */
export async function settledCall({ dataFolder, databaseUrl }: LedgerPlace, id: string): Promise<SettledCall> {
  const rows = databaseUrl === null ? async () => rowsInFile(dataFolder) : () => rowsInDatabase(databaseUrl);
  const deadline = performance.now() + (databaseUrl === null ? 0 : SENT_WITHIN_MS);
  // Each look waits for the database, so this leaves the CPU to the node.
  for (;;) {
    const found = (await rows()).find((each) => each.id === id);
    if (found !== undefined) return found;
    if (performance.now() >= deadline) throw new Error(`${id} is not settled`);
  }
}

/** The rows of all calls, of which so many have ended, after the whole ledger was found right. */
export async function settledCalls(
  { dataFolder, databaseUrl }: LedgerPlace,
  count: number,
): Promise<readonly SettledCall[]> {
  if (databaseUrl === null) return rowsInFile(dataFolder);
  const deadline = performance.now() + SENT_WITHIN_MS;
  for (;;) {
    const rows = await rowsInDatabase(databaseUrl);
    if (rows.length >= count || performance.now() >= deadline) return rows;
  }
}

export interface EndedCall {
  /** As the caller knows it: `gen-…`. */
  readonly id: string;
  readonly ending: Ending;
}

/** Every call that is settled, also what a node has not sent to its database yet. The program may run. */
export async function endedCalls({ dataFolder, databaseUrl }: LedgerPlace): Promise<readonly EndedCall[]> {
  if (databaseUrl === null) return inLedger(dataFolder, (file) => file.settlements());
  // The journal first: what it has no longer is in the database.
  const unsent = inJournal(dataFolder);
  const database = await LedgerDatabase.open(databaseUrl);
  try {
    const calls = [...unsent, ...(await database.settlements())].map(({ id, ending }) => ({ id, ending }));
    return [...new Map(calls.map((call) => [call.id, call])).values()];
  } finally {
    await database.close();
  }
}

function inJournal(dataFolder: string): readonly EndedCall[] {
  const journal = new DatabaseSync(join(dataFolder, JOURNAL_FILE), { readOnly: true, timeout: 5_000 });
  const rows = journal.prepare('SELECT batch FROM outbox').all();
  journal.close();
  return rows
    .flatMap(({ batch }) => decodeBatch(batch as Uint8Array).settlements)
    .map(({ settlement }) => ({ id: generationId(settlement.callId), ending: settlement.ending }));
}

function rowsInFile(dataFolder: string): readonly SettledCall[] {
  return inLedger(dataFolder, (file) => {
    file.check();
    return file.settlements();
  });
}

async function rowsInDatabase(url: string): Promise<readonly SettledCall[]> {
  const database = await LedgerDatabase.open(url);
  try {
    await database.check();
    return await database.settlements();
  } finally {
    await database.close();
  }
}
