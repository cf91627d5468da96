/** Goal: the space is really allocated, and no partial file is left. Method: real files, and a disk whose free space the test sets. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Ballast } from './ballast.ts';

const BYTES = 8 * 1024 * 1024;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('it allocates its blocks, is readable by its owner only, and is kept across starts', () => {
  assert.equal(new Ballast(folder).make(), true);
  const { size, blocks, mode, ino } = statSync(join(folder, 'ballast'));
  assert.equal(size, BYTES);
  assert.ok(blocks * 512 >= BYTES, `${blocks} blocks`);
  assert.equal(mode & 0o777, 0o600);
  assert.equal(new Ballast(folder).make(), true);
  assert.equal(statSync(join(folder, 'ballast')).ino, ino);
});

test('it is released once, and created again if twice its size is free', () => {
  let free = 2 * BYTES;
  const ballast = new Ballast(folder, () => free);
  assert.equal(ballast.release(), false, 'it does not exist yet');
  assert.equal(ballast.isReleased, false);
  ballast.make();
  assert.equal(ballast.release(), true);
  assert.equal(ballast.release(), false);
  assert.equal(ballast.isReleased, true);
  free = 2 * BYTES - 1;
  assert.equal(ballast.make(), false);
  assert.equal(existsSync(join(folder, 'ballast')), false);
  free = 2 * BYTES;
  assert.equal(ballast.make(), true);
  assert.equal(ballast.isReleased, false);
});

test('a truncated ballast is created again; if that fails, no file is left', () => {
  writeFileSync(join(folder, 'ballast'), 'half');
  assert.equal(new Ballast(folder).make(), true);
  assert.equal(statSync(join(folder, 'ballast')).size, BYTES);
  assert.equal(new Ballast(join(folder, 'missing')).make(), false);
});
