/**
 * Kysely on the connection that also settles calls. Statements of the control plane are rare
 * and acquire the gate one at a time, so that their transactions, which span turns of the event
 * loop, are never interleaved with a group commit on the same connection.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Clock } from '../../../core/clock.ts';
import type { Gate } from './gate.ts';
import type { SqliteTransactions } from './transactions.ts';
import { whenUnlocked } from './when-unlocked.ts';

export interface NodeSqliteDialectParts {
  readonly database: DatabaseSync;
  readonly gate: Gate;
  readonly clock: Clock;
  /** Called after each use of the connection, which may have written something. */
  readonly onUsed?: () => void;
  /** Statements executed within one of these transactions are part of it. */
  readonly transactions?: SqliteTransactions;
}

const STATEMENTS_MAX = 256;
/** Migrations: they change the meaning of `*`. */
const SCHEMA_CHANGE = /^\s*(create|alter|drop|pragma)\b/i;

interface PreparedStatement {
  readonly statement: StatementSync;
  /** Whether it returns rows. */
  readonly hasRows: boolean;
}

export class NodeSqliteDialect implements Dialect {
  readonly #parts: NodeSqliteDialectParts;

  constructor(parts: NodeSqliteDialectParts) {
    this.#parts = parts;
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(this.#parts);
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter();
  }

  createIntrospector(database: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(database);
  }
}

/** SQLite supports DDL in transactions; Kysely's adapter disables it because of pragmas that we do not use. */
class NodeSqliteAdapter extends SqliteAdapter {
  /** Kysely must not serialize connections: the gate does, and it admits statements of the transaction that holds it. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #connection: NodeSqliteConnection;
  /** The same connection, for statements within a transaction that holds the gate. */
  readonly #joined: NodeSqliteConnection;
  readonly #transactions: SqliteTransactions | null;
  readonly #gate: Gate;
  readonly #database: DatabaseSync;
  readonly #onUsed: (() => void) | undefined;
  #release: (() => void) | null = null;

  constructor(parts: NodeSqliteDialectParts) {
    this.#connection = new NodeSqliteConnection(parts);
    this.#joined = new NodeSqliteConnection(parts);
    this.#transactions = parts.transactions ?? null;
    this.#database = parts.database;
    this.#gate = parts.gate;
    this.#onUsed = parts.onUsed;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#transactions?.isOpen === true) return this.#joined;
    this.#release = await this.#gate.acquire();
    return this.#connection;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection !== this.#joined) await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection !== this.#joined) await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // The code that began the whole transaction rolls it back.
    if (connection === this.#joined) this.#transactions?.partFailed();
    // On a full disk SQLite has rolled back already; a second rollback would fail and hide the cause.
    else if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection === this.#joined) return;
    this.#release?.();
    this.#onUsed?.();
  }

  /** The connection is closed by the code that opened it. */
  async destroy(): Promise<void> {}
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #parts: NodeSqliteDialectParts;
  readonly #statements = new Map<string, PreparedStatement>();

  constructor(parts: NodeSqliteDialectParts) {
    this.#parts = parts;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return whenUnlocked(this.#parts, () => this.#execute<Row>(query));
  }

  // biome-ignore lint/correctness/useYield: an iterator that only refuses.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('rows are read page by page, not streamed: an open cursor would block commits');
  }

  #execute<Row>(query: CompiledQuery): QueryResult<Row> {
    const { statement, hasRows } = this.#prepared(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (hasRows) return { rows: statement.all(...parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Caches statements: preparing them would be most of the cost of a dashboard request. */
  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#parts.database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    const changesSchema = SCHEMA_CHANGE.test(sql);
    // There are far fewer, except for lists whose length a caller chooses.
    if (changesSchema || this.#statements.size === STATEMENTS_MAX) this.#statements.clear();
    if (!changesSchema) this.#statements.set(sql, prepared);
    return prepared;
  }
}
