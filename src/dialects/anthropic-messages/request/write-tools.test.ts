/**
 * Goal: tools and the tool choice reach the provider with the caller's meaning, in its format. Method: choices and schemas one by one,
 * including those that the API would refuse.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatRequest } from '../../../chat/request.ts';
import { ahoy, assistant, callOf, high, resultOf, tool, type Varied, write } from '../fixtures/write-fixture.ts';

const budget: Varied = { thinking: 'budget' };

test('the choice of tools', () => {
  const choice = (fields: Partial<ChatRequest>, to: Varied = {}) =>
    write({ tools: [tool], ...fields }, to).body.tool_choice;
  assert.equal(choice({}), undefined);
  assert.deepEqual(choice({ toolChoice: { type: 'required' } }), { type: 'any' });
  assert.deepEqual(choice({ toolChoice: { type: 'none' }, parallelTools: false }), { type: 'none' });
  assert.deepEqual(choice({ parallelTools: false }), { type: 'auto', disable_parallel_tool_use: true });
  assert.deepEqual(choice({ toolChoice: { type: 'tool', name: 'look' } }), { type: 'tool', name: 'look' });
  assert.deepEqual(choice({ toolChoice: { type: 'required' }, reasoning: high }, budget), { type: 'auto' });
  assert.equal(choice({ tools: [], parallelTools: false }), undefined);
});

test('a schema has an object at its root, and keeps its keywords', () => {
  const schemaOf = (schema: ChatRequest['tools'][number]['schema']) =>
    write({ tools: [{ ...tool, schema }] }).body.tools[0].input_schema;
  const plain = { $schema: 'x', type: 'object', additionalProperties: false, properties: { a: { const: 1 } } };
  assert.deepEqual(schemaOf(plain), plain);
  assert.deepEqual(schemaOf({}), { type: 'object', properties: {} });
  const union = {
    $defs: { B: { type: 'object', properties: { b: {}, kind: { const: 'b' } }, required: ['b'] } },
    properties: { id: { type: 'string' } },
    required: ['id'],
    anyOf: [{ properties: { kind: { const: 'a' } } }, { $ref: '#/$defs/B' }],
  };
  assert.deepEqual(schemaOf(union), {
    $defs: union.$defs,
    type: 'object',
    properties: { id: { type: 'string' }, kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, b: {} },
    required: ['id'],
  });
  const odd = JSON.parse('{"allOf":[null,7,{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}]}');
  assert.deepEqual(Object.keys(schemaOf(odd)['properties']), ['__proto__']);
});

test('a tool whose name the API would refuse is refused', () => {
  for (const name of ['', 'a.b', 'x'.repeat(129)]) {
    assert.throws(() => write({ tools: [{ ...tool, name }] }), { code: 'invalid_value', param: 'tools[0].name' });
  }
});

test('a history with calls includes their tools, though none may be called', () => {
  const { body, warnings } = write({
    turns: [ahoy, assistant(callOf('a', 'functions.look')), { role: 'user', blocks: [resultOf('a')] }],
  });
  assert.deepEqual(body.tools, [{ name: 'functions_look', input_schema: { type: 'object', properties: {} } }]);
  assert.equal(body.messages[1].content[0].name, 'functions_look');
  assert.deepEqual([body.tool_choice, warnings.length], [{ type: 'none' }, 1]);
});
