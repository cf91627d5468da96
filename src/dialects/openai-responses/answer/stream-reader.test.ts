/**
 * Goal: whatever a server leaves out, repeats, reorders or renames, its answer is read once and whole, or as a failure. Method: short streams,
 * their events in short notation.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent } from '../../../chat/response.ts';
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { openReader } from './stream-reader.ts';

type Event = Readonly<Record<string, unknown>>;

function eventsOf(events: readonly (Event | string)[]): readonly ChatEvent[] {
  const reader = openReader();
  const text = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
  return [...new SseSplitter().push(Buffer.from(text)).flatMap((frame) => reader.frame(frame)), ...reader.end()];
}

function brief(event: ChatEvent): string {
  switch (event.type) {
    case 'block_start': {
      const { block } = event;
      if (block.type === 'tool_call') return `+${block.name}(${block.id})`;
      if (block.type !== 'reasoning') return `+${block.type}`;
      return `+thought${block.summary === true ? ' summary' : ''}${block.encrypted === null ? '' : `=${block.encrypted}`}@${block.id}`;
    }
    case 'block_end':
      return '-';
    case 'text':
    case 'reasoning':
      return JSON.stringify(event.text);
    case 'arguments':
      return event.json;
    case 'citation':
      return `[${event.citation.url}]`;
    case 'warning':
      return `!${event.text}`;
    case 'finish':
      return `finish:${event.finish.reason}`;
    case 'error':
      return `error:${event.error.code}`;
    default:
      return event.type;
  }
}

const reads = (events: readonly (Event | string)[], expected: string): void =>
  assert.equal(eventsOf(events).map(brief).join(' '), expected);

const completed = (...output: readonly Event[]): Event => ({
  type: 'response.completed',
  response: { status: 'completed', output },
});
const added = (output_index: number, item: Event): Event => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const done = (output_index: number, item: Event): Event => ({ type: 'response.output_item.done', output_index, item });
const call = (id: string, name: string, json = ''): Event => ({
  ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: json },
});
const said = (id: string, text: string, annotations: readonly Event[] = []): Event => ({
  ...{ type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text, annotations }] },
});
const textDelta = (output_index: number, delta: string, content_index = 0): Event => ({
  ...{ type: 'response.output_text.delta', output_index, content_index, delta },
});
const argumentsDelta = (output_index: number, delta: string): Event => ({
  ...{ type: 'response.function_call_arguments.delta', output_index, delta },
});
const page = (url: string): Event => ({ type: 'url_citation', url, title: 't', start_index: 0, end_index: 1 });

test('arguments that come only when they are complete are not lost', () => {
  const whole = { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"a":1}' };
  reads(
    [added(0, call('c', 'f')), whole, done(0, call('c', 'f', '{"a":1}')), completed()],
    'start +f(c) {"a":1} - finish:tool_calls end',
  );
  reads(
    [added(0, call('c', 'f')), done(0, call('c', 'f', '{"a":1}')), completed()],
    'start +f(c) {"a":1} - finish:tool_calls end',
  );
  reads([done(0, call('c', 'f', '{"a":1}')), completed()], 'start +f(c) {"a":1} - finish:tool_calls end');
  reads([completed(call('c', 'f', '{"a":1}'))], 'start +f(c) {"a":1} - finish:tool_calls end');
});

test('arguments that come in pieces are not repeated at their end', () => {
  reads(
    [
      added(0, call('c', 'f')),
      argumentsDelta(0, '{"a"'),
      argumentsDelta(0, ':1}'),
      done(0, call('c', 'f', '{"a":1}')),
      completed(call('c', 'f', '{"a":1}')),
    ],
    'start +f(c) {"a" :1} - finish:tool_calls end',
  );
});

test('a text that comes only at the end of its part, its item or the answer is not lost', () => {
  const part = { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Hi' };
  reads([added(0, said('m', '')), part, done(0, said('m', 'Hi')), completed()], 'start +text "Hi" - finish:end end');
  reads([done(0, said('m', 'Hi')), completed()], 'start +text "Hi" - finish:end end');
  reads([completed(said('m', 'Hi'))], 'start +text "Hi" - finish:end end');
});

test('calls that alternate wait for each other', () => {
  reads(
    [
      added(0, call('a', 'f')),
      added(1, call('b', 'g')),
      argumentsDelta(1, '{"b"'),
      argumentsDelta(0, '{}'),
      argumentsDelta(1, ':1}'),
      done(1, call('b', 'g', '{"b":1}')),
      done(0, call('a', 'f', '{}')),
      completed(),
    ],
    'start +f(a) {} - +g(b) {"b":1} - finish:tool_calls end',
  );
});

test('ids that change within an item do not matter', () => {
  const delta = { ...textDelta(0, 'Hi'), item_id: 'other' };
  reads(
    [added(0, said('m1', '')), delta, done(0, said('m2', 'Hi')), completed(said('m3', 'Hi'))],
    'start +text "Hi" - finish:end end',
  );
});

test('servers that give every item the same index are read by ids', () => {
  const delta = (item_id: string, text: string): Event => ({ ...textDelta(0, text), item_id });
  reads(
    [
      added(0, said('a', '')),
      delta('a', 'A'),
      done(0, said('a', 'A')),
      added(0, said('b', '')),
      delta('b', 'B'),
      done(0, said('b', 'B')),
      completed(),
    ],
    'start +text "A" - +text "B" - finish:end end',
  );
});

test('two calls with one id get different ones', () => {
  const events = eventsOf([done(0, call('c', 'f', '{}')), done(1, call('c', 'g', '{}')), completed()]);
  const ids = events.flatMap((event) =>
    event.type === 'block_start' && event.block.type === 'tool_call' ? event.block.id : [],
  );
  assert.equal(ids[0], 'c');
  assert.notEqual(ids[1], 'c');
});

test('arguments that are no object are kept as text, and none are none', () => {
  reads([done(0, call('c', 'f', 'no JSON')), completed()], 'start +f(c) {"_raw":"no JSON"} - finish:tool_calls end');
  reads([done(0, call('c', 'f', '')), completed()], 'start +f(c) - finish:tool_calls end');
});

test('a custom tool’s text becomes an object of one string', () => {
  const item = { type: 'custom_tool_call', id: 'x', call_id: 'c', name: 'sql', input: 'SELECT "a"\n' };
  const delta = (text: string): Event => ({
    type: 'response.custom_tool_call_input.delta',
    output_index: 0,
    delta: text,
  });
  reads(
    [added(0, { ...item, input: '' }), delta('SELECT '), delta('"a"\n'), done(0, item), completed()],
    'start +sql(c) {"input":"SELECT  \\"a\\"\\n "} - finish:tool_calls end',
  );
});

test('summaries, thoughts and the encrypted thought of one item keep their places and its id', () => {
  const item = { type: 'reasoning', id: 'r', summary: [{ text: 'One' }, { text: 'Two' }], encrypted_content: 'gAAA' };
  const delta = (summary_index: number, text: string): Event => ({
    ...{ type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index, delta: text },
  });
  reads(
    [
      added(0, { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'early' }),
      delta(0, 'One'),
      delta(1, 'Two'),
      done(0, item),
      completed(item),
    ],
    'start +thought summary@r "One" - +thought summary@r "Two" - +thought=gAAA@r - finish:end end',
  );
});

test('a page is cited once, whether it is announced, repeated or only in the item', () => {
  const annotation = {
    type: 'response.output_text.annotation.added',
    output_index: 0,
    content_index: 0,
    annotation: page('https://a'),
  };
  reads(
    [
      added(0, said('m', '')),
      textDelta(0, 'Hi'),
      annotation,
      done(0, said('m', 'Hi', [page('https://a'), page('https://b')])),
      completed(),
    ],
    'start +text "Hi" [https://a] [https://b] - finish:end end',
  );
});

test('what the provider ran itself, and what is new, is reported once', () => {
  const search = { type: 'web_search_call', id: 'ws', status: 'completed' };
  reads(
    [
      added(0, search),
      { type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws' },
      done(0, search),
      { type: 'response.novelty' },
      completed(search),
    ],
    'start !an item "web_search_call" was left out of the answer !a stream event "response.novelty" was left out of the answer finish:end end',
  );
});

test('a wrapper of several calls is taken apart, and anything else of that name is a call', () => {
  const uses = {
    tool_uses: [{ recipient_name: 'functions.f', parameters: { a: 1 } }, { recipient_name: 'functions.g' }],
  };
  const wrapper = call('c', 'multi_tool_use.parallel', JSON.stringify(uses));
  reads(
    [
      added(0, call('c', 'multi_tool_use.parallel')),
      argumentsDelta(0, JSON.stringify(uses)),
      done(0, wrapper),
      completed(),
    ],
    'start +f(c) {"a":1} - +g(c_1) {} - finish:tool_calls end',
  );
  reads([done(0, call('c', 'parallel', '{"x":1}')), completed()], 'start +parallel(c) {"x":1} - finish:tool_calls end');
});

test('a refusal, a cap and a filter end the answer as such', () => {
  const refusal = { type: 'message', id: 'm', content: [{ type: 'refusal', refusal: 'No.' }] };
  reads([done(0, refusal), completed()], 'start +refusal "No." - finish:refusal end');
  for (const [reason, finish] of [
    ['max_output_tokens', 'output_cap'],
    ['content_filter', 'refusal'],
    ['new', 'output_cap'],
  ])
    reads(
      [
        textDelta(0, 'Hi'),
        { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason } } },
      ],
      `start +text "Hi" - finish:${finish} end`,
    );
});

test('an error is understood in each of its forms, and what follows it is not read', () => {
  const failure = (error: Event): Event => ({ type: 'response.failed', response: { status: 'failed', error } });
  for (const [event, code] of [
    [{ type: 'error', code: 'server_error', message: 'x', param: null }, 'bad_gateway'],
    [
      { type: 'error', error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'Pay.' } },
      'upstream_credential_rejected',
    ],
    [failure({ code: 'rate_limit_exceeded', message: 'Slow down' }), 'upstream_rate_limited'],
    [
      failure({ code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' }),
      'context_length_exceeded',
    ],
    [failure({ code: 'server_is_overloaded', message: 'Busy' }), 'upstream_overloaded'],
  ] as const)
    reads(
      [textDelta(0, 'Hi'), event, failure({ code: 'x', message: 'again' }), completed()],
      `start +text "Hi" error:${code}`,
    );
});

test('what is not JSON, and an end without a last event, are failures', () => {
  reads([textDelta(0, 'Hi'), '<html>'], 'start +text "Hi" error:bad_gateway');
  reads([textDelta(0, 'Hi'), done(0, said('m', 'Hi'))], 'start +text "Hi" - error:bad_gateway');
  reads([textDelta(0, 'Hi'), '[DONE]'], 'start +text "Hi" error:bad_gateway');
  reads([], 'error:bad_gateway');
});
