/** The settlements that the bank refuses, as the journal has them: listed for operators, and sent again once the cause is removed. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { SetAsideCall, SetAsideList } from '../../nodes/ports.ts';
import { BadBatch } from './batch-layout.ts';
import { decodeBatch } from './decode-batch.ts';
import { journalPath } from './journal-database.ts';

interface RefusedRow {
  readonly id: number;
  readonly calls: number;
  readonly admittedAt: number;
  readonly batch: Uint8Array;
  readonly sum: number | null;
}

const COUNT = 'SELECT coalesce(sum(calls), 0) AS count FROM refused';
const LIST = 'SELECT id, calls, admitted_from AS admittedAt, batch, sum FROM refused ORDER BY id LIMIT ?';

/** The first ones, `max` at most. `reasonOf`: what the bank said of the batch with this id; null if that is not known. */
export function listSetAside(
  database: DatabaseSync,
  max: number,
  reasonOf: (id: number) => string | null = () => null,
): SetAsideList {
  const { count } = database.prepare(COUNT).get() as { count: number };
  const rows = database.prepare(LIST).all(max) as unknown as readonly RefusedRow[];
  return { count, calls: rows.flatMap((row) => callsOf(row, reasonOf(row.id))).slice(0, max) };
}

/** Of a node that does not run. Null if the folder has no journal. Changes nothing. */
export function setAsideInFolder(folder: string, max: number): SetAsideList | null {
  const path = journalPath(folder);
  if (!existsSync(path)) return null;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return listSetAside(database, max);
  } finally {
    database.close();
  }
}

/** A batch that is damaged says nothing of its calls. */
function callsOf({ batch, sum, calls, admittedAt }: RefusedRow, reason: string | null): readonly SetAsideCall[] {
  const damaged = { callId: null, accountId: null, admittedAt, charge: null, reason: 'damaged in the journal' };
  if (sum !== null && crc32(batch) !== sum) return Array.from({ length: calls }, () => damaged);
  try {
    return decodeBatch(batch).settlements.map(({ settlement }) => ({
      callId: settlement.callId,
      accountId: settlement.accountId,
      admittedAt: settlement.admittedAt,
      charge: settlement.charge,
      reason,
    }));
  } catch (error) {
    if (!(error instanceof BadBatch)) throw error;
    return Array.from({ length: calls }, () => damaged);
  }
}
