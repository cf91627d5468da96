/**
 * A connection for work that reads the whole ledger: no statement of it has a time limit, and nothing else waits for it. Rows come by `COPY`,
 * one after the other, however many there are.
 */
import type { Client } from 'pg';
import { copyFrom } from '../copy/copy-protocol.ts';
import { type CopiedKind, type CopiedValue, readCopyLine } from '../copy/copy-text.ts';
import { connectionString } from '../engine/connection-string.ts';
import { DATABASE_URL, explainConnection, type UrlOption } from '../engine/explain-connection.ts';
import { exactTypes } from '../engine/value-types.ts';

const CONNECT_TIMEOUT_MS = 10_000;

export class MaintenanceConnection {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  /** `url` has a password, and is never printed. Throws `UnusableDatabase`, which names `option`. */
  static async open(url: string, option: UrlOption = DATABASE_URL): Promise<MaintenanceConnection> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: connectionString(url),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'turnpike maintenance',
      types: exactTypes,
    });
    // A connection that dies rejects its statement; the event is the same error again.
    client.on('error', () => undefined);
    await client.connect().catch((error: unknown) => {
      throw explainConnection(error, url, option);
    });
    return new MaintenanceConnection(client);
  }

  /** A `bigint` and a whole `numeric` are a bigint, an `integer` is a number, `bytea` a `Uint8Array`. */
  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await this.client.query<Row>(text, [...values]);
    return rows;
  }

  /** Calls `onRow` for each row of a `SELECT`, whose columns are of these kinds. */
  readRows<Row extends readonly CopiedValue[]>(
    select: string,
    kinds: readonly CopiedKind[],
    onRow: (row: Row) => void,
  ): Promise<void> {
    return copyFrom(this.client, `copy (${select}) to stdout`, (line) =>
      onRow(readCopyLine(line, kinds) as readonly CopiedValue[] as Row),
    );
  }

  /** Calls `onLine` for each row of a `SELECT`, as PostgreSQL writes it, with its end. */
  readLines(select: string, onLine: (line: Buffer) => void): Promise<void> {
    return copyFrom(this.client, `copy (${select}) to stdout`, onLine);
  }

  /** Runs `work` on one snapshot of the database, which writes nothing; a replica can do it, too. */
  snapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.transaction('isolation level repeatable read read only', work);
  }

  async transaction<Result>(mode: string, work: () => Promise<Result>): Promise<Result> {
    // Local to the transaction: a pooler may hand the session to others.
    await this.client.query(`begin ${mode}`.trimEnd());
    try {
      await this.client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
      const result = await work();
      await this.client.query('commit');
      return result;
    } catch (error) {
      // If that fails, too, the connection is lost, and the server rolls back.
      await this.client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
