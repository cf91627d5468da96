/** The table of storages. */
import { openSqlite } from './sqlite/open-sqlite.ts';

export type { Storage, StorageProblem } from './storage.ts';

export const storages = { sqlite: openSqlite } as const;
