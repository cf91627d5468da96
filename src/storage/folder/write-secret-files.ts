/** Writes the secrets of an installation as the files that a data folder has. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secrets } from '../../credentials/ports.ts';
import { PEPPER_FILE, RING_FILE } from './file-secrets.ts';
import { ringFileAt } from './secret-file.ts';

/** The folder must have none of them. They are on the disk once the folder is synced. */
export async function writeSecretFiles(folder: string, { pepper, sealingKeys }: Secrets): Promise<void> {
  writeFileSync(join(folder, PEPPER_FILE), `${pepper.reveal()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await ringFileAt(join(folder, RING_FILE)).replace(sealingKeys);
}
