/**
 * Goal: numbers that a double cannot hold, and deeply nested arguments, survive a translation wherever values are
 * passed on: tool schemas, arguments and inputs, of requests, whole answers and streams, between all formats.
 * Method: requests and answers as text, since a parser would round what is tested; one of each for a format.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundOf } from '../../src/dialects/contract.ts';
import {
  type CallerDialectName,
  callerDialects,
  type ProviderDialectName,
  providerDialects,
} from '../../src/dialects/index.ts';
import { encodeEventLines } from '../support/event-stream.ts';
import { callerNames, providerNames } from './fixtures.ts';
import { openTarget, targetsOf } from './targets.ts';
import { readWhole, translateAnswer, translateStream } from './translate.ts';

const VALUES = '{"id":12345678901234567890,"far":1e400}';
const SCHEMA = '{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807}}}';
const DEEP = `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`;

/** A question, a call with `VALUES`, its result, and a tool with `SCHEMA`. */
const REQUESTS: { readonly [Name in CallerDialectName]?: string } = {
  'openai-chat': `{"model":"m","temperature":0.1234567890123456789,"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[
    {"id":"c1","type":"function","function":{"name":"f","arguments":${JSON.stringify(VALUES)}}}]},
    {"role":"tool","tool_call_id":"c1","content":"r"}],
    "tools":[{"type":"function","function":{"name":"f","parameters":${SCHEMA}}}]}`,
  'anthropic-messages': `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[
    {"type":"tool_use","id":"c1","name":"f","input":${VALUES}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}],
    "tools":[{"name":"f","input_schema":${SCHEMA}}]}`,
};

/** A whole answer that calls a tool with these arguments, written as the format has them: as an object, or as text. */
interface CallingAnswer {
  readonly whole: (called: string) => string;
  /** The same as a stream, where the arguments arrive in one piece. */
  readonly stream: (called: string) => string | Buffer;
  /** Whether arguments are text; those that are an object are read as well. */
  readonly asText: boolean;
}

const bytesOf = (stream: string | Buffer) => (typeof stream === 'string' ? Buffer.from(stream) : stream);
const sse = (...payloads: readonly string[]) => payloads.map((payload) => `data: ${payload}\n\n`).join('');
const namedSse = (...events: readonly (readonly [name: string, payload: string])[]) =>
  events.map(([name, payload]) => `event: ${name}\ndata: ${payload}\n\n`).join('');

const ANSWERS: { readonly [Name in ProviderDialectName]?: CallingAnswer } = {
  'openai-chat': {
    asText: true,
    whole: (
      called,
    ) => `{"id":"x","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":
      {"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":${called}}}]}}]}`,
    stream: (called) =>
      sse(
        `{"id":"x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments": ${called}}}]}}]}`,
        '{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
        '[DONE]',
      ),
  },
  'anthropic-messages': {
    asText: false,
    whole: (
      called,
    ) => `{"id":"x","type":"message","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":${called}}],
      "stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
    stream: (called) =>
      namedSse(
        ['message_start', '{"type":"message_start","message":{"id":"x"}}'],
        [
          'content_block_start',
          `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":${called}}}`,
        ],
        ['content_block_stop', '{"type":"content_block_stop","index":0}'],
        ['message_stop', '{"type":"message_stop"}'],
      ),
  },
  'bedrock-converse': {
    asText: false,
    whole: (called) =>
      `{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"f","input":${called}}}]}},
      "stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}`,
    stream: (called) =>
      encodeEventLines(
        `contentBlockStart {"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"c","name":"f"}}}
        contentBlockDelta {"contentBlockIndex":0,"delta":{"toolUse":{"input":${JSON.stringify(called)}}}}
        contentBlockStop {"contentBlockIndex":0}
        messageStop {"stopReason":"tool_use"}`,
      ),
  },
};

/** Whether JSON text holds a value, as a value or inside a string. */
function holds(text: string, value: string): boolean {
  return text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
}

test('every format has a request and an answer here', () => {
  assert.deepEqual(Object.keys(REQUESTS).sort(), [...callerNames].sort());
  assert.deepEqual(Object.keys(ANSWERS).sort(), [...providerNames].sort());
});

for (const from of callerNames) {
  test(`${from}: a request keeps the digits of schemas and arguments, for every provider`, () => {
    const dialect = callerDialects[from];
    const request = dialect.readRequest(inboundOf(dialect, REQUESTS[from] ?? ''));
    for (const to of providerNames) {
      for (const { target } of targetsOf(to)) {
        const written = providerDialects[to].writeRequest(request, target).body.toString();
        assert.ok(holds(written, VALUES), `${to}: ${written}`);
        assert.ok(holds(written, SCHEMA), `${to}: ${written}`);
      }
    }
  });
}

test('a temperature with more digits than a double holds is rounded', () => {
  const dialect = callerDialects['openai-chat'];
  const request = dialect.readRequest(inboundOf(dialect, REQUESTS['openai-chat'] ?? ''));
  const written = providerDialects['anthropic-messages'].writeRequest(request, openTarget).body.toString();
  assert.ok(written.includes('"temperature":0.12345678901234568'), written);
});

for (const from of providerNames) {
  const answer = ANSWERS[from];
  // The test above says so.
  if (answer === undefined) continue;
  const { whole, stream, asText } = answer;
  const spellings = asText ? [JSON.stringify(VALUES), VALUES] : [VALUES];

  test(`${from}: whole answers and streams keep the digits of arguments, for every caller`, () => {
    for (const to of callerNames) {
      for (const called of spellings) {
        const written = translateAnswer(from, to, Buffer.from(whole(called)))?.bytes.toString() ?? '';
        assert.ok(holds(written, VALUES), `${to}: ${written}`);
        const streamed = translateStream(from, to, bytesOf(stream(called))).bytes.toString();
        assert.ok(holds(streamed, VALUES), `${to}: ${streamed}`);
      }
    }
  });

  test(`${from}: an answer nested thousands of levels deep is invalid, whole and in a stream, and never an exception`, () => {
    assert.equal(readWhole(from, Buffer.from(whole(DEEP))), null);
    for (const to of callerNames) {
      assert.doesNotThrow(() => translateStream(from, to, bytesOf(stream(DEEP))));
      for (const payload of [`{"type":"error","error":{"message":${DEEP}}}`, `{"type":"ping","other":${DEEP}}`]) {
        assert.doesNotThrow(() => translateStream(from, to, Buffer.from(sse(payload))));
      }
    }
  });

  if (!asText) continue;
  test(`${from}: arguments nested that deep are passed as text`, () => {
    const response = readWhole(from, Buffer.from(whole(JSON.stringify(DEEP))));
    const [block] = response?.blocks ?? [];
    assert.deepEqual(block?.type === 'tool_call' && block.input, { _raw: DEEP });
    for (const to of callerNames) {
      const written = translateAnswer(from, to, Buffer.from(whole(JSON.stringify(DEEP))))?.bytes.toString() ?? '';
      assert.ok(holds(written, DEEP), to);
    }
  });
}
