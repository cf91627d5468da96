/**
 * Goal: a provider of chat completions gets what it accepts, in its vendor's form, and what is left out is reported. Method: requests in
 * the neutral form for targets with different quirks, with the expected fields of the body.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type {
  AssistantBlock,
  ChatRequest,
  TextBlock,
  ToolResultBlock,
  Turn,
  UserBlock,
} from '../../../chat/request.ts';
import { PLAIN_REQUEST } from '../../../chat/request-fixture.ts';
import { GatewayError } from '../../../core/errors.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import { AT_NO_PATH } from '../../contract.ts';
import { customTool } from '../../kit/request/custom-tools.ts';
import { type DialectTarget, type Quirks, usualQuirks } from '../quirks.ts';
import { readRequest } from './read-request.ts';
import { writeRequest } from './write-request.ts';

const PLAIN: Quirks = {
  ...usualQuirks,
  outputCapFields: ['max_completion_tokens'],
  reasoningField: 'reasoning_effort',
  reasoningBack: 'none',
  openRouterFields: [],
  cacheControl: false,
  systemRole: 'developer',
};
const OPENROUTER: Quirks = {
  ...usualQuirks,
  outputCapFields: ['max_tokens'],
  reasoningField: 'reasoning',
  reasoningBack: 'reasoning_details',
  openRouterFields: [],
  cacheControl: true,
  systemRole: 'system',
};
const PNG = { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
const PDF = { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' } as const;

test('a minimal request is written without extra fields', () => {
  const { body, headers, warnings } = write({});
  assert.deepEqual(body, { model: 'up/m', messages: [{ role: 'user', content: 'hi' }] });
  assert.deepEqual(headers, { 'content-type': 'application/json', accept: 'application/json' });
  assert.deepEqual(warnings, []);
});

test('a stream asks for its usage', () => {
  const { body, headers } = write({ stream: true });
  assert.deepEqual([body['stream'], body['stream_options']], [true, { include_usage: true }]);
  assert.equal(headers['accept'], 'text/event-stream');
});

test('a request in this format is written unchanged, with results in the order of their calls', () => {
  const sent = readFileSync(new URL('../fixtures/requests/agent-loop.json', import.meta.url));
  const original = JSON.parse(sent.toString());
  const request = readRequest({ ...AT_NO_PATH, headers: {}, document: scanJson(sent) });
  const { body, warnings } = write(request, { quirks: OPENROUTER });
  const [first, second, ...rest] = original.messages;
  const [thoughtStart, thoughtEnd, ...details] = rest[1].reasoning_details;
  const expected = [
    { role: 'system', content: [{ type: 'text', text: first.content }, ...second.content] },
    rest[0],
    { ...rest[1], reasoning_details: [{ ...thoughtEnd, text: thoughtStart.text + thoughtEnd.text }, ...details] },
    { ...rest[3], content: 'none' },
    rest[2],
    rest[4],
  ];
  assert.deepEqual(body['messages'], expected);
  for (const name of ['tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'stream']) {
    assert.deepEqual(body[name], original[name], name);
  }
  assert.deepEqual(warnings, []);
});

test('instructions keep their parts and role, without the billing line (trap 28)', () => {
  const system = [text('x-anthropic-billing-header: cc_version=1'), text('one', '5m'), text('two', '1h')];
  const turns: Turn[] = [user(text('a')), { role: 'system', blocks: [text('b')] }, user(text('c'))];
  const plain = write({ system, turns }).body['messages'];
  const parts = [
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
  ];
  assert.deepEqual(plain, [
    { role: 'developer', content: parts },
    { role: 'user', content: 'a' },
    { role: 'developer', content: 'b' },
    { role: 'user', content: 'c' },
  ]);
  const marked = write({ system }, { quirks: OPENROUTER }).messages[0];
  assert.deepEqual(marked?.['content'], [
    { type: 'text', text: 'one', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'two', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ]);
  const only = write({ system: system.slice(0, 1) }).messages;
  assert.deepEqual(only, [{ role: 'user', content: 'hi' }]);
});

test('each result is a separate message before the text of the user (trap 11)', () => {
  const turns = [
    user(text('go')),
    assistant(call('a'), call('b'), call('c')),
    user(result('a', [text('A')]), result('b', [], true), result('c', []), text('and now?')),
  ];
  assert.deepEqual(write({ turns }).messages.slice(2), [
    { role: 'tool', tool_call_id: 'a', content: 'A' },
    { role: 'tool', tool_call_id: 'b', content: 'Error' },
    { role: 'tool', tool_call_id: 'c', content: '' },
    { role: 'user', content: 'and now?' },
  ]);
});

test('a failed result says so in its text', () => {
  const turns = [user(text('go')), assistant(call('a')), user(result('a', [text('one'), text('two')], true))];
  assert.deepEqual(write({ turns }).messages.at(-1)?.['content'], [
    { type: 'text', text: 'Error: one' },
    { type: 'text', text: 'two' },
  ]);
});

test('images and documents of a result follow in a user message', () => {
  const image = { type: 'image', source: PNG, detail: null, cache: null } as const;
  const turns = [
    user(text('go')),
    assistant(call('a'), call('b')),
    user(result('a', [text('seen'), image]), result('b', [document({ source: PDF })]), text('well?')),
  ];
  const { messages, warnings } = write({ turns });
  assert.deepEqual(messages.slice(2), [
    { role: 'tool', tool_call_id: 'a', content: 'seen' },
    { role: 'tool', tool_call_id: 'b', content: 'The result is in the message after the results.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Image from tool result a:' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.data}` } },
        { type: 'text', text: 'Document from tool result b:' },
        { type: 'file', file: { filename: 'document.pdf', file_data: `data:application/pdf;base64,${PDF.data}` } },
        { type: 'text', text: 'well?' },
      ],
    },
  ]);
  assert.deepEqual(warnings, []);
});

test('media of a user', () => {
  const url = 'https://pictures.example/a.png';
  const { messages, warnings } = write({
    turns: [
      user(
        { type: 'image', source: { type: 'url', url }, detail: 'high', cache: null },
        { type: 'audio', data: 'AAAA', format: 'wav', cache: null },
        document({ source: { type: 'text', text: 'body' }, name: 'n', context: 'from a friend', citations: true }),
      ),
    ],
  });
  assert.deepEqual(messages[0]?.['content'], [
    { type: 'image_url', image_url: { url, detail: 'high' } },
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    { type: 'text', text: 'from a friend' },
    { type: 'text', text: 'Document "n":\n\nbody' },
  ]);
  assert.equal(warnings.length, 1);
  const turns = [user(document({ source: { type: 'url', url } }))];
  assert.throws(
    () => write({ turns }),
    (error) => error instanceof GatewayError && error.code === 'unsupported_value',
  );
});

test('an assistant that only calls has no content', () => {
  const turns = [user(text('go')), assistant(call('a', { x: 1 })), user(result('a', [text('A')]))];
  assert.deepEqual(write({ turns }).messages[1], {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }],
  });
});

test('arguments keep every name, also odd ones', () => {
  const input = JSON.parse('{"__proto__":{"x":1},"_raw":"{"}');
  const turns = [user(text('go')), assistant(call('a', input)), user(result('a', []))];
  const calls = write({ turns }).messages[1]?.['tool_calls'] as { function: { arguments: string } }[];
  assert.equal(calls[0]?.function.arguments, '{"__proto__":{"x":1},"_raw":"{"}');
});

test('an id that is too long is shortened, equally in the call and its result (trap 21)', () => {
  const id = `toolu_${'x'.repeat(60)}`;
  const turns = [user(text('go')), assistant(call(id)), user(result(id, [text('A')]))];
  const { messages } = write({ turns });
  const [written] = (messages[1] ?? assert.fail())['tool_calls'] as { id: string }[];
  assert.equal(written?.id.length, 40);
  assert.equal(messages[2]?.['tool_call_id'], written?.id);
  const vendor = [user(text('go')), assistant(call('functions.Bash:0')), user(result('functions.Bash:0', []))];
  assert.equal(write({ turns: vendor }).messages[2]?.['tool_call_id'], 'functions.Bash:0');
});

test('a refusal is text, and there is a warning if text after a call moves', () => {
  const blocks: AssistantBlock[] = [text('a'), { type: 'refusal', text: 'no' }, call('c'), text('b')];
  const { messages, warnings } = write({ turns: [user(text('go')), assistant(...blocks), user(result('c', []))] });
  assert.deepEqual(
    ((messages[1] ?? assert.fail())['content'] as { text: string }[]).map((part) => part.text),
    ['a', 'no', 'b'],
  );
  assert.equal(warnings.length, 1);
});

test('thoughts are sent back in the form that the provider reads (traps 17 and 18)', () => {
  const thoughts: AssistantBlock[] = [
    { type: 'reasoning', text: 'why', signature: 's', encrypted: null, origin: 'anthropic-claude-v1' },
    { type: 'reasoning', text: '', signature: 't', encrypted: null, origin: 'anthropic-claude-v1' },
    { type: 'reasoning', text: '', signature: null, encrypted: 'e', origin: 'openai-responses-v1', id: 'rs_1' },
    { type: 'reasoning', text: 'then', signature: null, encrypted: null, origin: 'unknown' },
  ];
  const turns = [user(text('go')), assistant(...thoughts, call('a')), user(result('a', [text('A')]))];
  const back = (reasoningBack: Quirks['reasoningBack']) => write({ turns }, { quirks: { ...PLAIN, reasoningBack } });
  const kept = back('reasoning_details').messages[1];
  assert.deepEqual(kept?.['reasoning_details'], [
    { type: 'reasoning.text', text: 'why', signature: 's', format: 'anthropic-claude-v1', index: 0 },
    { type: 'reasoning.text', text: '', signature: 't', format: 'anthropic-claude-v1', index: 1 },
    { type: 'reasoning.encrypted', data: 'e', id: 'rs_1', format: 'openai-responses-v1', index: 2 },
    { type: 'reasoning.text', text: 'then', format: 'unknown', index: 3 },
  ]);
  assert.equal(back('reasoning_content').messages[1]?.['reasoning_content'], 'why\n\nthen');
  const none = back('none');
  assert.deepEqual(Object.keys(none.messages[1] ?? {}), ['role', 'content', 'tool_calls']);
  assert.deepEqual(none.warnings, ['reasoning from other providers was left out of earlier turns']);
  const warningsOf = (thought: AssistantBlock[], reasoningBack: Quirks['reasoningBack']) => {
    const own = [user(text('go')), assistant(...thought, call('a')), user(result('a', [text('A')]))];
    return write({ turns: own }, { quirks: { ...PLAIN, reasoningBack } }).warnings;
  };
  const [signed, empty, sealed, plain] = thoughts.map((thought) => [thought]) as [
    AssistantBlock[],
    ...AssistantBlock[][],
  ];
  const foreign = ['reasoning from other providers was left out of earlier turns'];
  assert.deepEqual(warningsOf(plain ?? [], 'none'), [
    'reasoning was left out of earlier turns, since this provider does not accept it',
  ]);
  assert.deepEqual(warningsOf([], 'none'), []);
  for (const [thought, lost] of [
    [signed, []],
    [plain ?? [], []],
    [empty ?? [], foreign],
    [sealed ?? [], foreign],
  ] as const) {
    assert.deepEqual(warningsOf(thought, 'reasoning_content'), lost);
    assert.deepEqual(warningsOf(thought, 'reasoning_details'), []);
  }
  const only = [user(text('go')), assistant(...thoughts), user(text('on'))];
  assert.deepEqual(
    write({ turns: only }).messages.map(({ role }) => role),
    ['user', 'user'],
  );
});

test('the cap never exceeds the maximum of the model, and a probe of 1 passes (trap 16)', () => {
  const rows: readonly (readonly [number | null, number | null, number | undefined, number])[] = [
    [32_000, 16_384, 16_384, 1],
    [16_384, 16_384, 16_384, 0],
    [1, 16_384, 1, 0],
    [5, null, 5, 0],
    [null, 16_384, undefined, 0],
  ];
  for (const [outputCap, most, cap, warned] of rows) {
    const { body, warnings } = write({ outputCap }, { outputCap: most });
    assert.deepEqual([body['max_completion_tokens'], warnings.length], [cap, warned]);
    assert.equal(write({ outputCap }, { outputCap: most, quirks: OPENROUTER }).body['max_tokens'], cap);
  }
});

test('settings that a model does not accept are left out with a warning (trap 15)', () => {
  const request = { temperature: 0, topP: 0.5, topK: 3, seed: 1, stop: ['a', 'b', 'c', 'd', 'e'], outputCap: 9 };
  const all = write(request);
  assert.deepEqual([all.body['temperature'], all.body['top_p'], all.body['top_k']], [0, undefined, undefined]);
  assert.equal(all.body['seed'], 1);
  assert.deepEqual(all.body['stop'], ['a', 'b', 'c', 'd']);
  assert.equal(all.warnings.length, 3);
  const limited = write(request, { sampling: ['top_p', 'top_k'] });
  assert.deepEqual([limited.body['temperature'], limited.body['top_p'], limited.body['top_k']], [undefined, 0.5, 3]);
  assert.equal(limited.warnings.length, 2);
  const some = write(request, { parameters: new Set(['seed']) });
  assert.deepEqual(some.body, { ...write({}).body, max_completion_tokens: 9, seed: 1 });
  assert.deepEqual(
    some.warnings.map((warning) => warning.split(' ')[0]),
    ['stop', 'temperature', 'top_p', 'top_k'],
  );
});

test('tools, tool choice, and parallel calls', () => {
  const schema = { type: 'object', additionalProperties: false };
  const tool = { name: 'f', description: 'd', schema, strict: true, cache: '5m' } as const;
  const request = { tools: [tool], toolChoice: { type: 'tool', name: 'f' }, parallelTools: false } as const;
  const { body } = write(request);
  const written = { name: 'f', description: 'd', parameters: schema, strict: true };
  assert.deepEqual(body['tools'], [{ type: 'function', function: written }]);
  assert.deepEqual(body['tool_choice'], { type: 'function', function: { name: 'f' } });
  assert.equal(body['parallel_tool_calls'], false);
  const [marked] = write(request, { quirks: OPENROUTER }).body['tools'] as object[];
  assert.deepEqual(marked, { type: 'function', function: written, cache_control: { type: 'ephemeral' } });
  const without = write({ ...request, tools: [] });
  assert.deepEqual(without.body, write({}).body);
  const few = write(request, { parameters: new Set(['tools']) });
  assert.deepEqual([few.body['tool_choice'], few.warnings.length], [undefined, 2]);
  assert.throws(
    () => write(request, { parameters: new Set() }),
    (error) => error instanceof GatewayError && error.param === 'tools',
  );
});

test('a schema of the answer has a name', () => {
  const schema = { type: 'object', additionalProperties: false };
  const format = { type: 'json_schema', name: null, description: null, schema, strict: true } as const;
  const json_schema = { name: 'output', schema, strict: true };
  assert.deepEqual(write({ format }).body['response_format'], { type: 'json_schema', json_schema });
  const known = (...words: string[]) => write({ format }, { parameters: new Set(words) });
  assert.deepEqual(known('response_format').body['response_format'], { type: 'json_object' });
  assert.equal(known('response_format').warnings.length, 1);
  assert.deepEqual([known().body['response_format'], known().warnings.length], [undefined, 1]);
  assert.deepEqual(write({ format: { type: 'json_object' } }).body['response_format'], { type: 'json_object' });
});

test("a user's name that is too long always becomes the same hash", () => {
  assert.equal(write({ user: 'u'.repeat(64) }).body['user'], 'u'.repeat(64));
  const long = write({ user: 'u'.repeat(65) }).body['user'];
  assert.match(String(long), /^[0-9a-f]{64}$/);
  assert.equal(write({ user: 'u'.repeat(65) }).body['user'], long);
});

test('a last turn of the assistant passes with a warning', () => {
  const { messages, warnings } = write({ turns: [user(text('go')), assistant(text('{'))] });
  assert.deepEqual(messages.at(-1), { role: 'assistant', content: '{' });
  assert.equal(warnings.length, 1);
});

interface Sent {
  readonly body: Record<string, unknown>;
  readonly messages: readonly Record<string, unknown>[];
  readonly headers: Record<string, string>;
  readonly warnings: readonly string[];
}

function write(request: Partial<ChatRequest>, target: Partial<DialectTarget> = {}): Sent {
  const { headers, body, warnings } = writeRequest({ ...leastRequest, ...request }, { ...leastTarget, ...target });
  const parsed = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
  return { body: parsed, messages: parsed['messages'] as Sent['messages'], headers, warnings };
}

const leastTarget: DialectTarget = {
  upstreamModel: 'up/m',
  outputCap: null,
  parameters: null,
  efforts: null,
  sampling: ['temperature'],
  quirks: PLAIN,
};

const leastRequest: ChatRequest = { ...PLAIN_REQUEST, turns: [user(text('hi'))] };

function user(...blocks: UserBlock[]): Turn {
  return { role: 'user', blocks };
}

function assistant(...blocks: AssistantBlock[]): Turn {
  return { role: 'assistant', blocks };
}

function text(value: string, cache: TextBlock['cache'] = null): TextBlock {
  return { type: 'text', text: value, cache };
}

function call(id: string, input: Extract<AssistantBlock, { type: 'tool_call' }>['input'] = {}): AssistantBlock {
  return { type: 'tool_call', id, name: 'f', input, cache: null };
}

function result(callId: string, content: ToolResultBlock['content'], isError = false): ToolResultBlock {
  return { type: 'tool_result', callId, content, isError, cache: null };
}

function document(fields: Partial<Extract<UserBlock, { type: 'document' }>>): Extract<UserBlock, { type: 'document' }> {
  return { type: 'document', source: PDF, name: null, context: null, citations: false, cache: null, ...fields };
}

test('custom tools stay custom where the server has them, and become functions elsewhere', () => {
  const grammar = { syntax: 'regex', definition: 'a+' } as const;
  const tool = customTool({ name: 'sql', description: null, grammar, cache: null });
  const asked = {
    tools: [tool],
    toolChoice: { type: 'tool', name: 'sql' },
    turns: [
      user(text('Hi')),
      assistant({ ...call('c1', { input: 'aa' }), custom: true } as AssistantBlock),
      user(result('c1', [text('1')])),
    ],
  } as const;
  const kept = write(asked, { quirks: { ...PLAIN, customTools: true } });
  assert.deepEqual(kept.body['tools'], [
    { type: 'custom', custom: { name: 'sql', format: { type: 'grammar', grammar } } },
  ]);
  assert.deepEqual(kept.body['tool_choice'], { type: 'custom', custom: { name: 'sql' } });
  assert.deepEqual(callsIn(kept), [{ id: 'c1', type: 'custom', custom: { name: 'f', input: 'aa' } }]);
  assert.deepEqual(kept.warnings, []);
  const changed = write(asked);
  assert.deepEqual(changed.body['tool_choice'], { type: 'function', function: { name: 'sql' } });
  assert.deepEqual(callsIn(changed), [
    { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"input":"aa"}' } },
  ]);
  assert.equal(changed.warnings.length, 2);
});

function callsIn({ body }: Sent): unknown {
  return (body['messages'] as { tool_calls?: unknown }[]).find(({ tool_calls }) => tool_calls !== undefined)
    ?.tool_calls;
}
