/**
 * Chunks of files in `files.db`, which exists once there was one. What waits to be written goes to the thread together, so that several
 * writers share a sync of the disk.
 */
import { existsSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../../../core/clock.ts';
import type { FileChunk } from '../../../files/ports.ts';
import type { ChunkLength, FileChunks } from '../../sql/files/file-chunks.ts';
import type { Checkpointer } from '../engine/checkpointer.ts';
import { Gate } from '../engine/gate.ts';
import type { Synchronous } from '../engine/open-database.ts';
import { isLocked } from '../engine/sqlite-errors.ts';
import type { ChunkChange } from './chunk-change.ts';
import { ChunkThread } from './chunk-thread.ts';
import { openChunks } from './open-chunks.ts';

export interface SqliteChunksParts {
  readonly path: string;
  readonly synchronous: Synchronous;
  readonly clock: Clock;
  readonly checkpointer: Checkpointer;
}

interface Waiting {
  readonly change: ChunkChange;
  readonly done: PromiseWithResolvers<void>;
}

interface Reader {
  readonly database: DatabaseSync;
  readonly lengths: StatementSync;
  readonly read: StatementSync;
  readonly fileAfter: StatementSync;
  readonly headAfter: StatementSync;
}

/** Of one transaction. */
const BATCH_BYTES = 2 * 1024 * 1024;
const LOCK_RETRY_MS = 10;
/** After this time a lock of another program is reported as an error, because a caller waits. */
const LOCK_WAIT_MAX_MS = 5_000;
/** Smaller than any other. */
const NONE = new Uint8Array(0);

export class SqliteChunks implements FileChunks {
  readonly #parts: SqliteChunksParts;
  readonly #thread: ChunkThread;
  readonly #gate = new Gate();
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;
  #reader: Reader | null = null;

  constructor(parts: SqliteChunksParts) {
    this.#parts = parts;
    this.#thread = new ChunkThread({ path: parts.path, synchronous: parts.synchronous });
  }

  /** Whether there is a file, and so there may be chunks. */
  get exists(): boolean {
    return existsSync(this.#parts.path);
  }

  write(file: Uint8Array, number: number, sealed: Uint8Array): Promise<void> {
    return this.#change({ type: 'write', file, number, sealed });
  }

  deleteTo(file: Uint8Array, to: number): Promise<void> {
    return this.#change({ type: 'delete', file, to });
  }

  lengths(file: Uint8Array, from: number, limit: number): Promise<readonly ChunkLength[]> {
    return this.#ask(({ lengths }) => lengths.all(file, from, limit) as unknown as readonly ChunkLength[], []);
  }

  read(file: Uint8Array, from: number, to: number): Promise<readonly FileChunk[]> {
    return this.#ask(({ read }) => read.all(file, from, to) as unknown as readonly FileChunk[], []);
  }

  fileAfter(file: Uint8Array | null): Promise<Uint8Array | null> {
    return this.#ask(({ fileAfter }) => bytesOf(fileAfter.get(file ?? NONE)), null);
  }

  headAfter(head: Uint8Array | null): Promise<Uint8Array | null> {
    return this.#ask(({ headAfter }) => bytesOf(headAfter.get(head ?? NONE)), null);
  }

  /** Writes what is waiting. */
  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    await this.#thread.close();
    await this.#parts.checkpointer.forget(this.#parts.path);
    this.#reader?.database.close();
    this.#reader = null;
  }

  #change(change: ChunkChange): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ change, done });
    this.#writing ??= this.#writeAll();
    return done.promise;
  }

  async #writeAll(): Promise<void> {
    // What others ask for in this turn goes with the first.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      try {
        await this.#writeBatch(batch.map(({ change }) => change));
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    this.#writing = null;
  }

  #nextBatch(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ change }) => {
      bytes += change.type === 'write' ? change.sealed.length : BATCH_BYTES;
      return bytes > BATCH_BYTES;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end));
  }

  async #writeBatch(changes: readonly ChunkChange[]): Promise<void> {
    const { checkpointer, path } = this.#parts;
    // It creates the file, before the thread opens it.
    await this.#whenUnlocked(() => this.#open());
    await this.#whenUnlocked(async () => {
      const release = await this.#gate.acquire();
      try {
        await this.#thread.write(changes);
      } finally {
        release();
      }
    });
    checkpointer.committed(path);
  }

  async #ask<Result>(read: (reader: Reader) => Result, without: Result): Promise<Result> {
    if (this.#reader === null && !this.exists) return without;
    return this.#whenUnlocked(() => read(this.#open()));
  }

  /** Tries again for a while if another program has locked the file. */
  async #whenUnlocked<Result>(execute: () => Result | Promise<Result>): Promise<Result> {
    const { clock } = this.#parts;
    const deadline = clock.monotonic() + LOCK_WAIT_MAX_MS;
    for (;;) {
      try {
        return await execute();
      } catch (error) {
        if (!isLocked(error) || clock.monotonic() >= deadline) throw error;
      }
      await new Promise<void>((resolve) => clock.after(LOCK_RETRY_MS, resolve));
    }
  }

  #open(): Reader {
    if (this.#reader !== null) return this.#reader;
    const { path, synchronous, checkpointer } = this.#parts;
    const database = openChunks(path, synchronous);
    const select = (columns: string, rest: string) => database.prepare(`SELECT ${columns} FROM chunks WHERE ${rest}`);
    this.#reader = {
      database,
      lengths: select('number, length(sealed) AS bytes', 'file = ? AND number >= ? ORDER BY number LIMIT ?'),
      read: select('number, sealed', 'file = ? AND number BETWEEN ? AND ? ORDER BY number'),
      fileAfter: select('min(file) AS bytes', 'file > ?'),
      headAfter: select('min(head) AS bytes', 'head > ?'),
    };
    checkpointer.watch(path, this.#gate);
    return this.#reader;
  }
}

function bytesOf(row: unknown): Uint8Array | null {
  return (row as { readonly bytes: Uint8Array | null }).bytes;
}
