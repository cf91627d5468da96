/**
 * Goal: a thought that this gateway signed itself is taken out of a relayed request, and nothing else is. Method: bodies
 * as clients write them, odd spacing and texts that look like thoughts, compared as JSON and byte for byte.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splice } from '../../wire/json-splice.ts';
import { foreignThoughts } from './foreign-thoughts.ts';

const own = { type: 'thinking', thinking: 'mine {', signature: 'EqQBCgIYAhIM' };
const foreign = { type: 'thinking', thinking: 'a { brace } and a "quote"', signature: 'tp1.unknown.' };
const hidden = { type: 'redacted_thinking', data: 'tp1.openai-responses-v1.abc' };
const said = { type: 'text', text: 'I said "tp1.x" and {"type":"thinking","signature":"tp1.unknown."}' };
const call = { type: 'tool_use', id: 'c1', name: 'look', input: { type: 'thinking', note: { signature: 'x' } } };

function body(content: readonly object[], spaces = 0): Buffer {
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content },
  ];
  return Buffer.from(JSON.stringify({ model: 'm', messages }, null, spaces));
}

function contentOf(bytes: Buffer): unknown {
  return JSON.parse(splice(bytes, foreignThoughts(bytes)).toString()).messages[1].content;
}

for (const spaces of [0, 2]) {
  test(`wherever they stand, with ${spaces} spaces`, () => {
    assert.deepEqual(contentOf(body([foreign, said], spaces)), [said]);
    assert.deepEqual(contentOf(body([said, foreign], spaces)), [said]);
    assert.deepEqual(contentOf(body([foreign, own, hidden, foreign, call], spaces)), [own, call]);
    assert.deepEqual(contentOf(body([said, hidden, foreign], spaces)), [said]);
    assert.deepEqual(contentOf(body([foreign], spaces)), []);
  });
}

test('what only looks like one stays, byte for byte', () => {
  for (const content of [
    [own, said, call],
    [{ type: 'text', text: '"tp1.' }],
    [{ type: 'text', text: '{', note: 'tp1.x' }],
  ])
    assert.deepEqual(foreignThoughts(body(content)), []);
});

test('the order of the fields does not matter', () => {
  const turned = { signature: 'tp1.unknown.', thinking: 'x', type: 'thinking' };
  assert.deepEqual(contentOf(body([turned, said])), [said]);
});
