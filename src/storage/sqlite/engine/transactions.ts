/**
 * Transactions on the connection that also settles calls. A transaction holds the gate from its first statement to its commit, so settlements
 * wait for it: it must await nothing but the database, which answers immediately. The transaction of a statement is known from the
 * asynchronous context in which it is executed.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseSync } from 'node:sqlite';
import { assert } from '../../../core/assert.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Transactions } from '../../../core/transactions.ts';
import type { Gate } from './gate.ts';
import { whenUnlocked } from './when-unlocked.ts';

export interface SqliteTransactionsParts {
  readonly database: DatabaseSync;
  readonly gate: Gate;
  readonly clock: Clock;
  /** Called after each use of the connection, which may have written something. */
  readonly onUsed?: () => void;
}

interface Unit {
  readonly effects: (() => void)[];
  hasFailed: boolean;
  isOver: boolean;
}

export class SqliteTransactions implements Transactions {
  readonly #parts: SqliteTransactionsParts;
  readonly #context = new AsyncLocalStorage<Unit>();

  constructor(parts: SqliteTransactionsParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#unit() !== null;
  }

  afterCommit(effect: () => void): void {
    const unit = this.#unit();
    assert(unit !== null, 'what follows a commit is said within its transaction');
    unit.effects.push(effect);
  }

  /** A part of the transaction failed: even if the error is caught, the transaction cannot commit. */
  partFailed(): void {
    const unit = this.#unit();
    if (unit !== null) unit.hasFailed = true;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#unit() !== null) return this.#join(work);
    const { gate, onUsed } = this.#parts;
    const release = await gate.acquire();
    try {
      return await this.#runAlone(work);
    } finally {
      release();
      onUsed?.();
    }
  }

  async #join<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.partFailed();
      throw error;
    }
  }

  async #runAlone<Result>(work: () => Promise<Result>): Promise<Result> {
    const { database } = this.#parts;
    const unit: Unit = { effects: [], hasFailed: false, isOver: false };
    await this.#execute('begin immediate');
    let result: Result;
    try {
      result = await this.#context.run(unit, work);
      assert(!unit.hasFailed, 'a transaction of which a part failed is not committed');
      unit.isOver = true;
      await this.#execute('commit');
    } catch (error) {
      unit.isOver = true;
      // On a full disk SQLite has rolled back already; a second rollback would fail and hide the cause.
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
    for (const effect of unit.effects) effect();
    return result;
  }

  #execute(sql: string): Promise<void> {
    const { database, clock } = this.#parts;
    return whenUnlocked({ database, clock }, () => database.exec(sql));
  }

  /** The transaction that the caller is part of, or null; work that continues after its end is part of none. */
  #unit(): Unit | null {
    const unit = this.#context.getStore();
    return unit === undefined || unit.isOver ? null : unit;
  }
}
