import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasRepeatedNames } from './repeated-names.ts';

const isIn = (json: string) => hasRepeatedNames(Buffer.from(json), JSON.parse(json));

test('a name that stands twice in one object is found, however deep and however it is written', () => {
  for (const json of [
    '{"a":1,"a":2}',
    '[{"b":{"a":":","a":{}}}]',
    '{"a":1,"\\u0061":1}',
    '{"__proto__":1,"__proto__":2}',
  ])
    assert.equal(isIn(json), true, json);
});

test('JSON whose names are each there once has none, in any spacing', () => {
  fc.assert(fc.property(fc.json(), fc.nat(2), (json, space) => !isIn(JSON.stringify(JSON.parse(json), null, space))));
  for (const json of ['{"a":{"a":[{"a":1},{"a":1}]}}', '{"a\\":\\"":":\\\\"}', '1', '"a:b"', 'null'])
    assert.equal(isIn(json), false, json);
});
