/** Goal: a path is separated from the base path of the dashboard, and never confused with sibling paths. Method: one table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBase } from './base-path.ts';

test('the base path is removed from paths below it, and from nothing else', () => {
  assert.equal(withoutBase('/keys', ''), '/keys');
  assert.equal(withoutBase('/llm', '/llm'), '/');
  assert.equal(withoutBase('/llm/', '/llm'), '/');
  assert.equal(withoutBase('/llm/keys/12', '/llm'), '/keys/12');
  assert.equal(withoutBase('/llmx/keys', '/llm'), null);
  assert.equal(withoutBase('/keys', '/llm'), null);
});
