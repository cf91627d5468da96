/** What a backup says of itself: which files belong to it, and how they must read. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export const MANIFEST_FILE = 'manifest.json';
/** Of this shape of a backup. */
export const MANIFEST_FORMAT = 1;

export interface BackedUpFile {
  /** Within the folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal digits. */
  readonly sha256: string;
}

export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT;
  /** Versions of the program that made it, and of its SQLite. */
  readonly turnpike: string;
  readonly sqlite: string;
  /** The last migration of the database. */
  readonly schema: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly secrets: boolean;
  readonly files: readonly BackedUpFile[];
}

/** Reads the whole file; throws when it cannot be read. */
export async function sha256Of(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    bytes += (chunk as Buffer).length;
    hash.update(chunk as Buffer);
  }
  return { bytes, sha256: hash.digest('hex') };
}
