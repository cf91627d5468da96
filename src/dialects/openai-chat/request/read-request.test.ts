/**
 * Goal: requests of chat completions keep their meaning in the neutral form, and the rest is a warning or a 400. Method: bodies as clients
 * send them, scanned as the gateway does, with the expected turns.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ChatRequest } from '../../../chat/request.ts';
import { GatewayError } from '../../../core/errors.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import { AT_NO_PATH } from '../../contract.ts';
import { readRequest } from './read-request.ts';

const HI = [{ role: 'user', content: 'hi' }];
const BARE = { reasoning: null, toolChoice: null, format: null, stop: [], user: null, topK: null, warnings: [] };

test('the tool loop of an agent is read completely', () => {
  const request = readText(readFileSync(new URL('../fixtures/requests/agent-loop.json', import.meta.url), 'utf8'));
  assert.deepEqual(request.system, [text('You pilot ships.'), text('Answer in knots.', '1h')]);
  assert.deepEqual(request.turns, [
    { role: 'user', blocks: [text('Which berths are free?')] },
    {
      role: 'assistant',
      blocks: [
        thought('Look at both piers.', { signature: 'c2ln', origin: 'anthropic-claude-v1' }),
        thought('', { encrypted: 'b3BhcXVl', origin: 'anthropic-claude-v1' }),
        call('call_north', 'berths', { pier: 'north' }),
        call('call_south', 'berths', { pier: 'south' }),
      ],
    },
    {
      role: 'user',
      blocks: [result('call_north', 'none'), result('call_south', '3 and 4'), text('And for a tug?')],
    },
  ]);
  assert.deepEqual(
    request.tools.map(({ name, strict }) => [name, strict]),
    [['berths', true]],
  );
  assert.deepEqual(request.toolChoice, { type: 'auto' });
  assert.deepEqual(request.reasoning, { effort: 'high', budget: null, adaptive: false, hidden: false });
  assert.deepEqual([request.stream, request.outputCap, request.parallelTools], [true, 4000, true]);
  assert.deepEqual(request.warnings, []);
});

test('what the caller did not say is null', () => {
  const request = read({ messages: HI });
  assert.deepEqual({ ...request, ...BARE }, request);
  assert.deepEqual([request.temperature, request.topP, request.seed, request.verbosity], [null, null, null, null]);
});

test('later instructions keep their position, and adjacent messages of one role are joined', () => {
  const { system, turns } = read({
    messages: [
      { role: 'user', content: '  ' },
      { role: 'system', content: 'first' },
      { role: 'user', content: 'a' },
      { role: 'user', content: [{ type: 'text', text: 'b' }] },
      { role: 'developer', content: 'later' },
      { role: 'system', content: 'and then' },
      { role: 'assistant', content: 'c' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
    ],
  });
  assert.deepEqual(system, [text('first')]);
  assert.deepEqual(turns, [
    { role: 'user', blocks: [text('a'), text('b')] },
    { role: 'system', blocks: [text('later'), text('and then')] },
    { role: 'assistant', blocks: [text('c'), { type: 'refusal', text: 'no' }] },
  ]);
});

test('parallel results split over several messages come first in one turn (trap 11)', () => {
  const { turns, warnings } = read({
    messages: [
      ...HI,
      { role: 'assistant', tool_calls: [wireCall('a', '{}'), wireCall('b', '')] },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
      { role: 'user', content: 'between' },
      { role: 'tool', tool_call_id: 'a', content: '' },
      { role: 'tool', tool_call_id: 'b', content: 'more' },
      { role: 'user', content: 'after' },
    ],
  });
  const both = { ...result('b', 'B'), content: [text('B'), text('more')] };
  const none = { ...result('a', ''), content: [] };
  assert.deepEqual(turns.at(-1), { role: 'user', blocks: [none, both, text('between'), text('after')] });
  assert.deepEqual(warnings, []);
});

test('steps of a loop that reuse an id keep their own results', () => {
  const step = (content: string) => [
    { role: 'assistant', tool_calls: [wireCall('call_0', '{}')] },
    { role: 'tool', tool_call_id: 'call_0', content },
  ];
  const { turns } = read({ messages: [...HI, ...step('one'), ...step('two')] });
  assert.deepEqual(
    turns.map(({ role }) => role),
    ['user', 'assistant', 'user', 'assistant', 'user'],
  );
  assert.deepEqual([turns[2]?.blocks, turns[4]?.blocks], [[result('call_0', 'one')], [result('call_0', 'two')]]);
});

test('a call without a result gets one that says so', () => {
  const missing = { ...result('b', 'No result was given.'), isError: true };
  const calls = { role: 'assistant', tool_calls: [wireCall('a', '{}'), wireCall('b', '{}')] };
  const answered = { role: 'tool', tool_call_id: 'a', content: 'A' };
  for (const rest of [[answered], [answered, { role: 'system', content: 'x' }], [answered, ...HI]]) {
    const { turns, warnings } = read({ messages: [...HI, calls, ...rest] });
    assert.deepEqual(turns[2]?.blocks.slice(0, 2), [result('a', 'A'), missing]);
    assert.equal(turns[2]?.role, 'user');
    assert.equal(warnings.length, 1);
  }
  const open = read({ messages: [...HI, calls] });
  assert.deepEqual([open.turns.length, open.warnings], [2, []]);
});

test('calls split over messages are one turn, and a repeated call opens another', () => {
  const made = (id: string) => ({ role: 'assistant', tool_calls: [wireCall(id, '{}')] });
  const answered = (id: string) => ({ role: 'tool', tool_call_id: id, content: id });
  const split = read({ messages: [...HI, made('a'), made('b'), answered('a'), answered('b')] });
  assert.deepEqual(
    split.turns.map(({ blocks }) => blocks.length),
    [1, 2, 2],
  );
  const again = read({ messages: [...HI, made('a'), made('a'), answered('a')] });
  assert.deepEqual(
    again.turns.map(({ role }) => role),
    ['user', 'assistant', 'user', 'assistant', 'user'],
  );
  assert.deepEqual(again.turns[4]?.blocks, [result('a', 'a')]);
  assert.equal(again.warnings.length, 1);
});

test('arguments of any kind become an object', () => {
  const deep = `{"a":${'['.repeat(90_000)}${']'.repeat(90_000)}}`;
  const rows: readonly (readonly [unknown, unknown])[] = [
    ['', {}],
    [' \n', {}],
    [undefined, {}],
    [null, {}],
    ['{"x":1}', { x: 1 }],
    [{ x: 1 }, { x: 1 }],
    ['{"x":', { _raw: '{"x":' }],
    ['[1]', { _raw: '[1]' }],
    ['null', { _raw: 'null' }],
    [deep, { _raw: deep }],
  ];
  for (const [given, input] of rows) {
    const { turns } = read({ messages: [...HI, { role: 'assistant', tool_calls: [wireCall('a', given)] }] });
    assert.deepEqual(turns[1]?.blocks, [call('a', 'f', input)]);
  }
  const { turns } = readText(
    `{"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\\"__proto__\\":{\\"y\\":1}}"}}]}]}`,
  );
  assert.equal(JSON.stringify(turns[1]?.blocks[0]).includes('"input":{"__proto__":{"y":1}}'), true);
});

test('blank text gives no block, and its cache mark moves to the previous block (trap 13)', () => {
  const mark = { type: 'ephemeral' };
  const content = [
    { type: 'text', text: 'a' },
    { type: 'text', text: ' ', cache_control: mark },
    { type: 'text', text: '' },
  ];
  assert.deepEqual(read({ messages: [{ role: 'user', content }] }).turns[0]?.blocks, [text('a', '5m')]);
  const { turns } = read({ messages: [...HI, { role: 'assistant', content: null }, { role: 'user', content: 'b' }] });
  assert.deepEqual(turns, [{ role: 'user', blocks: [text('hi'), text('b')] }]);
  assert.deepEqual(refusal({ messages: [{ role: 'user', content: '' }] }), ['invalid_value', 'messages']);
});

test('cache marks are read from messages, tools and the whole request', () => {
  const cache_control = { type: 'ephemeral', ttl: '1h' };
  const request = read({
    cache_control,
    messages: [{ role: 'system', content: 's', cache_control }, ...HI],
    tools: [{ type: 'function', cache_control, function: { name: 'f' } }],
  });
  assert.deepEqual([request.system[0]?.cache, request.tools[0]?.cache], ['1h', '1h']);
  assert.deepEqual(request.turns[0]?.blocks, [text('hi', '1h')]);
  const param = 'messages[0].cache_control.ttl';
  const wrong = [{ role: 'user', content: 'x', cache_control: { type: 'ephemeral', ttl: '2d' } }];
  assert.deepEqual(refusal({ messages: wrong }), ['invalid_value', param]);
});

test('deprecated functions are tools', () => {
  const request = read({
    messages: [
      ...HI,
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"x":1}' } },
      { role: 'function', name: 'f', content: 'done' },
    ],
    functions: [{ name: 'f', parameters: { type: 'object' } }],
    function_call: { name: 'f' },
  });
  assert.deepEqual(request.turns[1]?.blocks, [call('call_1_function', 'f', { x: 1 })]);
  assert.deepEqual(request.turns[2]?.blocks, [result('call_1_function', 'done')]);
  assert.deepEqual(request.toolChoice, { type: 'tool', name: 'f' });
});

test('tools and the tool choice', () => {
  const tools = ['f', 'g'].map((name) => ({ type: 'function', function: { name } }));
  const choice = (tool_choice: unknown) => read({ messages: HI, tools, tool_choice });
  assert.deepEqual(choice('required').toolChoice, { type: 'required' });
  assert.deepEqual(choice('any').toolChoice, { type: 'required' });
  assert.deepEqual(choice({ type: 'function', function: { name: 'g' } }).toolChoice, { type: 'tool', name: 'g' });
  const allowed = choice({ type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [tools[1]] } });
  assert.deepEqual([allowed.tools.map(({ name }) => name), allowed.toolChoice], [['g'], { type: 'required' }]);
  assert.deepEqual(choice('auto').tools[0]?.schema, { type: 'object', properties: {} });
  assert.equal(read({ messages: HI, tool_choice: 'auto' }).toolChoice, null);
  assert.deepEqual(refusal({ messages: HI, tool_choice: 'required' }), ['invalid_value', 'tool_choice']);
  assert.deepEqual(refusal({ messages: HI, tools, tool_choice: { name: 'h' } }), ['invalid_value', 'tool_choice']);
  const custom = read({
    messages: HI,
    tools: [
      {
        type: 'custom',
        custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'regex', definition: 'a+' } } },
      },
    ],
  });
  assert.deepEqual(custom.tools[0]?.schema['required'], ['input']);
  assert.deepEqual(custom.tools[0]?.custom, { grammar: { syntax: 'regex', definition: 'a+' } });
  assert.deepEqual(custom.forAnswer, { customTools: ['c'] });
  assert.deepEqual(custom.warnings, []);
  const bad = [{ type: 'custom', custom: { name: 'c', format: { type: 'grammar' } } }];
  assert.deepEqual(refusal({ messages: HI, tools: bad }), ['invalid_value', 'tools[0].custom.format.grammar']);
  assert.deepEqual(refusal({ messages: HI, tools: [{ type: 'openrouter:web_search' }] }), [
    'unsupported_value',
    'tools[0].type',
  ]);
});

test('how much to think is read from all its names', () => {
  const wish = (fields: object) => read({ messages: HI, ...fields }).reasoning;
  const none = { effort: null, budget: null, adaptive: false, hidden: false };
  assert.deepEqual(wish({ reasoning_effort: 'xhigh' }), { ...none, effort: 'xhigh' });
  assert.deepEqual(wish({ reasoning: {} }), { ...none, adaptive: true });
  assert.deepEqual(wish({ reasoning: { enabled: true, exclude: true } }), { ...none, adaptive: true, hidden: true });
  assert.deepEqual(wish({ reasoning: { enabled: false, effort: 'high' } }), { ...none, effort: 'none' });
  assert.deepEqual(wish({ reasoning: { max_tokens: 2000 } }), { ...none, budget: 2000 });
  assert.deepEqual(wish({ reasoning: { max_tokens: 0 } }), { ...none, effort: 'none' });
  assert.deepEqual(wish({ include_reasoning: true }), { ...none, adaptive: true });
  assert.deepEqual(wish({ include_reasoning: false }), { ...none, hidden: true });
  assert.deepEqual(refusal({ messages: HI, reasoning: { effort: 'huge' } }), ['invalid_value', 'reasoning.effort']);
});

test('settings are read, and a single stop is a list of one', () => {
  const request = read({
    messages: HI,
    ...{ stop: 'END', temperature: 0.5, top_k: -1, seed: 7, user: 'u', verbosity: 'low', max_tokens: 1 },
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
  });
  const format = { type: 'json_schema', name: 'n', description: null, schema: { type: 'object' }, strict: true };
  assert.deepEqual(request.format, format);
  assert.deepEqual([request.stop, request.temperature, request.topK, request.seed], [['END'], 0.5, null, 7]);
  assert.deepEqual([request.user, request.verbosity, request.outputCap], ['u', 'low', 1]);
});

test('of two names for the user `user` is passed on, and the caller is warned', () => {
  const named = (fields: object) => {
    const { user, warnings } = read({ messages: HI, ...fields });
    return [user, warnings.length];
  };
  assert.deepEqual(named({ user: 'u', safety_identifier: 's' }), ['u', 1]);
  assert.deepEqual(named({ user: 'u', safety_identifier: 'u' }), ['u', 0]);
  assert.deepEqual(named({ user: '', safety_identifier: 's' }), ['s', 0]);
  assert.deepEqual(named({ user: 'u', safety_identifier: '' }), ['u', 0]);
});

test('an empty field causes no warning', () => {
  const nothing = { metadata: {}, logit_bias: {}, transforms: [], min_p: null, logprobs: false };
  const message = { role: 'user', content: 'x', audio: {}, name: null };
  assert.deepEqual(read({ messages: [message], ...nothing, reasoning: { extra: {} } }).warnings, []);
});

test('optional settings are left out with a warning that names them', () => {
  const { warnings } = read({
    messages: [{ role: 'user', content: 'x', name: 'Ada', 'odd\r\nname': 1 }],
    ...{ logit_bias: { 1: 2 }, logprobs: true, top_logprobs: 3, prediction: { type: 'content' } },
    ...{ store: false, min_p: null, transforms: [], stream_options: { include_usage: true } },
  });
  for (const name of ['logit_bias', 'logprobs', 'top_logprobs', 'prediction', 'messages[].name']) {
    assert.ok(
      warnings.some((warning) => warning.startsWith(`${name} `)),
      name,
    );
  }
  assert.equal(warnings.length, 6);
  assert.ok(warnings.every((warning) => /^[ -~]+$/.test(warning)));
  assert.deepEqual(
    read({ messages: [{ role: 'assistant', content: 'x', parsed: {}, annotations: [{}] }] }).warnings,
    [],
  );
});

test('what changes the answer is refused', () => {
  const rows: readonly (readonly [object, string])[] = [
    [{ n: 2 }, 'n'],
    [{ modalities: ['text', 'audio'], audio: { voice: 'v', format: 'wav' } }, 'modalities'],
    [{ web_search_options: {} }, 'web_search_options'],
    [{ moderation: { model: 'm' } }, 'moderation'],
    [{ response_format: { type: 'grammar' } }, 'response_format.type'],
  ];
  for (const [fields, param] of rows)
    assert.deepEqual(refusal({ messages: HI, ...fields }), ['unsupported_value', param]);
});

test('invalid input is a 400 that names its path', () => {
  const user = (content: unknown) => [{ role: 'user', content }];
  const assistant = (fields: object) => [{ role: 'assistant', ...fields }];
  const rows: readonly (readonly [unknown, string])[] = [
    [[null], 'messages[0]'],
    [['hi'], 'messages[0]'],
    [[{ content: 'x' }], 'messages[0].role'],
    [[{ role: '__proto__', content: 'x' }], 'messages[0].role'],
    [user(7), 'messages[0].content'],
    [user({}), 'messages[0].content'],
    [user([null]), 'messages[0].content[0]'],
    [user([{ type: 'text', text: 7 }]), 'messages[0].content[0].text'],
    [user([{ type: 7 }]), 'messages[0].content[0].type'],
    [user([{ type: 'image_url', image_url: null }]), 'messages[0].content[0].image_url'],
    [user([{ type: 'image_url', image_url: { url: 'ftp://x' } }]), 'messages[0].content[0].image_url.url'],
    [user([{ type: 'file', file: {} }]), 'messages[0].content[0].file.file_data'],
    [user([{ type: 'input_audio', input_audio: 'x' }]), 'messages[0].content[0].input_audio'],
    [assistant({ tool_calls: {} }), 'messages[0].tool_calls'],
    [assistant({ tool_calls: [{}] }), 'messages[0].tool_calls[0].id'],
    [assistant({ tool_calls: [{ id: 'a' }] }), 'messages[0].tool_calls[0].function'],
    [assistant({ tool_calls: [wireCall('a', 7)] }), 'messages[0].tool_calls[0].function.arguments'],
    [assistant({ tool_calls: [wireCall('a', ''), wireCall('a', '')] }), 'messages[0].tool_calls'],
    [assistant({ reasoning: 7 }), 'messages[0].reasoning'],
    [assistant({ reasoning_details: [7] }), 'messages[0].reasoning_details[0]'],
    [[...HI, { role: 'tool', tool_call_id: 'never', content: 'x' }], 'messages[1].tool_call_id'],
    [[...HI, { role: 'function', name: 'never', content: 'x' }], 'messages[1].name'],
    [[...HI, { role: 'tool', content: 'x' }], 'messages[1].tool_call_id'],
  ];
  for (const [messages, param] of rows) assert.deepEqual(refusal({ messages }), ['invalid_value', param], param);
  assert.deepEqual(refusal({ messages: user([{ type: 'hologram', hologram: {} }]) })[0], 'unsupported_value');
  assert.deepEqual(
    refusal({
      messages: [{ role: 'system', content: [{ type: 'input_audio', input_audio: { data: 'A', format: 'wav' } }] }],
    })[0],
    'unsupported_value',
  );
  assert.deepEqual(refusal({ messages: HI, temperature: '1' }), ['invalid_value', 'temperature']);
  assert.deepEqual(refusal({ messages: HI, stop: [7] }), ['invalid_value', 'stop[0]']);
  assert.deepEqual(refusal({ messages: HI, tools: [{ type: 'function' }] }), ['invalid_value', 'tools[0].function']);
});

test('an invalid escape that the scan does not check is invalid JSON', () => {
  assert.deepEqual(refusalOf('{"model":"m","messages":[{"role":"user","content":"\\x"}]}'), ['invalid_json', null]);
});

function read(body: object): ChatRequest {
  return readText(JSON.stringify({ model: 'm', ...body }));
}

function readText(body: string): ChatRequest {
  return readRequest({ ...AT_NO_PATH, headers: {}, document: scanJson(Buffer.from(body)) });
}

function refusal(body: object): readonly [string, string | null] {
  return refusalOf(JSON.stringify({ model: 'm', ...body }));
}

function refusalOf(body: string): readonly [string, string | null] {
  try {
    readText(body);
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    assert.equal(error.status, 400);
    return [error.code, error.param];
  }
  return assert.fail(`accepted: ${body}`);
}

function text(value: string, cache: '5m' | '1h' | null = null): object {
  return { type: 'text', text: value, cache };
}

function call(id: string, name: string, input: unknown): object {
  return { type: 'tool_call', id, name, input, cache: null };
}

function result(callId: string, value: string): object {
  return { type: 'tool_result', callId, content: [text(value)], isError: false, cache: null };
}

function thought(value: string, opaque: object = {}): object {
  return { type: 'reasoning', text: value, signature: null, encrypted: null, origin: 'unknown', ...opaque };
}

function wireCall(id: string, given: unknown): object {
  return { id, type: 'function', function: { name: 'f', arguments: given } };
}
