/** Goal: the same result as `JSON.parse`, whatever is large and wherever it is. Method: compare both. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findLargeTexts, parseAround } from './large-texts.ts';

const image = 'iVBORw0KGgo+/AAAANSUhEUgAA'.repeat(12_000);

/** How many strings were found. */
function check(text: string): number {
  const bytes = Buffer.from(text);
  const spans = findLargeTexts(bytes);
  assert.deepEqual(parseAround(bytes, spans), JSON.parse(text));
  return spans.length;
}

test('large strings are taken out and put back, among anything else', () => {
  const others = { 'é "\\': ['', '\\', '"', '\\"', 1, null, { a: '€' }], __proto__: null };
  assert.equal(check(JSON.stringify({ ...others, image, list: [image, { url: `data:,${image}` }], others })), 3);
  assert.equal(check(JSON.stringify({ image }, null, 2)), 1);
  assert.equal(check(`{"__proto__":"${image}","a":{"__proto__":1}}`), 1);
});

describe('what is left to the parser', () => {
  const cases: Readonly<Record<string, string>> = {
    'nothing large': '{"a":"b"}',
    'a large name': `{"${image}":1}`,
    'a large name before white space': `{"${image}"            :1}`,
    'a string with an escape': JSON.stringify({ image: `${image}\n` }),
    'a string with an escaped quote': JSON.stringify({ image: `${image}"${image}` }),
    'a string that is not ASCII': JSON.stringify({ image: `${image}é` }),
    'a large gap between strings': `{"a":"b",${' '.repeat(400_000)}"c":"d"}`,
    'more escaped quotes before it than anybody writes': JSON.stringify({ code: '"'.repeat(1_100_000), image }),
  };
  for (const [name, text] of Object.entries(cases)) test(name, () => assert.equal(check(text), 0));
});

test('the values around it do not matter', () => {
  const numbers = Array.from({ length: 50_000 }, (_, index) => index);
  assert.equal(check(JSON.stringify({ image, numbers })), 1);
  assert.equal(check(JSON.stringify({ code: '"'.repeat(20_000), image, after: '"'.repeat(20_000) })), 1);
  assert.equal(
    check(JSON.stringify({ image, strings: Array.from({ length: 20_000 }, () => ['ab', image.slice(0, 9)]) })),
    1,
  );
  assert.equal(
    check(JSON.stringify({ pictures: Array.from({ length: 20 }, () => ({ data: image.slice(0, 20_000) })) })),
    20,
  );
});

test('none is searched for once there is more besides them than is asked for', () => {
  const bytes = Buffer.from(JSON.stringify({ image, text: 'a b '.repeat(10_000), other: image }));
  assert.equal(findLargeTexts(bytes, 50_000).length, 2);
  assert.equal(findLargeTexts(bytes, 30_000).length, 1);
  assert.equal(findLargeTexts(Buffer.from(JSON.stringify({ image, other: image })), 100).length, 2);
});

test('a control character inside is refused as the parser refuses it', () => {
  assert.equal(check(`{"a":"${image}"}`), 1);
  assert.deepEqual(findLargeTexts(Buffer.from(`{"a":"${image}\n${image}"}`)), []);
});

test('backslashes at the end of the string before do not hide where a large one begins', () => {
  assert.equal(check(JSON.stringify({ before: 'a\\', image, after: '\\\\' })), 1);
  assert.equal(check(JSON.stringify({ before: '\\"\\', image })), 1);
});

test('a broken escape elsewhere is a syntax error still', () => {
  const bytes = Buffer.from(`{"a":"\\x","b":"${image}"}`);
  const spans = findLargeTexts(bytes);
  assert.equal(spans.length, 1);
  assert.throws(() => parseAround(bytes, spans), SyntaxError);
});
