/** Goal: the published error reference matches the table. Method: generate it again and compare. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { docsUrl, type ErrorCode, errorTable } from '../../core/errors.ts';
import { errorReference } from './error-reference.ts';

test('docs/reference/errors.md matches the table; scripts/build-error-reference.ts rewrites it', () => {
  const published = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8');
  assert.equal(published, errorReference());
});

test('every code has a heading for its link', () => {
  const headings = new Set([...errorReference().matchAll(/^## (.+)$/gm)].map(([, heading]) => heading));
  for (const code of Object.keys(errorTable) as ErrorCode[]) {
    assert.equal(docsUrl(code).split('#')[1], code);
    assert.ok(headings.has(code), code);
  }
});
