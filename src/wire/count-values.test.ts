/** Goal: the count equals that of the scan for any document. Method: random documents, written in several ways. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { hasMoreValues } from './count-values.ts';
import { scanJson } from './json-scan.ts';

test('counts values and names as the scan does', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 4 }), fc.constantFrom(0, 1, '\t'), (value, space) => {
      const bytes = Buffer.from(JSON.stringify(value, null, space));
      const { values } = scanJson(bytes);
      assert.equal(hasMoreValues(bytes, values), false);
      assert.equal(hasMoreValues(bytes, values - 1), true);
    }),
  );
});

test('the contents of strings do not count, and an unclosed string ends the count', () => {
  assert.equal(hasMoreValues(Buffer.from('{"a":"[1,2,3,4,5]"}'), 3), false);
  assert.equal(hasMoreValues(Buffer.from('{"a":"[1,2,3,4,5]\\",'), 3), false);
});

test('counting a huge answer stops as soon as it has too many', () => {
  assert.equal(hasMoreValues(Buffer.from(`[${'{},'.repeat(1_000_000)}{}]`), 100), true);
});
