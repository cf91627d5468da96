/**
 * Goal: every way to name something that a provider keeps is seen, and nothing else is taken for one. Method: tables of inputs.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scanJson } from '../../../wire/json-scan.ts';
import { WALKED_VALUES_MAX } from '../../kit/peek/walked-values.ts';
import { openaiResponses } from '../openai-responses.ts';
import { peek } from './peek.ts';

function peekOf(body: object | string): ReturnType<typeof peek> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const document = scanJson(bytes, openaiResponses.scan);
  return peek({ document, headers: {}, path: '/api/v1/responses', query: '', parameters: {} });
}

function storedIn(...input: readonly object[]) {
  return peekOf({ model: 'm', input }).stored;
}

const message = { type: 'message', id: 'msg_1', role: 'user', content: 'hi' };

describe('what a request names of what a provider keeps', () => {
  test('is nothing in a request with all of its content', () => {
    const whole = [
      message,
      { role: 'user', id: 'msg_2', content: 'hi' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"id":"item_reference"}' },
      { type: 'function_call_output', id: null, call_id: 'c', output: 'done' },
      { type: 'image_generation_call', id: 'ig_1', result: 'aGk=' },
    ];
    assert.equal(storedIn(...whole), undefined);
    assert.equal(peekOf({ model: 'm', input: 'hi' }).stored, undefined);
    assert.equal(peekOf({ model: 'm', input: 'hi' }).promptUnbounded, false);
  });

  test('is an earlier answer, and then the body does not bound the prompt', () => {
    const read = peekOf({ model: 'm', input: 'hi', previous_response_id: 'resp_1' });
    assert.deepEqual(read.stored, [{ id: 'resp_1', param: 'previous_response_id', isCertain: true }]);
    assert.equal(read.promptUnbounded, true);
    assert.equal(peekOf({ model: 'm', input: 'hi', previous_response_id: null }).stored, undefined);
  });

  for (const [what, item] of [
    ['its type', '{"type":"item_reference","id":"x_1"}'],
    ['no type', '{"id":"x_1"}'],
    ['a null type', '{"id":"x_1","type":null}'],
    ['a type with an escape', '{"id":"x_1","type":"item_referenc\\u0065"}'],
  ] as const)
    test(`is an item, by ${what}`, () => {
      const { stored, promptUnbounded } = peekOf(`{"model":"m","input":[${item}]}`);
      assert.deepEqual(stored, [{ id: 'x_1', param: 'input[].id', isCertain: true }]);
      assert.equal(promptUnbounded, true);
    });

  for (const item of [
    '{"type":"item_reference","id":"own_1","id":"x_1"}',
    '{"type":"item_reference","id":"own_1","i\\u0064":"x_1"}',
    '{"id":"x_1","role":"user","content":"x","typ\\u0065":"item_reference"}',
    '{"id":"x_1","type":"item_reference","type":"message","role":"user"}',
    '{"id":"x_1","type":"message","role":"user","type":"reasoning","encrypted_content":"x"}',
    '{"type":"reasoning","id":"x_1","encrypted_content":"x","encrypted_content":null}',
    '{"type":"reasoning","id":"x_1","encrypted_content":"x","encrypted_conten\\u0074":null}',
    '{"type":"image_generation_call","id":"x_1","result":"aGk=","result":null}',
  ])
    test(`is not taken from an item that two parsers read differently: ${item}`, () => {
      assert.throws(() => peekOf(`{"model":"m","input":[${item}]}`), { code: 'duplicate_key', param: 'input' });
    });

  test('may be the container that an earlier tool ran in', () => {
    const call = { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', code: 'x', outputs: null };
    const environment = { type: 'container_reference', container_id: 'cntr_2' };
    assert.deepEqual(storedIn(call, { type: 'shell_call', call_id: 'c', environment }), [
      { id: 'cntr_1', param: 'input[].container_id', isCertain: false },
      { id: 'cntr_2', param: 'input[].environment.container_id', isCertain: false },
    ]);
    const annotations = [{ type: 'container_file_citation', container_id: 'cntr_1', file_id: 'cfile_1' }];
    const content = [{ type: 'output_text', text: 'hi', annotations }];
    assert.equal(storedIn({ type: 'message', role: 'assistant', content }), undefined);
  });

  for (const item of [
    { type: 'reasoning', id: 'x_1', summary: [] },
    { type: 'reasoning', id: 'x_1', summary: [], encrypted_content: null },
    { type: 'reasoning', id: 'x_1', encrypted_content: '' },
    { type: 'image_generation_call', id: 'x_1' },
    { type: 'compaction', id: 'x_1' },
  ])
    test(`may be an item without its content: ${JSON.stringify(item)}`, () => {
      const isThought = item.type === 'reasoning';
      const expected = { id: 'x_1', param: 'input[].id', isCertain: false, ...(isThought && { isThought }) };
      assert.deepEqual(storedIn(item), [expected]);
    });

  test('is refused if an id is not a text, or too long', () => {
    for (const id of [7, { a: 1 }, ['x'], 'x'.repeat(600)])
      assert.throws(() => storedIn({ type: 'item_reference', id }), { code: 'invalid_value', param: 'input[].id' });
    assert.throws(() => peekOf({ model: 'm', input: 'x', previous_response_id: 7 }), { code: 'invalid_value' });
  });

  test('is refused if it is more than can be looked up for a call', () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({ type: 'item_reference', id: `x_${index}` }));
    assert.equal(storedIn(...many.slice(1))?.length, 1000);
    assert.throws(() => storedIn(...many), { code: 'invalid_value', param: 'input' });
  });

  test('is not a conversation, a prompt or a file, which are refused', () => {
    for (const field of ['conversation', 'prompt', 'data_sources', 'agent', 'agent_reference'])
      assert.throws(() => peekOf({ model: 'm', input: 'x', [field]: 'x_1' }), { code: 'field_not_allowed' });
  });

  test('is nothing that a tool names, which is refused', () => {
    const skills = [{ type: 'skill_reference', skill_id: 'x_1' }];
    const tools: readonly object[] = [
      { type: 'mcp', server_label: 'm', tunnel_id: 'x_1' },
      { type: 'shell', environment: { type: 'container_auto', skills } },
      { type: 'shell', environment: { type: 'container_reference', container_id: 'x_1' } },
      { type: 'azure_ai_search', azure_ai_search: { indexes: [{ project_connection_id: 'x_1' }] } },
    ];
    for (const tool of tools)
      for (const fields of [
        { tools: [tool] },
        { input: [{ type: 'additional_tools', role: 'developer', tools: [tool] }] },
      ])
        assert.throws(() => peekOf({ model: 'm', input: 'x', ...fields }), { code: 'field_not_allowed' });
    const call = { type: 'shell_call', call_id: 'c', environment: { type: 'local', skills } };
    assert.throws(() => storedIn(call), { code: 'field_not_allowed', param: 'input[].environment.skills[].skill_id' });
    const parameters = { type: 'object', properties: { tunnel_id: {}, skill_id: { skill_id: 1 } } };
    assert.equal(
      peekOf({ model: 'm', input: 'x', tools: [{ type: 'function', name: 'f', parameters }] }).stored,
      undefined,
    );
  });

  test('is not in the instructions, which are a text', () => {
    const instructions = [{ role: 'developer', content: [{ type: 'input_file', file_id: 'x_1' }] }];
    const refused = { code: 'invalid_value', param: 'instructions' };
    assert.throws(() => peekOf({ model: 'm', input: 'x', instructions }), refused);
    assert.throws(() => peekOf({ model: 'm', input: 'x', instructions: instructions[0] }), refused);
    assert.equal(peekOf({ model: 'm', input: 'x', instructions: 'be kind' }).stored, undefined);
  });
});

test('the provider keeps the answer unless the caller says no', () => {
  const stores = (fields: object) => peekOf({ model: 'm', input: 'x', ...fields }).storesAnswer;
  assert.deepEqual([stores({}), stores({ store: null }), stores({ store: true })], [true, true, true]);
  assert.equal(stores({ store: false }), false);
});

test('a request with more values than are walked in one turn may not have items with ids', () => {
  const numbers = JSON.stringify(Array(WALKED_VALUES_MAX).fill(1));
  const bodyWith = (item: string) => `{"model":"m","input":[${item}],"metadata":${numbers}}`;
  assert.equal(peekOf(bodyWith('{"role":"user","content":"x"}')).stored, undefined);
  assert.throws(() => peekOf(bodyWith('{"role":"user","content":"x","id":"msg_1"}')), {
    code: 'invalid_value',
    param: 'input[].id',
  });
});
