/**
 * Goal: while a form passes, whoever stops is the one that is given up: a caller that stalls, a provider that does not read; and the time to the
 * first byte of an answer begins when the provider has all of the request. Method: the whole gateway on a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { FormWriter, LINE_BREAK } from '../../src/wire/multipart/form-writer.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { standstill, until } from '../support/turns.ts';

const SECOND = 1000;
const SWEEP = 250;
/** How long a refused caller may go on sending, and more. */
const LINGER = 2 * SECOND;
const MIB = 1024 * 1024;

const clock = new ManualClock();
let gateway: OpenGateway;
let server: Server;
let asked = Promise.withResolvers<readonly [IncomingMessage, ServerResponse]>();
before(async () => {
  server = createServer((request, response) => {
    request.on('error', () => undefined);
    asked.resolve([request, response]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const model = { id: 'maker/listen', upstream: 'listen', prices: { units: { second: 0.0001 } } };
  const models = [{ ...model, outputModalities: ['transcription'] }];
  gateway = await openGateway(
    { providers: [{ name: 'first', kind: 'custom', origin, credential: 'canary-of-uploads', models }] },
    { clock },
  );
});
after(async () => {
  await gateway.close();
  server.closeAllConnections();
  server.close();
});

/** Sends the first `bytes` of a form; the answer, when it comes. */
function begin(file: Buffer, bytes = Number.POSITIVE_INFINITY) {
  asked = Promise.withResolvers();
  const writer = new FormWriter();
  const body = Buffer.concat([
    writer.field({ name: 'model', value: Buffer.from('maker/listen') }),
    ...[writer.file({ name: 'file', fileName: 'a.mp3', contentType: null }), file, LINE_BREAK, writer.end()],
  ]);
  const asking = httpRequest(`${gateway.url}/api/v1/audio/transcriptions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      ...{ 'content-type': writer.contentType, 'content-length': body.length },
    },
  });
  const answer = once(asking, 'response').then(async ([response]: IncomingMessage[]) => {
    assert.ok(response !== undefined);
    return { status: response.statusCode, body: await text(response) };
  });
  asking.on('error', () => undefined);
  asking.write(body.subarray(0, bytes));
  if (bytes >= body.length) asking.end();
  return { answer, asking };
}

test('a caller that stops within a form is refused, and nothing is charged', async () => {
  const entered = gateway.nextCall();
  const ended = gateway.nextRecord();
  const { answer } = begin(Buffer.alloc(6 * MIB), 4 * MIB);
  const call = await entered;
  const [request] = await asked.promise;
  request.resume();
  await until('what was sent has passed', () => (call.upload?.fileBytes ?? 0) > 4 * MIB - 1024);
  await standstill(() => request.socket.bytesRead);
  for (let spans = 0; spans < 3; spans += 1) clock.advance(10 * SECOND + SWEEP);
  await until('it is refused', () => call.status !== 0);
  clock.advance(LINGER);
  const { status, body } = await answer;
  assert.equal(status, 408);
  assert.match(body, /16 KiB\/s/);
  const { charge } = await ended;
  assert.equal(charge, 0n);
});

test('a caller that stops before anything can be sent is refused', async () => {
  const entered = gateway.nextCall();
  const { answer } = begin(Buffer.alloc(6 * MIB), 100_000);
  const call = await entered;
  await until('the beginning is here', () => (call.upload?.fileBytes ?? 0) > 90_000);
  for (let spans = 0; spans < 3; spans += 1) clock.advance(10 * SECOND + SWEEP);
  assert.equal((await answer).status, 408);
});

test('a provider that stops reading is given up, and the caller is not blamed', async () => {
  const ended = gateway.nextRecord();
  const { answer } = begin(Buffer.alloc(60 * MIB));
  const [request] = await asked.promise;
  request.pause();
  const call = gateway.calls.at(-1);
  await standstill(() => call?.upload?.fileBytes ?? 0);
  clock.advance(290 * SECOND);
  assert.equal(gateway.app.gateway.running.count, 1, 'it is still waited for');
  for (let spans = 0; spans < 3; spans += 1) clock.advance(10 * SECOND + SWEEP);
  const { status } = await answer;
  assert.equal(status, 504);
  const { charge, ending } = await ended;
  assert.deepEqual([charge, ending], [0n, 'upstream_timeout']);
});

test('the time to the first byte begins when all of the form has passed', async () => {
  const entered = gateway.nextCall();
  const { answer } = begin(Buffer.alloc(3 * MIB));
  const call = await entered;
  const [request, response] = await asked.promise;
  request.resume();
  await once(request, 'end');
  await until('all of it has passed', () => call.upload?.isSent === true);
  clock.advance(599 * SECOND);
  assert.equal(gateway.app.gateway.running.count, 1, 'it is still waited for');
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"late","duration":3}');
  assert.equal((await answer).status, 200);
});
