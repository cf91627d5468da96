/**
 * Goal: numbers that a double cannot hold, and deeply nested arguments, survive a translation wherever values are
 * passed on: tool schemas, arguments and inputs, of requests, whole answers and streams, between all formats.
 * Method: requests and answers as text, since a parser would round what is tested; one of each for a format.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundOf } from '../../src/dialects/contract.ts';
import { callerDialects, providerDialects } from '../../src/dialects/index.ts';
import { encodeStream } from './encode-stream.ts';
import { callerNames, providerNames } from './fixtures.ts';
import { openTarget, targetsOf } from './targets.ts';
import { readWhole, translateAnswer, translateStream } from './translate.ts';

const VALUES = '{"id":12345678901234567890,"far":1e400}';
const SCHEMA = '{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807}}}';
const DEEP = `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`;

/** A question, a call with `VALUES`, its result, and a tool with `SCHEMA`. */
const REQUESTS: Readonly<Record<string, string>> = {
  'openai-chat': `{"model":"m","temperature":0.1234567890123456789,"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[
    {"id":"c1","type":"function","function":{"name":"f","arguments":${JSON.stringify(VALUES)}}}]},
    {"role":"tool","tool_call_id":"c1","content":"r"}],
    "tools":[{"type":"function","function":{"name":"f","parameters":${SCHEMA}}}]}`,
  'anthropic-messages': `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[
    {"type":"tool_use","id":"c1","name":"f","input":${VALUES}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}],
    "tools":[{"name":"f","input_schema":${SCHEMA}}]}`,
  'openai-responses': `{"model":"m","input":[{"role":"user","content":"q"},
    {"type":"function_call","call_id":"c1","name":"f","arguments":${JSON.stringify(VALUES)}},
    {"type":"function_call_output","call_id":"c1","output":"r"}],
    "tools":[{"type":"function","name":"f","strict":false,"parameters":${SCHEMA}}]}`,
  gemini: `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"id":"c1","name":"f","args":${VALUES}}}]},
    {"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"result":"r"}}}]}],
    "tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":${SCHEMA}}]}]}`,
};

/** A whole answer that calls a tool with these arguments, written as the format has them: as an object, or as text. */
interface CallingAnswer {
  readonly whole: (called: string) => string;
  /** The payloads of the same as a stream, where the arguments arrive in one piece. */
  readonly stream: (called: string) => readonly string[];
  /** Whether arguments are text: always, never, or only in streams. Where they may be either, those that are an object are read as well. */
  readonly asText: 'either' | 'always' | 'in streams' | 'never';
}

const ANSWERS: Readonly<Record<string, CallingAnswer>> = {
  'openai-chat': {
    asText: 'either',
    whole: (
      called,
    ) => `{"id":"x","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":
      {"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":${called}}}]}}]}`,
    stream: (called) => [
      `{"id":"x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments": ${called}}}]}}]}`,
      '{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
      '[DONE]',
    ],
  },
  'anthropic-messages': {
    asText: 'never',
    whole: (
      called,
    ) => `{"id":"x","type":"message","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":${called}}],
      "stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
    stream: (called) => [
      '{"type":"message_start","message":{"id":"x"}}',
      `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":${called}}}`,
      '{"type":"content_block_stop","index":0}',
      '{"type":"message_stop"}',
    ],
  },
  'openai-responses': {
    asText: 'always',
    whole: (
      called,
    ) => `{"id":"resp_1","object":"response","status":"completed","error":null,"incomplete_details":null,"output":[
      {"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":${called},"status":"completed"}]}`,
    stream: (called) => {
      const item = (json: string) =>
        `{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":${json}}`;
      const response = (status: string, output: string) =>
        `{"id":"resp_1","object":"response","status":"${status}","output":[${output}]}`;
      return [
        `{"type":"response.created","sequence_number":0,"response":${response('in_progress', '')}}`,
        `{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":${item('""')}}`,
        `{"type":"response.function_call_arguments.delta","sequence_number":2,"output_index":0,"item_id":"fc_1","delta":${called}}`,
        `{"type":"response.function_call_arguments.done","sequence_number":3,"output_index":0,"item_id":"fc_1","arguments":${called}}`,
        `{"type":"response.output_item.done","sequence_number":4,"output_index":0,"item":${item(called)}}`,
        `{"type":"response.completed","sequence_number":5,"response":${response('completed', item(called))}}`,
      ];
    },
  },
  gemini: {
    asText: 'never',
    whole: (called) => `{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[
      {"functionCall":{"id":"c1","name":"f","args":${called}}}]}}]}`,
    stream: (called) => [
      `{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"id":"c1","name":"f","args":${called}}}]}}]}`,
      '{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"text":""}]}}]}',
    ],
  },
  'bedrock-converse': {
    asText: 'in streams',
    whole: (
      called,
    ) => `{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"f","input":${called}}}]}},
      "stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}`,
    stream: (called) => [
      '{"messageStart":{"role":"assistant"}}',
      '{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"c1","name":"f"}}}}',
      `{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"toolUse":{"input":${called}}}}}`,
      '{"contentBlockStop":{"contentBlockIndex":0}}',
      '{"messageStop":{"stopReason":"tool_use"}}',
      '{"metadata":{"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}}',
    ],
  },
};

