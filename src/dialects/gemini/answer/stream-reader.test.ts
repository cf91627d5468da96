/** Goal: a stream becomes blocks in order, and never ends well by mistake. Method: the fixtures, whole and cut, and messages one by one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent } from '../../../chat/response.ts';
import { gatherBlocks } from '../../kit/answer/gather-blocks.ts';
import { eventsOf, fixtureNames, framesOf, readFixture } from '../fixtures/read-fixture.ts';
import { openReader } from './stream-reader.ts';

const GOOGLE = 'google-gemini-v1';

function read(name: string): readonly ChatEvent[] {
  return eventsOf(readFixture(name));
}

/** A stream of these messages, each the candidate's parts or a whole message. */
function streamOf(...messages: readonly unknown[]): Buffer {
  return Buffer.from(messages.map((message) => `data: ${JSON.stringify(message)}\r\n\r\n`).join(''));
}

function says(parts: readonly unknown[], finishReason?: string): object {
  return { candidates: [{ content: { parts, role: 'model' }, finishReason }], responseId: 'r-1' };
}

test('thoughts and text become blocks; a signature stands before what its part carried', () => {
  assert.deepEqual(gatherBlocks(read('thinking.sse')), [
    { type: 'reasoning', text: '**Counting** the lamps.', signature: null, encrypted: null, origin: GOOGLE },
    { type: 'text', text: 'Four lamps.', citations: [] },
    { type: 'reasoning', text: '', signature: null, encrypted: 'c2lnLXRleHQ=', origin: GOOGLE },
  ]);
});

test('calls get an id if they have none, and their signature names it', () => {
  const events = read('tool-use.sse');
  const [text, thought, first, second] = gatherBlocks(events);
  assert.equal(text?.type, 'text');
  assert.deepEqual(thought, {
    ...{ type: 'reasoning', text: '', signature: null, encrypted: 'c2lnLWNhbGw=', origin: GOOGLE },
    id: 'call_lantern-1_0',
  });
  assert.equal(
    JSON.stringify(first),
    '{"type":"tool_call","id":"call_lantern-1_0","name":"harbour","input":{"name":"Brest","id":12345678901234567890},"cache":null}',
  );
  assert.deepEqual(second, { type: 'tool_call', id: 'own-id', name: 'tide', input: {}, cache: null });
  assert.equal(events.find(({ type }) => type === 'finish')?.type === 'finish' && reasonOf(events), 'tool_calls');
});

test('ids of calls never repeat, not even if the provider repeats them or names no answer', () => {
  const call = { functionCall: { id: 'same', name: 'f', args: {} } };
  const bare = { candidates: [{ content: { parts: [{ functionCall: { name: 'f' } }] }, finishReason: 'STOP' }] };
  const idsOf = (stream: Buffer) => gatherBlocks(eventsOf(stream)).map((block) => ('id' in block ? block.id : ''));
  assert.deepEqual(idsOf(streamOf(says([call, call], 'STOP'))), ['same', 'call_r-1_1']);
  assert.notDeepEqual(idsOf(streamOf(bare)), idsOf(streamOf(bare)));
});

test('arguments in pieces are put together, also if the end of the call is missing', () => {
  const calls = gatherBlocks(read('streamed-arguments.sse')).filter(({ type }) => type === 'tool_call');
  assert.deepEqual(
    calls.map((call) => call.type === 'tool_call' && [call.name, call.input]),
    [
      [
        'log',
        {
          entries: [
            { text: 'High "water"', height: 4.25 },
            { 'odd.name': true, none: null },
          ],
        },
      ],
      ['ring', { times: 2 }],
    ],
  );
});

test('arguments whose place cannot be read break the answer', () => {
  for (const jsonPath of ['', '$', 'a', '$.a[', '$.a[7]', '$..a', `$${'.a'.repeat(65)}`]) {
    const pieces = [{ functionCall: { name: 'f', willContinue: true, partialArgs: [{ jsonPath, numberValue: 1 }] } }];
    assert.equal(eventsOf(streamOf(says(pieces, 'STOP'))).at(-1)?.type, 'error', jsonPath);
  }
  const named = [{ functionCall: { name: 'f', partialArgs: [{ jsonPath: '$.__proto__.a', numberValue: 1 }] } }];
  const [call] = gatherBlocks(eventsOf(streamOf(says(named, 'STOP'))));
  assert.equal(call?.type === 'tool_call' && JSON.stringify(call.input), '{"__proto__":{"a":1}}');
});

