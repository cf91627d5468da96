/**
 * Transactions of the control plane. They run one at a time over all nodes: each first takes an advisory lock, in a statement of its
 * own, so every later statement (READ COMMITTED) sees what the transactions before it committed, and nobody else writes. That is what
 * SQLite's one writer gives, which the shared stores are written for. Within this process they also take turns, so that effects of
 * commits are called in their order, and waiting transactions hold no connection; those of one person delay nobody else's by more than one
 * each (`write-turns.ts`).
 */
import { assert } from '../../../core/assert.ts';
import { changeTurn, type Transactions } from '../../../core/transactions.ts';
import { TransactionContext } from '../../sql/transaction-context.ts';
import { rolledBack } from './pool-role.ts';
import { isBroken, isRetryable } from './postgres-errors.ts';
import type { HeldConnection, Queryable, Role } from './role.ts';
import { WriteTurns } from './write-turns.ts';

/** Of the control plane's advisory lock; a number of our own. */
const LOCK = 7_814_520_377_001n;
/** Not session settings, which a pooler in transaction mode would hand to others. */
const BEGIN = `begin isolation level read committed;
  set local statement_timeout = '10s'; set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '10s';
  select pg_advisory_xact_lock(${LOCK})`;
const ATTEMPTS = 5;
/** A connection of the pool may have died without notice. */
const CONNECTION_ATTEMPTS = 2;

export class PostgresTransactions implements Transactions {
  readonly #role: Role;
  readonly #turns: WriteTurns;
  readonly #context = new TransactionContext<Queryable>();

  constructor(role: Role, turns = new WriteTurns()) {
    this.#role = role;
    this.#turns = turns;
  }

  get isOpen(): boolean {
    return this.#context.isOpen;
  }

  /** The connection of the transaction that the caller is part of; null if there is none. */
  get connection(): Queryable | null {
    return this.#context.connection;
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
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#runAlone(work);
      } catch (error) {
        // Nothing of it was written, or it was all rolled back.
        const attempts = error instanceof NotBegun ? CONNECTION_ATTEMPTS : isRetryable(error) ? ATTEMPTS : 1;
        if (attempt >= attempts) throw causeOf(error);
      }
    }
  }

  /** Begins a transaction that the caller ends: alone, and with the lock. */
  async begin(): Promise<OpenTransaction> {
    const endTurn = await this.#turns.take(changeTurn());
    try {
      return new OpenTransaction(await this.#begun(), endTurn);
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  async #runAlone<Result>(work: () => Promise<Result>): Promise<Result> {
    const transaction = await this.begin();
    try {
      return await this.#context.run(transaction.connection, work, (effects) => transaction.commit(effects));
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }

  async #begun(): Promise<HeldConnection> {
    const connection = await this.#role.acquire();
    try {
      await connection.query(BEGIN);
      return connection;
    } catch (error) {
      const broken = isBroken(error);
      connection.release(broken || !(await rolledBack(connection)));
      throw broken ? new NotBegun(error) : error;
    }
  }
}

/** A transaction that has the lock. */
export class OpenTransaction {
  readonly #connection: HeldConnection;
  readonly #endTurn: () => void;
  #isOver = false;

  constructor(connection: HeldConnection, endTurn: () => void) {
    this.#connection = connection;
    this.#endTurn = endTurn;
  }

  get connection(): Queryable {
    return this.#connection;
  }

  /** Calls `effect` in the same step, before another transaction of this process begins. Throws if PostgreSQL rolled it back. */
  async commit(effect: () => void): Promise<void> {
    const { command } = await this.#connection.query('commit');
    assert(command === 'COMMIT', 'a transaction of which a statement failed is not committed');
    effect();
    this.#end(false);
  }

  /** Does nothing if it is over. A connection on which that fails is given up, which rolls back, too. */
  async rollback(): Promise<void> {
    if (this.#isOver) return;
    this.#end(!(await rolledBack(this.#connection)));
  }

  #end(isBroken: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection.release(isBroken);
    this.#endTurn();
  }
}

/** The connection was lost before anything was written. */
class NotBegun extends Error {
  constructor(cause: unknown) {
    super('the transaction could not begin', { cause });
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof NotBegun ? error.cause : error;
}
