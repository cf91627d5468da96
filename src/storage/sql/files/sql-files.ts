/** Files of callers in SQL written once for every database: their rows here, what is in them in `FileChunks`. */
import { type Kysely, sql } from 'kysely';
import {
  type AccountId,
  accountId,
  type FileId,
  fileIdBytes,
  fileIdFromBytes,
  type ProjectId,
  projectId,
} from '../../../core/ids.ts';
import type { FileChunk, FilePage, FileRow, FileStore, TakenSpace } from '../../../files/ports.ts';
import type { Schema } from '../schema.ts';
import type { ChunkLength, FileChunks } from './file-chunks.ts';
import type { FilesRow } from './files-row.ts';

/** What is read of a file at a time: chunks, and bytes unless one chunk has more. */
const READ_CHUNKS = 256;
const READ_BYTES = 1024 * 1024;
/** What is deleted at a time: others write in between. */
const DELETED_BYTES = 2 * 1024 * 1024;
const DELETED_ROWS = 100;
/** Files that are compared with the rows at a time. */
const CHECKED_FILES = 200;
/** After this time an upload that was not completed is no longer running. */
const UPLOAD_MS = 86_400_000;
/** A file takes at least this much of its account's space: rows need some, too. */
const SPACE_MIN = 16 * 1024;
const FIRST_CHUNK = 0;

export class SqlFileStore implements FileStore {
  readonly #database: Kysely<Schema>;
  readonly #chunks: FileChunks;

  constructor(database: Kysely<Schema>, chunks: FileChunks) {
    this.#database = database;
    this.#chunks = chunks;
  }

  async create(row: FileRow): Promise<void> {
    await this.#database
      .insertInto('files')
      .values({
        id: fileIdBytes(row.id),
        account_id: row.accountId,
        project_id: row.projectId,
        purpose: row.purpose,
        name: row.name,
        bytes: row.bytes,
        created_at: row.createdAt,
        expires_at: row.expiresAt,
        is_complete: row.isComplete ? 1 : 0,
      })
      .execute();
  }

  async complete(id: FileId, bytes: number, expiresAt?: number): Promise<void> {
    const { numUpdatedRows } = await this.#database
      .updateTable('files')
      .set({ bytes, is_complete: 1, ...(expiresAt !== undefined && { expires_at: expiresAt }) })
      .where('id', '=', fileIdBytes(id))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Error('the file was deleted before it was complete');
  }

  async find(project: ProjectId, id: FileId): Promise<FileRow | null> {
    const row = await this.#database
      .selectFrom('files')
      .selectAll()
      .where('id', '=', fileIdBytes(id))
      .where('project_id', '=', project)
      .executeTakeFirst();
    return row === undefined ? null : readRow(row);
  }

  async list(project: ProjectId, { after, limit, purpose, order }: FilePage): Promise<readonly FileRow[]> {
    let rows = this.#database
      .selectFrom('files')
      .selectAll()
      .where('project_id', '=', project)
      .where('is_complete', '=', 1)
      .orderBy('id', order)
      .limit(limit);
    if (after !== null) rows = rows.where('id', order === 'asc' ? '>' : '<', fileIdBytes(after));
    if (purpose !== null) rows = rows.where('purpose', '=', purpose);
    return (await rows.execute()).map(readRow);
  }

