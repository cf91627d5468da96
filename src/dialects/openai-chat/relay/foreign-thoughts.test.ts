/** Goal: a relayed request loses `reasoning_details` of messages where a provider refuses them, and nothing else. Method: conversations compared as text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundOf } from '../../contract.ts';
import { openaiChat } from '../openai-chat.ts';
import { usualQuirks } from '../quirks.ts';

const DETAILS = '"reasoning_details":[{"type":"reasoning.text","text":"}],{\\"reasoning_details\\":1","index":0}]';

function patched(body: string, reasoningDetails = false) {
  const inbound = inboundOf(openaiChat, body);
  const quirks = { ...usualQuirks, reasoningDetails };
  const edits = { model: 'vendor/x', outputCap: null, quirks };
  const { body: bytes, warnings } = openaiChat.patchRequest(inbound, openaiChat.peek(inbound), edits);
  return { text: bytes.toString(), warnings: warnings?.length ?? 0 };
}

function bodyOf(messages: readonly string[]): string {
  return `{"model":"vendor/x", "max_tokens":9 ,"messages":[ ${messages.join(' , ')} ]}`;
}

const user = '{"role":"user","content":"reasoning_details"}';

test('the field is removed from every message, wherever it is in it', () => {
  const with_ = [`{"role":"assistant","content":"a", ${DETAILS} }`, user, `{${DETAILS},"role":"assistant"}`, user];
  const without = ['{"role":"assistant","content":"a" }', user, '{"role":"assistant"}', user];
  assert.deepEqual(patched(bodyOf(with_)), { text: bodyOf(without), warnings: 1 });
  assert.deepEqual(patched(bodyOf(without)), { text: bodyOf(without), warnings: 0 });
});

test('a provider that knows the field gets it', () => {
  const body = bodyOf([`{"role":"assistant",${DETAILS}}`, user]);
  assert.deepEqual(patched(body, true), { text: body, warnings: 0 });
});

test('the same name elsewhere is left alone', () => {
  const call = `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}",${DETAILS}}}]}`;
  const body = bodyOf([call, `{"role":"user","content":[{"type":"text","text":"x",${DETAILS}}]}`]);
  assert.equal(patched(body).text, body);
});
