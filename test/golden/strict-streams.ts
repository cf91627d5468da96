/** What a client of each format relies on in a stream that ended properly, checked strictly. */
import assert from 'node:assert/strict';
import type { CallerDialectName } from '../../src/dialects/index.ts';
import { SseSplitter } from '../../src/wire/frames/sse-splitter.ts';

/** Fails if the stream is not one whole answer as the format's documentation and clients have it. */
export function assertStrictStream(caller: CallerDialectName, stream: Buffer): void {
  const check = STRICT[caller];
  assert.ok(check !== undefined, `test/golden/strict-streams.ts has no rules for ${caller}`);
  const frames = new SseSplitter().push(stream);
  assert.equal(
    Buffer.concat(frames.map(({ bytes }) => bytes)).length,
    stream.length,
    'the stream ends in a whole event',
  );
  check(frames.map(({ bytes }) => eventOf(bytes.toString())));
}

interface Event {
  readonly name: string | null;
  readonly data: string;
}

// biome-ignore lint/suspicious/noExplicitAny: what is wrong with the JSON of an event, an assertion says.
type Parsed = any;

function eventOf(lines: string): Event {
  const field = (name: string) =>
    lines
      .split(/\r?\n/)
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
      .join('\n');
  return { name: field('event') || null, data: field('data') };
}

const STRICT: Readonly<Record<string, (events: readonly Event[]) => void>> = {
  'openai-chat': strictChat,
  'anthropic-messages': strictMessages,
  'openai-responses': strictResponses,
  gemini: strictGemini,
};

/** https://platform.openai.com/docs/api-reference/chat-streaming */
function strictChat(events: readonly Event[]): void {
  assert.ok(events.every(({ name }) => name === null));
  assert.equal(events.at(-1)?.data, '[DONE]');
  const chunks: Parsed[] = events.slice(0, -1).map(({ data }) => JSON.parse(data));
  const [first] = chunks;
  for (const { id, object, created, model, usage, error } of chunks) {
    assert.deepEqual([id, object, created, model], [first.id, 'chat.completion.chunk', first.created, first.model]);
    assert.notEqual(usage, null, 'a usage of null is refused by some clients');
    assert.equal(error, undefined);
  }
  const choices = chunks.flatMap((chunk) => chunk.choices);
  assert.equal(choices[0].delta.role, 'assistant');
  const finished = choices.filter((choice) => choice.finish_reason !== null);
  assert.equal(finished.length, 1, 'one finish_reason');
  assert.equal(choices.at(-1), finished[0], 'nothing after the finish_reason');
  const calls: { id: string; json: string }[] = [];
  for (const { index, id, function: called } of choices.flatMap((choice) => choice.delta.tool_calls ?? [])) {
    if (id !== undefined) {
      assert.equal(index, calls.length, 'calls are counted from 0');
      assert.ok(typeof called.name === 'string' && called.name !== '');
      calls.push({ id, json: '' });
    } else assert.equal(called.name, undefined, 'a name comes once');
    assert.equal(index, calls.length - 1, 'one call after the other');
    (calls.at(-1) as { json: string }).json += called.arguments;
  }
  for (const { json } of calls) assert.doesNotThrow(() => JSON.parse(json), `arguments ${json}`);
  assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length, 'ids are unique');
  if (calls.length > 0) assert.notEqual(finished[0].finish_reason, 'stop', 'trap 4: stop, with calls');
  const usages = chunks.filter((chunk) => chunk.usage !== undefined);
  assert.ok(usages.length <= 1);
  if (usages.length === 1) assert.deepEqual([usages[0].choices, chunks.at(-1)], [[], usages[0]]);
}

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
function strictMessages(events: readonly Event[]): void {
  const messages: Parsed[] = events.map(({ name, data }) => {
    const message = JSON.parse(data);
    assert.equal(name, message.type, 'clients drop an event without its name');
    return message;
  });
  assert.equal(messages[0].type, 'message_start');
  assert.deepEqual(
    messages.slice(-2).map(({ type }) => type),
    ['message_delta', 'message_stop'],
  );
  assert.deepEqual(messages[0].message.content, []);
  let index = -1;
  let open: Parsed = null;
  const calls: string[] = [];
  for (const message of messages.slice(1, -2)) {
    if (message.type === 'ping') continue;
    if (message.type === 'content_block_start') {
      assert.equal(open, null, 'one open block at a time');
      index += 1;
      open = { ...message.content_block, json: '' };
      if (open.type === 'tool_use') {
        assert.deepEqual(open.input, {}, 'trap 6: input is in the deltas');
        assert.match(open.id, /^[\w-]+$/);
        calls.push(open.id);
      }
    } else if (message.type === 'content_block_delta') {
      assert.ok(open !== null, 'a delta outside a block');
      assert.ok(DELTAS[open.type]?.includes(message.delta.type), `trap 2: ${message.delta.type} in ${open.type}`);
      open.json += message.delta.partial_json ?? '';
    } else {
      assert.equal(message.type, 'content_block_stop');
      assert.ok(open !== null, 'trap 3: a block is stopped once');
      if (open.type === 'tool_use') assert.doesNotThrow(() => JSON.parse(open.json || '{}'), open.json);
      open = null;
    }
    assert.equal(message.index, index);
  }
  assert.equal(open, null, 'every block is stopped');
  assert.equal(new Set(calls).size, calls.length, 'ids are unique');
  const { delta, usage } = messages.at(-2);
  assert.equal(typeof delta.stop_reason, 'string');
  assert.equal(typeof usage.output_tokens, 'number');
  if (calls.length > 0) assert.notEqual(delta.stop_reason, 'end_turn', 'trap 4: end_turn, with calls');
}

