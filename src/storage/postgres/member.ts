/** PostgreSQL, which several nodes share; each has its journal in its data folder. Its parts are loaded on demand. */
import { CannotRestore } from '../restore.ts';
import type { StorageMember } from '../storage.ts';

export const postgres: StorageMember = {
  async open(options) {
    const { openPostgres } = await import('./open-postgres.ts');
    return openPostgres(options);
  },
  // The database may have an installation, even if this node's folder is new.
  hasData: () => true,
  async examine(options) {
    const { examineDatabase } = await import('./examine-database.ts');
    return examineDatabase(options);
  },
  async restore() {
    throw new CannotRestore(
      'A database is restored with the tools of PostgreSQL; then run `turnpike ledger adopt`, so that no node uses what it was lent before.',
    );
  },
};
