/** The manifest of a backup: its files, with sizes and hashes. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export const MANIFEST_FILE = 'manifest.json';
/** The version of this backup format. */
export const MANIFEST_FORMAT = 1;

export interface BackedUpFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal digits. */
  readonly sha256: string;
}

export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT;
  /** The versions of the program that created it, and of its SQLite. */
  readonly turnpike: string;
  readonly sqlite: string;
  /** The last migration of the database. */
  readonly schema: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly secrets: boolean;
  readonly files: readonly BackedUpFile[];
}

/** Reads the whole file; throws if it cannot be read. */
export async function sha256Of(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    bytes += (chunk as Buffer).length;
    hash.update(chunk as Buffer);
  }
  return { bytes, sha256: hash.digest('hex') };
}
