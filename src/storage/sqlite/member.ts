/** The SQLite storage in the data folder. Its parts are loaded on demand, so that commands start fast. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageMember } from '../storage.ts';
import { DATABASE_FILE } from './files.ts';

export const sqlite: StorageMember = {
  async open(options) {
    const { openSqlite } = await import('./open-sqlite.ts');
    return openSqlite(options);
  },
  hasData: (folder) => existsSync(join(folder, DATABASE_FILE)),
  examine: async () => null,
  async restore(request) {
    const { restoreSqlite } = await import('./backup/restore-sqlite.ts');
    return restoreSqlite(request);
  },
};
