/** The contract of every storage for files of callers: rows by project, contents in chunks that are written once. */
import assert from 'node:assert/strict';
import { type AccountId, accountId, type FileId, newFileId, type ProjectId, projectId } from '../../core/ids.ts';
import type { FileRow, FileStore } from '../../files/ports.ts';
import type { Promising } from './storage-under-test.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const MINE = projectId(1);
const THEIRS = projectId(2);

export function filePromises(promise: Promising): void {
  promise('a file is found by its project only, also after reopening', async (subject) => {
    const { files } = subject.storage;
    const mine = await put(files, { name: 'prüfung "1".jsonl' });
    // Whatever names a file must not find it, even one that was made in the same millisecond.
    await put(files, { project: THEIRS });
    const again = await subject.reopen();
    const found = await again.storage.files.find(MINE, mine.id);
    assert.deepEqual(found, mine);
    assert.equal(await again.storage.files.find(THEIRS, mine.id), null);
    assert.equal(await again.storage.files.find(MINE, newFileId(NOON)), null);
    assert.deepEqual(await contentOf(again.storage.files, mine.id), ['0:one', '1:two']);
    return again;
  });

  promise('a file is listed once it is complete, with the length that it has then', async ({ storage: { files } }) => {
    const row = rowOf({ bytes: 1_000, isComplete: false });
    await files.create(row);
    assert.deepEqual(await files.list(MINE, { after: null, limit: 10, purpose: null, order: 'desc' }), []);
    assert.deepEqual(await files.find(MINE, row.id), row);
    await files.complete(row.id, 20_000);
    const complete = { ...row, bytes: 20_000, isComplete: true };
    assert.deepEqual(await files.list(MINE, { after: null, limit: 10, purpose: null, order: 'desc' }), [complete]);
    await files.complete(row.id, 20_000, NOON + 1);
    assert.equal((await files.find(MINE, row.id))?.expiresAt, NOON + 1);
    await assert.rejects(files.complete(newFileId(NOON), 1), /deleted/);
    return undefined;
  });

  promise('files are listed page by page, by project and purpose, in both orders', async ({ storage: { files } }) => {
    const rows: FileRow[] = [];
    for (let index = 0; index < 5; index += 1)
      rows.push(await put(files, { at: NOON + index, purpose: index === 2 ? 'batch_output' : 'batch' }));
    await put(files, { project: THEIRS });
    const page = async (
      after: FileId | null,
      limit: number,
      order: 'asc' | 'desc',
      purpose: FileRow['purpose'] | null,
    ) =>
      (await files.list(MINE, { after, limit, order, purpose })).map(({ id }) =>
        rows.findIndex((row) => row.id === id),
      );
    assert.deepEqual(await page(null, 10, 'desc', null), [4, 3, 2, 1, 0]);
    assert.deepEqual(await page(null, 2, 'asc', null), [0, 1]);
    assert.deepEqual(await page(rows[1]?.id ?? null, 2, 'asc', null), [2, 3]);
    assert.deepEqual(await page(rows[3]?.id ?? null, 2, 'desc', 'batch'), [1, 0]);
    assert.deepEqual(await page(null, 10, 'asc', 'batch_output'), [2]);
    assert.deepEqual(await page(rows[0]?.id ?? null, 10, 'desc', null), []);
    return undefined;
  });

  promise('a chunk is written once, whoever writes it, and read in order from any number on', async (subject) => {
    const { files } = subject.storage;
    const row = rowOf({});
    await files.create(row);
    const numbers = [7, 0, 300, 3, 2 ** 31 - 1];
    await Promise.all(numbers.map((number) => files.writeChunk(row.id, number, sealed(`first ${number}`))));
    await Promise.all([
      files.writeChunk(row.id, 3, sealed('second 3')),
      files.writeChunk(row.id, 4, sealed('first 4')),
    ]);
    const expected = [0, 3, 4, 7, 300, 2 ** 31 - 1];
    const all = expected.map((number) => `${number}:first ${number}`);
    assert.deepEqual(await contentOf(files, row.id), all);
    assert.deepEqual(await contentOf(files, row.id, 4), all.slice(2));
    assert.deepEqual(await contentOf(files, row.id, 2 ** 31 - 1), all.slice(-1));
    const again = await subject.reopen();
    assert.deepEqual((await Array.fromAsync(again.storage.files.chunkNumbers(row.id))).flat(), expected);
    assert.deepEqual(await contentOf(again.storage.files, newFileId(NOON)), []);
    return again;
  });

  promise('large and many chunks come a part at a time, and all of them', async ({ storage: { files } }) => {
    const row = rowOf({});
    await files.create(row);
    const large = new Uint8Array(1_500_000).fill(7);
    for (const number of [0, 1, 2]) await files.writeChunk(row.id, number, large);
    await Promise.all(Array.from({ length: 600 }, (_, index) => files.writeChunk(row.id, 3 + index, sealed('small'))));
    const lengths = (await Array.fromAsync(files.chunks(row.id, 0))).map((chunk) => chunk.sealed.length);
    assert.deepEqual(lengths, [...[0, 1, 2].map(() => large.length), ...Array.from({ length: 600 }, () => 5)]);
    const parts = await Array.fromAsync(files.chunkNumbers(row.id));
    assert.ok(parts.length > 1 && parts.every((part) => part.length <= 300));
    assert.deepEqual(
      parts.flat(),
      Array.from({ length: 603 }, (_, index) => index),
    );
    return undefined;
  });

  promise('a deleted file is gone with its chunks, and only for its project', async ({ storage: { files } }) => {
    const [mine, other] = [await put(files), await put(files)];
    assert.equal(await files.delete(THEIRS, mine.id), false);
    assert.deepEqual(await contentOf(files, mine.id), ['0:one', '1:two']);
    assert.equal(await files.delete(MINE, mine.id), true);
    assert.equal(await files.delete(MINE, mine.id), false);
    assert.equal(await files.find(MINE, mine.id), null);
    assert.deepEqual(await contentOf(files, mine.id), []);
    assert.deepEqual(await contentOf(files, other.id), ['0:one', '1:two']);
    return undefined;
  });

  promise('the files of an account are added up, each with the space that a row needs at least', async (subject) => {
    const { files } = subject.storage;
    assert.deepEqual(await files.spaceOf(accountId(1)), { bytes: 0, arrivingBytes: 0, files: 0 });
    await files.create(rowOf({ bytes: 100_000 }));
    await files.create(rowOf({ bytes: 3_000_000_000, project: projectId(7), isComplete: false }));
    await files.create(rowOf({ bytes: 0 }));
    await files.create(rowOf({ bytes: 50_000, account: accountId(2) }));
    await files.create(rowOf({ bytes: 20_000, purpose: 'batch_output', isComplete: false }));
    const bytes = 3_000_100_000 + 16_384 + 20_000;
    assert.deepEqual(await files.spaceOf(accountId(1)), { bytes, arrivingBytes: 3_000_000_000, files: 4 });
    assert.deepEqual(await files.spaceOf(accountId(2)), { bytes: 50_000, arrivingBytes: 0, files: 1 });
    return undefined;
  });

  promise(
    'a file that is written grows, from whichever node; one that is complete or gone does not',
    async (subject) => {
      const { files } = subject.storage;
      const row = rowOf({ bytes: 0, purpose: 'batch_output', isComplete: false });
      await files.create(row);
      await Promise.all([
        files.grow(row.id, 3_000_000_000),
        files.grow(row.id, 40_000),
        files.grow(newFileId(NOON), 5),
      ]);
      assert.equal((await files.spaceOf(accountId(1))).bytes, 3_000_040_000);
      await files.complete(row.id, 50_000);
      await files.grow(row.id, 1);
      assert.equal((await files.find(MINE, row.id))?.bytes, 50_000);
      return undefined;
    },
  );

  promise('files that have expired and uploads that were left are deleted, with their chunks', async ({ storage }) => {
    const { files } = storage;
    const expired = await put(files, { expiresAt: NOON + DAY_MS });
    const kept = await put(files, { expiresAt: NOON + DAY_MS + 1 });
    const left = rowOf({ isComplete: false });
    const running = rowOf({ at: NOON + 1, isComplete: false });
    // It is written for as long as its batch runs.
    const output = rowOf({ isComplete: false, purpose: 'batch_output' });
    const orphan = newFileId(NOON);
    for (const row of [left, running, output]) await files.create(row);
    for (const id of [left.id, running.id, output.id, orphan]) await files.writeChunk(id, 0, sealed('part'));
    await files.deleteExpired(NOON + DAY_MS);
    for (const { id } of [expired, left]) assert.equal(await files.find(MINE, id), null);
    for (const { id } of [kept, running, output]) assert.notEqual(await files.find(MINE, id), null);
    for (const id of [expired.id, left.id, orphan]) assert.deepEqual(await contentOf(files, id), []);
    for (const id of [running.id, output.id]) assert.deepEqual(await contentOf(files, id), ['0:part']);
    assert.deepEqual(await contentOf(files, kept.id), ['0:one', '1:two']);
    return undefined;
  });

  promise('however many files have expired, all of them are deleted', async ({ storage: { files } }) => {
    for (let index = 0; index < 130; index += 1) await files.create(rowOf({ expiresAt: NOON }));
    for (let index = 0; index < 230; index += 1) await files.writeChunk(newFileId(NOON + index), 0, sealed('orphan'));
    const kept = await put(files);
    await files.deleteExpired(NOON);
    assert.deepEqual(await files.spaceOf(accountId(1)), { bytes: 16_384, arrivingBytes: 0, files: 1 });
    assert.equal((await files.heads()).length, 2, 'of the one that is left');
    assert.deepEqual(await contentOf(files, kept.id), ['0:one', '1:two']);
    return undefined;
  });

  promise('heads lists the beginnings of sealed chunks, one for each sealing key', async ({ storage: { files } }) => {
    const row = rowOf({});
    assert.deepEqual(await files.heads(), []);
    await files.create(row);
    for (const [number, text] of ['1key-one-text', '1key-one-other', '1key-two-text'].entries())
      await files.writeChunk(row.id, number, sealed(text));
    const heads = (await files.heads()).map((head) => Buffer.from(head).toString());
    assert.deepEqual(heads.sort(), ['1key-one-', '1key-two-']);
    await files.delete(MINE, row.id);
    assert.deepEqual(await files.heads(), []);
    return undefined;
  });
}

