import { realpathSync } from 'node:fs';
import type { Clock } from '../../core/clock.ts';
import { openWhole } from '../../core/open-whole.ts';
import { Ballast } from '../sqlite/engine/ballast.ts';
import { Checkpointer } from '../sqlite/engine/checkpointer.ts';
import { Gate } from '../sqlite/engine/gate.ts';
import { Health } from '../sqlite/engine/health.ts';
import { checkSqliteVersion } from '../sqlite/engine/open-database.ts';
import { GroupCommit } from '../sqlite/ledger/group-commit.ts';
import type { StorageProblem } from '../storage.ts';
import { BankWaits } from './bank-waits.ts';
import { checkMark } from './check-mark.ts';
import { Journal } from './journal.ts';
import {
  checkInstallation,
  checkStructure,
  explaining,
  identityOf,
  journalPath,
  openJournalDatabase,
} from './journal-database.ts';
import type { JournalDurability } from './journal-durability.ts';
import { JournalRows } from './journal-rows.ts';
import { JournalThread } from './journal-thread.ts';
import { JournalWriter } from './journal-writer.ts';
import { LogSync } from './log-sync.ts';
import { openMark } from './open-mark.ts';
import { recoverJournal } from './recover-journal.ts';

const UNSENT_BYTES_MAX = 2 ** 30;

export interface JournalOptions {
  /** The data folder, absolute; the caller owns it (`openDataFolder`). */
  readonly folder: string;
  readonly clock: Clock;
  readonly durability: JournalDurability;
  /** What identifies the installation whose calls are settled; absent if that is not checked. */
  readonly installation?: string;
  /** With more bytes of settlements than this unsent, no call is admitted; default 1 GiB. */
  readonly unsentBytesMax?: number;
  /** Called with problems that no caller learns of; must not throw. */
  readonly onProblem: (problem: StorageProblem) => void;
}

/**
 * Opens the journal in a data folder, creates it if there is none, and settles the calls that a crash interrupted. Nothing is sent
 * until `connect`. Throws an error that says what to do if the file cannot be used.
 */
export function openJournal(options: JournalOptions): Promise<Journal> {
  return openWhole((closing) => open(options, closing));
}

/** Registers what it opens with `closing`, in case a later part cannot be opened. */
async function open(options: JournalOptions, closing: AsyncDisposableStack): Promise<Journal> {
  const { folder, clock, durability, onProblem } = options;
  checkSqliteVersion();
  const missing = checkMark(folder);
  const database = openJournalDatabase(folder, durability === 'power' ? 'FULL' : 'NORMAL');
  closing.defer(() => database.close());
  // Where SQLite has its log: next to the file that a link leads to.
  const path = realpathSync(journalPath(folder));
  if (options.installation !== undefined) checkInstallation(database, path, options.installation);
  const checkpointer = new Checkpointer({ clock, onProblem });
  closing.defer(() => checkpointer.close());
  const thread = durability === 'power' ? new JournalThread(folder) : null;
  closing.defer(() => thread?.close().catch(() => undefined));
  const { outbox, holds } = explaining(path, () => {
    checkStructure(database, path);
    return recoverJournal(database, clock.monotonic());
  });
  // A disk that takes no writes fails the start, not the first call.
  await thread?.probe();
  const identity = identityOf(database, folder);
  const mark = openMark({ folder, id: identity.id, durability, missing, onProblem });
  closing.defer(() => mark.close());
  const gate = new Gate();
  const health = new Health(onProblem, clock);
  const ballast = new Ballast(folder);
  checkpointer.watch(path, gate);
  ballast.make();
  const rows = new JournalRows(database);
  const writer = new JournalWriter(thread ?? rows, thread === null, outbox, () => {
    // With the bank to wait for, the journal alone is promised to nobody.
    if (durability !== 'database') mark.promise(outbox.lastId, outbox.acknowledgedThrough);
    journal.added();
  });
  const onCommit = () => checkpointer.committed(path);
  const log = new LogSync(path);
  const journal = new Journal({
    ...identity,
    ...{ database, rows, outbox, gate, clock, health, mark, onProblem },
    recovered: holds,
    unsentBytesMax: options.unsentBytesMax ?? UNSENT_BYTES_MAX,
    commits: new GroupCommit({ target: writer, gate, clock, health, ballast, onCommit }),
    waits:
      durability === 'database'
        ? new BankWaits({
            clock,
            syncJournal: () => log.sync(),
            onLeftToDisk: (through) => mark.promise(through, outbox.acknowledgedThrough),
            onNotSynced: (error, commits) => health.notSynced(error, commits),
            onProblem,
          })
        : null,
    nextId: writer.nextId,
    async close() {
      await thread?.close();
      await checkpointer.close();
      mark.close();
      database.close();
    },
  });
  return journal;
}
