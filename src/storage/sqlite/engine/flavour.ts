import { sql } from 'kysely';
import type { SqlFlavour } from '../../sql/flavour.ts';

export const sqliteFlavour: SqlFlavour = {
  bytes: 'blob',
  integer: 'integer',
  identity: (column) => column.primaryKey().autoIncrement(),
  // The rows stand in the index of their primary key: 16 bytes less each, and one tree to write instead of two.
  clustered: sql`without rowid`,
};
