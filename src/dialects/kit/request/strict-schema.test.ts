/** Goal: `strict` is sent if OpenAI accepts it and never causes a refusal. Method: a table of schemas. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../chat/request.ts';
import { writtenStrict } from './strict-schema.ts';

const closed: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const optional: JsonObject = { ...closed, required: [] };
const { additionalProperties: _closed, ...open } = closed;
const around = (inner: JsonObject): JsonObject => ({
  ...closed,
  properties: { city: { type: 'array', items: inner } },
});

for (const [what, schema, expected] of [
  ['a closed schema', closed, true],
  ['a property that may be absent', optional, false],
  ['an open object', open, false],
  ['a closed schema within', around(closed), true],
  ['an open object within', around(open), false],
  ['a choice that holds an open object', around({ anyOf: [{ type: 'null' }, open] }), false],
] as const) {
  test(`${what}: strict is ${expected ? 'sent' : 'dropped with a warning'}`, () => {
    const warnings = new Set<string>();
    assert.equal(writtenStrict(true, schema, 'x', warnings), expected);
    assert.equal(warnings.size, expected ? 0 : 1);
  });
}

test('a caller that did not ask for it gets no warning', () => {
  const warnings = new Set<string>();
  assert.deepEqual(
    [writtenStrict(null, open, 'x', warnings), writtenStrict(false, open, 'x', warnings), warnings.size],
    [undefined, false, 0],
  );
});
