/** Goal: test files have their temporary files in memory where there is room, and leave none. Method: a folder instead of memory. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface TemporaryFolder {
  makeTemporaryFolder(place?: string): { readonly variables: { readonly TMPDIR?: string }; remove(): void };
}

const file = pathToFileURL(join(import.meta.dirname, 'temporary-folder.mjs')).href;
const { makeTemporaryFolder } = (await import(file)) as TemporaryFolder;

test('the folder is open to other users, and is removed with all that is in it', () => {
  const place = mkdtempSync(join(tmpdir(), 'turnpike-place-'));
  try {
    const { variables, remove } = makeTemporaryFolder(place);
    const folder = variables.TMPDIR ?? '';
    assert.equal(dirname(folder), place);
    assert.equal(statSync(folder).mode & 0o7777, 0o1777);
    writeFileSync(join(folder, 'left'), '');
    remove();
    assert.equal(existsSync(folder), false);
  } finally {
    rmSync(place, { recursive: true });
  }
});

test('without such a file system the usual folder is used', () => {
  assert.deepEqual(makeTemporaryFolder('/no/such/place').variables, {});
});
