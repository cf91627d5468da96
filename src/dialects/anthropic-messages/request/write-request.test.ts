/**
 * Goal: a provider of the Messages API gets a valid request with the caller's meaning; what had to change is reported. Method: one neutral
 * request changed field by field, and targets as in the catalogue.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Turn, UserBlock } from '../../../chat/request.ts';
import { inboundOf, readFixture } from '../fixtures/read-fixture.ts';
import {
  ahoy,
  assistant,
  callOf,
  high,
  resultOf,
  text,
  tool,
  type WireBody,
  write,
} from '../fixtures/write-fixture.ts';
import { readRequest } from './read-request.ts';

test('a minimal request', () => {
  const { body, headers, warnings } = write({});
  assert.deepEqual(body, {
    model: 'claude-lighthouse-4',
    max_tokens: 8192,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Ahoy' }] }],
  });
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    accept: 'application/json',
    'anthropic-version': '2023-06-01',
  });
  assert.deepEqual(warnings, []);
  const streamed = write({ stream: true });
  assert.deepEqual([streamed.headers['accept'], streamed.body.stream], ['text/event-stream', true]);
});

test("a coding agent's turn keeps its content", () => {
  const inbound = inboundOf(readFixture('requests/coding-agent-tool-turn.json').toString());
  const { body, warnings } = write(readRequest(inbound), { systemAnywhere: true });
  assert.deepEqual(
    body.messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)]),
    [
      ['user', 'text', 'text'],
      ['system', 'text'],
      ['assistant', 'thinking', 'text', 'tool_use', 'tool_use'],
      ['user', 'tool_result', 'tool_result', 'text'],
      ['system', 'text'],
    ],
  );
  assert.deepEqual(body.messages[2].content[0], { type: 'thinking', thinking: '', signature: 'c2lnbmF0dXJl' });
  assert.equal(JSON.stringify(body.messages[2].content[2].input), '{"path":"/log","__proto__":1}');
  assert.deepEqual(body.thinking, { type: 'adaptive', display: 'omitted' });
  assert.deepEqual(body.output_config, { effort: 'low' });
  assert.deepEqual(body.system[1].cache_control, { type: 'ephemeral', ttl: '1h' });
  assert.deepEqual(warnings, []);
});

test('parallel tool results come first in one user message', () => {
  const turns: Turn[] = [
    ahoy,
    assistant(callOf('a'), callOf('b')),
    { role: 'user', blocks: [text('So?'), resultOf('a'), resultOf('b')] },
    { role: 'user', blocks: [text('Well?')] },
  ];
  const { content } = write({ turns, tools: [tool] }).body.messages[2];
  assert.deepEqual(
    content.map((block) => block.tool_use_id ?? block.text),
    ['a', 'b', 'So?', 'Well?'],
  );
});

test('instructions in the middle become a reminder, after any results', () => {
  const system: Turn = { role: 'system', blocks: [text('Hush')] };
  const reminder = '<system-reminder>\nHush\n</system-reminder>';
  const open: Turn[] = [ahoy, assistant(callOf('a')), system, { role: 'user', blocks: [resultOf('a'), text('So?')] }];
  assert.deepEqual(texts(write({ turns: open, tools: [tool] })), ['Ahoy', 'tool_use', `tool_result|${reminder}|So?`]);
  assert.deepEqual(texts(write({ turns: open, tools: [tool] }, { systemAnywhere: true })), [
    'Ahoy',
    'tool_use',
    'tool_result|So?',
    'Hush',
  ]);
  const last: Turn[] = [ahoy, assistant(text('Aye')), system];
  assert.deepEqual(texts(write({ turns: last })), ['Ahoy', 'Aye', reminder]);
  assert.deepEqual(texts(write({ turns: last }, { systemAnywhere: true })), ['Ahoy', 'Aye', reminder]);
  assert.deepEqual(write({ turns: [system, ahoy] }).body.system, [{ type: 'text', text: 'Hush' }]);
});

test('instructions in the middle come between a user and an answer, or last, and are never adjacent', () => {
  const hush: Turn = { role: 'system', blocks: [text('Hush')] };
  const calm: Turn = { role: 'system', blocks: [text('Calm')] };
  const aye = assistant(text('Aye'));
  const foreign = assistant({ type: 'reasoning', text: 'x', signature: null, encrypted: null, origin: 'unknown' });
  const called = assistant(callOf('a'));
  const answered: Turn = { role: 'user', blocks: [resultOf('a')] };
  const rows: readonly (readonly [readonly Turn[], readonly string[]])[] = [
    [
      [ahoy, hush],
      ['user', 'system'],
    ],
    [
      [ahoy, hush, aye, ahoy],
      ['user', 'system', 'assistant', 'user'],
    ],
    // Adjacent user turns are one message, and the instructions come after it.
    [
      [ahoy, hush, ahoy],
      ['user', 'system'],
    ],
    [
      [ahoy, hush, ahoy, calm, aye, ahoy],
      ['user', 'system', 'assistant', 'user'],
    ],
    [
      [ahoy, called, hush, answered, aye, ahoy],
      ['user', 'assistant', 'user', 'system', 'assistant', 'user'],
    ],
    [
      [ahoy, called, answered, hush, ahoy],
      ['user', 'assistant', 'user', 'system'],
    ],
    // A turn may become empty: its neighbours are then adjacent.
    [
      [ahoy, hush, foreign, ahoy],
      ['user', 'system'],
    ],
    [
      [ahoy, hush, foreign, calm, ahoy],
      ['user', 'system'],
    ],
    // They may not follow an answer.
    [
      [ahoy, aye, hush],
      ['user', 'assistant', 'user'],
    ],
    [
      [ahoy, aye, hush, aye, ahoy],
      ['user', 'assistant', 'user', 'assistant', 'user'],
    ],
  ];
  for (const [turns, roles] of rows) {
    const { messages } = write({ turns, tools: [tool] }, { systemAnywhere: true }).body;
    assert.deepEqual(
      messages.map(({ role }) => role),
      roles,
    );
    const written = JSON.stringify(messages);
    for (const { blocks } of turns.filter((turn) => turn.role === 'system')) {
      assert.ok(written.includes((blocks[0] as { text: string }).text));
    }
  }
});

test('marks on instructions in the middle count in their position', () => {
  const marked = (words: string, cache: '5m' | '1h' = '5m') => ({ ...text(words), cache });
  const turns: Turn[] = [
    { role: 'user', blocks: [marked('a')] },
    { role: 'system', blocks: [marked('b')] },
    assistant(marked('c'), marked('d')),
    { role: 'user', blocks: [marked('e')] },
  ];
  const { body } = write({ turns }, { systemAnywhere: true });
  const kept = body.messages.flatMap(({ content }) => content).filter((block) => block.cache_control !== undefined);
  assert.deepEqual(
    kept.map((block) => block.text),
    ['b', 'c', 'd', 'e'],
  );
});

test('the first message is the user’s', () => {
  const { body, warnings } = write({ turns: [assistant(text('Aye')), ahoy] });
  assert.deepEqual(
    body.messages.map(({ role }) => role),
    ['user', 'assistant', 'user'],
  );
  assert.equal(warnings.length, 1);
  assert.equal(write({ turns: [] }).body.messages.length, 1);
});

test('an answer to continue is kept if the model can continue it', () => {
  const turns = [ahoy, assistant(text('Aye, '))];
  const { body, warnings } = write({ turns, reasoning: high }, { prefill: true });
  assert.equal(body.messages[1].content[0].text, 'Aye,');
  assert.deepEqual([body.thinking, warnings.length], [undefined, 2]);
  assert.throws(() => write({ turns }), { code: 'unsupported_value', param: 'messages' });
  assert.throws(() => write({ turns: [ahoy, assistant(callOf('a'))] }, { prefill: true }), { param: 'messages' });
});

test('blank text is never sent', () => {
  const { body } = write({ system: [text(' ')], turns: [ahoy, assistant(text('\n')), ahoy] });
  assert.deepEqual([body.system, body.messages.length], [undefined, 1]);
});

test('ids are made valid and unique, and equal in call and result', () => {
  const turns = [1, 2].flatMap((): Turn[] => [
    assistant(callOf('functions.look:0')),
    { role: 'user', blocks: [resultOf('functions.look:0')] },
  ]);
  const messages = write({ turns: [ahoy, ...turns], tools: [tool] }).body.messages;
  const ids = messages.slice(1).map(({ content }) => content[0].id ?? content[0].tool_use_id);
  assert.match(String(ids[0]), /^[a-zA-Z0-9_-]{1,64}$/);
  assert.deepEqual([ids[0] === ids[1], ids[2] === ids[3], ids[0] === ids[2]], [true, true, false]);
});

test('thoughts that are unsigned or of other vendors are left out; a signature without text is kept', () => {
  const thought = { type: 'reasoning', text: '', signature: null, encrypted: null } as const;
  const turn = assistant(
    { ...thought, signature: 's', origin: 'anthropic-claude-v1' },
    { ...thought, encrypted: 'e', origin: 'anthropic-claude-v1' },
    { ...thought, text: 'x', origin: 'unknown' },
    { ...thought, encrypted: 'f', origin: 'openai-responses-v1' },
    text('Aye'),
  );
  const { body, warnings } = write({ turns: [ahoy, turn, ahoy] });
  assert.deepEqual(body.messages[1].content, [
    { type: 'thinking', thinking: '', signature: 's' },
    { type: 'redacted_thinking', data: 'e' },
    { type: 'text', text: 'Aye' },
  ]);
  assert.equal(warnings.length, 1);
});

test('an image is sent with the type of its bytes', () => {
  const image = (data: string, mediaType = 'image/jpeg'): Turn => ({
    role: 'user',
    blocks: [{ type: 'image', source: { type: 'base64', mediaType, data }, detail: 'low', cache: null }],
  });
  const kind = (turn: Turn) => write({ turns: [turn] }).body.messages[0].content[0].source.media_type;
  assert.equal(kind(image('iVBORw0KGgoAAAANSUhEUg==')), 'image/png');
  assert.equal(kind(image('/9j/4AAQSkZJRg==', 'image/png')), 'image/jpeg');
  assert.equal(kind(image('UklGRgAAAABXRUJQVlA4', 'image/png')), 'image/webp');
  assert.equal(kind(image('R0lGODlhAQABAA==', 'image/png')), 'image/gif');
  assert.equal(kind(image('AAAA', 'image/png')), 'image/png');
  assert.throws(() => kind(image('AAAA', 'image/tiff')), { code: 'unsupported_value' });
});

test('audio is refused', () => {
  const turn: Turn = { role: 'user', blocks: [{ type: 'audio', data: 'AAAA', format: 'wav', cache: null }] };
  assert.throws(() => write({ turns: [turn] }), { code: 'unsupported_value', param: 'messages' });
});

test('documents are sent as PDF, plain text or URL', () => {
  const named = { type: 'document', name: 'Log', context: null, citations: false, cache: null } as const;
  const blocks: UserBlock[] = [
    { ...named, source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERg==' } },
    { ...named, source: { type: 'base64', mediaType: 'text/markdown', data: 'Zm9n' } },
    { ...named, source: { type: 'url', url: 'https://example.com/log.pdf' } },
  ];
  assert.deepEqual(
    write({ turns: [{ role: 'user', blocks }] }).body.messages[0].content.map(({ source }) => source),
    [
      { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
      { type: 'text', media_type: 'text/plain', data: 'fog' },
      { type: 'url', url: 'https://example.com/log.pdf' },
    ],
  );
});

test('at most four cache marks are sent, the last ones', () => {
  const marked = { ...text('x'), cache: '5m' as const };
  const { body, warnings } = write({
    tools: [{ ...tool, cache: '1h' }],
    system: [marked, marked],
    turns: [{ role: 'user', blocks: [marked, marked, { ...marked, cache: '1h' }] }],
  });
  const blocks = [...body.tools, ...body.system, ...body.messages[0].content];
  assert.deepEqual(
    blocks.map((block) => block.cache_control?.ttl ?? block.cache_control?.type ?? null),
    [null, null, 'ephemeral', 'ephemeral', 'ephemeral', '1h'],
  );
  assert.equal(warnings.length, 1);
});

test('the output cap is at most that of the model', () => {
  assert.equal(write({ outputCap: 5 }).body.max_tokens, 5);
  assert.equal(write({}, { outputCap: 16_384 }).body.max_tokens, 16_384);
  const lowered = write({ outputCap: 32_000 }, { outputCap: 16_384 });
  assert.deepEqual([lowered.body.max_tokens, lowered.warnings.length], [16_384, 1]);
});

test('a schema for the answer is sent as a field or as an instruction', () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false };
  const format = { type: 'json_schema', name: 'x', description: null, schema, strict: true } as const;
  assert.deepEqual(write({ format }).body.output_config, { format: { type: 'json_schema', schema } });
  const written = write({ format, system: [text('A')] }, { parameters: new Set() });
  assert.equal(written.body.output_config, undefined);
  assert.match(String(written.body.system[1].text), /"properties":\{\}/);
  assert.equal(written.warnings.length, 1);
  assert.equal(write({ format: { type: 'json_object' } }).body.system.length, 1);
});

test('what the format cannot express is reported', () => {
  const { body, warnings } = write({
    frequencyPenalty: 0.5,
    presencePenalty: 1,
    seed: 7,
    verbosity: 'low',
    user: 'me',
  });
  assert.deepEqual(
    warnings.map((warning) => warning.split(' ')[0]),
    ['frequency_penalty', 'presence_penalty', 'seed', 'verbosity'],
  );
  assert.deepEqual(body.metadata, { user_id: 'me' });
});

/** Each message as the texts of its blocks, or their types. */
function texts({ body }: { readonly body: WireBody }): string[] {
  return body.messages.map(({ content }) => content.map((block) => block.text ?? block.type).join('|'));
}
