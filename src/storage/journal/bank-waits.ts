/**
 * Commits that wait until the bank has their settlements, in addition to the journal. If the bank does not answer in time, the
 * journal is synced to the disk instead, and the following commits wait for the disk alone until the bank answers in time again. What is in the
 * journal reaches the bank whatever the disk does, so a commit is not rejected because a sync failed: its caller would be charged for a refusal.
 */
import type { LedgerRow } from '../../billing/ports.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import type { CallId } from '../../core/ids.ts';
import { Outage } from '../../core/trouble/outage.ts';
import type { StorageProblem } from '../storage.ts';

export interface BankWaitsParts {
  readonly clock: Clock;
  /** Resolves when everything that was written to the journal is on the disk. */
  readonly syncJournal: () => Promise<void>;
  /** Commits whose settlements are in batches up to this one end without the bank. */
  readonly onLeftToDisk: (through: number) => void;
  /** The disk does not take it: commits go on waiting for the bank, which settles them in any case. Must not throw. */
  readonly onNotSynced: (error: unknown, commits: number) => void;
  readonly onProblem: (problem: StorageProblem) => void;
}

const PATIENCE_MS = 500;

export interface BankWait {
  readonly rows: readonly LedgerRow[];
  readonly done: PromiseWithResolvers<void>;
  /** The last batch that contains rows of the commit, and since when it waits (monotonic ms); null while it is being written. */
  written: { readonly through: number; readonly since: number } | null;
  /** Whether the disk is enough for it, too. */
  isLeft: boolean;
}

export class BankWaits {
  readonly #parts: BankWaitsParts;
  /** In the order in which they began. */
  readonly #waits = new Set<BankWait>();
  #timer: Timer | null = null;
  /** The bank does not answer in time. */
  readonly #outage: Outage;
  /** How many commits ended, or were to end, when they were on the disk. */
  #leftToDisk = 0;

  constructor(parts: BankWaitsParts) {
    this.#parts = parts;
    this.#outage = new Outage(parts.clock);
  }

  /** Call it before `rows` are written, then `written` or `notWritten`. */
  begin(rows: readonly LedgerRow[]): BankWait {
    const wait: BankWait = { rows, done: Promise.withResolvers(), written: null, isLeft: false };
    // Whoever waits for it sees the error; if the write fails, nobody does.
    wait.done.promise.catch(() => undefined);
    this.#waits.add(wait);
    return wait;
  }

  notWritten(wait: BankWait): void {
    this.#waits.delete(wait);
  }

  /** Resolves when the bank has the batches up to `through`, or the disk; rejects if the bank refuses a settlement of the commit. */
  written(wait: BankWait, through: number, acknowledgedThrough: number): Promise<void> {
    wait.written = { through, since: this.#parts.clock.monotonic() };
    if (!this.#waits.has(wait)) return wait.done.promise;
    if (through <= acknowledgedThrough) this.#resolve(wait);
    else if (this.#outage.isOn) this.#leaveToDisk([wait]);
    else this.#startTimer(PATIENCE_MS);
    return wait.done.promise;
  }

  /** The bank has taken settlements, this long after they were sent. A slow bank is as good as none: calls would wait again and again. */
  bankAnswered(tookMs: number): void {
    if (tookMs >= PATIENCE_MS) return;
    const lastedMs = this.#outage.worked();
    if (lastedMs === null) return;
    const count = this.#leftToDisk;
    this.#leftToDisk = 0;
    this.#parts.onProblem({ type: 'durability_lowered', count, cause: null, overAfterMs: lastedMs });
  }

  /** The bank has all batches up to this one. */
  acknowledged(through: number): void {
    for (const wait of this.#waits) if (wait.written !== null && wait.written.through <= through) this.#resolve(wait);
    if (this.#waits.size === 0) this.close();
  }

  /** The calls of batch `id` are in later ones now, up to `through`. */
  moved(id: number, through: number): void {
    for (const wait of this.#waits)
      if (wait.written !== null && wait.written.through >= id) wait.written = { ...wait.written, through };
  }

  /** The bank refuses the settlements of these calls: the commits that still wait for one are rejected. */
  refused(callIds: ReadonlySet<CallId>, error: Error): void {
    for (const wait of this.#waits) {
      if (!wait.rows.some(({ type, settlement }) => type === 'settlement' && callIds.has(settlement.callId))) continue;
      this.#waits.delete(wait);
      wait.done.reject(error);
    }
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #resolve(wait: BankWait): void {
    this.#waits.delete(wait);
    wait.done.resolve();
  }

  #startTimer(delayMs: number): void {
    this.#timer ??= this.#parts.clock.after(delayMs, () => {
      this.#timer = null;
      this.#check();
    });
  }

  #check(): void {
    const waiting = [...this.#waits].filter(({ written, isLeft }) => written !== null && !isLeft);
    const since = Math.min(...waiting.map(({ written }) => written?.since ?? Number.POSITIVE_INFINITY));
    if (waiting.length === 0) return;
    const waited = this.#parts.clock.monotonic() - since;
    if (waited < PATIENCE_MS) return this.#startTimer(PATIENCE_MS - waited);
    const cause = new Error(
      `The database did not take settlements within ${PATIENCE_MS} ms. Until it answers in time, calls end when they are on this node's disk.`,
    );
    if (this.#outage.failed()) this.#parts.onProblem({ type: 'durability_lowered', count: waiting.length, cause });
    this.#leaveToDisk(waiting);
  }

  #leaveToDisk(waiting: readonly BankWait[]): void {
    for (const wait of waiting) wait.isLeft = true;
    this.#leftToDisk += waiting.length;
    this.#parts.syncJournal().then(
      () => {
        this.#parts.onLeftToDisk(Math.max(...waiting.map(({ written }) => written?.through ?? 0)));
        for (const wait of waiting) this.#resolve(wait);
      },
      (error: unknown) => this.#parts.onNotSynced(error, waiting.length),
    );
  }
}
