/** A node's journal: its settlements are durable here first, then they are sent to the bank. */
import type { DatabaseSync } from 'node:sqlite';
import type { LedgerRow } from '../../billing/ports.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import { type CallId, generationId } from '../../core/ids.ts';
import { Outage } from '../../core/trouble/outage.ts';
import type { SentBatch, SettleAnswer } from '../../nodes/ports.ts';
import type { Gate } from '../sqlite/engine/gate.ts';
import type { Health } from '../sqlite/engine/health.ts';
import { damageOf } from '../sqlite/engine/sqlite-errors.ts';
import type { GroupCommit } from '../sqlite/ledger/group-commit.ts';
import type { StorageProblem } from '../storage.ts';
import type { BankWaits } from './bank-waits.ts';
import { Forwarder } from './forwarder.ts';
import { readFact } from './journal-database.ts';
import { DamagedBatch, type JournalRows } from './journal-rows.ts';
import type { Outbox, Sendable } from './outbox.ts';
import { SENT_THROUGH } from './recover-journal.ts';
import { SetAsideCalls } from './set-aside-calls.ts';
import { splitBatch } from './split-batch.ts';

/** What the journal needs of the bank. */
export interface JournalBank {
  /** Each call counts once, however often it is sent. */
  settle(batch: SentBatch): Promise<SettleAnswer>;
  /** Whether the bank will never take these settlements, so that sending them again makes no sense. */
  isRefusal(error: unknown): boolean;
}

export interface JournalParts {
  readonly id: string;
  readonly fingerprint: string;
  /** How many holds of the last run were settled by the crash rule. */
  readonly recovered: number;
  readonly database: DatabaseSync;
  readonly rows: JournalRows;
  readonly outbox: Outbox;
  readonly commits: GroupCommit;
  /** Null if a commit does not wait for the bank. */
  readonly waits: BankWaits | null;
  readonly nextId: () => number;
  /** With more bytes of settlements than this unsent, no call is admitted. */
  readonly unsentBytesMax: number;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly health: Health;
  readonly onProblem: (problem: StorageProblem) => void;
  /** Learns up to which batch the bank has everything. */
  readonly mark: { sent(through: number): void };
  /** Closes what the journal was made of, in the end. */
  readonly close: () => Promise<void>;
}

/** At most 20 transactions a second, until 500 are gathered sooner. Nobody waits: who reads money has them sent first. */
export const GATHER_MS = 50;
/** Callers wait, so a commit is gathered for a shorter time. */
export const GATHER_WAITED_FOR_MS = 5;
/** For a database that goes back to an earlier time: a standby that lagged, or a restore. */
const KEPT_MS = 60_000;
const FORGET_PERIOD_MS = 250;
/** The event loop waits meanwhile. */
const FORGOTTEN_AT_ONCE = 200;
/** As long as more is to be deleted: 20,000 batches a second, more than a node writes. */
const FORGET_MORE_MS = 10;
const HISTORY = 'history';

export class Journal {
  readonly id: string;
  readonly fingerprint: string;
  readonly recovered: number;
  readonly setAside: SetAsideCalls;
  readonly #parts: JournalParts;
  #forwarder: Forwarder | null = null;
  readonly #forgetting: Timer;
  #forgettingMore: Timer | null = null;
  #isForgetting = false;
  readonly #forgetOutage: Outage;
  #isClosing = false;
  #sentThrough: number;
  /** When the bank's history was last the known one, monotonic ms; null if nobody says. */
  #historySince: number | null = null;
  #history: string | null = null;
  /** Who waits until the bank has everything up to a batch. */
  readonly #arrivals = new Set<{ through: number; readonly done: (isSent: boolean) => void }>();

  constructor(parts: JournalParts) {
    const { id, fingerprint, recovered, clock } = parts;
    this.id = id;
    this.fingerprint = fingerprint;
    this.recovered = recovered;
    this.#parts = parts;
    this.#forgetOutage = new Outage(clock);
    this.setAside = new SetAsideCalls({ ...parts, forwardAll: (withinMs) => this.forwardAll(withinMs) });
    this.#sentThrough = parts.outbox.acknowledgedThrough;
    this.#forgetting = clock.every(FORGET_PERIOD_MS, () => void this.#forget());
  }

