/**
 * The Node in the packages is a program that a third party built. Before it runs, it is compared with the digest
 * that the project keeps of it (`runtime-digests.json`), so that neither a changed lock file nor another package can put a
 * different one in its place. Plain JavaScript for Node 18 and later, like `setup.mjs`.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, readSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PIECE_BYTES = 1024 * 1024;

/** Null if the Node at `path` is the one that the project in `folder` expects on this machine, else a sentence that says why not. */
export function runtimeProblem(folder, path) {
  const file = realpathSync(path);
  const machine = `${process.platform}-${process.arch}`;
  const expected = JSON.parse(readFileSync(join(folder, 'scripts', 'runtime-digests.json'), 'utf8'))[machine];
  if (expected === undefined) return `The project keeps no digest of a Node for ${machine}, so ${file} is not run.`;
  const stamp = stampOf(file, expected.sha256);
  if (readStamp(folder) === stamp) return null;
  const digest = digestOf(file);
  if (digest !== expected.sha256) {
    return (
      `${file} is not the Node ${expected.version} that this project expects, so it is not run: its SHA-256 is ${digest}, ` +
      `not ${expected.sha256}. Remove node_modules and run this again; where that does not help, do not trust the packages.`
    );
  }
  writeStamp(folder, stamp);
  return null;
}

function digestOf(file) {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const source = openSync(file, 'r');
  try {
    for (let length = readSync(source, piece); length > 0; length = readSync(source, piece)) {
      hash.update(piece.subarray(0, length));
    }
  } finally {
    closeSync(source);
  }
  return hash.digest('hex');
}

/** The file status of a checked file: reading 150 MB takes as long as a command does. Its `ctime` cannot be set. */
function stampOf(file, sha256) {
  const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
  return [sha256, file, ino, size, mtimeNs, ctimeNs].join(' ');
}

function stampPath(folder) {
  return join(folder, 'node_modules', '.cache', 'runtime-checked');
}

function readStamp(folder) {
  try {
    return readFileSync(stampPath(folder), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function writeStamp(folder, stamp) {
  try {
    mkdirSync(dirname(stampPath(folder)), { recursive: true });
    writeFileSync(stampPath(folder), stamp);
  } catch {
    // If the packages cannot be written to, the next start reads the whole file again.
  }
}
