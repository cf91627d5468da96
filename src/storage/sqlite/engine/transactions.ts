/**
 * Transactions on the connection that also settles calls. A transaction holds the gate from its first statement to its commit, so settlements
 * wait for it: it must await nothing but the database, which answers immediately.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../core/clock.ts';
import type { Transactions } from '../../../core/transactions.ts';
import { TransactionContext } from '../../sql/transaction-context.ts';
import type { Gate } from './gate.ts';
import { whenUnlocked } from './when-unlocked.ts';

export interface SqliteTransactionsParts {
  readonly database: DatabaseSync;
  readonly gate: Gate;
  readonly clock: Clock;
  /** Called after each use of the connection, which may have written something. */
  readonly onUsed?: () => void;
}

export class SqliteTransactions implements Transactions {
  readonly #parts: SqliteTransactionsParts;
  readonly #context = new TransactionContext<DatabaseSync>();

  constructor(parts: SqliteTransactionsParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#context.isOpen;
  }

  afterCommit(effect: () => void): void {
    this.#context.afterCommit(effect);
  }

  /** A part of the transaction failed: even if the error is caught, the transaction cannot commit. */
  partFailed(): void {
    this.#context.partFailed();
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isOpen) return this.#context.join(work);
    const { gate, onUsed } = this.#parts;
    const release = await gate.acquire();
    try {
      return await this.#runAlone(work);
    } finally {
      release();
      onUsed?.();
    }
  }

  async #runAlone<Result>(work: () => Promise<Result>): Promise<Result> {
    const { database } = this.#parts;
    await this.#execute('begin immediate');
    try {
      return await this.#context.run(database, work, async (effects) => {
        await this.#execute('commit');
        effects();
      });
    } catch (error) {
      // On a full disk SQLite has rolled back already; a second rollback would fail and hide the cause.
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  }

  #execute(sql: string): Promise<void> {
    const { database, clock } = this.#parts;
    return whenUnlocked({ database, clock }, () => database.exec(sql));
  }
}
