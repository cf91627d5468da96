/** Starts a PostgreSQL server for tests on a loopback port; it ends with the process that started it, also if that is killed. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { type Major, programsOf } from './installations.ts';

export interface PostgresServer {
  readonly major: Major;
  readonly port: number;
  /** Of its superuser, with a password; of the database `postgres`. */
  readonly url: string;
  /** The process id of the server's main process. */
  readonly pid: number;
  /** The folder of its data, and of its log `server.log`. */
  readonly folder: string;
  /** Stops all of its processes, so that it neither answers nor closes connections, until they are resumed. */
  pause(): void;
  resume(): void;
  /** Stops it without a farewell to its clients, and removes its data. */
  stop(): Promise<void>;
}

const PASSWORD = 'test-password';
/** PostgreSQL does not run as root. */
const NOBODY = 65_534;
const STARTS = 5;

/** For data that nobody needs after a crash of the machine. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=300',
  'shared_buffers=64MB',
  // The data may be in memory.
  'max_wal_size=256MB',
  'min_wal_size=32MB',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'jit=off',
];

/** The shell stops the server as soon as its standard input ends, so when the process that started it is gone. */
const SUPERVISOR = `
  if "$1/pg_ctl" -D "$2/data" -l "$2/server.log" -o "-p $3 $4" -w -s start; then
    echo ready
    cat >/dev/null
    "$1/pg_ctl" -D "$2/data" -m immediate -s stop
    rm -rf "$2"
  else
    echo failed
  fi`;

/** Makes the data of a server, the folder `data`, in its own folder. */
export type MakeData = (made: {
  readonly major: Major;
  readonly programs: string;
  readonly folder: string;
  readonly user: User;
}) => void | Promise<void>;

/** Its folder is made in `place`. */
export async function startServer(
  major: Major,
  settings: readonly string[] = [],
  place = tmpdir(),
  makeData: MakeData = initialise,
): Promise<PostgresServer> {
  const programs = programsOf(major);
  const folder = mkdtempSync(join(place, `turnpike-postgres-${major}-`));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, NOBODY);
  await makeData({ major, programs, folder, user });
  for (let start = 1; ; start += 1) {
    const server = await tryStart({ major, programs, folder, user, settings });
    if (server !== null) return server;
    if (start === STARTS)
      throw new Error(`PostgreSQL ${major} does not start: ${readFileSync(join(folder, 'server.log'), 'utf8')}`);
  }
}

/** Whom the server runs as. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** Clients prove that they know the password with as few rounds as the server can ask for, which is most of what a connection takes them. */
const ROUNDS: Readonly<Record<Major, readonly string[]>> = { 15: [], 18: ['-c', 'scram_iterations=1'] };

function initialise({ major, programs, folder, user }: Parameters<MakeData>[0]): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  chmodSync(passwordFile, 0o644);
  execFileSync(
    join(programs, 'initdb'),
    [
      '-D',
      join(folder, 'data'),
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
      ...ROUNDS[major],
    ],
    { ...user, stdio: ['ignore', 'ignore', 'pipe'], cwd: folder },
  );
}

interface Start {
  readonly major: Major;
  readonly programs: string;
  readonly folder: string;
  readonly user: User;
  readonly settings: readonly string[];
}

/** Null if the port was taken meanwhile. */
async function tryStart({ major, programs, folder, user, settings }: Start): Promise<PostgresServer | null> {
  const port = await freePort();
  const parameters = [...SETTINGS, ...settings].map((setting) => `-c ${setting}`).join(' ');
  const supervisor = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', programs, folder, String(port), parameters], {
    ...user,
    cwd: folder,
    // Interrupting the tests must not interrupt it before the server has ended.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = new Promise<void>((resolve) => supervisor.once('exit', () => resolve()));
  const state = await new Promise<string>((resolve, reject) => {
    supervisor.once('error', reject);
    supervisor.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
  });
  if (state !== 'ready') return null;
  const pid = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  // The server must not keep the test's process alive.
  supervisor.unref();
  for (const stream of [supervisor.stdin, supervisor.stdout]) (stream as unknown as { unref(): void }).unref();
  return {
    major,
    port,
    pid,
    folder,
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    pause: () => signalAll(pid, 'SIGSTOP'),
    resume: () => signalAll(pid, 'SIGCONT'),
    async stop() {
      supervisor.ref();
      supervisor.stdin.end();
      await exited;
    },
  };
}

/** The main process first: it starts no other one meanwhile. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  process.kill(pid, signal);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.split(' ')) if (child.trim() !== '') signalIfThere(Number(child), signal);
}

/** A process of one connection or task may have ended meanwhile. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
