/**
 * Kysely over the connection that also settles calls. Statements of the control plane are rare
 * and take the gate one at a time, so that a transaction of theirs, which spans turns of the event
 * loop, never gets mixed up with a group commit on the same connection.
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
  /** Called when the connection has been used, which may have written something. */
  readonly onUsed?: () => void;
  /** Statements that are asked within one of these are part of it. */
  readonly transactions?: SqliteTransactions;
}

const STATEMENTS_MAX = 256;
/** Migrations: what `*` means is another thing after them. */
const SCHEMA_CHANGE = /^\s*(create|alter|drop|pragma)\b/i;

interface PreparedStatement {
  readonly statement: StatementSync;
  /** Whether it answers with rows. */
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

/** SQLite's tables can be made and undone in a transaction; Kysely leaves that out for pragmas we do not touch. */
class NodeSqliteAdapter extends SqliteAdapter {
  /** Kysely must not let one in at a time, too: the gate does, and lets in what is part of a transaction that holds it. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #connection: NodeSqliteConnection;
  /** The same connection, for what is part of a transaction that holds the gate. */
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
    // The whole is undone by whoever began it.
    if (connection === this.#joined) this.#transactions?.partFailed();
    // A full disk has undone it already, and saying so a second time would hide why.
    else if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection === this.#joined) return;
    this.#release?.();
    this.#onUsed?.();
  }

  /** The connection belongs to whoever opened it. */
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
    throw new Error('rows are read page by page, not streamed: an open cursor would stand in the way of commits');
  }

  #execute<Row>(query: CompiledQuery): QueryResult<Row> {
    const { statement, hasRows } = this.#prepared(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (hasRows) return { rows: statement.all(...parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Most of what a request of the dashboard would cost is finding out what its statements mean. */
  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#parts.database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    const changesSchema = SCHEMA_CHANGE.test(sql);
    // There are far fewer, but for lists whose length a caller chooses.
    if (changesSchema || this.#statements.size === STATEMENTS_MAX) this.#statements.clear();
    if (!changesSchema) this.#statements.set(sql, prepared);
    return prepared;
  }
}
