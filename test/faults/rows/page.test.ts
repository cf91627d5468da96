/**
 * Goal: docs/reference/faults.md has every row of the fault table that has a test, and no other. Method: the sources that name a row are
 * read as text; that a row says what its test saw is compared by that test.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FAULT_PAGE } from './fault-row.ts';
import { FAULT_ROWS, type RowId, WHERE_TESTED_TOO } from './matrix.ts';
import { faultPage, rowFromPage, rowOfPage } from './page.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = readFileSync(FAULT_PAGE, 'utf8');
const ids = Object.keys(FAULT_ROWS) as RowId[];

/** The files that test each row. */
const tested = new Map<string, string[]>();
for (const file of globSync('{test,src}/**/*.{test,prove}.ts', { cwd: ROOT }))
  for (const [, id = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(/\b(?:faultRow|longRow)\(\s*'([UCS]\d+)'/g))
    tested.set(id, [...(tested.get(id) ?? []), file]);

test('each row that is published has one test, which is where the page says', () => {
  for (const id of ids) {
    const row = rowFromPage(PAGE, id);
    assert.deepEqual(tested.get(id) ?? [], row === null ? [] : [row.file], id);
    if (row !== null) assert.ok(PAGE.split('\n').includes(rowOfPage(row)), id);
  }
});

test('the page is written from its rows: scripts/build-fault-reference.ts', () => {
  assert.equal(PAGE, faultPage(ids.flatMap((id) => rowFromPage(PAGE, id) ?? [])));
});

test('the other tests that a row names exist', () => {
  for (const file of Object.values(WHERE_TESTED_TOO).flat()) readFileSync(join(ROOT, file));
});
