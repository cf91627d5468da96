/** The storage of one node: a database for what is kept for ever, and a file per day for records. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { openWhole } from '../../core/open-whole.ts';
import { openFileSecrets } from '../folder/file-secrets.ts';
import { nodesFolder } from '../move/left-behind.ts';
import { MOVED_FACT, movedSentence, readMark } from '../move/moved-mark.ts';
import { SqlAccountStore } from '../sql/accounts.ts';
import { SqlAliasStore } from '../sql/aliases.ts';
import { SqlAuditStore } from '../sql/audit.ts';
import { SqlLineAnswers } from '../sql/batches/line-answers.ts';
import { SqlBatchStore } from '../sql/batches/sql-batches.ts';
import { SqlCreationStore } from '../sql/creations.ts';
import { SqlFeed } from '../sql/feed.ts';
import { SqlFileStore } from '../sql/files/sql-files.ts';
import { SqlListedPriceStore } from '../sql/listed-prices.ts';
import { SqlMembershipStore } from '../sql/memberships.ts';
import { migrate } from '../sql/migrations/migrate.ts';
import { SqlOwnCredentialStore } from '../sql/own-credentials.ts';
import { SqlPriceStore } from '../sql/prices.ts';
import { SqlProviderStore } from '../sql/providers.ts';
import type { Schema } from '../sql/schema.ts';
import { SqlSealedStore } from '../sql/sealed.ts';
import { UnreadableRows } from '../sql/unreadable-rows.ts';
import { SqlUserStore } from '../sql/users.ts';
import type { Storage, StorageOptions, StorageTopics } from '../storage.ts';
import { CaptureDay } from './captures/capture-day.ts';
import { SqliteCaptures } from './captures/captures.ts';
import { SqliteChunks } from './chunks/sqlite-chunks.ts';
import { Ballast } from './engine/ballast.ts';
import { Checkpointer } from './engine/checkpointer.ts';
import { DayFolder } from './engine/day-folder.ts';
import { sqliteFlavour } from './engine/flavour.ts';
import { Gate } from './engine/gate.ts';
import { Health } from './engine/health.ts';
import { NodeSqliteDialect } from './engine/kysely-dialect.ts';
import { checkSqliteVersion, openDatabase } from './engine/open-database.ts';
import { damageOf, isDiskTrouble, isLocked } from './engine/sqlite-errors.ts';
import { SqliteTransactions } from './engine/transactions.ts';
import { CAPTURES_FOLDER, CHUNKS_FILE, DATABASE_FILE, RECORDS_FOLDER } from './files.ts';
import { CommitThread } from './ledger/commit-thread.ts';
import { GroupCommit } from './ledger/group-commit.ts';
import { LedgerWriter } from './ledger/ledger-writer.ts';
import { recoverHolds } from './ledger/recover-holds.ts';
import { SqliteLedger } from './ledger/sqlite-ledger.ts';
import { SqliteMaintenance } from './maintenance/sqlite-maintenance.ts';
import { DayFile } from './records/day-file.ts';
import { gapOf, markComplete, markRunning, rebuildRecords } from './records/rebuild-records.ts';
import { DayRecordStore } from './records/records.ts';
import { openSqliteReader } from './reports/sqlite-answerer.ts';

const CAPTURES_BYTES_MAX = 2 ** 30;

/**
 * Opens the storage in a data folder: creates or reads the secrets, migrates the schema, settles the calls that a crash interrupted,
 * and rebuilds missing records in the background. Throws an error that says what to do if the SQLite of this Node is too old, the database
 * cannot be read, or a newer version of Turnpike wrote it.
 */
export function openSqlite(options: StorageOptions): Promise<Storage> {
  return openWhole((closing) => open(options, closing));
}

/** A ledger that moved to PostgreSQL is settled there. */
async function refuseMoved(kysely: Kysely<Schema>): Promise<void> {
  const fact = await kysely.selectFrom('facts').select('value').where('name', '=', MOVED_FACT).executeTakeFirst();
  const mark = readMark(fact?.value ?? null);
  if (mark !== null) throw new Error(movedSentence(mark));
}

/**
 * Uploads that were running when the last process ended; and all files if what is in them is gone, as it is after a restore, because
 * backups leave it out.
 */
async function forgetLostFiles(kysely: Kysely<Schema>, chunks: SqliteChunks): Promise<void> {
  const rows = kysely.deleteFrom('files');
  const lost = chunks.exists ? rows.where('is_complete', '=', 0).where('purpose', '=', 'batch') : rows;
  await lost.execute();
}

/** The process that ran them is over, since the folder is this one's: its batches go on at once. */
async function releaseBatches(kysely: Kysely<Schema>): Promise<void> {
  await kysely.updateTable('batches').set({ claimed_by: '', claimed_until: 0 }).where('ended_at', 'is', null).execute();
}

