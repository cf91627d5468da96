/**
 * Goal: a thought that a caller sends back keeps its signature, whose it is, and its id. Method: messages as clients
 * of OpenRouter and of vendors with text alone keep them, against the blocks they stand for.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from './json-value.ts';
import { readReasoningBack } from './read-reasoning-back.ts';

test('thoughts that are sent back keep what belongs to them (traps 17 and 18)', () => {
  const rows: readonly (readonly [object, readonly unknown[]])[] = [
    [{ reasoning: 'r' }, [thought('r')]],
    [{ reasoning_content: 'r', reasoning: null }, [thought('r')]],
    [
      { reasoning: 'twice', reasoning_details: [{ type: 'reasoning.summary', summary: 's', format: null }] },
      [thought('s', { summary: true })],
    ],
    [
      { reasoning_details: [{ type: 'reasoning.text', text: '', signature: 'g', format: 'anthropic-claude-v1' }] },
      [thought('', { signature: 'g', origin: 'anthropic-claude-v1' })],
    ],
    [{ reasoning_details: [{ type: 'reasoning.text', text: '', format: 'x' }] }, []],
    [
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'd', id: 'rs_1', format: 'openai-responses-v1' }] },
      [thought('', { encrypted: 'd', origin: 'openai-responses-v1', id: 'rs_1' })],
    ],
    [
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'a', id: 'rs_2', format: 'x', index: 0 },
          { type: 'reasoning.text', text: 'b', id: null, format: 'x', index: 0 },
          { type: 'reasoning.text', text: 'c', id: 'rs_3', format: 'x', index: 0 },
        ],
      },
      [thought('ab', { origin: 'x', id: 'rs_2' }), thought('c', { origin: 'x', id: 'rs_3' })],
    ],
  ];
  for (const [fields, blocks] of rows) {
    assert.deepEqual(readReasoningBack(fields as JsonObject, 'messages[1]', new Set()), blocks);
  }
});

test('an id that is no text is a 400 that names its place', () => {
  const message = { reasoning_details: [{ type: 'reasoning.text', text: 'x', id: 7 }] };
  const param = 'messages[1].reasoning_details[0].id';
  assert.throws(() => readReasoningBack(message, 'messages[1]', new Set()), { code: 'invalid_value', param });
});

test('entries of a kind nobody knows are left out, and the caller is told', () => {
  const warnings = new Set<string>();
  const message = { reasoning_details: [{ type: 'reasoning.server_tool_call', tool_name: 'x' }] };
  assert.deepEqual(readReasoningBack(message, 'messages[1]', warnings), []);
  assert.equal(warnings.size, 1);
});

function thought(value: string, opaque: object = {}): object {
  return { type: 'reasoning', text: value, signature: null, encrypted: null, origin: 'unknown', ...opaque };
}
