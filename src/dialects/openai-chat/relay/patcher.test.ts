/**
 * Goal: the edits of an answer are the published ones, and a client sees the form it expects.
 * Method: single frames before and after, and a property over generated chunks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf } from '../../../core/body.ts';
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { inboundOf } from '../../contract.ts';
import type { Relay } from '../../interface/relay.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { openaiChat } from '../openai-chat.ts';

const ASKED = true;
const UNASKED = false;

test('a caller that did not ask for usage gets no null usage, wherever it is', () => {
  const relay = open(UNASKED);
  const rows: readonly (readonly [string, string])[] = [
    ['{"model":"up","choices":[{}],"usage":null}', '{"model":"mine","choices":[{}]}'],
    [
      '{"model":"up","choices":[{}] , "usage" : null , "obfuscation":"x"}',
      '{"model":"mine","choices":[{}]  , "obfuscation":"x"}',
    ],
    ['{"usage":null,"choices":[{}],"model":"up"}', '{"choices":[{}],"model":"mine"}'],
    ['{ "usage":null }', '{  }'],
    [
      '{"model":"up","choices":[{"usage":null}],"x_groq":{"usage":null}}',
      '{"model":"mine","choices":[{"usage":null}],"x_groq":{"usage":null}}',
    ],
    [
      '{"model":"up","choices":[{"delta":{"content":",\\"usage\\":null"}}]}',
      '{"model":"mine","choices":[{"delta":{"content":",\\"usage\\":null"}}]}',
    ],
  ];
  for (const [before, after] of rows) assert.equal(patch(relay, before), after);
});

test('without asking a caller gets one empty choice on the usage chunk; otherwise OpenAI’s own form', () => {
  const chunk = '{"model":"up","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}';
  const choice = '{"index":0,"delta":{},"finish_reason":null}';
  assert.equal(
    patch(open(UNASKED), chunk),
    `{"model":"mine","choices":[${choice}],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.00125}}`,
  );
  assert.equal(
    patch(open(ASKED), chunk),
    '{"model":"mine","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.00125}}',
  );
  assert.equal(patch(open(ASKED), '{"choices":[{}],"usage":null}'), '{"choices":[{}],"usage":null}');
});

test('an empty list of choices without usage stays empty', () => {
  const chunk = '{"choices":[],"model":"up","prompt_filter_results":[]}';
  assert.equal(patch(open(UNASKED), chunk), '{"choices":[],"model":"mine","prompt_filter_results":[]}');
});

test('the cost is the price that the caller pays, never what the operator paid', () => {
  const usage = (inner: string) => `{"usage":{${inner}}}`;
  assert.equal(
    patch(open(ASKED), usage('"total_tokens":3,"cost":9.5,"is_byok":true')),
    usage('"total_tokens":3,"cost":0.00125,"is_byok":true'),
  );
  assert.equal(patch(open(ASKED, null), usage('"cost":9.5')), usage('"cost":null'));
  assert.equal(patch(open(ASKED, null), usage('"total_tokens":3')), usage('"total_tokens":3'));
  assert.equal(patch(open(ASKED), usage('')), usage('"cost":0.00125'));
  assert.equal(
    patch(open(ASKED), usage('"cost_details":{"cost":1}')),
    usage('"cost_details":{"cost":1},"cost":0.00125'),
  );
});

test('a whole answer keeps its null usage and gets the cost of a real one', () => {
  const relay = open(UNASKED);
  const body = (text: string) => bytesOf(relay.editBody(new WholeAnswer(Buffer.from(text)))).toString();
  assert.equal(body('{"model":"up","choices":[],"usage":null}'), '{"model":"mine","choices":[],"usage":null}');
  assert.equal(
    body('{\n  "usage": { "total_tokens": 3 },\n  "model": "up"\n}\n'),
    '{\n  "usage": { "total_tokens": 3 ,"cost":0.00125},\n  "model": "mine"\n}\n',
  );
});

test('a frame with nothing to edit is the received buffer', () => {
  const relay = open(ASKED, null);
  for (const text of [
    'data: {"model":"mine","choices":[{}],"usage":null}\n\n',
    'data: [DONE]\n\n',
    ': note\n\n',
    'event: x\n\n',
    'data:\n\n',
  ]) {
    const [frame] = new SseSplitter().push(Buffer.from(text));
    assert(frame !== undefined);
    assert.equal(relay.frame(frame), frame.bytes);
  }
});

test('chunks that begin like the last one are edited like any other', () => {
  const relay = open(UNASKED);
  const fresh = (text: string) => patch(open(UNASKED), text);
  const chunks = [
    '{"id":"a","model":"up","choices":[{"delta":{"content":"1"}}],"usage":null}',
    '{"id":"a","model":"up","choices":[{"delta":{"content":"}],\\"usage\\":null"}}],"usage":null,"tail":"\\\\"}',
    '{"id":"a","model":"up"}',
    '{"id":"a","model":"up","model":"twice","usage":{"cost":1}}',
    '{"id":"a","model":"up" ,"choices":[] , "usage":{}}',
    '{"id":"a","model":"upper","choices":[],"usage":null}',
    '{"id":"a","model":"up","choices":[],',
    '{"id":"a","model":7,"choices":[]}',
    '{"choices":[{}],"model":"up"}',
  ];
  for (const chunk of chunks) assert.equal(patch(relay, chunk), fresh(chunk));
});

test('whatever a provider sends as a chunk, only the published edits are made', () => {
  const field = fc.oneof(
    fc.tuple(fc.constant('model'), fc.oneof(fc.string(), fc.jsonValue())),
    fc.tuple(
      fc.constant('usage'),
      fc.oneof(fc.constant(null), fc.constant({ prompt_tokens: 1 }), fc.jsonValue({ maxDepth: 2 })),
    ),
    fc.tuple(fc.constant('choices'), fc.oneof(fc.constant([]), fc.array(fc.jsonValue({ maxDepth: 3 })))),
    fc.tuple(
      fc.string().map((name) => `x${name}`),
      fc.jsonValue({ maxDepth: 3 }),
    ),
  );
  const chunk = fc
    .tuple(fc.uniqueArray(field, { selector: ([name]) => name, maxLength: 6 }), fc.constantFrom('', ' ', '\t'))
    .map(
      ([fields, space]) =>
        `{${fields.map(([name, value]) => `${JSON.stringify(name)}${space}:${space}${JSON.stringify(value)}`).join(`${space},`)}${space}}`,
    );
  const relay = open(UNASKED);
  fc.assert(
    fc.property(chunk, (text) => {
      assert.deepEqual(JSON.parse(patch(relay, text)), expectedOf(JSON.parse(text)));
    }),
    { numRuns: 500 },
  );
});

/** The published edits, made on objects. */
function expectedOf(chunk: Record<string, unknown>): Record<string, unknown> {
  const { usage } = chunk;
  if (typeof chunk['model'] === 'string') chunk['model'] = 'mine';
  if (usage === null) delete chunk['usage'];
  if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return chunk;
  chunk['usage'] = { ...usage, cost: 0.00125 };
  if (Array.isArray(chunk['choices']) && chunk['choices'].length === 0) {
    chunk['choices'] = [{ index: 0, delta: {}, finish_reason: null }];
  }
  return chunk;
}

function open(asked: boolean, cost: string | null = '0.00125'): Relay {
  const options = asked ? ',"stream_options":{"include_usage":true}' : '';
  const peek = openaiChat.peek(inboundOf(openaiChat, `{"model":"mine","messages":[{}],"stream":true${options}}`));
  return openaiChat.openRelay(peek, { callerModel: 'mine', cost: () => cost });
}

/** The data of one frame after the patch. */
function patch(relay: Relay, data: string): string {
  const [frame] = new SseSplitter().push(Buffer.from(`data: ${data}\n\n`));
  assert(frame !== undefined);
  const [patched] = new SseSplitter().push(relay.frame(frame) ?? Buffer.alloc(0));
  assert(patched?.data !== null && patched !== undefined);
  return patched.data.toString();
}