interface Given {
  readonly at?: number;
  readonly account?: AccountId;
  readonly project?: ProjectId;
  readonly purpose?: FileRow['purpose'];
  readonly name?: string;
  readonly bytes?: number;
  readonly expiresAt?: number;
  readonly isComplete?: boolean;
}

function rowOf({ at = NOON, account = accountId(1), project = MINE, ...given }: Given): FileRow {
  return {
    id: newFileId(at),
    accountId: account,
    projectId: project,
    purpose: 'batch',
    name: 'lines.jsonl',
    bytes: 6,
    createdAt: at,
    expiresAt: NOON + 30 * DAY_MS,
    isComplete: true,
    ...given,
  };
}

/** A complete file of two chunks. */
async function put(files: FileStore, given: Given = {}): Promise<FileRow> {
  const row = rowOf(given);
  await files.create(row);
  await files.writeChunk(row.id, 0, sealed('one'));
  await files.writeChunk(row.id, 1, sealed('two'));
  return row;
}

async function contentOf(files: FileStore, id: FileId, from = 0): Promise<readonly string[]> {
  const chunks = await Array.fromAsync(files.chunks(id, from));
  return chunks.map(({ number, sealed: bytes }) => `${number}:${Buffer.from(bytes).toString()}`);
}

function sealed(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}
