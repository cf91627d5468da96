/**
 * The files of sealed months at this node. A month that another node sealed, or whose file was lost, is written again from the rows that the
 * database still has of it; if an operator dropped those, its file has to be brought here.
 */
import { existsSync } from 'node:fs';
import { GatewayError } from '../../../core/errors.ts';
import type { Seal, Seals } from '../../sqlite/archive/seals.ts';
import { removeDatabase, type WrittenArchive } from '../../sqlite/archive/write-archive.ts';
import { archivePath } from '../../sqlite/files.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';
import { archivedRows, archivedTable } from './month-tables.ts';
import { writeArchiveFile } from './write-archive-file.ts';

/** Within a snapshot. Months whose rows are gone are left out: their readers name what is missing. */
export async function bringArchives(connection: MaintenanceConnection, folder: string, seals: Seals): Promise<void> {
  for (const [month, accounts] of seals)
    if (!existsSync(archivePath(folder, month))) await bringArchive(connection, folder, month, accounts);
}

async function bringArchive(
  connection: MaintenanceConnection,
  folder: string,
  month: string,
  seals: ReadonlyMap<number, Seal>,
): Promise<void> {
  const [found] = await connection.rows<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    archivedTable(month),
  ]);
  if (found?.exists !== true) return;
  const written = await writeArchiveFile(connection, folder, month, archivedRows(month));
  if (areSealed(written, seals)) return;
  removeDatabase(written.path);
  throw new GatewayError('conflict', {
    message: `The rows of ${month} in ${archivedTable(month)} are not those that were sealed. Restore its archive to ${written.path}.`,
  });
}

function areSealed({ digests }: WrittenArchive, seals: ReadonlyMap<number, Seal>): boolean {
  for (const [account, { rows, hash }] of seals) {
    const digest = digests.get(account);
    if (BigInt(digest?.rows ?? 0) !== rows || (digest !== undefined && digest.hash !== hash)) return false;
  }
  return [...digests.keys()].every((account) => seals.has(account));
}
