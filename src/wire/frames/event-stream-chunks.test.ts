/** Goal: events inside chunks are the bytes that their vendor sends itself. Method: events, exceptions and garbage in chunks, at every cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeChunk, encodeEvent, encodeException } from '../../../test/support/event-stream.ts';
import { EventStreamChunks } from './event-stream-chunks.ts';
import { SseSplitter } from './sse-splitter.ts';

const EVENTS = [
  '{"type":"message_start","message":{"id":"msg_1","model":"claude"}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Grüße \\n 😀"}}',
  '{"index":0,"type":"content_block_stop"}',
  '{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":8}}',
];

test('each chunk is a server-sent event named by its type, at every cut', () => {
  const bytes = Buffer.concat(EVENTS.map(encodeChunk));
  const sent = EVENTS.map((event) => `event: ${JSON.parse(event).type}\ndata: ${event}\n\n`);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const splitter = new EventStreamChunks();
    const frames = [...splitter.push(bytes.subarray(0, cut)), ...splitter.push(bytes.subarray(cut))];
    assert.deepEqual(
      frames.map((frame) => frame.bytes.toString()),
      sent,
    );
  }
});

test('a frame is what the splitter of server-sent events makes of its bytes', () => {
  for (const frame of new EventStreamChunks().push(Buffer.concat(EVENTS.map(encodeChunk)))) {
    const [same] = new SseSplitter().push(frame.bytes);
    assert.deepEqual([same?.event, same?.data, same?.dataStart], [frame.event, frame.data, frame.dataStart]);
  }
});

test('an exception and a damaged message are error events', () => {
  const errorOf = (bytes: Buffer) => new EventStreamChunks().push(bytes).map((frame) => [frame.event, frame.json()]);
  const error = (type: string, message: string) => [['error', { type: 'error', error: { type, message } }]];
  assert.deepEqual(errorOf(encodeException('throttlingException', 'Slow')), error('rate_limit_error', 'Slow'));
  assert.deepEqual(errorOf(encodeException('serviceUnavailableException', 'Busy')), error('overloaded_error', 'Busy'));
  assert.deepEqual(errorOf(encodeException('newException', 'Odd')), error('api_error', 'Odd'));
  const damage = error('api_error', 'The event stream is damaged.');
  assert.deepEqual(errorOf(Buffer.from('<html>Bad gateway</html>')), damage);
  assert.deepEqual(errorOf(encodeEvent('chunk', { bytes: 7 })), damage);
});

test('messages of other types are left out, and an event without a type has no name', () => {
  assert.deepEqual(new EventStreamChunks().push(encodeEvent('initial-response', {})), []);
  for (const event of ['{"a":1}', '{"type":"a\\nb"}', 'not JSON', '[1]'])
    assert.deepEqual(
      new EventStreamChunks().push(encodeChunk(event)).map((frame) => [frame.event, frame.bytes.toString()]),
      [[null, `data: ${event}\n\n`]],
    );
});

test('line breaks between values do not end the event', () => {
  const [frame] = new EventStreamChunks().push(encodeChunk('{\r\n "type": "ping"\n}'));
  assert.equal(frame?.bytes.toString(), 'event: ping\ndata: {   "type": "ping" }\n\n');
});

test('nothing is left of a message that did not end', () => {
  const splitter = new EventStreamChunks();
  assert.deepEqual(splitter.push(encodeChunk('{"type":"ping"}').subarray(0, 40)), []);
  assert.equal(splitter.end().length, 0);
});
