/**
 * Goal: whatever a provider of this format streams becomes the same well-nested events. Method: the fixtures of vendors cut at every byte,
 * and short streams of chunks with their events in short notation.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE } from '../../../core/usage.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import {
  brief,
  call,
  calls,
  DONE,
  delta,
  eventsOf,
  finish,
  more,
  readFixture,
  reads,
  streamNames,
  streamOf,
} from './answer-fixture.ts';

const OTHERS = 'warning(the provider gave several answers; all but the first were left out)';
const FIXTURES: Record<string, string> = {
  'azure.sse': 'start +text "Ciao" - finish:end end',
  'content-parts.sse': 'start +reasoning(unknown) "Let" - +text " me" - finish:end end',
  'empty.sse': 'start finish:blank end',
  'error-in-stream.sse': 'start +text "Half" error:bad_gateway',
  'groq.sse': 'start +reasoning(unknown) "Well" - +text "ok" - finish:end end',
  'no-done-crlf.sse': 'start +text "Twelve" " men" - finish:end end',
  'openrouter.sse': 'start +reasoning(unknown) "Hm, " - +text "Yes" "." - finish:end end',
  'parallel-tools.sse': 'start +weather(call_a1) {"city": "Paris"} - +clock(call_b2) {} - finish:tool_calls end',
  'text.sse': 'start +text "Grüße " "aus \\"München\\" —" " 👋\\n" - finish:end end',
  'two-choices.sse': `start +text "He" ${OTHERS} "ads" - ${OTHERS} finish:output_cap end`,
  'usage-on-every-chunk.sse': 'start +reasoning(unknown) "So" - +text "A" "B" - finish:end end',
};

for (const name of streamNames) {
  test(`${name} gives the same events wherever it is cut`, () => {
    const bytes = readFixture(name);
    const whole = eventsOf(bytes);
    if (FIXTURES[name] !== undefined) assert.equal(brief(whole), FIXTURES[name]);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      assert.deepEqual(eventsOf(bytes.subarray(0, cut), bytes.subarray(cut)), whole);
    }
    assert.deepEqual(eventsOf(...Array.from(bytes, (byte) => Buffer.from([byte]))), whole);
  });

  test(`${name} broken off before its reason ends in an error`, () => {
    const text = readFixture(name).toString();
    const reason = text.search(/"finish_reason":\s*"\w/);
    if (reason === -1) return;
    assert.equal(eventsOf(Buffer.from(text.slice(0, reason))).at(-1)?.type, 'error');
  });
}

test('a delta that switches blocks is not lost', () => {
  reads(
    [
      delta({ reasoning_content: 'a' }),
      delta({ content: 'b' }),
      call({ index: 0, id: 'c1', function: { name: 'f', arguments: '{"x"' } }),
      more(0, ':1}'),
      finish('tool_calls'),
      DONE,
    ],
    'start +reasoning(unknown) "a" - +text "b" - +f(c1) {"x" :1} - finish:tool_calls end',
  );
});

test('an empty content opens no block', () => {
  reads(
    [delta({ role: 'assistant', content: '' }), delta({ content: null }), finish('stop'), DONE],
    'start finish:end end',
  );
});

test('a refusal is a separate block and the reason', () => {
  reads(
    [delta({ refusal: 'I ' }), delta({ refusal: 'will not.' }), finish('stop'), DONE],
    'start +refusal "I " "will not." - finish:refusal end',
  );
});

const detail = (fields: object) => delta({ content: '', reasoning: null, reasoning_details: [fields] });

test('reasoning details keep signature, format and index, and repeat nothing', () => {
  reads(
    [
      delta({
        reasoning: 'Hm',
        reasoning_details: [{ type: 'reasoning.text', text: 'Hm', format: 'anthropic-claude-v1', index: 0 }],
      }),
      detail({ type: 'reasoning.text', text: '', signature: '', format: 'anthropic-claude-v1', index: 0 }),
      detail({ type: 'reasoning.text', signature: 's1', format: 'anthropic-claude-v1', index: 0 }),
      detail({ type: 'reasoning.text', text: 'So', format: 'anthropic-claude-v1', index: 1 }),
      detail({ type: 'reasoning.encrypted', data: 'e1', format: 'anthropic-claude-v1', index: 2 }),
      detail({ type: 'reasoning.encrypted', data: 'e2', format: 'anthropic-claude-v1', index: 3 }),
      delta({ content: 'x' }),
      finish('stop'),
      DONE,
    ],
    'start +reasoning(anthropic-claude-v1) "Hm" signed(s1,anthropic-claude-v1) - ' +
      '+reasoning(anthropic-claude-v1) "So" - +reasoning(e1) - +reasoning(e2) - +text "x" - finish:end end',
  );
});

test('a signature without any text is kept', () => {
  reads(
    [
      delta({ content: 'x' }),
      detail({ type: 'reasoning.text', signature: 's', format: 'google-gemini-v1', index: 0 }),
      finish('stop'),
      DONE,
    ],
    'start +text "x" - +reasoning(google-gemini-v1) signed(s,google-gemini-v1) - finish:end end',
  );
});

test('a summary is text in addition to the encrypted thought', () => {
  const format = 'openai-responses-v1';
  reads(
    [
      detail({ type: 'reasoning.summary', summary: 'Sum', format, index: 0 }),
      detail({ type: 'reasoning.encrypted', data: 'e', id: 'rs_1', format, index: 0 }),
      finish('stop'),
      DONE,
    ],
    'start +reasoning(openai-responses-v1) "Sum" - +reasoning(e) - finish:end end',
  );
});

test('both spellings of reasoning in one delta count once', () => {
  reads(
    [delta({ reasoning: 'a', reasoning_content: 'a' }), finish('stop'), DONE],
    'start +reasoning(unknown) "a" - finish:end end',
  );
});

test('citations belong to the text, wherever they arrive', () => {
  const cites = (url: string, fields: object = {}) =>
    delta({ annotations: [{ type: 'url_citation', url_citation: { url, ...fields } }] });
  reads(
    [
      cites('u1'),
      delta({ content: 'x' }),
      cites('u2'),
      call({ index: 0, id: 'c', ...calls('f', '{}') }),
      cites('u3'),
      finish('stop'),
      DONE,
    ],
    'start +text "x" cites(u1) cites(u2) - +f(c) {} - +text cites(u3) - finish:tool_calls end',
  );
  const events = eventsOf(
    streamOf(
      delta({ content: 'x' }),
      cites('u', { title: 't', content: 'q', start_index: 0, end_index: 0 }),
      cites('u', { start_index: 0, end_index: 1 }),
      finish('stop'),
      DONE,
    ),
  );
  assert.deepEqual(
    events.filter((event) => event.type === 'citation').map((event) => event.citation),
    [
      { url: 'u', title: 't', quote: 'q', start: null, end: null },
      { url: 'u', title: '', quote: '', start: 0, end: 1 },
    ],
  );
});

const usage = (prompt: number, completion: number) => ({ prompt_tokens: prompt, completion_tokens: completion });

test('usage after the finish or on every chunk: the last one counts, and does not end the stream', () => {
  const expected = { type: 'end', usage: { ...NO_USAGE, inputTokens: 4, outputTokens: 3 } };
  const afterFinish = streamOf(delta({ content: 'x' }), finish('stop'), { choices: [], usage: usage(4, 3) }, DONE);
  assert.deepEqual(eventsOf(afterFinish).at(-1), expected);
  const chunk = (fields: object, counts: object) => ({ choices: [{ index: 0, ...fields }], usage: counts });
  const growing = streamOf(
    chunk(delta({ content: 'x' }), usage(4, 1)),
    chunk(finish('stop'), usage(4, 2)),
    chunk(finish('stop'), usage(4, 3)),
    DONE,
  );
  assert.deepEqual(eventsOf(growing).at(-1), expected);
  assert.deepEqual(eventsOf(growing)[0], {
    type: 'start',
    id: null,
    usage: { ...NO_USAGE, inputTokens: 4, outputTokens: 1 },
  });
});

test('the last content may be in the chunk with the reason', () => {
  reads([{ delta: { content: 'all' }, finish_reason: 'length' }, DONE], 'start +text "all" - finish:output_cap end');
});

test('finish reasons in words of vendors', () => {
  const rows: readonly (readonly [object, string, string | null])[] = [
    [finish('stop'), 'end', 'stop'],
    [finish('stop', { native_finish_reason: 'end_turn' }), 'end', 'end_turn'],
    [finish('stop', { native_finish_reason: 'pause_turn' }), 'paused', 'pause_turn'],
    [finish('stop', { native_finish_reason: 'stop_sequence' }), 'stop_sequence', 'stop_sequence'],
    [finish('stop', { stop_reason: '###' }), 'stop_sequence', 'stop'],
    [finish('stop', { stop_reason: 128009 }), 'end', 'stop'],
    [
      finish('length', { native_finish_reason: 'model_context_window_exceeded' }),
      'context_window',
      'model_context_window_exceeded',
    ],
    [finish('model_length'), 'context_window', 'model_length'],
    [finish('content_filter'), 'refusal', 'content_filter'],
    [finish('something_new'), 'end', 'something_new'],
  ];
  for (const [chunk, reason, native] of rows) {
    const event = eventsOf(streamOf(delta({ content: 'x' }), chunk, DONE)).at(-2);
    assert.ok(event?.type === 'finish');
    assert.deepEqual([event.finish.reason, event.finish.native], [reason, native]);
    assert.equal(event.finish.stopSequence, reason === 'stop_sequence' && native === 'stop' ? '###' : null);
  }
});

test('an error inside the stream is never an end', () => {
  const begun = delta({ content: 'x' });
  const rows: readonly (readonly [object | string, string])[] = [
    [{ error: { code: 502, message: 'Provider disconnected' } }, 'bad_gateway'],
    [{ error: { code: 429, message: 'slow down' } }, 'upstream_rate_limited'],
    [{ error: { code: '503', message: 'full' } }, 'upstream_overloaded'],
    [{ error: { type: 'overloaded_error', message: 'full' } }, 'upstream_overloaded'],
    [{ error: { code: 'rate_limit_exceeded', message: 'slow down' } }, 'upstream_rate_limited'],
    [{ error: { code: 400, message: 'Token limit reached' } }, 'bad_request'],
    [{ error: { code: 401, message: 'Incorrect API key' } }, 'upstream_credential_rejected'],
    [{ error: 'boom' }, 'bad_gateway'],
    [{ object: 'error', message: 'x', type: 'BadRequestError', code: 400, choices: null }, 'bad_request'],
    [{ choices: [{ index: 0, delta: {}, error: { code: 504, message: 'late' } }] }, 'upstream_timeout'],
    [finish('error'), 'bad_gateway'],
    [finish('insufficient_system_resource'), 'bad_gateway'],
    ['not json', 'bad_gateway'],
    ['[1]', 'bad_gateway'],
  ];
  for (const [chunk, code] of rows) reads([begun, chunk, finish('stop'), DONE], `start +text "x" error:${code}`);
  const named = Buffer.concat([streamOf(begun), encodeSse('error', '{"message":"gone"}')]);
  assert.equal(brief(eventsOf(named)), 'start +text "x" error:bad_gateway');
  reads([{ error: { message: 'at once' } }], 'error:bad_gateway');
});

test('an error about the request reaches the caller, an error about the operator does not', () => {
  const messageOf = (error: object) => {
    const event = eventsOf(streamOf({ error })).at(-1);
    return event?.type === 'error' ? event.error.message : null;
  };
  assert.equal(messageOf({ code: 400, message: 'prompt is too long' }), 'prompt is too long');
  assert.doesNotMatch(messageOf({ code: 401, message: 'org-x1y2 may not' }) ?? '', /org/);
  assert.doesNotMatch(messageOf({ code: 502, message: 'host 10.0.0.1' }) ?? '', /10/);
});

test('text without a reason is cut off unless [DONE] follows; then its reason is blank', () => {
  reads([delta({ content: 'x' })], 'start +text "x" error:bad_gateway');
  reads([delta({ content: 'x' }), DONE], 'start +text "x" - finish:blank end');
  reads([delta({ content: '' }), DONE], 'start finish:blank end');
  reads([DONE], 'start finish:blank end');
  reads([], 'error:bad_gateway');
});

test('nothing follows the end', () => {
  reads(
    [delta({ content: 'x' }), finish('stop'), DONE, delta({ content: 'y' }), DONE],
    'start +text "x" - finish:end end',
  );
});

test('content after the reason is not lost', () => {
  reads(
    [delta({ content: 'x' }), finish('stop'), delta({ content: 'y' }), DONE],
    'start +text "x" - +text "y" - finish:end end',
  );
});

test('wrong types are read as absent', () => {
  const odd = [null, 1, 'x', [], {}, [null], [1], [{}], { a: 1 }, true];
  for (const value of odd) {
    for (const field of [
      'content',
      'reasoning',
      'reasoning_details',
      'tool_calls',
      'annotations',
      'refusal',
      'audio',
      'function_call',
    ]) {
      eventsOf(streamOf(delta({ [field]: value }), DONE));
    }
    eventsOf(
      streamOf(
        { choices: value },
        { choices: [value] },
        { choices: [{ delta: value, finish_reason: value }], usage: value },
        DONE,
      ),
    );
    eventsOf(
      streamOf(call({ index: value, id: value, function: { name: value, arguments: value } }), finish('stop'), DONE),
    );
    eventsOf(
      streamOf(
        delta({ reasoning_details: [{ text: value, signature: value, data: value, index: value, format: value }] }),
        DONE,
      ),
    );
    eventsOf(streamOf(delta({ content: [{ type: value, text: value, thinking: value }] }), DONE));
  }
});

test('the input of a custom tool is one string of its arguments', () => {
  const input = (text: string) => call({ index: 0, custom: { input: text } });
  const first = call({ index: 0, id: 'c', type: 'custom', custom: { name: 'sql', input: '' } });
  reads(
    [first, input('{"a": "'), input('\n'), finish('tool_calls'), DONE],
    String.raw`start +sql(c) {"input":"{\"a\": \" \n "} - finish:tool_calls end`,
  );
});