test('pages that a search found are cited, with their places in UTF-16 units', () => {
  const [text] = gatherBlocks(read('grounded.sse'));
  assert.deepEqual(text?.type === 'text' && text.citations, [
    { url: 'https://tides.example/a', title: 'Tides', quote: 'Hoch🗼', start: 0, end: 6 },
    { url: 'https://tides.example/b', title: 'Moon', quote: 'Hoch🗼', start: 0, end: 6 },
    { url: 'https://tides.example/b', title: 'Moon', quote: 'Mittag.', start: 10, end: 17 },
    { url: 'https://tides.example/c', title: '', quote: '', start: null, end: null },
  ]);
});

test('an image is one block', () => {
  assert.deepEqual(gatherBlocks(read('image.sse')), [
    { type: 'text', text: 'Here. ', citations: [] },
    { type: 'reasoning', text: '', signature: null, encrypted: 'c2lnLWltZw==', origin: GOOGLE },
    { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
  ]);
});

test('reasons', () => {
  assert.equal(reasonOf(read('safety.sse')), 'refusal');
  assert.equal(reasonOf(read('thoughts-ate-cap.sse')), 'output_cap');
  const [, finish] = read('blocked-prompt.sse');
  assert.deepEqual(finish, {
    type: 'finish',
    finish: {
      ...{ reason: 'refusal', stopSequence: null, native: 'PROHIBITED_CONTENT' },
      explanation: 'Not in this harbour.',
    },
  });
});

test('what is broken, cut, or a call that nobody can read is an error', () => {
  for (const name of ['cut.sse', 'malformed-call.sse', 'error-in-stream.sse'])
    assert.equal(read(name).at(-1)?.type, 'error', name);
  const last = read('error-in-stream.sse').at(-1);
  assert.equal(last?.type === 'error' && last.error.code, 'upstream_overloaded');
  assert.equal(eventsOf(Buffer.from('data: <html>\n\n')).at(-1)?.type, 'error');
  const nameless = streamOf(says([{ functionCall: { args: { a: 1 } } }], 'STOP'));
  assert.equal(eventsOf(nameless).at(-1)?.type, 'error');
  const wrapped = streamOf([{ error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } }]);
  const [limited] = eventsOf(wrapped);
  assert.equal(limited?.type === 'error' && limited.error.code, 'upstream_rate_limited');
});

test('a stream cut after any message, or at any byte, is the same or an error', () => {
  for (const name of fixtureNames.filter((each) => each.endsWith('.sse'))) {
    const bytes = readFixture(name);
    const whole = read(name);
    const frames = framesOf(bytes);
    for (let kept = 0; kept < frames.length - 1; kept += 1) {
      const reader = openReader();
      const events = [...frames.slice(0, kept).flatMap((frame) => reader.frame(frame)), ...reader.end()];
      if (name !== 'audio.sse') assert.equal(events.at(-1)?.type, 'error', `${name} after ${kept}`);
    }
    for (let at = 1; at < bytes.length; at += 7)
      assert.deepEqual(plain(eventsOf(bytes.subarray(0, at), bytes.subarray(at))), plain(whole), `${name} at ${at}`);
  }
});

test('what has no place in other formats is reported', () => {
  const odd = says([{ text: 'a' }, { fileData: { fileUri: 'x' } }, { executableCode: { code: '1' } }], 'STOP');
  const more = { candidates: [...(odd as { candidates: object[] }).candidates, { index: 1 }] };
  const warnings = eventsOf(streamOf({ ...more, responseId: 'r' })).flatMap((event) =>
    event.type === 'warning' ? [event.text] : [],
  );
  assert.deepEqual(warnings, [
    'only the first candidate of the answer was kept',
    'a part "fileData" was left out of the answer',
    'a part "executableCode" was left out of the answer',
  ]);
});

function reasonOf(events: readonly ChatEvent[]): string | null {
  const finish = events.find((event) => event.type === 'finish');
  return finish?.type === 'finish' ? finish.finish.reason : null;
}

/** Errors have stacks. */
function plain(events: readonly ChatEvent[]): readonly unknown[] {
  return events.map((event) => (event.type === 'error' ? event.error.code : event));
}
