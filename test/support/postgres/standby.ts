/** A streaming standby of a PostgreSQL server of a test, which may be made to lag, and be promoted. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type PostgresServer, startServer, type User } from './start-server.ts';

const ASKED_MAX = 1_200;
const NAME = 'standby';

export class Standby {
  readonly url: string;
  readonly port: number;
  readonly #primary: PostgresServer;
  readonly #server: PostgresServer;

  private constructor(primary: PostgresServer, server: PostgresServer) {
    this.#primary = primary;
    this.#server = server;
    this.port = server.port;
    this.url = server.url;
  }

  /** Resolves when it streams. It ends with the process that started it, as every server of tests. */
  static async start(primary: PostgresServer, settings: readonly string[] = [], place = tmpdir()): Promise<Standby> {
    const server = await startServer(primary.major, settings, place, ({ folder, user }) =>
      copyData(primary, folder, user),
    );
    await untilTrue(primary.url, "select count(*) = 1 from pg_stat_replication where state = 'streaming'");
    return new Standby(primary, server);
  }

  /** Its copy of a database of the primary. */
  urlOf(url: string): string {
    return Object.assign(new URL(this.url), { pathname: new URL(url).pathname }).href;
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
  async promote(): Promise<void> {
    await query(this.url, 'select pg_promote(true)');
  }

  /** Stops all of its processes, so that it neither answers nor closes connections. */
  pause(): void {
    this.#server.pause();
  }

  resume(): void {
    this.#server.resume();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

/**
 * A base backup, without `pg_basebackup`, which npm does not bring:
 * https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
async function copyData(primary: PostgresServer, folder: string, user: User): Promise<void> {
  await connected(primary.url, async (client) => {
    await client.query("select pg_backup_start('standby', true)");
    // What is removed while it is copied is in the log.
    const from = join(primary.folder, 'data');
    const copy = `cp -a '${from}' '${folder}/data' 2>/dev/null; rm -rf '${folder}'/data/pg_wal '${folder}'/data/postmaster.*
      mkdir -p -m 700 '${folder}/data/pg_wal/archive_status'; touch '${folder}/data/standby.signal'`;
    execFileSync('/bin/sh', ['-c', copy], { ...user, cwd: folder });
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    const url = new URL(primary.url);
    const connection = `host=127.0.0.1 port=${url.port} user=${url.username} password=${url.password} application_name=${NAME}`;
    const data = join(folder, 'data');
    const label = join(data, 'backup_label');
    writeFileSync(label, rows[0].labelfile);
    // The server syncs it, for which it has to be its own.
    if (user.uid !== undefined) chownSync(label, user.uid, user.uid);
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  });
}

async function query(url: string, text: string): Promise<void> {
  await connected(url, (client) => client.query(text));
}

/** The server waits between two questions, so nothing here is about time. */
async function untilTrue(url: string, text: string): Promise<void> {
  await connected(url, async (client) => {
    for (let asked = 0; asked < ASKED_MAX; asked += 1) {
      const { rows } = await client.query(`select (${text}) as holds from pg_sleep(0.05)`);
      if (rows[0].holds === true) return;
    }
    throw new Error(`never true: ${text}`);
  });
}

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
