/**
 * A secret in a separate file: created on the first run, read on later ones, or configured by the operator. There is no default
 * value, and values that look like placeholders are refused.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Secret } from '../../core/secret.ts';
import type { RingEntry, RingStore } from '../../credentials/ports.ts';
import { DISK_ADVICE } from './disk-advice.ts';

const SECRET_BYTES = 32;
const OTHERS = 0o077;

/** 32 bytes as hexadecimal text from the file at `path`, which is created if it does not exist. */
export function openSecretFile(path: string): Secret {
  if (!existsSync(path)) return createSecretFile(path);
  return checkSecret(readOwnFile(path), path);
}

/**
 * A ring of keys from the file at `path`, which is created with one key if it does not exist: one key per line, the active one first,
 * the others with the time when they were retired, if known.
 */
export function openRingFile(path: string): readonly RingEntry[] {
  if (!existsSync(path)) return [{ secret: createSecretFile(path), retiredAt: null }];
  const lines = readOwnFile(path)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return [{ secret: checkSecret('', path), retiredAt: null }];
  return lines.map((line, index) => {
    const [text = '', word, time = ''] = line.split(/ +/);
    const where = lines.length === 1 ? path : `${path}, key ${index + 1},`;
    const secret = checkSecret(word === undefined || word === 'retired' ? text : line, where);
    const retiredAt = Date.parse(time);
    return { secret, retiredAt: Number.isNaN(retiredAt) ? null : retiredAt };
  });
}

/** A store that replaces the file at `path` atomically. */
export function ringFileAt(path: string): RingStore {
  return {
    async replace(entries) {
      const lines = entries.map(({ secret, retiredAt }) =>
        retiredAt === null ? secret.reveal() : `${secret.reveal()} retired ${new Date(retiredAt).toISOString()}`,
      );
      const draft = writeDraft(path, `${lines.join('\n')}\n`);
      renameSync(draft, path);
      syncFolder(dirname(path));
    },
  };
}

function readOwnFile(path: string): string {
  const { mode } = statSync(path);
  if ((mode & OTHERS) !== 0)
    throw new Error(`${path} can be read by other users of this machine; fix it with: chmod 600 ${path}`);
  return readFileSync(path, 'utf8');
}

/** Checks a secret; `where` names its origin in the error message. */
export function checkSecret(text: string, where: string): Secret {
  const hex = text.trim().toLowerCase();
  const wanted = `it must be ${SECRET_BYTES} random bytes as ${SECRET_BYTES * 2} hexadecimal digits (openssl rand -hex ${SECRET_BYTES})`;
  if (hex === '') throw new Error(`${where} is empty; ${wanted}.`);
  if (!/^[0-9a-f]+$/.test(hex) || hex.length !== SECRET_BYTES * 2)
    throw new Error(`${where} is not usable; ${wanted}.`);
  if (new Set(Buffer.from(hex, 'hex')).size === 1) throw new Error(`${where} repeats a single byte; ${wanted}.`);
  return new Secret(hex);
}

function createSecretFile(path: string): Secret {
  const hex = randomBytes(SECRET_BYTES).toString('hex');
  const draft = writeDraft(path, `${hex}\n`);
  linkSync(draft, path);
  rmSync(draft);
  return new Secret(hex);
}

/** Writes the whole file under another name first: a file truncated by a crash would lock out every caller. */
function writeDraft(path: string, text: string): string {
  const draft = `${path}.new`;
  try {
    rmSync(draft, { force: true });
    writeSynced(draft, text);
  } catch (error) {
    throw new Error(`The file ${path} cannot be written: ${(error as Error).message}. ${DISK_ADVICE}`, {
      cause: error,
    });
  }
  return draft;
}

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A new file name is durable once its folder is synced. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
