/** Goal: any schema of an answer becomes one that the Messages API accepts, and nothing of it is lost. Method: pairs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../chat/request.ts';
import { answerSchema, isExpressible } from './answer-schema.ts';

function write(schema: JsonObject): { readonly schema: JsonObject; readonly warnings: number } {
  const warnings = new Set<string>();
  return { schema: answerSchema(schema, warnings), warnings: warnings.size };
}

test('a closed schema without limits does not change', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      minimum: { type: 'string', enum: ['a'] },
      list: { type: 'array', items: { type: 'number' }, minItems: 1 },
    },
    required: ['minimum'],
    additionalProperties: false,
  };
  assert.deepEqual(write(schema), { schema, warnings: 0 });
});

test('objects are closed at every level', () => {
  const open: JsonObject = { type: 'object', properties: {}, additionalProperties: true };
  const closed: JsonObject = { type: 'object', properties: {}, additionalProperties: false };
  const around = (object: JsonObject): JsonObject => ({
    ...closed,
    properties: {
      direct: object,
      listed: { type: 'array', items: object },
      either: { anyOf: [object, { type: 'null' }] },
    },
    $defs: { named: object },
  });
  assert.deepEqual(write(around(open)), { schema: around(closed), warnings: 1 });
});

test('limits are added to the description', () => {
  const { schema, warnings } = write({ type: 'integer', minimum: 0, maximum: 9, description: 'A digit.' });
  assert.deepEqual(schema, { type: 'integer', description: 'A digit.\n\n{minimum: 0, maximum: 9}' });
  assert.equal(warnings, 1);
});

test('oneOf is written as anyOf', () => {
  assert.deepEqual(write({ oneOf: [{ type: 'null' }] }).schema, { anyOf: [{ type: 'null' }] });
});

test('a map cannot be expressed at any level', () => {
  const maps: readonly JsonObject[] = [
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } },
    { type: 'object', additionalProperties: true },
    { type: 'object', properties: {}, additionalProperties: true },
    { type: ['object', 'null'] },
    { type: 'object', patternProperties: { '^a': { type: 'string' } }, additionalProperties: false },
  ];
  for (const map of maps) {
    for (const schema of [
      map,
      { type: 'object', properties: { a: map }, additionalProperties: false },
      { type: 'array', items: map },
      { anyOf: [map, { type: 'null' }] },
      { $ref: '#/$defs/a', $defs: { a: map } },
    ] satisfies JsonObject[]) {
      assert.equal(isExpressible(schema), false, JSON.stringify(schema));
    }
  }
  const expressible: readonly JsonObject[] = [
    { type: 'object', properties: { a: { type: 'string' } } },
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
    { type: 'object', properties: {}, additionalProperties: false },
    { type: 'object', additionalProperties: false },
    { type: 'object', anyOf: [{ type: 'object', properties: { a: {} } }] },
    { type: 'string' },
  ];
  for (const schema of expressible) assert.equal(isExpressible(schema), true, JSON.stringify(schema));
});

test('a property called __proto__ is a property', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"}},"additionalProperties":false}',
  );
  assert.equal(JSON.stringify(write(schema).schema), JSON.stringify(schema));
});
