/**
 * The secrets a data folder needs: made on the first run, read on later ones, or given by the
 * operator. There is no default value, and one that looks like none is refused.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { Secret } from '../core/secret.ts';

const SECRET_BYTES = 32;
const OTHERS = 0o077;

/** 32 bytes as hexadecimal text from the file at `path`, which is made when there is none. */
export function openSecretFile(path: string): Secret {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return createSecretFile(path);
  if ((mode & OTHERS) !== 0)
    throw new Error(`${path} may be read by other users of this machine; mend it with: chmod 600 ${path}`);
  return checkSecret(readFileSync(path, 'utf8'), path);
}

/** A secret an operator gave; `where` names the place it was given, for the message when it is refused. */
export function checkSecret(text: string, where: string): Secret {
  const hex = text.trim().toLowerCase();
  const wanted = `it must be ${SECRET_BYTES} random bytes as ${SECRET_BYTES * 2} hexadecimal digits (openssl rand -hex ${SECRET_BYTES})`;
  if (hex === '') throw new Error(`${where} is empty; ${wanted}.`);
  if (!/^[0-9a-f]+$/.test(hex) || hex.length !== SECRET_BYTES * 2)
    throw new Error(`${where} is not usable; ${wanted}.`);
  if (new Set(Buffer.from(hex, 'hex')).size === 1) throw new Error(`${where} repeats a single byte; ${wanted}.`);
  return new Secret(hex);
}

/** Written whole under another name first: a file cut short by a crash would lock every caller out. */
function createSecretFile(path: string): Secret {
  const hex = randomBytes(SECRET_BYTES).toString('hex');
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  writeSync(file, `${hex}\n`);
  fsyncSync(file);
  closeSync(file);
  linkSync(draft, path);
  rmSync(draft);
  return new Secret(hex);
}
