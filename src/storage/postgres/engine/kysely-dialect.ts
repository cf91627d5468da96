/**
 * Kysely on the connections of the control plane. A statement within a transaction (`PostgresTransactions`) is part of it. Any other one
 * that writes is a transaction of its own, with its lock: shared SQL is written for a database that executes one writing statement at
 * a time, and decides in a statement's conditions what must not change meanwhile.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DataTypeNode,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { assert } from '../../../core/assert.ts';
import { isLost } from './postgres-errors.ts';
import type { Queryable, Role } from './role.ts';
import type { OpenTransaction, PostgresTransactions } from './transactions.ts';
import { sharedTypes } from './value-types.ts';

export interface NodePostgresDialectParts {
  readonly role: Role;
  readonly transactions: PostgresTransactions;
}

export class NodePostgresDialect implements Dialect {
  readonly #parts: NodePostgresDialectParts;

  constructor(parts: NodePostgresDialectParts) {
    this.#parts = parts;
  }

  createDriver(): Driver {
    return new NodePostgresDriver(this.#parts);
  }

  createQueryCompiler(): PostgresQueryCompiler {
    return new SharedSchemaCompiler();
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter();
  }

  createIntrospector(database: Kysely<unknown>): PostgresIntrospector {
    return new PostgresIntrospector(database);
  }
}

/**
 * Text columns compare bytes, as they do in SQLite: the same order on every server, and indexes that outlive an update of the operating
 * system's locales.
 */
class SharedSchemaCompiler extends PostgresQueryCompiler {
  /**
   * The type of a parameter follows from what it is compared with. A number that an `integer` cannot have would be an error there; as a
   * `bigint` it equals no id, as in SQLite.
   */
  protected override appendValue(value: unknown): void {
    const isLarge =
      typeof value === 'number' && Number.isInteger(value) && (value > INTEGER_MAX || value < -INTEGER_MAX);
    if (isLarge) this.append('cast(');
    super.appendValue(value);
    if (isLarge) this.append(' as bigint)');
  }

  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    if (node.dataType === 'text' && this.parentNode?.kind === 'ColumnDefinitionNode') this.append(' collate "C"');
  }
}

class NodePostgresDriver implements Driver {
  readonly #parts: NodePostgresDialectParts;

  constructor(parts: NodePostgresDialectParts) {
    this.#parts = parts;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const { connection } = this.#parts.transactions;
    return connection === null ? new OwnConnection(this.#parts) : new JoinedConnection(connection);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof OwnConnection) await connection.begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof OwnConnection) await connection.commit();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // The code that began the whole transaction rolls it back.
    if (connection instanceof OwnConnection) await connection.rollback();
    else this.#parts.transactions.partFailed();
  }

  async releaseConnection(): Promise<void> {}

  /** The connections are closed by the code that opened them. */
  async destroy(): Promise<void> {}
}

abstract class SharedConnection implements DatabaseConnection {
  abstract executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;

  // biome-ignore lint/correctness/useYield: an iterator that only refuses.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('rows are read page by page, not streamed, so that no connection is held meanwhile');
  }
}

/** Of a transaction that other code began. */
class JoinedConnection extends SharedConnection {
  readonly #connection: Queryable;

  constructor(connection: Queryable) {
    super();
    this.#connection = connection;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return execute(this.#connection, query);
  }
}

/** Takes a connection for each statement, or one for a transaction of Kysely's. */
class OwnConnection extends SharedConnection {
  readonly #parts: NodePostgresDialectParts;
  #transaction: OpenTransaction | null = null;

  constructor(parts: NodePostgresDialectParts) {
    super();
    this.#parts = parts;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { role, transactions } = this.#parts;
    if (this.#transaction !== null) return execute(this.#transaction.connection, query);
    if (isRead(query)) return read<Row>(role, query);
    return transactions.run(() => {
      const { connection } = transactions;
      assert(connection !== null, 'the work of a transaction is part of it');
      return execute(connection, query);
    });
  }

  async begin(): Promise<void> {
    this.#transaction = await this.#parts.transactions.begin();
  }

  async commit(): Promise<void> {
    await this.#transaction?.commit(() => undefined);
    this.#transaction = null;
  }

  async rollback(): Promise<void> {
    await this.#transaction?.rollback();
    this.#transaction = null;
  }
}

const INTEGER_MAX = 2 ** 31 - 1;
const READ = /^\s*select\b/i;
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

function isRead(query: CompiledQuery): boolean {
  return query.query.kind === 'SelectQueryNode' || (query.query.kind === 'RawNode' && READ.test(query.sql));
}

/** A connection of the pool may have died without notice: then once more, on another one. */
async function read<Row>(role: Role, query: CompiledQuery): Promise<QueryResult<Row>> {
  try {
    return await execute(role, query);
  } catch (error) {
    if (!isLost(error)) throw error;
    return execute(role, query);
  }
}

async function execute<Row>(connection: Queryable, { sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
  const { rows, count, command } = await connection.query({ text: sql, values: parameters, types: sharedTypes });
  return CHANGES.has(command) ? { rows: rows as Row[], numAffectedRows: BigInt(count) } : { rows: rows as Row[] };
}
