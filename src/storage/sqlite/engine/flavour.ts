import { sql } from 'kysely';
import type { SqlFlavour } from '../../sql/flavour.ts';

export const sqliteFlavour: SqlFlavour = {
  bytes: 'blob',
  integer: 'integer',
  identity: (column) => column.primaryKey().autoIncrement(),
  // Rows are stored in the index of their primary key: 16 bytes less per row, and one tree to write instead of two.
  clustered: sql`without rowid`,
};