/** Whether JSON text holds a value, as a value or inside a string. */
function holds(text: string, value: string): boolean {
  return text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
}

test('every format has a request and an answer here', () => {
  assert.deepEqual(
    [callerNames.filter((name) => !(name in REQUESTS)), providerNames.filter((name) => !(name in ANSWERS))],
    [[], []],
  );
});

for (const from of callerNames) {
  test(`${from}: a request keeps the digits of schemas and arguments, for every provider`, () => {
    const dialect = callerDialects[from];
    const request = dialect.readRequest(inboundOf(dialect, REQUESTS[from] ?? ''));
    for (const to of providerNames) {
      for (const { target } of targetsOf(to)) {
        const written = JSON.stringify(providerDialects[to].writeRequest(request, target).body);
        assert.ok(holds(written, VALUES), `${to}: ${written}`);
        assert.ok(holds(written, SCHEMA), `${to}: ${written}`);
      }
    }
  });
}

for (const from of callerNames) {
  test(`${from}: a request to count keeps them too, wherever a provider counts`, () => {
    const dialect = callerDialects[from];
    const request = dialect.readRequest(inboundOf(dialect, REQUESTS[from] ?? ''));
    for (const to of providerNames) {
      for (const { target } of targetsOf(to)) {
        const counted = providerDialects[to].counter?.writeRequest(request, target);
        if (counted === undefined) continue;
        const written = JSON.stringify(counted.body);
        assert.ok(holds(written, VALUES) && holds(written, SCHEMA), `${to}: ${written}`);
      }
    }
  });
}

test('a temperature with more digits than a double holds is rounded', () => {
  const dialect = callerDialects['openai-chat'];
  const request = dialect.readRequest(inboundOf(dialect, REQUESTS['openai-chat'] ?? ''));
  const written = JSON.stringify(providerDialects['anthropic-messages'].writeRequest(request, openTarget).body);
  assert.ok(written.includes('"temperature":0.12345678901234568'), written);
});

for (const from of providerNames) {
  const answer = ANSWERS[from];
  // The test above says so.
  if (answer === undefined) continue;
  const { whole, stream, asText } = answer;
  const bytesOf = (payloads: readonly string[]) => encodeStream(from, payloads);
  const text = JSON.stringify(VALUES);
  const wholeSpellings = asText === 'either' ? [text, VALUES] : [asText === 'always' ? text : VALUES];
  const streamSpellings = asText === 'either' ? [text, VALUES] : [asText === 'never' ? VALUES : text];

  test(`${from}: whole answers and streams keep the digits of arguments, for every caller`, () => {
    for (const to of callerNames) {
      for (const called of wholeSpellings) {
        const written = translateAnswer(from, to, Buffer.from(whole(called)))?.bytes.toString() ?? '';
        assert.ok(holds(written, VALUES), `${to}: ${written}`);
      }
      for (const called of streamSpellings) {
        const streamed = translateStream(from, to, bytesOf(stream(called))).bytes.toString();
        assert.ok(holds(streamed, VALUES), `${to}: ${streamed}`);
      }
    }
  });

  test(`${from}: an answer nested thousands of levels deep is invalid, whole and in a stream, and never an exception`, () => {
    if (asText !== 'always') assert.equal(readWhole(from, Buffer.from(whole(DEEP))), null);
    for (const to of callerNames) {
      for (const payloads of [
        stream(DEEP),
        [`{"type":"error","error":{"message":${DEEP}}}`],
        [`{"x":{"other":${DEEP}}}`],
      ])
        assert.doesNotThrow(() => translateStream(from, to, bytesOf(payloads)));
    }
  });

  if (asText === 'never' || asText === 'in streams') continue;
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
