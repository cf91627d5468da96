/**
 * Goal: if the sync of a commit fails, nothing of it is found after a restart, or the error says that it may be.
 * Method: a real write-ahead log, a copy of which is read as at the next start; a connection that cannot write.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { eraseRefusedCommit } from './erase-refused-commit.ts';
import { openDatabase } from './open-database.ts';
import { isInputOrOutput } from './sqlite-errors.ts';

const SYNC_FAILED = 1034;

test('a refused commit is overwritten in the log each time, and later commits are synced again', () => {
  const { folder, database, refused } = opened();
  const path = join(folder, 'a.db');
  const found: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    assert.equal(eraseRefusedCommit(database, refused), refused);
    found.push(asFoundAfterAKill(path));
  }
  assert.notEqual(found[0], found[1]);
  assert.deepEqual({ ...database.prepare('PRAGMA synchronous').get() }, { synchronous: 2 });
  database.close();
  rmSync(folder, { recursive: true });
});

test('if the disk refuses that too, the error says so and keeps its code', () => {
  const { folder, database, refused } = opened();
  database.exec('PRAGMA query_only = ON');
  const error = eraseRefusedCommit(database, refused);
  assert.match(error.message, /^disk I\/O error; what was refused may be found after a restart, .*readonly/);
  assert.ok(isInputOrOutput(error));
  assert.equal(error.cause, refused);
  database.close();
  rmSync(folder, { recursive: true });
});

function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const database = openDatabase(join(folder, 'a.db'), 'FULL');
  database.exec('CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)');
  return { folder, database, refused: Object.assign(new Error('disk I/O error'), { errcode: SYNC_FAILED }) };
}

function asFoundAfterAKill(path: string): string {
  for (const end of ['', '-wal']) copyFileSync(path + end, `${path}.copy${end}`);
  const database = new DatabaseSync(`${path}.copy`);
  const { value } = database.prepare("SELECT value FROM facts WHERE name = 'taken_back'").get() as { value: string };
  database.close();
  return value;
}
