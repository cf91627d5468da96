/**
 * Goal: warnings are few, without repeats, and quote nothing unexpected from a provider. Method: more of them than are reported, and words
 * of all kinds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addWarning, listWarnings, quoteWord, WARNINGS_MAX } from './warnings.ts';

function listed(count: number): readonly string[] {
  const warnings = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    addWarning(warnings, `lost ${index}`);
    addWarning(warnings, 'lost 0');
  }
  return listWarnings(warnings);
}

test('each is reported once, in order of arrival', () => {
  assert.deepEqual(listed(3), ['lost 0', 'lost 1', 'lost 2']);
  assert.equal(listed(WARNINGS_MAX).at(-1), `lost ${WARNINGS_MAX - 1}`);
});

test('if there are too many, the last one says that there were more', () => {
  for (const count of [WARNINGS_MAX + 1, WARNINGS_MAX * 9]) {
    const warnings = listed(count);
    assert.equal(warnings.length, WARNINGS_MAX);
    assert.equal(warnings.at(-1), 'further warnings are not listed');
  }
});

test('only a plain word is quoted', () => {
  assert.equal(quoteWord('web_search.tool-result'), '"web_search.tool-result"');
  for (const odd of ['', 'a b', 'a"b', 'é', 'a\nb', 'x'.repeat(65), 7, null, undefined, {}]) {
    assert.equal(quoteWord(odd), 'of an unknown kind');
  }
});
