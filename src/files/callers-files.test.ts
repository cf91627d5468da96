/**
 * Goal: the files of an account have no more space together than it may have, at whichever node they are uploaded. Method: two nodes with one store
 * in memory, whose steps the test interleaves.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { accountId, type FileId, type ProjectId, projectId } from '../core/ids.ts';
import type { SharedSealer } from '../core/sealing/sealer.ts';
import { CallersFiles, type Upload } from './callers-files.ts';
import { FileContents } from './file-contents.ts';
import type { FileRow, FileStore } from './ports.ts';

const PROJECT = projectId(1);
const LIMITS = { fileBytesMax: 60, accountFilesBytesMax: 100, accountFilesMax: 3 };

/** Rows only; every answer takes a turn, so that the steps of two nodes alternate. */
class RowsInMemory implements Pick<FileStore, 'create' | 'complete' | 'find' | 'delete' | 'spaceOf'> {
  readonly rows = new Map<FileId, FileRow>();
  async create(row: FileRow): Promise<void> {
    this.rows.set(row.id, row);
  }

  async complete(id: FileId, bytes: number, expiresAt?: number): Promise<void> {
    const row = this.rows.get(id);
    if (row === undefined) throw new Error('deleted');
    this.rows.set(id, { ...row, bytes, expiresAt: expiresAt ?? row.expiresAt, isComplete: true });
  }

  async find(project: ProjectId, id: FileId): Promise<FileRow | null> {
    const row = this.rows.get(id);
    return row?.projectId === project ? row : null;
  }

  async delete(_project: ProjectId, id: FileId): Promise<boolean> {
    return this.rows.delete(id);
  }

  async spaceOf() {
    const sum = (rows: readonly FileRow[]) => rows.reduce((total, { bytes }) => total + bytes, 0);
    const rows = [...this.rows.values()];
    return { bytes: sum(rows), arrivingBytes: sum(rows.filter((row) => !row.isComplete)), files: rows.length };
  }
}

const plain: SharedSealer = {
  seal: (bytes) => bytes,
  sealInTurns: async (bytes) => (Buffer.isBuffer(bytes) ? bytes : Buffer.concat(bytes)),
  open: (sealed) => Buffer.from(sealed),
  openStored: async (sealed) => Buffer.from(sealed),
};

function openNodes(uses: { batch: string | null } = { batch: null }) {
  const rows = new RowsInMemory();
  const store = Object.assign(rows, { writeChunk: async () => undefined }) as unknown as FileStore;
  const clock = new ManualClock();
  const open = () => {
    const contents = new FileContents({ store, sealer: plain });
    return new CallersFiles({ store, contents, clock, uses: { runningBatchOf: async () => uses.batch } });
  };
  return { rows, clock, one: open(), other: open() };
}

function upload(bytesMax: number | null): Upload {
  return { accountId: accountId(1), projectId: PROJECT, name: 'a', bytesMax };
}

test('of uploads that begin at two nodes at once, those that are let in fit together', async () => {
  const { rows, one, other } = openNodes();
  const begun = await Promise.allSettled([one.begin(upload(60), LIMITS), other.begin(upload(60), LIMITS)]);
  assert.ok(begun.filter(({ status }) => status === 'fulfilled').length <= 1);
  assert.ok((await rows.spaceOf()).bytes <= LIMITS.accountFilesBytesMax, 'those that were refused left nothing');
  for (const result of begun) if (result.status === 'rejected') assert.equal(result.reason.code, 'file_space_exceeded');
});

test('at one node, of two that do not fit together the first is let in', async () => {
  const { one } = openNodes();
  const [first, second] = await Promise.allSettled([one.begin(upload(60), LIMITS), one.begin(upload(60), LIMITS)]);
  assert.deepEqual([first?.status, second?.status], ['fulfilled', 'rejected']);
});

test('an upload of unknown length takes as much as a file may have, or as is left, until it is complete', async () => {
  const { rows, one } = openNodes();
  const first = await one.begin(upload(null), LIMITS);
  assert.equal(first.row.bytes, 60);
  const second = await one.begin(upload(null), LIMITS);
  assert.equal(second.row.bytes, 40);
  await assert.rejects(one.begin(upload(null), LIMITS), { code: 'file_space_exceeded' });
  await first.complete(first.row.expiresAt);
  await second.discard();
  assert.equal((await rows.spaceOf()).bytes, 0);
});

test('an account has so many files and no more, at whichever node', async () => {
  const { rows, one, other } = openNodes();
  for (let count = 0; count < 2; count += 1) await one.begin(upload(1), LIMITS);
  await Promise.allSettled([one.begin(upload(1), LIMITS), other.begin(upload(1), LIMITS)]);
  assert.ok(rows.rows.size <= 3);
  if (rows.rows.size < 3) await one.begin(upload(1), LIMITS);
  await assert.rejects(one.begin(upload(1), LIMITS), { code: 'file_space_exceeded', message: /accountFilesMax/ });
  await assert.rejects(one.checkSpace(accountId(1), LIMITS), {
    code: 'file_space_exceeded',
    message: /accountFilesMax/,
  });
});

test('results have space unless files take all of it; what has not arrived may leave some', async () => {
  const { one } = openNodes();
  const files = [await one.begin(upload(60), LIMITS), await one.begin(upload(40), LIMITS)];
  await one.checkSpace(accountId(1), LIMITS);
  for (const file of files) {
    await file.write(Buffer.alloc(file.row.bytes));
    await file.complete(file.row.expiresAt);
  }
  await assert.rejects(one.checkSpace(accountId(1), LIMITS), { code: 'file_space_exceeded', status: 413 });
});

test('a file is unknown while it is written, once it has expired, and to other projects', async () => {
  const { clock, one } = openNodes();
  const file = await one.begin(upload(10), LIMITS);
  const { id } = file.row;
  const unknown = { code: 'file_not_found', status: 404 };
  await assert.rejects(one.find(PROJECT, id), unknown);
  await file.complete(clock.now() + 1_000);
  assert.equal((await one.find(PROJECT, id)).isComplete, true);
  await assert.rejects(one.find(projectId(2), id), unknown);
  await assert.rejects(one.delete(projectId(2), id), unknown);
  for (const wrong of ['', 'file-', `${id}x`, id.toUpperCase(), id.slice(5)])
    await assert.rejects(one.find(PROJECT, wrong), unknown);
  clock.advance(1_000);
  await assert.rejects(one.find(PROJECT, id), unknown);
});

test('a file that a running batch reads is not deleted, and the error names the batch', async () => {
  const uses: { batch: string | null } = { batch: 'batch_1' };
  const { clock, rows, one } = openNodes(uses);
  const file = await one.begin(upload(10), LIMITS);
  await file.complete(clock.now() + 1_000);
  await assert.rejects(one.delete(PROJECT, file.row.id), { code: 'file_in_use', status: 409, message: /batch_1/ });
  assert.equal(rows.rows.size, 1);
  uses.batch = null;
  await one.delete(PROJECT, file.row.id);
  assert.equal(rows.rows.size, 0);
});
