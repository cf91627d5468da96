/** Goal: a duplicate field is found at any depth, and nothing else is. Method: texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameGivenTwice } from './json-twice.ts';

const cases: readonly (readonly [text: string, name: string | null])[] = [
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a":[{"b":1},{"b":2,"c":{"d":"x","d":"y"}}]}', 'd'],
  ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}', null],
  ['{"a":"a\\":{","b":"\\\\","c":"\\"b\\":1"}', null],
  ['{"":1,"":2}', ''],
  ['["a","a"]', null],
  ['"a"', null],
  ['7', null],
  ['{ "x" : null , "y" : [ ] , "x" : true }', 'x'],
];

for (const [text, name] of cases)
  test(`${name === null ? 'nothing' : JSON.stringify(name)} is a duplicate in ${text}`, () => {
    JSON.parse(text);
    assert.equal(nameGivenTwice(text), name);
  });

test('a long string takes linear time', () => {
  assert.equal(nameGivenTwice(`{"a":${JSON.stringify('\\"x'.repeat(80_000))},"a":1}`), 'a');
});
