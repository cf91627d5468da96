/** Goal: the value made for a schema is valid for it. Method: a table of schemas and their smallest values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimalJson } from './minimal-json.ts';
import { Refusal } from './refusal.ts';

const cases: readonly [string, object, unknown][] = [
  ['optional properties are left out', { type: 'object', properties: { a: {}, b: {} }, required: [] }, {}],
  ['a constant is kept', { const: 7 }, 7],
  ['an enumeration is its first value', { enum: ['b', 'a'] }, 'b'],
  ['a string is long enough', { type: 'string', minLength: 6 }, 'demo--'],
  ['a string is short enough', { type: 'string', maxLength: 2 }, 'de'],
  ['a format is kept', { type: 'string', format: 'date' }, '2026-01-01'],
  ['a list has its minimum length', { type: 'array', minItems: 2, items: { type: 'boolean' } }, [false, false]],
  ['a number without bounds is zero', { type: 'number' }, 0],
  ['an integer is at its minimum', { type: 'integer', minimum: 3 }, 3],
  ['an integer is above an exclusive minimum', { type: 'integer', exclusiveMinimum: 3 }, 4],
  ['an integer is below an exclusive maximum', { type: 'integer', exclusiveMaximum: 0 }, -1],
  ['an integer is at a negative maximum', { type: 'integer', maximum: -5 }, -6],
  ['a multiple is kept', { type: 'integer', minimum: 7, multipleOf: 5 }, 10],
  ['a number lies between exclusive bounds', { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, 1.5],
  ['the first of several types is taken', { type: ['string', 'null'] }, 'demo'],
  ['the first choice is taken', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, 0],
  [
    'a reference is followed',
    { type: 'object', properties: { a: { $ref: '#/$defs/n' } }, required: ['a'], $defs: { n: { const: 1 } } },
    { a: 1 },
  ],
  [
    'allOf is merged',
    {
      allOf: [
        { properties: { a: { const: 1 } }, required: ['a'] },
        { properties: { b: { const: 2 } }, required: ['b'] },
      ],
    },
    { a: 1, b: 2 },
  ],
];

for (const [what, schema, expected] of cases) {
  test(what, () => assert.deepEqual(minimalJson({ ...schema }), expected));
}

test('a recursive schema ends where it may', () => {
  const node = {
    type: 'object',
    properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
    required: ['next'],
  };
  const text = JSON.stringify(minimalJson({ $ref: '#/$defs/node', $defs: { node } }));
  assert.match(text, /^(\{"next":)+null\}+$/);
});

test('a property named __proto__ is a property', () => {
  const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"const":1}},"required":["__proto__"]}');
  assert.equal(JSON.stringify(minimalJson(schema)), '{"__proto__":1}');
});

const twice = (name: string) => [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }];
const ENDLESS: readonly [string, object][] = [
  ['a very long list', { type: 'array', minItems: 1e9, items: { type: 'null' } }],
  ['lists in lists', [1, 2, 3, 4, 5].reduce((items) => ({ type: 'array', minItems: 1000, items }), {})],
  ['a very long string', { type: 'string', minLength: 1e9 }],
  ['a large constant many times', { type: 'array', minItems: 1000, items: { const: 'x'.repeat(100_000) } }],
  [
    'an object that contains itself twice',
    { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' } }, required: ['a', 'b'] },
  ],
  ['an allOf of itself', { allOf: [{ $ref: '#' }] }],
  [
    'allOf that doubles at each level',
    {
      allOf: twice('0'),
      $defs: Object.fromEntries([...Array(60).keys()].map((n) => [n, { allOf: twice(`${n + 1}`) }])),
    },
  ],
  [
    'anyOf that doubles at each level',
    {
      anyOf: twice('0'),
      $defs: Object.fromEntries([...Array(60).keys()].map((n) => [n, { anyOf: twice(`${n + 1}`) }])),
    },
  ],
  [
    'many parts with many required properties',
    { allOf: Array.from({ length: 2000 }, () => ({ required: Array.from({ length: 100 }, (_, n) => `p${n}`) })) },
  ],
];

for (const [what, schema] of ENDLESS) {
  test(`${what} is refused, or done quickly`, () => {
    try {
      assert.ok((JSON.stringify(minimalJson({ ...schema })) ?? '').length < 1_000_000);
    } catch (error) {
      assert.ok(error instanceof Refusal && error.status === 400, String(error));
    }
  });
}