  /** Starts sending, also what the last run left. */
  connect(bank: JournalBank): void {
    const { outbox, rows, clock, waits, onProblem } = this.#parts;
    this.#forwarder = new Forwarder({
      ...{ outbox, clock, onProblem },
      gatherMs: waits === null ? GATHER_MS : GATHER_WAITED_FOR_MS,
      settle: (batch) => bank.settle(batch),
      isRefusal: (error) => error instanceof DamagedBatch || bank.isRefusal(error),
      read: (id) => rows.read(id),
      onAnswer: (answer, tookMs) => this.#answered(answer, tookMs),
      onRefused: (refused, error) => this.#refused(refused, error),
    });
    this.#forwarder.added();
  }

  /** There is more in the outbox. */
  added(): void {
    this.#forwarder?.added();
  }

  /**
   * Resolves when the rows are durable, which includes the bank if the journal was opened for that. Rejects if the disk
   * refused them, and then none of them counts, or if the bank has another settlement of a call of theirs.
   */
  async commit(rows: readonly LedgerRow[]): Promise<void> {
    const { commits, outbox, waits } = this.#parts;
    if (waits === null || !rows.some(({ type }) => type === 'settlement')) return commits.commit(rows);
    const wait = waits.begin(rows);
    try {
      await commits.commit(rows);
    } catch (error) {
      waits.notWritten(wait);
      throw error;
    }
    return waits.written(wait, outbox.lastId, outbox.acknowledgedThrough);
  }

  /** What the bank does not have: how many calls, and when the first of them was admitted (ms). */
  get unsent(): { readonly calls: number; readonly from: number | null } {
    return this.#parts.outbox.unsent();
  }

  /**
   * Sends what the journal has now without delay. Resolves to whether the bank has it within the time given. A page of money
   * asks for this first, so that it shows the calls that ended before it was asked for.
   */
  forwardAll(withinMs: number): Promise<boolean> {
    const { outbox, clock } = this.#parts;
    const through = outbox.lastId;
    if (outbox.acknowledgedThrough >= through) return Promise.resolve(true);
    this.#forwarder?.hurry();
    return new Promise((resolve) => {
      const done = (isSent: boolean) => {
        timer.cancel();
        this.#arrivals.delete(arrival);
        resolve(isSent);
      };
      const timer = clock.after(withinMs, () => done(false));
      const arrival = { through, done };
      this.#arrivals.add(arrival);
    });
  }

  /** The bank is there again: what waits for it is sent at once. */
  retryNow(): void {
    this.#forwarder?.retryNow();
  }

  /**
   * Sends again what the bank acknowledged in the last minute: it went back to an earlier state. When it resolves, the next process would
   * send it, too. Rejects if the disk refuses to note that; it is sent all the same.
   */
  async sendAgain(): Promise<void> {
    this.#parts.outbox.sendAgain();
    await this.#note({});
  }

  /**
   * Says which history of which database the bank has, such as a system's id with a timeline. With another one than before, what
   * the bank acknowledged in the last minute is sent again. Resolves to whether it has.
   */
  async bankIs(history: string): Promise<boolean> {
    const { database, outbox, clock } = this.#parts;
    const known = this.#history ?? readFact(database, HISTORY);
    if (known !== history) {
      if (known !== null) outbox.sendAgain();
      await this.#note({ [HISTORY]: history });
    }
    this.#history = history;
    this.#historySince = clock.monotonic();
    return known !== null && known !== history;
  }

  /** Whether calls can be settled; if not, the problem, for the operator. */
  state(): 'ready' | { readonly problem: string } {
    const { health, outbox, unsentBytesMax } = this.#parts;
    if (health.state() !== 'ready' || outbox.bytes < unsentBytesMax) return health.state();
    return {
      problem: `This node has ${outbox.unsent().calls} settlements that the database has not taken; make the database reachable, and calls resume automatically.`,
    };
  }

  /** Writes what is pending, and stops sending: what is left is sent after the next start. */
  async close(): Promise<void> {
    const { commits, waits, close } = this.#parts;
    this.#isClosing = true;
    this.#forgetting.cancel();
    this.#forgettingMore?.cancel();
    await commits.drain();
    await this.#forwarder?.stop();
    waits?.close();
    await this.#forget();
    await close();
  }

  #answered({ conflicts, late }: SettleAnswer, tookMs: number): void {
    const { waits, outbox, onProblem } = this.#parts;
    waits?.bankAnswered(tookMs);
    if (conflicts.length > 0) {
      const cause = new Error(`The ledger has another settlement of ${conflicts.slice(0, 10).join(', ')}.`);
      waits?.refused(new Set(conflicts), cause);
      onProblem({ type: 'settlement_conflict', count: conflicts.length, cause });
    }
    if (late !== null) {
      const isFault = late.isFault === true;
      const reason = isFault ? 'Too little was lent to these calls' : 'Nothing was lent to these calls any more';
      const cause = new Error(`${reason}; the operator bears ${late.loss} nano-USD of their charges.`);
      onProblem({ type: isFault ? 'settled_unlent' : 'settled_late', count: late.calls, cause });
    }
    this.#arrived(outbox.acknowledgedThrough);
  }

  #arrived(through: number): void {
    this.#parts.waits?.acknowledged(through);
    for (const arrival of this.#arrivals) if (arrival.through <= through) arrival.done(true);
  }

  /** The calls of a batch are in batches at the end now. */
  #moved(id: number): void {
    const { waits, outbox } = this.#parts;
    waits?.moved(id, outbox.lastId);
    let isWaitedFor = false;
    for (const arrival of this.#arrivals) {
      if (arrival.through < id) continue;
      arrival.through = outbox.lastId;
      isWaitedFor = true;
    }
    if (isWaitedFor) this.#forwarder?.hurry();
  }

  /** Calls that the bank takes must not wait for one that it refuses: they are sent apart, and that one is set aside. */
  async #refused(refused: readonly [Sendable], error: unknown): Promise<void> {
    const { rows, outbox, waits, nextId, gate, onProblem } = this.#parts;
    const [{ id, epoch, calls, batch }] = refused;
    const release = await gate.acquire();
    try {
      if (error instanceof DamagedBatch) return this.#setDamagedAside(refused, error);
      const { parts, callIds } = splitBatch(batch ?? rows.read(id), epoch, calls > 1 ? nextId : null);
      if (parts.length > 0) {
        rows.replace([id], parts, {});
        outbox.remove(refused);
        for (const part of parts) outbox.add(part);
        this.#moved(id);
        return;
      }
      rows.setAside(id);
      outbox.remove(refused);
      const reason = error instanceof Error ? error.message : String(error);
      this.setAside.refused(id, reason);
      const cause = new Error(
        `The database refuses the settlement of ${callIds.map(generationId).join(', ') || 'a call'}: ${reason}. It is set aside.`,
        { cause: error },
      );
      waits?.refused(new Set<CallId>(callIds), cause);
      onProblem({ type: 'settlement_refused', count: calls, cause });
      this.#arrived(outbox.acknowledgedThrough);
    } finally {
      release();
    }
  }

  /** Writes facts together with how far the bank has everything: a process that knows the new history must not take that for the old one's. */
  async #note(facts: Readonly<Record<string, string>>): Promise<void> {
    const { rows, outbox, gate } = this.#parts;
    const release = await gate.acquire();
    try {
      const through = outbox.acknowledgedThrough;
      rows.replace([], [], { ...facts, [SENT_THROUGH]: through });
      this.#noteSent(through);
    } finally {
      release();
      this.#forwarder?.added();
    }
  }

  #noteSent(through: number): void {
    this.#sentThrough = through;
    this.#parts.mark.sent(through);
  }

  /** What is damaged says nothing of its calls. The next process tries it again, as what is refused. */
  #setDamagedAside(damaged: readonly [Sendable], cause: DamagedBatch): void {
    const { rows, outbox, onProblem } = this.#parts;
    const [{ id, calls }] = damaged;
    try {
      rows.setAside(id);
    } catch (error) {
      // Then it stays where it is in the file.
      if (damageOf(error) === null) throw error;
    }
    outbox.remove(damaged);
    this.setAside.refused(id, cause.message);
    onProblem({ type: 'settlement_refused', count: calls, cause });
    this.#arrived(outbox.acknowledgedThrough);
  }

  #forgetSoon(): void {
    this.#forgettingMore = this.#parts.clock.after(FORGET_MORE_MS, () => void this.#forget());
  }

  /** Deletes what was acknowledged long ago, and notes how far the bank has everything. */
  async #forget(): Promise<void> {
    const { outbox, rows, gate, clock, onProblem } = this.#parts;
    if (this.#isForgetting) return;
    this.#isForgetting = true;
    const release = await gate.acquire();
    try {
      // A bank that was away for a while may come back with another history.
      const since = this.#historySince ?? clock.monotonic();
      const ids = outbox.acknowledgedBefore(since - KEPT_MS, FORGOTTEN_AT_ONCE);
      const through = outbox.acknowledgedThrough;
      if (ids.length === 0 && through === this.#sentThrough) return;
      rows.replace(ids, [], { [SENT_THROUGH]: through });
      outbox.forgotten(ids);
      this.#noteSent(through);
      const overAfterMs = this.#forgetOutage.worked();
      if (overAfterMs !== null) onProblem({ type: 'checkpoint_failed', count: 1, cause: null, overAfterMs });
      if (ids.length === FORGOTTEN_AT_ONCE && !this.#isClosing) this.#forgetSoon();
    } catch (error) {
      if (this.#forgetOutage.failed()) onProblem({ type: 'checkpoint_failed', count: 1, cause: error });
    } finally {
      release();
      this.#isForgetting = false;
    }
  }
}
