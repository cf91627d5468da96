/**
 * Goal: thinking by a budget is switched off in a relayed request exactly where Anthropic would refuse it, because the thoughts of another
 * vendor before an open call were removed. Method: tool loops whose last turn is of one vendor or the other, compared as text.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundOf } from '../fixtures/read-fixture.ts';
import { peek } from '../peek/peek.ts';
import { usualQuirks } from '../quirks.ts';
import { patchRequest } from './patch-request.ts';

const foreign = { type: 'thinking', thinking: 'Hm.', signature: 'tp1.google-gemini-v1.c2ln' };
const own = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
const call = { type: 'tool_use', id: 'c', name: 'f', input: { role: 'assistant', content: [] } };
const text = { type: 'text', text: '"role":"assistant"' };
const question = { role: 'user', content: 'When?' };
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'Noon' }] };
const said = (...content: object[]) => ({ role: 'assistant', content });
const BUDGET = { type: 'enabled', budget_tokens: 1024 };
const OFF = { type: 'disabled' };

function patched(thinking: object, messages: readonly object[], management?: object) {
  const body = { model: 'm', max_tokens: 4096, thinking, messages, context_management: management };
  const inbound = inboundOf(JSON.stringify(body));
  const edits = { model: 'm', outputCap: null, quirks: usualQuirks };
  const { body: bytes, warnings } = patchRequest(inbound, peek(inbound), edits);
  const sent = JSON.parse(bytes.toString());
  return { thinking: sent.thinking, messages: sent.messages, edits: sent.context_management?.edits, warnings };
}

test('after a call of another vendor it is off, and its thoughts are gone', () => {
  for (const blocks of [
    [foreign, call],
    [foreign, foreign, text, call],
    [text, foreign, call],
  ]) {
    const { thinking, messages, warnings } = patched(BUDGET, [question, said(...blocks), result]);
    assert.deepEqual(thinking, OFF);
    assert.deepEqual(messages, [question, said(...blocks.filter((block) => block !== foreign)), result]);
    assert.equal(warnings?.length, 2);
  }
});

test('in any other place it stays on', () => {
  const loops = [
    [question, said(foreign, call), result, said(own, call), result],
    [question, said(foreign, own, call), result],
    [question, said(foreign, text), question],
  ];
  for (const messages of loops) assert.deepEqual(patched(BUDGET, messages).thinking, BUDGET);
  for (const thinking of [{ type: 'adaptive' }, OFF])
    assert.deepEqual(patched(thinking, [question, said(foreign, call), result]).thinking, thinking);
  assert.deepEqual(patched(BUDGET, [question, said(call), result]).thinking, BUDGET);
});

test('what clears old thoughts is then left out, since it needs thinking', () => {
  const uses = { type: 'clear_tool_uses_20250919' };
  const thoughts = { type: 'clear_thinking_20251015', keep: 'all' };
  const loop = [question, said(foreign, call), result];
  assert.deepEqual(patched(BUDGET, loop, { edits: [thoughts, uses] }).edits, [uses]);
  assert.deepEqual(patched(BUDGET, loop, { edits: [thoughts] }).edits, []);
  assert.deepEqual(patched({ type: 'adaptive' }, loop, { edits: [thoughts] }).edits, [thoughts]);
});