/** What has to succeed before anything is served. A damaged file is named, with what to do about it. */
async function bringUp(path: string, database: DatabaseSync, kysely: Kysely<Schema>) {
  try {
    await migrate(kysely, sqliteFlavour);
    await refuseMoved(kysely);
    await releaseBatches(kysely);
    const recovered = recoverHolds(database);
    const gap = gapOf({ ledger: database, recovered });
    markRunning(database);
    return { recovered, gap };
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    throw new Error(
      `The database ${path} is damaged: ${damage.message}. Keep a copy of its folder, and restore a backup into a new one ` +
        '(turnpike restore).',
      { cause: error },
    );
  }
}

/** Registers what it opens with `closing`, in case a later part cannot be opened. */
async function open(options: StorageOptions, closing: AsyncDisposableStack): Promise<Storage> {
  const { clock, onProblem } = options;
  checkSqliteVersion();
  const nodes = nodesFolder(options.folder);
  if (nodes !== null) throw new Error(nodes);
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const secrets = openFileSecrets(options.folder, options.givenSecrets);
  const path = join(options.folder, DATABASE_FILE);
  const gate = new Gate();
  const health = new Health(onProblem, clock);
  const synchronous = options.durability === 'power' ? 'FULL' : 'NORMAL';
  const database = openDatabase(path, synchronous);
  closing.defer(() => database.close());
  const checkpointer = new Checkpointer({ clock, onProblem });
  closing.defer(() => checkpointer.close());
  const folder = new DayFolder(join(options.folder, RECORDS_FOLDER), checkpointer, (file) => new DayFile(file));
  closing.defer(() => folder.close());
  const captureFolder = new DayFolder(
    join(options.folder, CAPTURES_FOLDER),
    checkpointer,
    (file) => new CaptureDay(file),
  );
  const chunks = new SqliteChunks({ path: join(options.folder, CHUNKS_FILE), synchronous, clock, checkpointer });
  closing.defer(() => chunks.close());
  const thread = options.durability === 'power' ? new CommitThread(path) : null;
  closing.defer(() => thread?.close().catch(() => undefined));
  const onUsed = () => checkpointer.committed(path);
  const transactions = new SqliteTransactions({ database, gate, clock, onUsed });
  const dialect = new NodeSqliteDialect({ database, gate, clock, onUsed, transactions });
  const kysely = new Kysely<Schema>({ dialect });
  const feed = new SqlFeed<StorageTopics>({
    database: kysely,
    transactions,
    clock,
  });
  const ballast = new Ballast(options.folder);
  const { recovered, gap } = await bringUp(path, database, kysely);
  await forgetLostFiles(kysely, chunks);
  // A disk that takes no writes fails the start, not the first call.
  await thread?.probe();

  checkpointer.watch(path, gate);
  const onCommit = (file: string) => checkpointer.committed(file);
  ballast.make();
  const commits = new GroupCommit({
    target: thread ?? new LedgerWriter(database),
    gate,
    clock,
    health,
    ballast,
    onCommit: onUsed,
  });
  const records = new DayRecordStore({ folder, clock, bytesMax: options.recordsBytesMax, onProblem, onCommit });
  if (gap !== null) records.rebuild(rebuildRecords(gap, { ledger: database, ledgerPath: path, folder, recovered }));
  const captures = new SqliteCaptures({
    folder: captureFolder,
    clock,
    bytesMax: options.capturesBytesMax ?? CAPTURES_BYTES_MAX,
    onProblem,
    onCommit,
  });
  const stats = openSqliteReader({
    paths: { ledger: path, records: join(options.folder, RECORDS_FOLDER) },
    clock,
    drainRecords: () => records.drain(),
    ...options.reports,
  });

  const maintenance = new SqliteMaintenance({ ...options.maintenance, folder: options.folder, clock });

  const unreadable = new UnreadableRows(clock);
  unreadable.reportTo(onProblem);
  const shared = { database: kysely, transactions, feed, unreadable };

  return {
    secrets,
    transactions,
    feed,
    unreadable,
    accounts: new SqlAccountStore(shared),
    ledger: new SqliteLedger({ database, kysely, transactions, commits, clock, recovered }),
    prices: new SqlPriceStore(kysely, clock),
    batches: new SqlBatchStore(kysely),
    lineAnswers: new SqlLineAnswers(kysely),
    listedPrices: new SqlListedPriceStore(shared),
    providers: new SqlProviderStore(shared),
    ownCredentials: new SqlOwnCredentialStore(shared),
    aliases: new SqlAliasStore(shared),
    sealed: new SqlSealedStore(kysely),
    users: new SqlUserStore(kysely),
    memberships: new SqlMembershipStore(kysely),
    audit: new SqlAuditStore(kysely),
    creations: new SqlCreationStore(kysely),
    records,
    stats,
    maintenance,
    captures,
    files: new SqlFileStore(kysely, chunks),
    nodes: null,
    visitor: null,
    shared: null,
    health: () => health.state(),
    isTrouble: (error) => isDiskTrouble(error) || isLocked(error),
    async close() {
      await maintenance.close();
      await stats.close();
      await commits.drain();
      const complete = await records.close();
      await captures.close();
      await chunks.close();
      await thread?.close();
      await checkpointer.close();
      if (complete && health.state() === 'ready') markComplete(database);
      await kysely.destroy();
      database.close();
    },
  };
}