  async delete(project: ProjectId, id: FileId): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('files')
      .where('id', '=', fileIdBytes(id))
      .where('project_id', '=', project)
      .executeTakeFirst();
    // Chunks that are left by an error have no row, so they are deleted later.
    if (numDeletedRows > 0n) await this.#deleteChunks(fileIdBytes(id));
    return numDeletedRows > 0n;
  }

  async spaceOf(account: AccountId): Promise<TakenSpace> {
    const space = sql<number>`case when bytes < ${SPACE_MIN} then ${SPACE_MIN} else bytes end`;
    const kinds = await this.#database
      .selectFrom('files')
      .select(({ fn }) => ['purpose', 'is_complete', fn.sum<number>(space).as('bytes'), fn.countAll().as('files')])
      .where('account_id', '=', account)
      .groupBy(['purpose', 'is_complete'])
      .execute();
    let [bytes, arrivingBytes, files] = [0, 0, 0];
    for (const kind of kinds) {
      bytes += Number(kind.bytes);
      files += Number(kind.files);
      if (kind.purpose === 'batch' && kind.is_complete === 0) arrivingBytes += Number(kind.bytes);
    }
    return { bytes, arrivingBytes, files };
  }

  async grow(id: FileId, bytes: number): Promise<void> {
    await this.#database
      .updateTable('files')
      .set((file) => ({ bytes: file('bytes', '+', bytes) }))
      .where('id', '=', fileIdBytes(id))
      .where('is_complete', '=', 0)
      .execute();
  }

  async deleteExpired(nowMs: number): Promise<void> {
    for (;;) {
      const expired = await this.#database
        .selectFrom('files')
        .select('id')
        .where((row) =>
          row.or([
            row('expires_at', '<=', nowMs),
            row.and([
              row('is_complete', '=', 0),
              row('purpose', '=', 'batch'),
              row('created_at', '<=', nowMs - UPLOAD_MS),
            ]),
          ]),
        )
        .limit(DELETED_ROWS)
        .execute();
      for (const { id } of expired) {
        await this.#database.deleteFrom('files').where('id', '=', id).execute();
        await this.#deleteChunks(id);
      }
      if (expired.length < DELETED_ROWS) break;
    }
    await this.#deleteWithoutRow();
  }

  writeChunk(id: FileId, number: number, sealed: Uint8Array): Promise<void> {
    return this.#chunks.write(fileIdBytes(id), number, sealed);
  }

  async *chunks(id: FileId, from: number): AsyncIterable<FileChunk> {
    const file = fileIdBytes(id);
    for (let next = from; ; ) {
      const part = firstPart(await this.#chunks.lengths(file, next, READ_CHUNKS), READ_BYTES);
      const last = part.at(-1);
      if (last === undefined) return;
      yield* await this.#chunks.read(file, next, last.number);
      next = last.number + 1;
    }
  }

  async *chunkNumbers(id: FileId): AsyncIterable<readonly number[]> {
    const file = fileIdBytes(id);
    for (let next = FIRST_CHUNK; ; ) {
      const numbers = (await this.#chunks.lengths(file, next, READ_CHUNKS)).map(({ number }) => number);
      const last = numbers.at(-1);
      if (last === undefined) return;
      yield numbers;
      next = last + 1;
    }
  }

  async heads(): Promise<readonly Uint8Array[]> {
    const heads: Uint8Array[] = [];
    for (let head = await this.#chunks.headAfter(null); head !== null; head = await this.#chunks.headAfter(head))
      heads.push(head);
    return heads;
  }

  async #deleteChunks(file: Uint8Array): Promise<void> {
    for (;;) {
      const part = firstPart(await this.#chunks.lengths(file, FIRST_CHUNK, READ_CHUNKS), DELETED_BYTES);
      const last = part.at(-1);
      if (last === undefined) return;
      await this.#chunks.deleteTo(file, last.number);
    }
  }

  /** A row is written before the first chunk of its file, so chunks without one are what a crash left. */
  async #deleteWithoutRow(): Promise<void> {
    for (let last: Uint8Array | null = null; ; ) {
      const files: Uint8Array[] = [];
      for (let file = await this.#chunks.fileAfter(last); file !== null; file = await this.#chunks.fileAfter(file)) {
        files.push(file);
        if (files.length === CHECKED_FILES) break;
      }
      const rows = await this.#database.selectFrom('files').select('id').where('id', 'in', files).execute();
      const known = new Set(rows.map(({ id }) => hex(id)));
      for (const file of files) if (!known.has(hex(file))) await this.#deleteChunks(file);
      if (files.length < CHECKED_FILES) return;
      last = files.at(-1) ?? null;
    }
  }
}

/** The first ones, up to so many bytes together, and at least one. */
function firstPart(lengths: readonly ChunkLength[], bytesMax: number): readonly ChunkLength[] {
  let bytes = 0;
  const end = lengths.findIndex((each) => {
    bytes += each.bytes;
    return bytes > bytesMax;
  });
  return end === -1 ? lengths : lengths.slice(0, Math.max(1, end));
}

function readRow(row: FilesRow): FileRow {
  return {
    id: fileIdFromBytes(row.id),
    accountId: accountId(row.account_id),
    projectId: projectId(row.project_id),
    purpose: row.purpose,
    name: row.name,
    bytes: row.bytes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    isComplete: row.is_complete === 1,
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
