/**
 * Goal: after signing in a person comes to a page of this dashboard, whatever a link said. Method: a table of what
 * browsers take for another host.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPath } from './next-path.ts';

test('a page of the dashboard is gone to, with its question', () => {
  assert.equal(nextPath(`?next=${encodeURIComponent('/keys/4?range=7d&account=2')}`), '/keys/4?range=7d&account=2');
  assert.equal(nextPath(''), '/');
  assert.equal(nextPath('?next='), '/');
});

for (const elsewhere of [
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/..//evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  'evil.example',
  ' //evil.example',
]) {
  test(`${JSON.stringify(elsewhere)} leads to the overview`, () => {
    assert.equal(nextPath(`?next=${encodeURIComponent(elsewhere)}`), '/');
  });
}
