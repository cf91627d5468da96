/** The storage of one of several nodes: PostgreSQL has everything that they share, the data folder this node's journal. A command has no journal. */
import { assert } from '../../core/assert.ts';
import { openWhole } from '../../core/open-whole.ts';
import { SqlFileStore } from '../sql/files/sql-files.ts';
import { isDiskTrouble, isLocked } from '../sqlite/engine/sqlite-errors.ts';
import type { Storage, StorageOptions } from '../storage.ts';
import { PostgresBank } from './bank/postgres-bank.ts';
import { PostgresChunks } from './chunks/postgres-chunks.ts';
import { isDatabaseTrouble } from './engine/postgres-errors.ts';
import { PostgresLedger } from './ledger/postgres-ledger.ts';
import { PostgresMaintenance } from './maintenance/postgres-maintenance.ts';
import { openPostgresDatabase } from './open-database.ts';
import { openNodePart, type ProcessParts, visitorPart } from './process-part.ts';
import { installationOf } from './secrets/database-secrets.ts';
import { openStoredCalls } from './stored-calls.ts';

const CAPTURES_BYTES_MAX = 2 ** 30;
/** How long a report waits for this node's settlements. */
const DRAIN_MS = 2_000;

/**
 * Opens the database and, for a node, the journal in a data folder that the caller owns; registers the node, and settles what its last run left.
 * Throws `UnusableDatabase`, which says what to do.
 */
export function openPostgres(options: StorageOptions): Promise<Storage> {
  return openWhole((closing) => open(options, closing));
}

/** Registers what it opens with `closing`, in case a later part cannot be opened. */
async function open(options: StorageOptions, closing: AsyncDisposableStack): Promise<Storage> {
  const { folder, clock, database: asked, onProblem, maintenance, recordsBytesMax } = options;
  assert(asked !== null, 'this member is opened with a database');
  const { version, billingMode } = maintenance;
  const database = await openPostgresDatabase(
    { folder, database: asked, givenSecrets: options.givenSecrets, clock, version },
    closing,
  );
  const { connections, kysely, transactions, secrets, stores } = database;
  stores.unreadable.reportTo(onProblem);
  const bank = new PostgresBank({
    connections,
    clock,
    mode: billingMode,
  });
  const installation = installationOf(secrets.pepper);
  const parts: ProcessParts = {
    ...options,
    bank,
    connections,
    nodeName: asked.nodeName,
    version,
    settings: asked.settings,
    installation,
  };
  const part = asked.role === 'node' ? await openNodePart(parts, closing) : visitorPart(parts);
  const { nodes, journal } = part;

  const url = asked.url.reveal();
  const readUrl = asked.readUrl?.reveal() ?? null;
  const calls = await openStoredCalls({
    connections,
    url,
    readUrl,
    clock,
    node: part.recording,
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
    replica: calls.replica,
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
    files: new SqlFileStore(kysely, new PostgresChunks(connections.records)),
    maintenance: jobs,
    nodes,
    visitor: part.visitor,
    shared: part.shared,
    health: part.health,
    isTrouble: (error) => isDatabaseTrouble(error) || isDiskTrouble(error) || isLocked(error),
    async close() {
      await jobs.close();
      await calls.close();
      await part.close();
      await kysely.destroy();
      await connections.close();
    },
  };
}
