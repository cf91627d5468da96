/** Goal: JSON from strangers is parsed within limits or refused by a named rule, and leaves every prototype alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonRefused, parseJson } from './json-guard.ts';

const limits = { bytesMax: 10_000, depthMax: 8 };

test('any JSON value within the limits is parsed', () => {
  const value = fc.jsonValue({ maxDepth: 6 }).filter((made) => !JSON.stringify(made).includes('__proto__'));
  fc.assert(
    fc.property(value, (made) => {
      const text = JSON.stringify(made);
      fc.pre(Buffer.byteLength(text) <= limits.bytesMax);
      assert.deepEqual(parseJson(Buffer.from(text), limits), JSON.parse(text));
    }),
  );
});

const refusals: readonly [rule: string, bytes: string | Buffer][] = [
  ['too_large', `"${'x'.repeat(9999)}"`],
  ['too_deep', `${'['.repeat(9)}${']'.repeat(9)}`],
  ['too_deep', '['.repeat(9)],
  ['too_deep', `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`],
  ['invalid_utf8', Buffer.from([0x22, 0xff, 0x22])],
  ['invalid_json', ''],
  ['invalid_json', '\ufeff{}'],
  ['invalid_json', '{"a":1,}'],
  ['invalid_json', '"secret'],
  ['prototype_key', '{"__proto__":{"admin":true}}'],
  ['prototype_key', '[{"a":[{"\\u005f_proto__":1}]}]'],
  ['prototype_key', '{"a":{"\\u005F\\u005Fproto\\u005f_":null}}'],
];

for (const [reason, bytes] of refusals) {
  test(`${reason}: ${bytes.toString().slice(0, 30)}`, () => {
    assert.throws(
      () => parseJson(Buffer.from(bytes), limits),
      (error) => error instanceof JsonRefused && error.reason === reason && !error.message.includes('secret'),
    );
  });
}

test('limits are met exactly, and brackets in strings are no depth', () => {
  assert.equal(parseJson(Buffer.from(`"${'x'.repeat(9998)}"`), limits), 'x'.repeat(9998));
  assert.deepEqual(parseJson(Buffer.from(`${'['.repeat(8)}${']'.repeat(8)}`), limits), [[[[[[[[]]]]]]]]);
  assert.equal(parseJson(Buffer.from(`"${'[{\\"'.repeat(50)}"`), limits), '[{"'.repeat(50));
});

test('__proto__ as a value is a string like any other', () => {
  assert.deepEqual(parseJson(Buffer.from('{"a":"__proto__","b":"\\u00e9"}'), limits), { a: '__proto__', b: 'é' });
});
