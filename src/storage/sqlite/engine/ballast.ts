/**
 * Room kept for a full disk: a file that holds nothing and takes 8 MiB. When the disk is full it goes, and
 * the calls that are running can be settled in its place. It is made again when there is room.
 */
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const BALLAST_FILE = 'ballast';
const BALLAST_BYTES = 8 * 1024 * 1024;
/** It is not made where it would be what fills the disk. */
const SPARE_BYTES = BALLAST_BYTES;
const CHUNK_BYTES = 1024 * 1024;

export class Ballast {
  readonly #folder: string;
  readonly #freeBytes: (folder: string) => number;
  #isReleased = false;

  /** `freeBytes` says how much room the disk of a folder has for this user. */
  constructor(folder: string, freeBytes: (folder: string) => number = freeBytesOf) {
    this.#folder = folder;
    this.#freeBytes = freeBytes;
  }

  /** Whether it was there and went, and was not made again yet. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Makes it where it is not there; false when the disk has no room for it. */
  make(): boolean {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size !== BALLAST_BYTES && !this.#write()) return false;
    this.#isReleased = false;
    return true;
  }

  /** Gives its room back; false when it is not there. */
  release(): boolean {
    try {
      rmSync(this.#path);
    } catch {
      return false;
    }
    this.#isReleased = true;
    return true;
  }

  get #path(): string {
    return join(this.#folder, BALLAST_FILE);
  }

  #write(): boolean {
    let file: number | null = null;
    try {
      if (this.#freeBytes(this.#folder) < BALLAST_BYTES + SPARE_BYTES) return false;
      file = openSync(this.#path, 'w', 0o600);
      // Random, so that no file system makes less of it.
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let written = 0; written < BALLAST_BYTES; written += CHUNK_BYTES)
        if (writeSync(file, randomFillSync(chunk)) < CHUNK_BYTES) throw new Error('the disk took only a part');
      return true;
    } catch {
      // Whatever is wrong with the disk, the database's own writes will say.
      rmSync(this.#path, { force: true });
      return false;
    } finally {
      if (file !== null) closeSync(file);
    }
  }
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
