/**
 * Goal: a thought that a caller sends back keeps its signature, its vendor, and its id. Method: messages as clients of OpenRouter and of
 * vendors with only text keep them, with the expected blocks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../core/json-object.ts';
import { readReasoningBack } from './read-reasoning-back.ts';

test('thoughts that are sent back keep their details (traps 17 and 18)', () => {
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

test('pieces of our own streams are understood however a client has assembled them', () => {
  const format = 'anthropic-claude-v1';
  const text = { type: 'reasoning.text' };
  const [shown, hidden] = [
    thought('ab', { signature: 's', origin: format }),
    thought('', { encrypted: 'd', origin: format }),
  ];
  const pieces = [
    { ...text, text: 'a', id: null, format, index: 0 },
    { ...text, text: 'b', index: 0 },
    { ...text, signature: 's', index: 0 },
    { type: 'reasoning.encrypted', data: 'd', id: null, format, index: 1 },
  ];
  const repeated = [
    { ...text, signature: 's', id: null, format, index: 2 },
    { type: 'reasoning.encrypted', data: 'd', id: null, format, index: 3 },
  ];
  const joined = [{ ...text, text: 'ab', signature: 's', id: null, format, index: 0 }, pieces[3]];
  const rows: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
    ['all kept apart', [...pieces, ...repeated], [shown, hidden]],
    ['joined by index', [...joined, ...repeated], [shown, hidden]],
    ['the last chunk only', repeated, [thought('', { signature: 's', origin: format }), hidden]],
    ['the last chunk first', [...repeated, ...joined], [shown, hidden]],
    ['a format that later pieces took away', [{ ...joined[0], format: null }, ...repeated], [shown, hidden]],
    ['strings added up', [{ ...joined[0], format: format.repeat(3), id: null }], [shown]],
    [
      'all strings added up',
      [{ ...joined[0], format: format.repeat(3), id: 'rs_1'.repeat(3) }],
      [{ ...shown, id: 'rs_1' }],
    ],
    ['an id that repeats itself', [{ ...joined[0], id: 'rsrs' }], [{ ...shown, id: 'rsrs' }]],
    ['no vendor named', [{ ...text, text: 'x', index: 7 }], [thought('x')]],
    [
      'a summary that was signed',
      [{ ...text, summary: 'z', signature: 's', format, index: 0 }],
      [thought('z', { signature: 's', origin: format })],
    ],
  ];
  for (const [what, reasoning_details, blocks] of rows) {
    assert.deepEqual(readReasoningBack({ reasoning_details }, 'messages[1]', new Set()), blocks, what);
  }
});

test('an id that is not a string is a 400 that names its path', () => {
  const message = { reasoning_details: [{ type: 'reasoning.text', text: 'x', id: 7 }] };
  const param = 'messages[1].reasoning_details[0].id';
  assert.throws(() => readReasoningBack(message, 'messages[1]', new Set()), { code: 'invalid_value', param });
});

test('entries of an unknown type are left out, and the caller is warned', () => {
  const warnings = new Set<string>();
  const message = { reasoning_details: [{ type: 'reasoning.server_tool_call', tool_name: 'x' }] };
  assert.deepEqual(readReasoningBack(message, 'messages[1]', warnings), []);
  assert.equal(warnings.size, 1);
});

function thought(value: string, opaque: object = {}): object {
  return { type: 'reasoning', text: value, signature: null, encrypted: null, origin: 'unknown', ...opaque };
}
