/**
 * Runs the batches of this node: a few lines at a time, accounts in turn, and only while the gateway has places left. A batch is run by one node, which
 * has claimed it and says so again every few seconds; if it does not, another one goes on.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timer } from '../core/clock.ts';
import type { BatchId } from '../core/ids.ts';
import { Serial } from '../core/serial.ts';
import { BatchRun } from './batch-run.ts';
import type { BatchRow, BatchStore, OpenStatus } from './ports.ts';
import { ResultSpace, type ResultSpaceParts } from './result-space.ts';
import type { RunParts } from './runner-ports.ts';

export interface RunnerParts extends Omit<RunParts, 'space'>, ResultSpaceParts {
  readonly files: RunParts['files'] & ResultSpaceParts['files'];
  readonly limits: RunParts['limits'];
  readonly store: BatchStore;
  /** Whether calls of batches may begin: not while the gateway has much to do, or ends. */
  readonly mayBegin: () => boolean;
}

/** Of the batches that this node runs. */
export interface BatchFigures {
  readonly open: ReadonlyMap<OpenStatus, number>;
  /** Lines that are being called. */
  readonly running: number;
  /** Lines that have to be called again. */
  readonly waiting: number;
}

/** How long a claim lasts, and how often it is renewed. */
const CLAIM_MS = 20_000;
const RENEW_MS = 2_000;
/** A claim counts a little less here than at the database. */
const MARGIN_MS = 5_000;
/** Batches that one node has claimed. */
const RUNS_MAX = 1_000;
/** As many are claimed in one turn of the event loop: the others two seconds later. */
const CLAIMED_AT_ONCE = 100;
/** As many say in one turn how far they are. */
const REPORTED_AT_ONCE = 100;
const LOOK_AGAIN_MS = 250;

