/**
 * Goal: numbers that a double cannot hold, and deeply nested arguments, survive a translation wherever values are
 * passed on: tool schemas, arguments and inputs, of requests, whole answers and streams, in both directions.
 * Method: requests and answers as text, since a parser would round what is tested.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundOf } from '../../src/dialects/contract.ts';
import { relayDialects } from '../../src/dialects/index.ts';
import { openTarget } from './targets.ts';
import { translateAnswer, translateStream } from './translate.ts';

const openAi = relayDialects['openai-chat'];
const anthropic = relayDialects['anthropic-messages'];
const VALUES = '{"id":12345678901234567890,"far":1e400}';
const SCHEMA = '{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807}}}';
const DEEP = `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`;

test('a request for Anthropic keeps the digits of schemas and arguments', () => {
  const body = `{"model":"m","temperature":0.1234567890123456789,"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[
    {"id":"c1","type":"function","function":{"name":"f","arguments":${JSON.stringify(VALUES)}}}]},
    {"role":"tool","tool_call_id":"c1","content":"r"}],
    "tools":[{"type":"function","function":{"name":"f","parameters":${SCHEMA}}}]}`;
  const written = anthropic.writeRequest(openAi.readRequest(inboundOf(openAi, body)), openTarget).body.toString();
  assert.ok(written.includes(`"input":${VALUES}`), written);
  assert.ok(written.includes(`"input_schema":${SCHEMA}`), written);
  assert.ok(written.includes('"temperature":0.12345678901234568'), written);
});

test('a request for chat completions keeps the digits of schemas and inputs', () => {
  const body = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[
    {"type":"tool_use","id":"c1","name":"f","input":${VALUES}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}],
    "tools":[{"name":"f","input_schema":${SCHEMA}}]}`;
  const written = openAi.writeRequest(anthropic.readRequest(inboundOf(anthropic, body)), openTarget).body.toString();
  assert.ok(written.includes(`"arguments":${JSON.stringify(VALUES)}`), written);
  assert.ok(written.includes(`"parameters":${SCHEMA}`), written);
});

const completion = (called: string): Buffer =>
  Buffer.from(
    `{"id":"x","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":
      {"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":${called}}}]}}]}`,
  );
const message = (input: string): Buffer =>
  Buffer.from(
    `{"id":"x","type":"message","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":${input}}],
      "stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
  );

test('whole answers keep the digits of arguments and inputs', () => {
  for (const called of [JSON.stringify(VALUES), VALUES]) {
    const read = translateAnswer(openAi, anthropic, completion(called))?.bytes.toString() ?? '';
    assert.ok(read.includes(`"input":${VALUES}`), read);
  }
  const read = translateAnswer(anthropic, openAi, message(VALUES))?.bytes.toString() ?? '';
  assert.ok(read.includes(`"arguments":${JSON.stringify(VALUES)}`), read);
});

test('streams keep the digits of inputs that arrive in one piece', () => {
  const chunk = `{"id":"x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments": ${VALUES}}}]}}]}`;
  const end = '{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}';
  const chunks = Buffer.from(`data: ${chunk}\n\ndata: ${end}\n\ndata: [DONE]\n\n`);
  assert.ok(streamed(openAi, anthropic, chunks).includes(JSON.stringify(VALUES).slice(1, -1)));
  const start = `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":${VALUES}}}`;
  const events = `event: message_start\ndata: {"type":"message_start","message":{"id":"x"}}\n\nevent: content_block_start\ndata: ${start}\n\nevent: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`;
  assert.ok(streamed(anthropic, openAi, Buffer.from(events)).includes(JSON.stringify(VALUES).slice(1, -1)));
});

test('arguments nested thousands of levels deep are passed as text', () => {
  const read = translateAnswer(openAi, anthropic, completion(JSON.stringify(DEEP)))?.bytes.toString() ?? '';
  assert.deepEqual(JSON.parse(read).content[0].input, { _raw: DEEP });
});

test('an answer nested that deep is invalid, whole and in a stream, and never an exception', () => {
  assert.equal(translateAnswer(openAi, anthropic, completion(DEEP)), null);
  assert.equal(translateAnswer(anthropic, openAi, message(DEEP)), null);
  for (const [from, to] of [[openAi, anthropic] as const, [anthropic, openAi] as const]) {
    for (const payload of [
      `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":${DEEP}},"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":${DEEP}}}]}}]}`,
      `{"type":"error","error":{"message":${DEEP}}}`,
      `{"type":"ping","choices":[{"index":0,"delta":{"content":"a","other":${DEEP}}}]}`,
    ]) {
      assert.doesNotThrow(() => translateStream(from, to, Buffer.from(`data: ${payload}\n\n`)));
    }
  }
});

function streamed(...call: Parameters<typeof translateStream>): string {
  return translateStream(...call).bytes.toString();
}
