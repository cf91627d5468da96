/**
 * Files of callers, by project: found, listed, deleted, and begun within the space of their account. A file of another project is unknown,
 * and so is one that has expired or is still being written.
 */
import type { Clock } from '../core/clock.ts';
import { type AccountId, newFileId, type ProjectId, parseFileId } from '../core/ids.ts';
import { Serial } from '../core/serial.ts';
import type { FileContents } from './file-contents.ts';
import { fileNotFound, inUse, spaceExceeded, spaceUsedUp, tooManyFiles } from './file-errors.ts';
import { NewFile } from './new-file.ts';
import type { FilePage, FileRow, FileStore, FileUses } from './ports.ts';

export interface CallersFilesParts {
  readonly store: FileStore;
  readonly contents: FileContents;
  readonly clock: Pick<Clock, 'now'>;
  readonly uses: FileUses;
}

export interface FileLimits {
  readonly fileBytesMax: number;
  readonly accountFilesBytesMax: number;
  readonly accountFilesMax: number;
}

/** What the files of an account may take together. */
export type SpaceLimits = Pick<FileLimits, 'accountFilesBytesMax' | 'accountFilesMax'>;

export interface Upload {
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
  readonly name: string;
  /** The most that it can have, as its caller says; null if that is not known. */
  readonly bytesMax: number | null;
}

/** Without an `expires_after`. */
export const KEPT_MS = 30 * 86_400_000;

export class CallersFiles {
  readonly contents: FileContents;
  readonly #parts: CallersFilesParts;
  readonly #beginning = new Serial();

  constructor(parts: CallersFilesParts) {
    this.#parts = parts;
    this.contents = parts.contents;
  }

  /** `id`: as sent. Throws `GatewayError` 404. */
  async find(projectId: ProjectId, id: string): Promise<FileRow> {
    const { store, clock } = this.#parts;
    const fileId = parseFileId(id);
    const row = fileId === null ? null : await store.find(projectId, fileId);
    if (row === null || !row.isComplete || row.expiresAt <= clock.now()) throw fileNotFound(id);
    return row;
  }

  async list(projectId: ProjectId, page: FilePage): Promise<FileList> {
    const { store, clock } = this.#parts;
    const rows = await store.list(projectId, { ...page, limit: page.limit + 1 });
    const nowMs = clock.now();
    const shown = rows.slice(0, page.limit).filter(({ expiresAt }) => expiresAt > nowMs);
    return { files: shown, hasMore: rows.length > page.limit };
  }

  /** Throws `GatewayError` 404, and 409 if a batch that has not ended reads or writes it. */
  async delete(projectId: ProjectId, id: string): Promise<FileRow> {
    const { store, uses } = this.#parts;
    const row = await this.find(projectId, id);
    const batch = await uses.runningBatchOf(projectId, row.id);
    if (batch !== null) throw inUse(row.id, batch);
    if (!(await store.delete(projectId, row.id))) throw fileNotFound(id);
    return row;
  }

  /**
   * Takes its space of the account, so that uploads that run at the same time, at any node, have no more together than there is. Throws
   * `GatewayError` 413.
   */
  begin(upload: Upload, limits: FileLimits): Promise<NewFile> {
    return this.#beginning.run(() => this.#begin(upload, limits));
  }

  /** Throws `GatewayError` 413 if the account has no space left for results; uploads that run may leave some. */
  async checkSpace(accountId: AccountId, { accountFilesMax, accountFilesBytesMax }: SpaceLimits): Promise<void> {
    const { bytes, arrivingBytes, files } = await this.#parts.store.spaceOf(accountId);
    if (files >= accountFilesMax) throw tooManyFiles(accountFilesMax);
    if (bytes - arrivingBytes >= accountFilesBytesMax) throw spaceUsedUp(accountFilesBytesMax);
  }

  deleteExpired(nowMs: number): Promise<void> {
    return this.#parts.store.deleteExpired(nowMs);
  }

  async #begin(upload: Upload, limits: FileLimits): Promise<NewFile> {
    const { store, contents, clock } = this.#parts;
    const { fileBytesMax, accountFilesBytesMax, accountFilesMax } = limits;
    const { accountId, projectId, name } = upload;
    const before = await store.spaceOf(accountId);
    if (before.files >= accountFilesMax) throw tooManyFiles(accountFilesMax);
    const left = accountFilesBytesMax - before.bytes;
    const bytes = upload.bytesMax ?? Math.min(fileBytesMax, left);
    if (left <= 0 || bytes > left) throw spaceExceeded(accountFilesBytesMax);
    const createdAt = clock.now();
    const row: FileRow = {
      id: newFileId(createdAt),
      accountId,
      projectId,
      purpose: 'batch',
      name,
      bytes,
      createdAt,
      expiresAt: createdAt + KEPT_MS,
      isComplete: false,
    };
    await store.create(row);
    const file = new NewFile({ store, contents }, row);
    // Another node may have begun one at the same moment: of two that do not both fit, at least one sees the other.
    const after = await store.spaceOf(accountId);
    if (after.bytes <= accountFilesBytesMax && after.files <= accountFilesMax) return file;
    await file.discard();
    throw after.files > accountFilesMax ? tooManyFiles(accountFilesMax) : spaceExceeded(accountFilesBytesMax);
  }
}

export interface FileList {
  readonly files: readonly FileRow[];
  readonly hasMore: boolean;
}
