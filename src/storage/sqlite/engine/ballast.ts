/**
 * A reserve for a full disk: a file of 8 MiB without content. When the disk is full it is removed, and
 * the running calls can be settled in its space. It is created again when there is space.
 */
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export const BALLAST_FILE = 'ballast';
const BALLAST_BYTES = 8 * 1024 * 1024;
/** It is not created if it would fill the disk itself. */
const SPARE_BYTES = BALLAST_BYTES;
const CHUNK_BYTES = 1024 * 1024;

export class Ballast {
  readonly #folder: string;
  readonly #freeBytes: (folder: string) => number;
  #isReleased = false;

  /** `freeBytes` returns the free space for this user on a folder's disk. */
  constructor(folder: string, freeBytes: (folder: string) => number = freeBytesOf) {
    this.#folder = folder;
    this.#freeBytes = freeBytes;
  }

  /** Whether it was released and not yet created again. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Creates it if it does not exist; false if the disk has no space for it. */
  make(): boolean {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size !== BALLAST_BYTES && !this.#write()) return false;
    this.#isReleased = false;
    return true;
  }

  /** Removes it; false if it does not exist. */
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
      // Random, so that no file system can compress it.
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let written = 0; written < BALLAST_BYTES; written += CHUNK_BYTES)
        if (writeSync(file, randomFillSync(chunk)) < CHUNK_BYTES) throw new Error('the disk took only a part');
      return true;
    } catch {
      // The database's own writes will report what is wrong with the disk.
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
