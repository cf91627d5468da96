import type { SqlFlavour } from '../../sql/flavour.ts';

export const postgresFlavour: SqlFlavour = {
  bytes: 'bytea',
  integer: 'bigint',
  // By default and not always: a ledger that moves here keeps its ids.
  identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  clustered: null,
};
