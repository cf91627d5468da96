/**
 * Transactions on the connection that also settles calls. One holds the gate from its first statement to its commit, so settlements wait for
 * it: it waits for nothing but the database, which answers at once. Which one a statement belongs to is known from the asynchronous
 * context it is asked in.
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
  /** Called when the connection has been used, which may have written something. */
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

  /** A part of the transaction failed: whatever becomes of the error, it is not committed. */
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
      // A full disk has undone it already, and saying so a second time would hide why.
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

  /** The one that the caller is part of; work that goes on after its end is part of none. */
  #unit(): Unit | null {
    const unit = this.#context.getStore();
    return unit === undefined || unit.isOver ? null : unit;
  }
}
