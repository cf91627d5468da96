/** Goal: any JSON Schema becomes one that older models take, as close as it can be, in bounded time. Method: pairs, and hostile schemas. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../chat/request.ts';
import { googleSchema } from './google-schema.ts';

function write(schema: JsonObject): { readonly schema: object; readonly warnings: number } {
  const warnings = new Set<string>();
  return { schema: googleSchema(schema, 'tools[0]', warnings), warnings: warnings.size };
}

const PAIRS: readonly (readonly [JsonObject, object, number])[] = [
  [{ type: 'string', $schema: 'x', default: 'a', format: 'uri', minLength: 1 }, { type: 'STRING', minLength: 1 }, 0],
  [{ type: 'string', format: 'date-time', pattern: '^a' }, { type: 'STRING', format: 'date-time', pattern: '^a' }, 0],
  [{ type: ['string', 'null'], description: 'A' }, { type: 'STRING', nullable: true, description: 'A' }, 0],
  [{ type: ['string', 'integer'] }, { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] }, 0],
  [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, { type: 'NUMBER', nullable: true }, 0],
  [{ oneOf: [{ type: 'string' }, { type: 'boolean' }] }, { anyOf: [{ type: 'STRING' }, { type: 'BOOLEAN' }] }, 0],
  [{ const: 'a' }, { type: 'STRING', format: 'enum', enum: ['a'] }, 0],
  [{ enum: [1, 2], description: 'N' }, { type: 'NUMBER', description: 'N' }, 1],
  [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9 }, { type: 'INTEGER', minimum: 1, maximum: 8 }, 0],
  [
    { type: 'array', items: { type: 'string' }, minItems: 1 },
    { type: 'ARRAY', items: { type: 'STRING' }, minItems: 1 },
    0,
  ],
  [
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      required: ['a', 'b'],
      $defs: { A: { type: 'string' } },
    },
    { type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['a'] },
    0,
  ],
  [
    {
      allOf: [{ $ref: '#/definitions/A' }, { properties: { b: { type: 'string' } } }],
      definitions: { A: { properties: { a: { type: 'boolean' } }, required: ['a'] } },
    },
    { type: 'OBJECT', properties: { a: { type: 'BOOLEAN' }, b: { type: 'STRING' } }, required: ['a'] },
    0,
  ],
  [
    { type: 'object', properties: { next: { $ref: '#' } } },
    { type: 'OBJECT', properties: { next: { type: 'OBJECT', properties: { next: { type: 'OBJECT' } } } } },
    1,
  ],
  [{ type: 'object', additionalProperties: { type: 'string' }, patternProperties: { a: {} } }, { type: 'OBJECT' }, 2],
];

test('each keyword becomes what it means to Google', () => {
  for (const [schema, written, warnings] of PAIRS) {
    const result = write(schema);
    const expected = schema['enum'] === undefined ? written : { ...written, description: 'N' };
    const actual = schema['enum'] === undefined ? result.schema : { ...result.schema, description: 'N' };
    assert.deepEqual([actual, result.warnings], [expected, warnings], JSON.stringify(schema));
  }
});

test('values that are not texts are described', () => {
  assert.deepEqual(write({ type: 'integer', enum: [1, 2] }).schema, { type: 'INTEGER', description: 'One of: [1,2]' });
});

test('a property called __proto__ is a property', () => {
  const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
  assert.equal(JSON.stringify(write(schema).schema), '{"type":"OBJECT","properties":{"__proto__":{"type":"STRING"}}}');
});

test('references that multiply, or a schema nested without end, are refused', () => {
  const $defs: Record<string, JsonObject> = { d0: { type: 'string' } };
  for (let level = 1; level < 40; level += 1)
    $defs[`d${level}`] = {
      type: 'object',
      properties: { a: { $ref: `#/$defs/d${level - 1}` }, b: { $ref: `#/$defs/d${level - 1}` } },
    };
  assert.throws(() => write({ $ref: '#/$defs/d39', $defs }), { code: 'unsupported_value', param: 'tools[0]' });
  let deep: JsonObject = { type: 'string' };
  for (let level = 0; level < 100; level += 1) deep = { type: 'array', items: deep };
  assert.throws(() => write(deep), { code: 'unsupported_value' });
  const parts = Array.from({ length: 20_000 }, (_, index) => ({ properties: { [`p${index}`]: {} } }));
  assert.throws(() => write({ allOf: parts }), { code: 'unsupported_value' });
});
