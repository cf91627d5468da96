/**
 * Goal: a Messages request keeps its meaning in the neutral form; what cannot be expressed there is reported, or refused with the path of
 * the field. Method: a coding agent's complete turn, then single messages and fields.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatRequest } from '../../../chat/request.ts';
import { GatewayError } from '../../../core/errors.ts';
import { sealSignature } from '../answer/reasoning-tag.ts';
import { inboundOf, leastRequest, readFixture } from '../fixtures/read-fixture.ts';
import { peek } from '../peek/peek.ts';
import { readRequest } from './read-request.ts';

const cached = { type: 'ephemeral' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} };
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'fog' };
const user = { role: 'user', content: 'Ahoy' };

test("a coding agent's turn is read completely", () => {
  const inbound = inboundOf(readFixture('requests/coding-agent-tool-turn.json').toString());
  peek(inbound);
  const request = readRequest(inbound);
  assert.deepEqual(
    request.system.map(({ text, cache }) => [text, cache]),
    [
      ['You keep a lighthouse.', '5m'],
      ['Speak briefly.', '1h'],
    ],
  );
  assert.deepEqual(
    request.turns.map(({ role, blocks }) => [role, ...blocks.map(({ type }) => type)]),
    [
      ['user', 'text', 'text'],
      ['system', 'text'],
      ['assistant', 'reasoning', 'text', 'tool_call', 'tool_call'],
      ['user', 'tool_result', 'tool_result', 'text'],
      ['system', 'text'],
    ],
  );
  assert.deepEqual(request.turns[2]?.blocks[0], {
    type: 'reasoning',
    text: '',
    signature: 'c2lnbmF0dXJl',
    encrypted: null,
    origin: 'anthropic-claude-v1',
  });
  const input = request.turns[2]?.blocks[2];
  assert(input?.type === 'tool_call');
  assert.equal(JSON.stringify(input.input), '{"path":"/log","__proto__":1}');
  assert.deepEqual(request.turns[3]?.blocks.slice(0, 2), [
    { type: 'tool_result', callId: 'toolu_01A', content: [text('fog')], isError: true, cache: null },
    { type: 'tool_result', callId: 'toolu_01B', content: [text('lamp one')], isError: false, cache: null },
  ]);
  assert.equal(request.tools[0]?.schema['$schema'], 'https://json-schema.org/draft/2020-12/schema');
  assert.deepEqual(request.reasoning, { effort: 'low', budget: null, adaptive: true, hidden: true });
  assert.deepEqual([request.outputCap, request.stream, request.user], [32_000, true, '{"device_id":"0"}']);
  assert.deepEqual(
    request.warnings.map((warning) => warning.split(' ')[0]),
    ['context_management', 'the', 'defer_loading'],
  );
});

test('adjacent messages of one role are joined, and blank text is left out', () => {
  const request = read({
    system: '  ',
    messages: [user, { role: 'user', content: [{ type: 'text', text: ' \n', cache_control: cached }] }, user],
  });
  assert.deepEqual(request.system, []);
  assert.deepEqual(request.turns, [{ role: 'user', blocks: [text('Ahoy'), text('Ahoy')] }]);
});

test('instructions before everything else belong to the system prompt', () => {
  const request = read({ system: 'A', messages: [{ role: 'system', content: 'B' }, user] });
  assert.deepEqual(request.system, [text('A'), text('B')]);
  assert.equal(request.turns.length, 1);
});

test('parallel tool results split over several user messages become one turn', () => {
  const second = { ...call, id: 'toolu_2' };
  const request = read({
    messages: [
      user,
      { role: 'assistant', content: [call, second] },
      {
        role: 'user',
        content: [
          { ...result, tool_use_id: 'toolu_2' },
          { type: 'text', text: 'and' },
        ],
      },
      { role: 'user', content: [result] },
    ],
  });
  const last = request.turns[2]?.blocks.map((block) => (block.type === 'tool_result' ? block.callId : block.type));
  assert.deepEqual(last, ['toolu_1', 'toolu_2', 'text']);
});

test('instructions between a call and its result come after the result', () => {
  const request = read({
    messages: [
      user,
      { role: 'assistant', content: [call] },
      { role: 'system', content: 'Hush' },
      { role: 'user', content: [{ type: 'text', text: 'Go on' }, result] },
    ],
  });
  assert.deepEqual(
    request.turns.map(({ role, blocks }) => `${role} ${blocks[0]?.type}`),
    ['user text', 'assistant tool_call', 'user tool_result', 'system text', 'user text'],
  );
});

test('a call without a result gets one that says so, unless it comes last', () => {
  const open = { role: 'assistant', content: [call] };
  const request = read({ messages: [user, open, user] });
  const made = request.turns[2]?.blocks[0];
  assert(made?.type === 'tool_result' && made.isError && made.callId === 'toolu_1');
  assert.equal(request.warnings.length, 1);
  assert.equal(read({ messages: [user, open] }).turns.length, 2);
});

test('an instruction for one turn is forgotten after it', () => {
  const passing = { role: 'system', content: 'Only now', clear_at: 'next_user_message' };
  const answer = { role: 'assistant', content: 'Aye' };
  assert.equal(read({ messages: [user, passing, answer, user] }).turns.length, 3);
  assert.equal(read({ messages: [user, answer, user, passing] }).turns.length, 4);
});

test('tools added and removed in the middle are resolved to those at the end', () => {
  const tool = (name: string) => ({ name, input_schema: { type: 'object' } });
  const changes = [
    { type: 'tool_addition', tool: { type: 'tool_definition', definition: tool('c') } },
    { type: 'tool_removal', tool: { type: 'tool_reference', name: 'a' } },
  ];
  const request = read({ tools: [tool('a'), tool('b')], messages: [user, { role: 'system', content: changes }] });
  assert.deepEqual(
    request.tools.map(({ name }) => name),
    ['b', 'c'],
  );
});

test('a thought comes back with its vendor', () => {
  const blocks = [
    { type: 'thinking', thinking: 'a', signature: sealSignature('openai-responses-v1', 'enc') },
    { type: 'redacted_thinking', data: 'own' },
    { type: 'redacted_thinking', data: sealSignature('openai-responses-v1', 'hid', { id: 'rs_1' }) },
    { type: 'thinking', thinking: 'b', signature: '' },
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'text', text: 'So' },
  ];
  const request = read({ messages: [user, { role: 'assistant', content: blocks }, user] });
  const none = { type: 'reasoning', signature: null, encrypted: null };
  assert.deepEqual(request.turns[1]?.blocks.slice(0, -1), [
    { ...none, text: 'a', signature: 'enc', origin: 'openai-responses-v1' },
    { ...none, text: '', encrypted: 'own', origin: 'anthropic-claude-v1' },
    { ...none, text: '', encrypted: 'hid', origin: 'openai-responses-v1', id: 'rs_1' },
    { ...none, text: 'b', origin: 'unknown' },
  ]);
});

test('documents, images and search results are read', () => {
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' };
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
  const content = [
    { type: 'document', source: pdf, title: 'T', context: 'C', citations: { enabled: true }, cache_control: cached },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
    { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'in' }, image] } },
    { type: 'search_result', source: 'https://example.com', title: 'Tides', content: [{ type: 'text', text: 'High' }] },
  ];
  const blocks = read({ messages: [{ role: 'user', content }] }).turns[0]?.blocks ?? [];
  assert.deepEqual(blocks[0], {
    type: 'document',
    source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERg==' },
    name: 'T',
    context: 'C',
    citations: true,
    cache: '5m',
  });
  assert.deepEqual(
    blocks.map(({ type }) => type),
    ['document', 'document', 'document', 'image', 'text'],
  );
  assert(blocks[4]?.type === 'text' && /Tides\nSource: https:\/\/example.com\n\nHigh/.test(blocks[4].text));
});

test('what server tools did is left out with a warning, a summary is kept', () => {
  const content = [
    { type: 'compaction', content: 'Before: fog.' },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
    { type: 'mcp_tool_use', id: 'm', name: 'x', server_name: 'y', input: {} },
    { type: 'text', text: 'Aye', citations: [{ type: 'char_location' }] },
  ];
  const request = read({ messages: [user, { role: 'assistant', content }, user] });
  assert.deepEqual(request.turns[1]?.blocks, [text('Before: fog.'), text('Aye')]);
  assert.equal(request.warnings.length, 3);
});

test('a mark on the whole request falls on its last block', () => {
  const request = read({ cache_control: { ...cached, ttl: '1h' }, messages: [user] });
  assert.deepEqual(request.turns[0]?.blocks, [{ ...text('Ahoy'), cache: '1h' }]);
});

test('thinking in all its kinds', () => {
  const none = { effort: null, budget: null, adaptive: false, hidden: false };
  const cases: [object, ChatRequest['reasoning']][] = [
    [{}, null],
    [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, { ...none, budget: 2000 }],
    [
      { thinking: { type: 'disabled' }, output_config: { effort: 'high' } },
      { ...none, effort: 'none' },
    ],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, { ...none, adaptive: true, hidden: true }],
    [{ output_config: { effort: 'xhigh' } }, { ...none, effort: 'xhigh' }],
  ];
  for (const [fields, expected] of cases) assert.deepEqual(read(fields).reasoning, expected);
});

test('choices, formats and sampling are read', () => {
  const schema = { type: 'object', properties: {} };
  const request = read({
    tools: [{ name: 'look', input_schema: schema }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    output_format: { type: 'json_schema', schema },
    stop_sequences: ['END'],
    temperature: 0.5,
    top_k: 3,
  });
  assert.deepEqual([request.toolChoice, request.parallelTools], [{ type: 'required' }, false]);
  assert.deepEqual(request.format, { type: 'json_schema', name: null, description: null, schema, strict: true });
  assert.deepEqual([request.stop, request.temperature, request.topP, request.topK], [['END'], 0.5, null, 3]);
});

test('unknown fields are named, whatever their name', () => {
  const { warnings } = read({ service_tier: 'standard_only', mcp_servers: [], 'evil\r\nx: y': 1, ['__proto__']: null });
  assert.deepEqual(warnings, [
    'service_tier is not supported by this provider and was left out',
    'unnamed is not supported by this provider and was left out',
  ]);
});

test('an empty field causes no warning', () => {
  const warned = (fields: object) => read({ messages: [user], ...fields }).warnings.length;
  assert.deepEqual([warned({ metadata: {} }), warned({ metadata: { tags: [], more: {}, other: null } })], [0, 0]);
  assert.equal(warned({ metadata: { user_id: 'me', other: 1 } }), 1);
  assert.equal(warned({ context_management: {}, container: null, output_config: { task_budget: {} } }), 0);
  assert.equal(warned({ cache_control: { ...cached, scope: null } }), 0);
  assert.equal(warned({ cache_control: { ...cached, scope: 'global' } }), 1);
  const picture = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' }, transformations: [] };
  assert.equal(warned({ messages: [{ role: 'user', content: [picture] }] }), 0);
  const called = { role: 'assistant', content: [{ ...call, caller: {} }] };
  assert.equal(warned({ messages: [user, called, { role: 'user', content: [result] }] }), 0);
});

test('a refusal names the field', () => {
  const content = (block: unknown) => ({ messages: [{ role: 'user', content: [block] }] });
  const answer = (block: unknown) => ({ messages: [user, { role: 'assistant', content: [block] }] });
  const at = 'messages[0].content[0]';
  const cases: [object, string, string][] = [
    [{ messages: [7] }, 'invalid_value', 'messages[0]'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'invalid_value', 'messages[0].role'],
    [{ messages: [{ role: 'user', content: 7 }] }, 'invalid_value', 'messages[0].content'],
    [{ messages: [{ role: 'user' }] }, 'missing_field', 'messages[0].content'],
    [{ messages: [{ role: 'user', content: ' ' }] }, 'invalid_value', 'messages'],
    [content('x'), 'invalid_value', at],
    [content({}), 'missing_field', `${at}.type`],
    [content({ type: 'hologram' }), 'invalid_value', `${at}.type`],
    [content({ type: 'text', text: { a: 1 } }), 'invalid_value', `${at}.text`],
    [content({ type: 'text', text: 'x', cache_control: 7 }), 'invalid_value', `${at}.cache_control`],
    [content({ type: 'image', source: { type: 'file', file_id: 'f' } }), 'unsupported_value', `${at}.source`],
    [content(result), 'invalid_value', `${at}.tool_use_id`],
    [answer({ ...call, input: '{}' }), 'invalid_value', 'messages[1].content[0].input'],
    [answer({ ...call, id: '' }), 'invalid_value', 'messages[1].content[0].id'],
    [{ max_tokens: 0 }, 'unsupported_value', 'max_tokens'],
    [{ thinking: { type: 'enabled' } }, 'invalid_value', 'thinking.budget_tokens'],
    [{ thinking: { type: 'deep' } }, 'invalid_value', 'thinking.type'],
    [{ tools: [{ type: 'web_search_20260318', name: 'web_search' }] }, 'unsupported_value', 'tools[0]'],
    [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, 'unsupported_value', 'tools[0]'],
    [{ tools: [{ name: 'x', input_schema: { type: 'array' } }] }, 'invalid_value', 'tools[0].input_schema.type'],
    [{ tool_choice: { type: 'tool' } }, 'missing_field', 'tool_choice.name'],
    [{ thread: { create: {} } }, 'unsupported_value', 'thread'],
    [{ metadata: { user_id: 7 } }, 'invalid_value', 'metadata.user_id'],
  ];
  for (const [fields, code, param] of cases) {
    assert.throws(
      () => read(fields),
      (error) => error instanceof GatewayError && error.code === code && error.param === param,
      `${JSON.stringify(fields)} is refused with ${code} at ${param}`,
    );
  }
  assert.throws(() => readRequest(inboundOf('{"messages":[{"role":"user","content":"x"}],"temperature":1e999}')), {
    param: 'temperature',
  });
  assert.throws(() => readRequest(inboundOf('{"messages":[{"role":"user","content":"\\q"}]}')), {
    code: 'invalid_json',
  });
});

test('the tool runner gets the error code for unsupported threads', () => {
  assert.throws(() => read({ thread: {} }), { facts: { error_code: 'thread_unsupported_request' } });
});

test('a wrong type in any field is refused with a 400', () => {
  const fixture = JSON.parse(readFixture('requests/coding-agent-tool-turn.json').toString());
  let refused = 0;
  for (const odd of [null, 7, '', 'x', true, [], {}, [null], [[]]]) {
    for (const place of placesOf(fixture)) {
      const body = structuredClone(fixture);
      const last = place.at(-1) as string;
      place.slice(0, -1).reduce((value, key) => value[key], body)[last] = odd;
      try {
        readRequest(inboundOf(body));
      } catch (error) {
        assert(error instanceof GatewayError, `${place.join('.')} = ${JSON.stringify(odd)}: ${error}`);
        assert.equal(error.status, 400);
        refused += 1;
      }
    }
  }
  assert.ok(refused > 200, `only ${refused} were refused`);
});

function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...placesOf(inner, [...path, key])]);
}

function read(fields: object): ChatRequest {
  return readRequest(inboundOf({ ...leastRequest, ...fields }));
}

function text(words: string) {
  return { type: 'text', text: words, cache: null };
}
