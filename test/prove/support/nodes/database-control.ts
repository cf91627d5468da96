/** Takes the database away from its clients and gives it back: it hangs, or it refuses. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programsOf } from '../../../support/postgres/installations.ts';
import type { PostgresServer } from '../../../support/postgres/start-server.ts';

export type Outage = 'hangs' | 'refuses';

/** Begins an outage; returns what ends it. */
export function takeAway(server: PostgresServer, outage: Outage): () => void {
  if (outage === 'hangs') {
    const processes = [server.pid, ...childrenOf(server.pid)];
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    return () => {
      for (const pid of processes) process.kill(pid, 'SIGCONT');
    };
  }
  control(server, ['stop', '-m', 'immediate']);
  return () => control(server, ['start', '-w', '-l', join(server.folder, 'server.log'), '-o', optionsOf(server)]);
}

function control({ major, folder }: PostgresServer, words: readonly string[]): void {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  execFileSync(join(programsOf(major), 'pg_ctl'), ['-D', join(folder, 'data'), '-s', ...words], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
}

const NOBODY = 65_534;

/** The options that the server was started with, as it noted them itself. */
function optionsOf({ folder }: PostgresServer): string {
  const line = readFileSync(join(folder, 'data', 'postmaster.opts'), 'utf8').trim();
  return [...line.matchAll(/"([^"]*)"/g)]
    .map(([, word = '']) => word)
    .filter((word, index, all) => word !== '-D' && all[index - 1] !== '-D')
    .map((word) => (word.includes(' ') || word === '' ? `'${word}'` : word))
    .join(' ');
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
