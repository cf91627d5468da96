/**
 * The connections to PostgreSQL, by what they are for, so that no kind of work waits for another: a report does not delay a lease. A
 * connection that died is replaced by the next statement. Connections have no session state, so a pooler in transaction mode may
 * stand in between; only `listen` needs a session of its own, and nothing relies on it.
 */
import type { CustomTypesConfig, Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { closedConnection, isBroken } from './postgres-errors.ts';
import { exactTypes } from './value-types.ts';

export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database`; has a password, so it is never printed. */
  readonly url: string;
  /** A replica for reports; null for the same server. */
  readonly readUrl: string | null;
  /** The most connections of the control plane. */
  readonly connections: number;
}

export type RoleName =
  | 'control'
  | 'leases'
  | 'settlements'
  | 'records'
  | 'pulse'
  | 'listen'
  | 'exchange'
  | 'reports'
  | 'maintenance';

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** A statement that is prepared once per connection. */
  readonly name?: string;
  /** How values are read; `exactTypes` by default. */
  readonly types?: CustomTypesConfig;
}

export interface SqlResult<Row> {
  readonly rows: readonly Row[];
  /** Rows that were returned or written. */
  readonly count: number;
  /** What the statement did: `SELECT`, `INSERT`, `COMMIT`, … */
  readonly command: string;
}

/** A `bigint` column is a `bigint`, an `integer` a number, `bytea` a `Uint8Array`; a parameter may be any of these. */
export interface Queryable {
  query<Row extends object = Record<string, unknown>>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<SqlResult<Row>>;
}

/** Connections for one purpose. */
export interface Role extends Queryable {
  /** One transaction on one connection: commits what `work` wrote, or rolls all of it back and throws its error. */
  transaction<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result>;
  /** A connection that the caller releases, saying whether it is still good. */
  acquire(): Promise<HeldConnection>;
}

export interface HeldConnection extends Queryable {
  readonly client: PoolClient;
  release(isBroken: boolean): void;
}

export interface PostgresConnections extends Readonly<Record<RoleName, Role>> {
  /** Statements of the control plane. */
  query: Queryable['query'];
  close(): Promise<void>;
}

/** How many connections each purpose has, and how long one statement may take until its connection is given up, ms. */
const ROLES: Readonly<Record<Exclude<RoleName, 'control'>, { readonly max: number; readonly timeoutMs: number }>> = {
  leases: { max: 1, timeoutMs: 5_000 },
  settlements: { max: 2, timeoutMs: 30_000 },
  records: { max: 1, timeoutMs: 60_000 },
  pulse: { max: 1, timeoutMs: 5_000 },
  listen: { max: 1, timeoutMs: 5_000 },
  exchange: { max: 2, timeoutMs: 2_000 },
  reports: { max: 2, timeoutMs: 60_000 },
  // Migrations, verification, export: as long as they take.
  maintenance: { max: 2, timeoutMs: 2 ** 31 - 1 },
};
/** Roles whose connections are closed when they are not used. */
const OCCASIONAL: ReadonlySet<RoleName> = new Set(['control', 'reports', 'maintenance']);
const CONTROL_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_MS = 30_000;

/** Connects on first use. The client is loaded here, so that nobody pays for it without a database URL. */
export async function openConnections({ url, readUrl, connections }: ConnectionOptions): Promise<PostgresConnections> {
  const { default: pg } = await import('pg');
  const pools: Pool[] = [];
  const open = (role: RoleName, max: number, timeoutMs: number): Role => {
    const pool = new pg.Pool({
      connectionString: role === 'reports' ? (readUrl ?? url) : url,
      max,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: timeoutMs,
      idleTimeoutMillis: OCCASIONAL.has(role) ? IDLE_MS : 0,
      keepAlive: true,
      application_name: `turnpike ${role}`,
      types: exactTypes,
    });
    // An idle connection that dies is replaced by the next statement, which reports it if that fails.
    pool.on('error', () => undefined);
    pools.push(pool);
    return new PoolRole(pool);
  };
  const control = open('control', connections, CONTROL_TIMEOUT_MS);
  const others = Object.entries(ROLES).map(([name, { max, timeoutMs }]) => [
    name,
    open(name as RoleName, max, timeoutMs),
  ]);
  return {
    ...(Object.fromEntries(others) as Record<Exclude<RoleName, 'control'>, Role>),
    control,
    query: (statement, values) => control.query(statement, values),
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

class PoolRole implements Role {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async acquire(): Promise<HeldConnection> {
    if (this.#pool.ending) throw closedConnection();
    return new PooledConnection(await this.#pool.connect());
  }

  async query<Row extends object>(statement: string | Statement, values?: readonly unknown[]): Promise<SqlResult<Row>> {
    const connection = await this.acquire();
    let failure: unknown = null;
    try {
      return await connection.query<Row>(statement, values);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      connection.release(failure !== null && isBroken(failure));
    }
  }

  async transaction<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result> {
    const connection = await this.acquire();
    let broken = false;
    try {
      await connection.query('begin');
      const result = await work(connection);
      await connection.query('commit');
      return result;
    } catch (error) {
      broken = isBroken(error) || !(await rolledBack(connection));
      throw error;
    } finally {
      connection.release(broken);
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

/** One connection; its statements are executed in the order in which they were given. */
class PooledConnection implements HeldConnection {
  readonly client: PoolClient;
  #last: Promise<unknown> = Promise.resolve();
  readonly #onError = () => undefined;

  constructor(client: PoolClient) {
    this.client = client;
    // A connection that dies while it is held rejects its statement; the event is the same error again.
    client.on('error', this.#onError);
  }

  query<Row extends object>(statement: string | Statement, values?: readonly unknown[]): Promise<SqlResult<Row>> {
    const config = typeof statement === 'string' ? { text: statement, values } : statement;
    const answer = this.#last.then(async () => {
      const result = await this.client.query<Row>({ types: exactTypes, ...config } as QueryConfig);
      // Several statements in one text have a result each.
      const { rows, rowCount, command } = Array.isArray(result) ? (result.at(-1) as QueryResult<Row>) : result;
      return { rows, count: rowCount ?? 0, command };
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  release(isBroken: boolean): void {
    this.client.off('error', this.#onError);
    this.client.release(isBroken);
  }
}
