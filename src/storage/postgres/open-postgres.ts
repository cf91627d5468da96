/** The storage of one of several nodes: PostgreSQL has everything that they share, the data folder this node's journal. */
import { hostname } from 'node:os';
import { assert } from '../../core/assert.ts';
import { openWhole } from '../../core/open-whole.ts';
import { openNodeStorage } from '../journal/node-storage.ts';
import { openJournal } from '../journal/open-journal.ts';
import { isDiskTrouble, isLocked } from '../sqlite/engine/sqlite-errors.ts';
import type { Storage, StorageOptions } from '../storage.ts';
import { PostgresBank } from './bank/postgres-bank.ts';
import { isDatabaseTrouble } from './engine/postgres-errors.ts';
import { openSharedStores } from './exchange/open-shared.ts';
import { readHistory } from './ledger/history.ts';
import { PostgresLedger } from './ledger/postgres-ledger.ts';
import { refusesSettlements } from './ledger/refused-settlements.ts';
import { PostgresMaintenance } from './maintenance/postgres-maintenance.ts';
import { openPostgresDatabase } from './open-database.ts';
import { openStoredCalls } from './stored-calls.ts';

const CAPTURES_BYTES_MAX = 2 ** 30;
/** How long a report waits for this node's settlements. */
const DRAIN_MS = 2_000;

/**
 * Opens the database and the journal in a data folder that the caller owns, registers this node, and settles what its last run left. Throws
 * `UnusableDatabase`, which says what to do.
 */
export function openPostgres(options: StorageOptions): Promise<Storage> {
  return openWhole((closing) => open(options, closing));
}

/** Registers what it opens with `closing`, in case a later part cannot be opened. */
async function open(options: StorageOptions, closing: AsyncDisposableStack): Promise<Storage> {
  const { folder, clock, database: asked, onProblem, maintenance, durability, recordsBytesMax } = options;
  assert(asked !== null, 'this member is opened with a database');
  const { version, billingMode } = maintenance;
  const database = await openPostgresDatabase(
    { database: asked, givenSecrets: options.givenSecrets, clock, version },
    closing,
  );
  const { connections, kysely, transactions, secrets, stores } = database;
  const journal = await openJournal({ folder, clock, durability, onProblem });
  closing.defer(() => journal.close());
  const bank = new PostgresBank({
    connections,
    clock,
    mode: billingMode,
    onFault: ({ calls, loss }) =>
      onProblem({ type: 'settled_late', count: calls, cause: new Error(`not lent, ${loss} nano-USD lost`) }),
  });
  const nodes = await openNodeStorage({
    journal,
    bank,
    clock,
    name: asked.nodeName ?? hostname(),
    version,
    history: () => readHistory(connections.control),
    isRefusal: refusesSettlements,
  });
  closing.defer(() => nodes.close());

  const url = asked.url.reveal();
  const readUrl = asked.readUrl?.reveal() ?? null;
  const calls = await openStoredCalls({
    connections,
    url,
    readUrl,
    clock,
    node: { id: journal.id, slot: () => nodes.place.slot, recovered: journal.recovered },
    recordsBytesMax,
    capturesBytesMax: options.capturesBytesMax ?? CAPTURES_BYTES_MAX,
    ...(options.reports === undefined ? {} : { reports: options.reports }),
    onProblem,
    drainSettlements: async () => void (await journal.forwardAll(DRAIN_MS)),
  });
  const masterKey = options.givenSecrets.sealingKey;
  assert(masterKey !== null, 'the secrets were opened with it');
  const jobs = new PostgresMaintenance({
    ...maintenance,
    folder,
    clock,
    url,
    readUrl: readUrl ?? url,
    secrets: {
      pepper: secrets.pepper.reveal(),
      masterKey: masterKey.reveal(),
    },
  });

  return {
    ...stores,
    secrets,
    ledger: new PostgresLedger({
      kysely,
      transactions,
      connection: connections.control,
      journal,
      clock,
      isPrepaid: billingMode === 'prepaid',
    }),
    records: calls.records,
    stats: calls.stats,
    captures: calls.captures,
    maintenance: jobs,
    nodes,
    shared: openSharedStores(connections, () => nodes.place),
    health: () => journal.state(),
    isTrouble: (error) => isDatabaseTrouble(error) || isDiskTrouble(error) || isLocked(error),
    async close() {
      await jobs.close();
      await calls.close();
      nodes.close();
      await journal.close();
      await kysely.destroy();
      await connections.close();
    },
  };
}
