/** The checks of `doctor` on this machine, one function each. They change nothing and contact only loopback addresses. */
import { readdirSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { exposureOf } from '../../../storage/folder/exposed-files.ts';
import { accessComplaint } from '../../../storage/folder/folder-access.ts';

export interface Check {
  readonly name: string;
  /** `fail` makes the doctor's exit code 1. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
}

const NODE_MIN = 26;
/** Earlier versions can corrupt a write-ahead log: https://sqlite.org/wal.html */
const SQLITE_MIN = '3.51.3';
const MIB = 1024 * 1024;
const DISK_FAIL_BYTES = 64 * MIB;
const DISK_WARN_BYTES = 1024 * MIB;
/** When the project began: an earlier clock is certainly wrong. */
const EARLIEST_MS = Date.UTC(2026, 10, 1);
const CLOCK_SLACK_MS = 60_000;

export function checkNode(version: string): Check {
  const isNewEnough = Number(version.split('.')[0]) >= NODE_MIN;
  const detail = isNewEnough ? version : `${version} is older than ${NODE_MIN}; start with npm or bin/turnpike.js`;
  return { name: 'Node', state: isNewEnough ? 'ok' : 'fail', detail };
}

export function checkSqlite(version: string | undefined): Check {
  if (version === undefined) return { name: 'SQLite', state: 'fail', detail: 'this Node was built without SQLite' };
  const isNewEnough = comparable(version) >= comparable(SQLITE_MIN);
  const detail = isNewEnough ? version : `${version} is older than ${SQLITE_MIN} and can lose data`;
  return { name: 'SQLite', state: isNewEnough ? 'ok' : 'fail', detail };
}

/** The folder contains digests of keys and generated secrets: only its owner may read them. */
export function checkDataFolder(folder: string): Check {
  const name = 'data folder';
  const complaint = accessComplaint(resolve(folder));
  if (complaint !== null) return { name, state: 'fail', detail: complaint };
  try {
    const exposure = exposureOf(folder);
    if (exposure !== null) {
      const { names, summary, command } = exposure;
      return {
        name,
        state: names.length > 0 ? 'fail' : 'warn',
        detail: `other users can read ${summary}; run: ${command}`,
      };
    }
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
    return { name, state: 'ok', detail: `${folder} (${files.length} files, owner only)` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return { name, state: 'ok', detail: `${folder} does not exist yet; the first start creates it` };
    }
    return { name, state: 'fail', detail: (error as Error).message };
  }
}

export function checkDisk(folder: string): Check {
  const folderOnDisk = nearestExisting(folder);
  const { bavail, bsize } = statfsSync(folderOnDisk);
  const freeBytes = bavail * bsize;
  const state = freeBytes < DISK_FAIL_BYTES ? 'fail' : freeBytes < DISK_WARN_BYTES ? 'warn' : 'ok';
  return { name: 'disk', state, detail: `${Math.floor(freeBytes / MIB)} MiB free at ${folderOnDisk}` };
}

/** A clock set before the last write, or before this program existed, would date and sort calls wrongly. */
export function checkClock(folder: string, nowMs: number): Check {
  const name = 'clock';
  const now = new Date(nowMs).toISOString();
  if (nowMs < EARLIEST_MS) return { name, state: 'fail', detail: `${now} is wrong; set the clock` };
  let newestMs = 0;
  try {
    for (const entry of readdirSync(folder)) newestMs = Math.max(newestMs, statSync(join(folder, entry)).mtimeMs);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      return { name, state: 'warn', detail: (error as Error).message };
  }
  if (newestMs > nowMs + CLOCK_SLACK_MS) {
    return {
      name,
      state: 'fail',
      detail: `${now} is earlier than the last write to the data folder, ${new Date(newestMs).toISOString()}`,
    };
  }
  return { name, state: 'ok', detail: now };
}

/** `ownAddress` is where the server of this folder listens; if it is null, checks whether the port is free. */
export async function checkPort(host: string, port: number, ownAddress: string | null): Promise<Check> {
  const name = 'port';
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (ownAddress !== null) {
    const { host: own, port: ownPort } = new URL(ownAddress);
    const differs =
      ownPort === String(port) ? '' : ` (started with another port than ${port}, which is configured here)`;
    return { name, state: 'ok', detail: `${own} is in use by this Turnpike server${differs}` };
  }
  return new Promise((resolve) => {
    const trial = createServer();
    trial.once('error', (error: NodeJS.ErrnoException) => {
      const detail =
        error.code === 'EADDRINUSE' ? `${where} is in use by another program` : `${where}: ${error.message}`;
      resolve({ name, state: 'fail', detail });
    });
    trial.listen({ host, port, exclusive: true }, () => {
      trial.close(() => resolve({ name, state: 'ok', detail: `${where} is free` }));
    });
  });
}

function nearestExisting(folder: string): string {
  for (let path = folder; ; path = dirname(path)) {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined || path === dirname(path)) return path;
  }
}

function comparable(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return (major * 1000 + minor) * 1000 + patch;
}
