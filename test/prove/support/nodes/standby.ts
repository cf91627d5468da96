/** A streaming standby of a PostgreSQL server of a test, which may be made to lag, and be promoted. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../../support/free-port.ts';
import { programsOf } from '../../../support/postgres/installations.ts';
import type { PostgresServer } from '../../../support/postgres/start-server.ts';
import { pause } from '../load/pause.ts';

const NOBODY = 65_534;
const WAIT_MS = 60_000;
const NAME = 'standby';

export class Standby {
  readonly url: string;
  readonly port: number;
  readonly #primary: PostgresServer;
  readonly #folder: string;

  private constructor(primary: PostgresServer, folder: string, port: number) {
    this.#primary = primary;
    this.#folder = folder;
    this.port = port;
    const url = new URL(primary.url);
    url.port = String(port);
    this.url = url.href;
  }

  /** Resolves when it streams. `primary` must allow that: `wal_level=replica`. */
  static async start(primary: PostgresServer): Promise<Standby> {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-standby-'));
    if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
    const standby = new Standby(primary, folder, await freePort());
    const url = new URL(primary.url);
    url.searchParams.set('application_name', NAME);
    const data = join(folder, 'data');
    standby.#run('pg_basebackup', ['-D', data, '-d', url.href, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']);
    chmodSync(data, 0o700);
    appendFileSync(join(data, 'postgresql.auto.conf'), `port = ${standby.port}\n`);
    const options = `-p ${standby.port} -c fsync=off -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300`;
    standby.#run('pg_ctl', ['-D', data, '-l', join(folder, 'server.log'), '-o', options, '-w', '-s', 'start']);
    await untilTrue(primary.url, "select count(*) = 1 from pg_stat_replication where state = 'streaming'");
    return standby;
  }

  /** It has every commit before the primary says that it is done, from now on. */
  async makeSynchronous(): Promise<void> {
    await query(this.#primary.url, `alter system set synchronous_standby_names = '${NAME}'`);
    await query(this.#primary.url, 'select pg_reload_conf()');
    await untilTrue(this.#primary.url, "select count(*) = 1 from pg_stat_replication where sync_state = 'sync'");
  }

  /** It gets nothing more. */
  async lag(): Promise<void> {
    await query(this.url, "alter system set primary_conninfo = ''");
    await query(this.url, 'select pg_reload_conf()');
    await untilTrue(this.url, 'select count(*) = 0 from pg_stat_wal_receiver');
  }

  /** Resolves when it is the primary. */
  promote(): void {
    this.#run('pg_ctl', ['-D', join(this.#folder, 'data'), '-w', '-s', 'promote']);
  }

  stop(): void {
    try {
      this.#run('pg_ctl', ['-D', join(this.#folder, 'data'), '-m', 'immediate', '-s', 'stop']);
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  #run(program: string, words: readonly string[]): void {
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    execFileSync(join(programsOf(this.#primary.major), program), words, {
      ...user,
      cwd: this.#folder,
      stdio: 'ignore',
    });
  }
}

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function untilTrue(url: string, text: string): Promise<void> {
  for (const until = performance.now() + WAIT_MS; performance.now() < until; await pause(50)) {
    const [row = {}] = await query(url, text);
    if (Object.values(row)[0] === true) return;
  }
  throw new Error(`never true: ${text}`);
}
