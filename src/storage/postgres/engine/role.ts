/** A connection, and connections for one purpose, as the rest of the storage sees them. */
import type { CustomTypesConfig, PoolClient } from 'pg';

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

/** It has no name: a pooler would execute a prepared statement on a connection that does not know it. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
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
