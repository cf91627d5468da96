/** Goal: what is in files is in a database of its own, which takes no space when they are gone. Method: real files in a separate folder. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { accountId, newFileId, projectId } from '../../../core/ids.ts';
import type { FileRow } from '../../../files/ports.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../sqlite-under-test.ts';

const PROJECT = projectId(1);

test('there is no database of chunks before the first chunk', async () => {
  const subject = await openSqliteUnderTest();
  const { files } = subject.storage;
  assert.deepEqual(await files.heads(), []);
  assert.deepEqual(await Array.fromAsync(files.chunks(newFileId(0), 0)), []);
  await files.deleteExpired(Number.MAX_SAFE_INTEGER);
  assert.ok(!existsSync(pathOf(subject)));
  await subject.dispose();
});

for (const durability of ['process', 'power'] as const)
  test(`with durability ${durability}, chunks are in a file for its owner only, and deleted ones leave nothing in it`, async () => {
    const subject = await openSqliteUnderTest({ durability });
    const row = rowOf(subject);
    await subject.storage.files.create(row);
    const text = 'canary '.repeat(20_000);
    for (let number = 0; number < 40; number += 1) await subject.storage.files.writeChunk(row.id, number, bytes(text));
    const full = await subject.reopen();
    assert.equal(statSync(pathOf(full)).mode & 0o777, 0o600);
    const before = statSync(pathOf(full)).size;
    assert.ok(readFileSync(pathOf(full)).includes('canary'));
    assert.equal(await full.storage.files.delete(PROJECT, row.id), true);
    const after = await full.reopen();
    assert.ok(!readFileSync(pathOf(after)).includes('canary'));
    assert.ok(statSync(pathOf(after)).size < before / 10, `${statSync(pathOf(after)).size} of ${before}`);
    await after.dispose();
  });

test('rows are forgotten when the database of chunks is gone, as after a restore', async () => {
  const subject = await openSqliteUnderTest();
  const row = rowOf(subject);
  await subject.storage.files.create(row);
  await subject.storage.files.writeChunk(row.id, 0, bytes('one'));
  const kept = await subject.reopen();
  assert.notEqual(await kept.storage.files.find(PROJECT, row.id), null);
  await kept.storage.close();
  for (const end of ['', '-wal', '-shm']) rmSync(pathOf(kept) + end, { force: true });
  const again = await subject.reopen();
  assert.equal(await again.storage.files.find(PROJECT, row.id), null);
  assert.equal((await again.storage.files.spaceOf(row.accountId)).files, 0);
  await again.dispose();
});

test('an upload that was running when the process ended is forgotten, and what it had written is deleted later', async () => {
  const subject = await openSqliteUnderTest();
  const [left, output] = [
    rowOf(subject, { isComplete: false }),
    rowOf(subject, { isComplete: false, purpose: 'batch_output' }),
  ];
  for (const row of [left, output]) {
    await subject.storage.files.create(row);
    await subject.storage.files.writeChunk(row.id, 0, bytes('one'));
  }
  const again = await subject.reopen();
  const { files } = again.storage;
  assert.equal(await files.find(PROJECT, left.id), null);
  assert.notEqual(await files.find(PROJECT, output.id), null, 'a batch goes on writing it');
  await files.deleteExpired(subject.clock.now());
  assert.deepEqual(await Array.fromAsync(files.chunkNumbers(left.id)), []);
  assert.deepEqual(await Array.fromAsync(files.chunkNumbers(output.id)), [[0]]);
  await again.dispose();
});

test('another program’s lock delays a chunk, and if it lasts, the chunk is refused', async () => {
  const subject = await openSqliteUnderTest();
  const { files } = subject.storage;
  const row = rowOf(subject);
  await files.create(row);
  await files.writeChunk(row.id, 0, bytes('one'));
  const other = new DatabaseSync(pathOf(subject), { timeout: 0 });
  other.exec('BEGIN IMMEDIATE');
  let failure: unknown = null;
  void files.writeChunk(row.id, 1, bytes('two')).catch((error: unknown) => {
    failure = error;
  });
  await advanceUntil(subject, () => failure !== null);
  assert.ok(subject.storage.isTrouble(failure));
  other.exec('ROLLBACK');
  await files.writeChunk(row.id, 2, bytes('three'));
  assert.deepEqual((await Array.fromAsync(files.chunkNumbers(row.id))).flat(), [0, 2]);
  other.close();
  await subject.dispose();
});

/** The thread answers in its own time; each answer is followed by a pause on this clock. */
async function advanceUntil({ clock }: SqliteUnderTest, isOver: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000_000 && !isOver(); turn += 1) {
    clock.advance(1_000);
    await nextTurn();
  }
  assert.ok(isOver());
}

function rowOf({ clock }: SqliteUnderTest, changes: Partial<FileRow> = {}): FileRow {
  const now = clock.now();
  return {
    id: newFileId(now),
    accountId: accountId(1),
    projectId: PROJECT,
    purpose: 'batch',
    name: 'lines.jsonl',
    bytes: 100_000,
    createdAt: now,
    expiresAt: now + 1_000_000,
    isComplete: true,
    ...changes,
  };
}

function pathOf({ folder }: SqliteUnderTest): string {
  return join(folder, 'files.db');
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}