export class BatchRunner {
  readonly #parts: RunnerParts;
  readonly #space: ResultSpace;
  readonly #runs = new Map<BatchId, BatchRun>();
  /** Lines and steps that are being worked on. */
  readonly #working = new Set<Promise<void>>();
  readonly #finishing = new Set<BatchRun>();
  /** Inputs are validated one after the other: each may need the memory of its longest line twice. */
  readonly #preparing = new Serial();
  /** By account, when a line of it last began: a count. */
  readonly #turns = new Map<number, number>();
  #turn = 0;
  #lines = 0;
  /** Those that have passed over many lines since a line began: others that are ready come first. */
  readonly #passing = new Set<BatchRun>();
  #wake: (() => void) | null = null;
  #isClosed = false;
  #ticking: Promise<void> | null = null;
  #isAsked = false;
  #timer: Timer | null = null;
  #loop: Promise<void> | null = null;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#space = new ResultSpace(parts);
  }

  start(): void {
    this.#loop = this.#beginLines();
    this.#timer = this.#parts.clock.every(RENEW_MS, () => void this.poke());
    void this.poke();
  }

  /** Looks for what has changed: call it when a batch was made, or is to be cancelled. Resolves when it has looked. */
  poke(): Promise<void> {
    this.#isAsked = true;
    this.#ticking ??= this.#tick().finally(() => {
      this.#ticking = null;
    });
    return this.#ticking;
  }

  /** What it is doing now. */
  figures(): BatchFigures {
    const open = new Map<OpenStatus, number>();
    let running = 0;
    let waiting = 0;
    for (const run of this.#runs.values()) {
      open.set(run.status, (open.get(run.status) ?? 0) + 1);
      running += run.running;
      waiting += run.waiting;
    }
    return { open, running, waiting };
  }

  /** No more lines begin; resolves when those that run have ended, and what they came to is written. Others may run its batches then. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#wakeUp();
    await this.#loop;
    await this.#ticking;
    while (this.#working.size > 0) await Promise.allSettled(this.#working);
    const runs = [...this.#runs.values()];
    for (const run of runs) {
      await run.report().catch(() => undefined);
      await run.close();
    }
    await this.#space.lookAtAll(new Set()).catch(() => undefined);
    await this.#parts.store.release(this.#parts.owner, [...this.#runs.keys()]).catch(() => undefined);
    this.#runs.clear();
  }

  async #tick(): Promise<void> {
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false;
      try {
        // On SQLite no step leaves the turn by itself.
        await this.#renew();
        await nextTurn();
        await this.#claim();
        for (const [at, run] of [...this.#runs.values()].entries()) {
          if (at % REPORTED_AT_ONCE === 0) await nextTurn();
          await run.report();
        }
        await this.#space.lookAtAll(new Set(this.#runs.values().map(({ row }) => row.accountId)));
      } catch (error) {
        // The claims count on until their time is over; the next time tells.
        this.#parts.log.warn({ cause: messageOf(error) }, 'batches_not_renewed');
      }
      this.#look();
    }
  }

  async #renew(): Promise<void> {
    const { store, clock } = this.#parts;
    for (const run of this.#runs.values()) {
      if (clock.monotonic() >= run.ownedUntil) run.lose();
      if (clock.now() >= run.row.expiresAt) run.stop('expired');
    }
    if (this.#runs.size === 0) return;
    const { claim, ownedUntil } = this.#newClaim();
    const rows = await store.renew(claim, [...this.#runs.keys()]);
    const owned = new Map(rows.map((row) => [row.id, row]));
    for (const [id, run] of this.#runs) {
      const row = owned.get(id);
      if (row === undefined) {
        run.lose();
        continue;
      }
      run.renewed(row, ownedUntil);
    }
  }

  async #claim(): Promise<void> {
    const room = RUNS_MAX - this.#runs.size;
    if (room <= 0 || this.#isClosed || !this.#parts.mayBegin()) return;
    const { claim, ownedUntil } = this.#newClaim();
    for (const row of await this.#parts.store.claim(claim, Math.min(room, CLAIMED_AT_ONCE)))
      this.#take(row, ownedUntil);
  }

  #newClaim() {
    const { owner, clock } = this.#parts;
    const nowMs = clock.now();
    const claim = { owner, nowMs, untilMs: nowMs + CLAIM_MS };
    return { claim, ownedUntil: clock.monotonic() + CLAIM_MS - MARGIN_MS };
  }

  #take(row: BatchRow, ownedUntil: number): void {
    if (this.#runs.has(row.id)) return;
    const run = new BatchRun({ ...this.#parts, space: this.#space }, row, ownedUntil);
    if (row.status === 'cancelling') run.stop('cancelled');
    if (this.#parts.clock.now() >= row.expiresAt) run.stop('expired');
    this.#runs.set(row.id, run);
    this.#work(
      this.#preparing.run(() => (this.#isClosed ? Promise.resolve() : run.prepare())),
      run,
    );
  }

  /** Follows a step of a batch to its end. If it fails, the batch is left to whoever claims it next, perhaps this node. */
  #work(step: Promise<void>, run: BatchRun): void {
    const worked = step
      .catch((error: unknown) => {
        this.#parts.log.warn({ batch: run.row.id, cause: messageOf(error) }, 'batch_failed');
        run.lose();
      })
      .finally(() => {
        this.#working.delete(worked);
        this.#look();
      });
    this.#working.add(worked);
  }

  /** Ends what has come to its end, and wakes up whoever begins lines. */
  #look(): void {
    for (const [id, run] of this.#runs) {
      const isLost = run.isLost && run.running === 0 && !this.#finishing.has(run);
      if (run.isOver || isLost) {
        this.#runs.delete(id);
        // One that has not ended, such as one that was cancelled while its input was read, can be claimed at once.
        if (!this.#isClosed) this.#work(this.#parts.store.release(this.#parts.owner, [id]), run);
        void run.close();
      } else if (run.isEnding && !this.#finishing.has(run) && !this.#isClosed) {
        this.#finishing.add(run);
        this.#work(
          run.finish().finally(() => this.#finishing.delete(run)),
          run,
        );
      }
    }
    this.#wakeUp();
  }

  async #beginLines(): Promise<void> {
    while (!this.#isClosed) {
      const run = this.#pick();
      if (run === null) {
        await this.#sleep();
        continue;
      }
      try {
        const line = await run.nextLine();
        if (line === 'later') {
          this.#passing.add(run);
          await nextTurn();
        }
        if (line === null) this.#look();
        // It may have been stopped while the line was read: then its end says what becomes of it.
        if (line === null || line === 'later' || this.#isClosed || !run.goesOn) continue;
        this.#passing.clear();
        this.#turn += 1;
        this.#turns.set(run.row.accountId, this.#turn);
        this.#lines += 1;
        this.#work(
          run.run(line).finally(() => {
            this.#lines -= 1;
          }),
          run,
        );
      } catch (error) {
        this.#parts.log.warn({ batch: run.row.id, cause: messageOf(error) }, 'batch_input_unreadable');
        await run.readAgain();
      }
    }
  }

  /** Of the account with the fewest lines that run, and of those the one whose turn was the longest ago; within an account likewise. */
  #pick(): BatchRun | null {
    const { clock, limits, mayBegin } = this.#parts;
    const { linesAtOnce } = limits();
    if (this.#isClosed || this.#lines >= 2 * linesAtOnce || !mayBegin()) return null;
    const nowMs = clock.monotonic();
    const running = new Map<number, number>();
    for (const { row, running: count } of this.#runs.values())
      running.set(row.accountId, (running.get(row.accountId) ?? 0) + count);
    const rank = (run: BatchRun) => {
      const { row, running: count } = run;
      const turn = this.#turns.get(row.accountId) ?? 0;
      return [this.#passing.has(run) ? 1 : 0, running.get(row.accountId) ?? 0, turn, count] as const;
    };
    // However long the lines of others run, an account that has none may begin one.
    const isAllowed = ({ row }: BatchRun) => this.#lines < linesAtOnce || (running.get(row.accountId) ?? 0) === 0;
    let best: BatchRun | null = null;
    for (const run of this.#runs.values())
      if (isAllowed(run) && run.isReady(nowMs) && (best === null || isBefore(rank(run), rank(best)))) best = run;
    if (this.#runs.size === 0) {
      this.#turns.clear();
      this.#passing.clear();
    }
    return best;
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#parts.clock.after(LOOK_AGAIN_MS, () => this.#wakeUp());
      this.#wake = () => {
        this.#wake = null;
        timer.cancel();
        resolve();
      };
    });
  }

  #wakeUp(): void {
    this.#wake?.();
  }
}

function isBefore(left: readonly number[], right: readonly number[]): boolean {
  for (const [at, value] of left.entries()) if (value !== right[at]) return value < (right[at] ?? 0);
  return false;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
