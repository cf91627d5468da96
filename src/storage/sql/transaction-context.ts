/**
 * Which transaction a statement belongs to: it is known from the asynchronous context in which the statement is executed. Work that
 * continues after the end of its transaction belongs to none.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { assert } from '../../core/assert.ts';

interface Unit<Connection> {
  readonly connection: Connection;
  readonly effects: (() => void)[];
  hasFailed: boolean;
  isOver: boolean;
}

export class TransactionContext<Connection> {
  readonly #context = new AsyncLocalStorage<Unit<Connection>>();

  get isOpen(): boolean {
    return this.#unit() !== null;
  }

  /** The connection of the transaction that the caller is part of; null if there is none. */
  get connection(): Connection | null {
    return this.#unit()?.connection ?? null;
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

  /** Work within the transaction of the caller. */
  async join<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.partFailed();
      throw error;
    }
  }

  /**
   * Does `work` as one transaction on a connection that has begun one, then calls `commit` with the effects to call once it is committed.
   * Rejects, without a commit, if a part failed.
   */
  async run<Result>(
    connection: Connection,
    work: () => Promise<Result>,
    commit: (effects: () => void) => Promise<void>,
  ): Promise<Result> {
    const unit: Unit<Connection> = { connection, effects: [], hasFailed: false, isOver: false };
    try {
      const result = await this.#context.run(unit, work);
      assert(!unit.hasFailed, 'a transaction of which a part failed is not committed');
      unit.isOver = true;
      await commit(() => {
        for (const effect of unit.effects) effect();
      });
      return result;
    } finally {
      unit.isOver = true;
    }
  }

  #unit(): Unit<Connection> | null {
    const unit = this.#context.getStore();
    return unit === undefined || unit.isOver ? null : unit;
  }
}
