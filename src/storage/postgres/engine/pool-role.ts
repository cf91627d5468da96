/** Connections for one purpose, in a pool of the client. */
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { assert } from '../../../core/assert.ts';
import { type Asking, patient } from './contact.ts';
import { closedConnection, isBroken, isLost, isReadOnly } from './postgres-errors.ts';
import type { HeldConnection, Queryable, Role, SqlResult, Statement } from './role.ts';
import { exactTypes } from './value-types.ts';

/**
 * Knows which connections were opened since the last failure. If one was lost, the server has probably restarted; if it refused to write, it is
 * not the primary any more, and the address may lead to another one by now.
 */
export class Primary {
  #age = 0;
  readonly #ages = new WeakMap<PoolClient, number>();

  failed(): void {
    this.#age += 1;
  }

  /** Whether the connection was opened since. */
  isCurrent(client: PoolClient): boolean {
    const age = this.#ages.get(client) ?? this.#age;
    this.#ages.set(client, age);
    return age === this.#age;
  }
}

export class PoolRole implements Role {
  readonly #pool: Pool;
  readonly #primary: Primary;
  readonly #asking: Asking;

  constructor(pool: Pool, primary: Primary, asking: Asking = patient) {
    this.#pool = pool;
    this.#primary = primary;
    this.#asking = asking;
  }

  async acquire(): Promise<HeldConnection> {
    for (;;) {
      if (this.#pool.ending) throw closedConnection();
      const client = await this.#asking(
        () => this.#pool.connect(),
        (late) => late.release(),
      );
      if (this.#primary.isCurrent(client)) return new PooledConnection(client, this.#primary, this.#asking);
      client.release(true);
    }
  }

  async query<Row extends object>(statement: string | Statement, values?: readonly unknown[]): Promise<SqlResult<Row>> {
    const connection = await this.acquire();
    try {
      return await connection.query<Row>(statement, values);
    } finally {
      connection.release(false);
    }
  }

  async transaction<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result> {
    const connection = await this.acquire();
    let isOver = false;
    try {
      await connection.query('begin');
      const result = await work(connection);
      const { command } = await connection.query('commit');
      isOver = true;
      assert(command === 'COMMIT', 'a transaction of which a statement failed is not committed');
      return result;
    } finally {
      connection.release(!(isOver || (await rolledBack(connection))));
    }
  }
}

/** Whether the connection is free of a transaction. */
export async function rolledBack(connection: Queryable): Promise<boolean> {
  return connection.query('rollback').then(
    () => true,
    () => false,
  );
}

/** One connection; its statements are executed in the order in which they were given. After one that broke it, none is. */
class PooledConnection implements HeldConnection {
  readonly client: PoolClient;
  readonly #primary: Primary;
  readonly #asking: Asking;
  #last: Promise<unknown> = Promise.resolve();
  #failure: unknown = null;
  readonly #onError = (error: unknown) => {
    this.#failure ??= error;
  };

  constructor(client: PoolClient, primary: Primary, asking: Asking) {
    this.client = client;
    this.#primary = primary;
    this.#asking = asking;
    client.on('error', this.#onError);
  }

  query<Row extends object>(statement: string | Statement, values?: readonly unknown[]): Promise<SqlResult<Row>> {
    const config = typeof statement === 'string' ? { text: statement, values } : statement;
    const answer = this.#last.then(() => this.#execute<Row>(config));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  release(isBroken: boolean): void {
    this.client.off('error', this.#onError);
    this.client.release(isBroken || this.#failure !== null);
  }

  async #execute<Row extends object>(config: Pick<Statement, 'text' | 'types'>): Promise<SqlResult<Row>> {
    if (this.#failure !== null) throw this.#failure;
    try {
      const result = await this.#asking(() => this.client.query<Row>({ types: exactTypes, ...config } as QueryConfig));
      // Several statements in one text have a result each.
      const { rows, rowCount, command } = Array.isArray(result) ? (result.at(-1) as QueryResult<Row>) : result;
      return { rows, count: rowCount ?? 0, command };
    } catch (error) {
      if (isReadOnly(error) || isLost(error)) this.#primary.failed();
      if (isBroken(error)) this.#failure = error;
      throw error;
    }
  }
}
