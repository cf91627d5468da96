/** Creates a data folder from a backup, and checks it before it is served. */
import type { RestoredData, RestoreRequest } from '../../restore.ts';
import { runMaintenanceJob } from '../maintenance/maintenance-job.ts';
import { restore } from './restore.ts';
import { restoredRights, revokeRestored } from './restored-rights.ts';

/** Throws `CannotRestore`. */
export async function restoreSqlite({ from, to, maintenance }: RestoreRequest): Promise<RestoredData> {
  const { files, createdAt, secrets } = await restore({ from, to });
  return {
    files,
    createdAt,
    secrets,
    rights: () => restoredRights(to, createdAt),
    revokeRights: (nowMs) => revokeRestored(to, nowMs),
    async verify() {
      // As of the backup, because calls that ran then still hold money; the first start settles them.
      const setting = { ...maintenance, folder: to, nowMs: createdAt };
      return runMaintenanceJob('verify', { archive: true }, setting);
    },
  };
}
