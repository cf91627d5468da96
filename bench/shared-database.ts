/** Several Turnpike nodes on one PostgreSQL, which shares the core of the backend and the load generator. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { installedMajors } from '../test/support/postgres/installations.ts';
import { startServer } from '../test/support/postgres/start-server.ts';
import { type CpuMicros, cpuOfTree } from './process-cpu.ts';
import type { Backend, Subject, SubjectOptions } from './subject.ts';
import { type Installation, prepareTurnpike, serveTurnpike } from './turnpike-subject.ts';

export interface Database {
  readonly url: string;
  /** Of PostgreSQL's processes. */
  cpu(): CpuMicros;
  stop(): Promise<void>;
}

export interface SharedDatabase {
  /** Starts one more node. */
  startNode(): Promise<Subject>;
  /** Of PostgreSQL's processes. */
  cpu(): CpuMicros;
  /** Committed since it was made, as far as sessions have published that. */
  transactions(): Promise<number>;
  /** Ends the nodes, then the server. */
  stop(): Promise<void>;
}

/** As an operator runs it: commits are on the disk when they are answered. */
const SETTINGS = [
  'fsync=on',
  'full_page_writes=on',
  'synchronous_commit=on',
  'shared_buffers=256MB',
  'max_wal_size=4GB',
];

/** Secrets are given, as they are the same on every node. Four nodes share a core: what each waits for it is no overload. */
const ENVIRONMENT = {
  TURNPIKE_LIMITS_LOOP_DELAY_MS: '60000',
  TURNPIKE_PEPPER: '0123456789abcdef'.repeat(4),
  TURNPIKE_SEALING_KEY: 'fedcba9876543210'.repeat(4),
};

/** An empty one; null if no PostgreSQL is installed. */
export async function startDatabase(): Promise<Database | null> {
  const [major] = installedMajors();
  if (major === undefined) return null;
  const { url, pid, stop } = await startServer(major, SETTINGS);
  return { url, cpu: () => cpuOfTree(pid), stop };
}

/** Null if no PostgreSQL is installed. */
export async function openSharedDatabase(backend: Backend, options: SubjectOptions): Promise<SharedDatabase | null> {
  const server = await startDatabase();
  if (server === null) return null;
  const nodes: Subject[] = [];
  const installations: Installation[] = [];
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  return {
    async startNode() {
      const [first] = installations;
      const installation = first === undefined ? prepare(backend, server) : anotherOf(first, installations.length);
      installations.push(installation);
      const { subject } = await serveTurnpike(installation, options);
      nodes.push(subject);
      return subject;
    },
    cpu: server.cpu,
    async transactions() {
      const { rows } = await client.query<{ count: string }>(
        'select xact_commit as count from pg_stat_database where datname = current_database()',
      );
      return Number(rows[0]?.count);
    },
    async stop() {
      for (const node of nodes) await node.stop();
      await client.end();
      await server.stop();
      installations[0]?.remove();
    },
  };
}

function prepare(backend: Backend, { url }: Database): Installation {
  return prepareTurnpike(backend, { environment: { DATABASE_URL: url, ...ENVIRONMENT } });
}

/** The same configuration and key, and a folder of its own. */
function anotherOf({ folder, key, environment }: Installation, number: number): Installation {
  const own = join(folder, `node-${number}`);
  mkdirSync(own);
  const file = join(own, 'turnpike.yaml');
  copyFileSync(join(folder, 'turnpike.yaml'), file);
  // It is removed with the first one's folder.
  return {
    folder: own,
    key,
    environment,
    flags: ['--data', join(own, 'data'), '--config', file],
    remove: () => undefined,
  };
}