const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  redacted_thinking: [],
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
function strictResponses(events: readonly Event[]): void {
  const messages: Parsed[] = events.map(({ name, data }, at) => {
    const message = JSON.parse(data);
    assert.equal(name, message.type);
    assert.equal(message.sequence_number, at, 'numbered from 0');
    return message;
  });
  assert.deepEqual(
    messages.slice(0, 2).map(({ type }) => type),
    ['response.created', 'response.in_progress'],
  );
  const last = messages.at(-1);
  assert.ok(['response.completed', 'response.incomplete'].includes(last.type), last.type);
  const items: Parsed[] = [];
  let open: Parsed = null;
  let gathered = '';
  for (const message of messages.slice(2, -1)) {
    const { type } = message;
    if (type === 'response.output_item.added') {
      assert.equal(open, null, 'one item after the other');
      assert.equal(message.output_index, items.length);
      open = message.item;
      continue;
    }
    assert.ok(open !== null, `${type} outside an item`);
    assert.equal(message.output_index, items.length);
    if (message.item_id !== undefined) assert.equal(message.item_id, open.id);
    if (type === 'response.output_item.done') {
      assert.deepEqual([message.item.type, message.item.id], [open.type, open.id], 'the id of an item does not change');
      items.push(message.item);
      open = null;
    } else if (type.endsWith('.delta')) gathered += message.delta;
    else if (/_(text|refusal|arguments|input)\.done$|refusal\.done$/.test(type)) {
      const whole = message.text ?? message.arguments ?? message.refusal ?? message.input;
      assert.equal(whole, gathered, 'the whole is what came in pieces');
      gathered = '';
    }
  }
  assert.equal(open, null, 'every item is done');
  const { output, status, id } = last.response;
  assert.deepEqual(output, items, 'the answer holds its items');
  assert.equal(status, last.type.replace('response.', ''));
  assert.equal(id, messages[0].response.id);
  for (const item of items) {
    if (item.type !== 'function_call') continue;
    assert.doesNotThrow(() => JSON.parse(item.arguments));
    assert.ok(item.call_id.length <= 64 && item.name !== '');
  }
}

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
function strictGemini(events: readonly Event[]): void {
  const chunks: Parsed[] = events.map(({ name, data }) => {
    assert.equal(name, null);
    return JSON.parse(data);
  });
  assert.ok(chunks.length > 0);
  const { responseId, modelVersion } = chunks[0];
  const finished: number[] = [];
  chunks.forEach((chunk, at) => {
    assert.deepEqual([chunk.responseId, chunk.modelVersion], [responseId, modelVersion]);
    assert.equal(chunk.error, undefined);
    const [candidate] = chunk.candidates ?? [];
    for (const part of candidate?.content?.parts ?? []) {
      if (part.functionCall === undefined) continue;
      assert.ok(typeof part.functionCall.name === 'string' && typeof (part.functionCall.args ?? {}) === 'object');
    }
    if (candidate?.content !== undefined) assert.equal(candidate.content.role, 'model');
    if (candidate?.finishReason !== undefined) finished.push(at);
  });
  assert.deepEqual(finished.length, 1, 'one finishReason');
}
