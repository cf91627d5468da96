/**
 * Goal: the official client assembles the original answer from a written stream. Method: a loopback server sends the stream a few bytes at
 * a time, and the client's own accumulator reads it.
 */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import type { ChatEvent } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { answerOf, context, textBlock, thinkingBlock, toolBlock, writeStream } from './answer-fixture.ts';

test('text, thinking and two tools arrive whole', async () => {
  const citation = { url: 'https://tides.example/', title: 'Tides', quote: 'High', start: null, end: null };
  const events = answerOf(
    thinkingBlock('Hm.', 'c2ln', 'google-gemini-v1'),
    [...textBlock('A', 'hoy ⚓').slice(0, -1), { type: 'citation', citation }, { type: 'block_end' }],
    toolBlock('call_1', 'sail', '{"to":', '"Brest"}'),
    toolBlock('call_2', 'refresh'),
  );
  const message = await received(writeStream(events));
  assert.equal(message.id, `msg_${context.id}`);
  assert.equal(message.stop_reason, 'tool_use');
  assert.equal(message.usage.output_tokens, 7);
  assert.equal(message.usage.input_tokens, 20);
  const [thinking, text, first, second] = message.content;
  assert.equal(message.content.length, 4);
  assert.deepEqual(thinking, { type: 'thinking', thinking: 'Hm.', signature: 'tp1.google-gemini-v1.c2ln' });
  assert.ok(text?.type === 'text');
  assert.equal(text.text, 'Ahoy ⚓');
  assert.equal(text.citations?.length, 1);
  assert.ok(first?.type === 'tool_use' && second?.type === 'tool_use');
  assert.deepEqual([first.id, first.name, first.input], ['call_1', 'sail', { to: 'Brest' }]);
  assert.deepEqual([second.id, second.name, second.input], ['call_2', 'refresh', {}]);
});

test('an error in the stream is thrown by the client', async () => {
  const events: ChatEvent[] = [
    ...answerOf(textBlock('Half')).slice(0, 3),
    { type: 'error', error: new GatewayError('upstream_overloaded', { message: 'Overloaded' }) },
  ];
  await assert.rejects(received(writeStream(events)), /overloaded_error/);
});

/** The answer that the client assembles from the stream. */
async function received(stream: Buffer): Promise<Anthropic.Message> {
  const pieces = Array.from({ length: Math.ceil(stream.length / 7) }, (_, index) =>
    stream.subarray(7 * index, 7 * index + 7),
  );
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    Readable.from(pieces).pipe(response);
  });
  try {
    const client = new Anthropic({
      apiKey: 'none',
      baseURL: `http://127.0.0.1:${await listen(server)}`,
      maxRetries: 0,
    });
    const messages = [{ role: 'user' as const, content: 'Ahoy' }];
    return await client.messages.stream({ model: context.callerModel, max_tokens: 100, messages }).finalMessage();
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
