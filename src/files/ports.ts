/** Files of callers: what a row says, and what they need from a storage. Contents are sealed before they come here. */
import type { AccountId, FileId, ProjectId } from '../core/ids.ts';

/** What a file is for: `batch` was uploaded, `batch_output` has the results of a batch or its errors. */
export type FilePurpose = 'batch' | 'batch_output';

export interface FileRow {
  readonly id: FileId;
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
  readonly purpose: FilePurpose;
  /** As its caller named it. */
  readonly name: string;
  /** Of its contents, unsealed; of one that is not complete, what was announced. */
  readonly bytes: number;
  /** Wall time, ms. */
  readonly createdAt: number;
  /** Wall time, ms. */
  readonly expiresAt: number;
  /** Otherwise it is still being written: not listed, and not readable by callers. */
  readonly isComplete: boolean;
}

export interface FilePage {
  /** The last file of the page before; null for the first page. */
  readonly after: FileId | null;
  readonly limit: number;
  /** Null for all. */
  readonly purpose: FilePurpose | null;
  /** By time of creation. */
  readonly order: 'asc' | 'desc';
}

export interface FileChunk {
  readonly number: number;
  readonly sealed: Uint8Array;
}

/** What the files of an account take together. */
export interface TakenSpace {
  /** Of all of them, complete or not. */
  readonly bytes: number;
  /** Of uploads that are not complete: a part of `bytes`, which may be free again. */
  readonly arrivingBytes: number;
  readonly files: number;
}

export interface FileStore {
  create(row: FileRow): Promise<void>;
  /** Lists it from now on, with this length, and another expiry if that is given. Throws if there is no such row any more. */
  complete(id: FileId, bytes: number, expiresAt?: number): Promise<void>;
  /** Null for a file of another project, as for an unknown one. */
  find(projectId: ProjectId, id: FileId): Promise<FileRow | null>;
  /** Complete files only. */
  list(projectId: ProjectId, page: FilePage): Promise<readonly FileRow[]>;
  /** Deletes the row and its chunks; returns whether there was one. */
  delete(projectId: ProjectId, id: FileId): Promise<boolean>;
  /** Work in proportion to the number of its files. */
  spaceOf(accountId: AccountId): Promise<TakenSpace>;
  /** Adds to the length of a file that is not complete; nothing if there is no such one any more. */
  grow(id: FileId, bytes: number): Promise<void>;
  /** Deletes files that have expired at `nowMs`, uploads that were not completed within a day, and chunks without a row. */
  deleteExpired(nowMs: number): Promise<void>;
  /** Durable when it resolves; a second write of a number changes nothing. */
  writeChunk(id: FileId, number: number, sealed: Uint8Array): Promise<void>;
  /** In order from the number `from`; numbers are below 2^31; a bounded part of the file is in memory at a time. */
  chunks(id: FileId, from: number): AsyncIterable<FileChunk>;
  /** The numbers that have a chunk, ascending, some at a time. */
  chunkNumbers(id: FileId): AsyncIterable<readonly number[]>;
  /** The first bytes of sealed chunks, one per sealing key in use; enough to identify the key. */
  heads(): Promise<readonly Uint8Array[]>;
}

/** Who else needs a file. */
export interface FileUses {
  /** The id of a batch that reads the file or writes it, and has not ended; null if there is none. */
  runningBatchOf(projectId: ProjectId, id: FileId): Promise<string | null>;
}
