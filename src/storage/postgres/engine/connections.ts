/**
 * The connections to PostgreSQL, by what they are for, so that no kind of work waits for another: a report does not delay a lease. A
 * connection that died is replaced by the next statement. Connections have no session state, so a pooler in transaction mode may
 * stand in between; only `listen` needs a session of its own, and nothing relies on it.
 */
import type { Pool, PoolClient } from 'pg';
import { connectionString } from './connection-string.ts';
import { type Asking, Contact, patient } from './contact.ts';
import { PoolRole, Primary } from './pool-role.ts';
import type { Queryable, Role, RoleName } from './role.ts';
import { exactTypes } from './value-types.ts';

export type { HeldConnection, Queryable, Role, RoleName, SqlResult, Statement } from './role.ts';

export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database`; has a password, so it is never printed. */
  readonly url: string;
  /** A replica for reports; null for the same server. */
  readonly readUrl: string | null;
  /** The most connections of the control plane. */
  readonly connections: number;
  /** For tests: shorter than usual. */
  readonly timeouts?: { readonly connectMs?: number; readonly statementMs?: number; readonly pulseMs?: number };
}

export interface PostgresConnections extends Readonly<Record<RoleName, Role>> {
  /** Statements of the control plane. */
  query: Queryable['query'];
  /** Every connection is replaced before its next use: the address leads to another server than one of them. */
  renew(): void;
  close(): Promise<void>;
}

/** How many connections each purpose has, and how long one statement may take until its connection is given up, ms. */
const ROLES: Readonly<Record<Exclude<RoleName, 'control'>, { readonly max: number; readonly timeoutMs: number }>> = {
  leases: { max: 1, timeoutMs: 5_000 },
  settlements: { max: 2, timeoutMs: 30_000 },
  records: { max: 1, timeoutMs: 60_000 },
  // Short, because the control plane stops waiting when this does.
  pulse: { max: 1, timeoutMs: 3_000 },
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
export async function openConnections(options: ConnectionOptions): Promise<PostgresConnections> {
  const { url, readUrl, connections, timeouts } = options;
  const { default: pg } = await import('pg');
  const pools: Pool[] = [];
  const clients = new Set<PoolClient>();
  const primary = new Primary();
  // A replica that is lost says nothing about the connections to the primary.
  const replica = readUrl === null ? primary : new Primary();
  const contact = new Contact();
  const askings: Partial<Record<RoleName, Asking>> = {
    pulse: contact.finding,
    control: contact.impatient,
    exchange: contact.impatient,
  };
  const open = (role: RoleName, max: number, timeoutMs: number): Role => {
    const pool = new pg.Pool({
      connectionString: connectionString(role === 'reports' ? (readUrl ?? url) : url),
      max,
      connectionTimeoutMillis: timeouts?.connectMs ?? CONNECT_TIMEOUT_MS,
      query_timeout: Math.min(timeoutMs, timeouts?.statementMs ?? timeoutMs),
      idleTimeoutMillis: OCCASIONAL.has(role) ? IDLE_MS : 0,
      keepAlive: true,
      application_name: `turnpike ${role}`,
      types: exactTypes,
    });
    // An idle connection that dies is replaced by the next statement, which reports it if that fails.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => {
      // Also between the pool's care and ours: an error without a listener would end the process. The next statement reports it.
      client.on('error', () => undefined);
      clients.add(client);
      client.once('end', () => clients.delete(client));
    });
    pools.push(pool);
    return new PoolRole(pool, role === 'reports' ? replica : primary, askings[role] ?? patient);
  };
  const control = open('control', connections, CONTROL_TIMEOUT_MS);
  const others = Object.entries(ROLES).map(([name, { max, timeoutMs }]) => [
    name,
    open(name as RoleName, max, name === 'pulse' ? (timeouts?.pulseMs ?? timeoutMs) : timeoutMs),
  ]);
  return {
    ...(Object.fromEntries(others) as Record<Exclude<RoleName, 'control'>, Role>),
    control,
    query: (statement, values) => control.query(statement, values),
    renew() {
      primary.failed();
      if (replica !== primary) replica.failed();
    },
    async close() {
      await Promise.all(pools.map((pool) => (pool.ending ? undefined : pool.end())));
      // A server that hangs does not close its end, which must not keep this process alive.
      for (const client of clients) (client as unknown as { unref(): void }).unref();
    },
  };
}
