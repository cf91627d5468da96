/**
 * Goal: a large request body reaches the provider whole, with its length, and does not delay other work. Method: a provider
 * on loopback that records what arrives.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { type Body, bodyLength } from '../core/body.ts';
import { ManualClock } from '../core/clock.ts';
import type { AnswerHeaders } from './answer-sink.ts';
import { UpstreamClient } from './client.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  readonly sha256: string;
}

const LIMITS = { timeoutMs: 1000, bytesMax: 1000 };
const swallow: RequestListener = (request, response) => {
  const hash = createHash('sha256');
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    hash.update(chunk);
  });
  request.on('end', () => {
    received.push({ headers: request.headers, bytes, sha256: hash.digest('hex') });
    response.end('taken');
  });
};

const received: Received[] = [];
let listener: RequestListener = swallow;
let server: Server;
let client: UpstreamClient;

before(async () => {
  server = createServer((request, response) => listener(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new UpstreamClient({ clock: new ManualClock(), connectMs: 1000 });
});
after(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  listener = swallow;
  received.length = 0;
});

const large = Buffer.alloc(3_000_001, 'the quick brown fox ');
const bodies: Readonly<Record<string, Body>> = {
  'a few bytes': Buffer.from('{}'),
  'bytes in one piece': large,
  'parts of all sizes, an empty one among them': [
    Buffer.from('{"model":'),
    large.subarray(0, 131_072),
    Buffer.alloc(0),
    large.subarray(131_072, 131_073),
    large,
    Buffer.from('"}'),
  ],
};

for (const [name, body] of Object.entries(bodies)) {
  test(`${name} arrive as they are, with their length, and can be sent again`, async () => {
    for (let time = 0; time < 2; time += 1) assert.equal((await post(body)).body.toString(), 'taken');
    const sha256 = createHash('sha256')
      .update(Buffer.isBuffer(body) ? body : Buffer.concat(body))
      .digest('hex');
    assert.deepEqual(
      received.map((one) => [one.bytes, one.sha256]),
      [0, 1].map(() => [bodyLength(body), sha256]),
    );
    for (const { headers } of received) {
      assert.equal(headers['content-length'], String(bodyLength(body)));
      assert.equal(headers['transfer-encoding'], undefined);
    }
  });
}

test('the event loop keeps turning while a large body is sent', async () => {
  let turns = 0;
  let sending = true;
  const turn = () => {
    turns += 1;
    if (sending) setImmediate(turn);
  };
  setImmediate(turn);
  await post(Array.from({ length: 4 }, () => large));
  sending = false;
  // One turn for every 128 KiB; the sockets alone would need a few.
  assert.ok(turns >= 91, `${turns} turns`);
});

test('bytes that were read stay as they are while more is read, of this answer and of others', async () => {
  listener = (request, response) => {
    const letter = request.url?.at(-1) ?? '';
    response.write(letter.repeat(1_000));
    // One turn later, so that it arrives in another read.
    setImmediate(() => response.end(letter.toUpperCase().repeat(200_000)));
  };
  const letters = [...'abcdefgh'];
  const answers = await Promise.all(
    letters.map((letter) =>
      client.request({ ...requestOf(Buffer.from('{}')), path: `/${letter}` }, { ...LIMITS, bytesMax: 1_000_000 }),
    ),
  );
  for (const [index, { body }] of answers.entries()) {
    const letter = letters[index] as string;
    assert.equal(body.toString(), letter.repeat(1_000) + letter.toUpperCase().repeat(200_000));
  }
});

test('an answer that arrives before the body is sent reaches the caller', async () => {
  listener = (_request, response) => void response.writeHead(413).end('too much');
  const { status, body } = await post(large);
  assert.deepEqual([status, body.toString()], [413, 'too much']);
  listener = swallow;
  assert.equal((await post(large)).status, 200);
});

test('aborting a request while its body is being sent closes the connection, and the next request is served', async () => {
  const { promise: whole, resolve: ended } = Promise.withResolvers<boolean>();
  const { promise: reached, resolve: begun } = Promise.withResolvers<void>();
  listener = (request) => {
    request.once('data', () => begun()).resume();
    request.once('error', () => undefined).once('close', () => ended(request.complete));
  };
  const parts = Array.from({ length: 8 }, () => large);
  const noAnswer = () => assert.fail('there is no answer');
  const flow = client.send(requestOf(parts), noAnswer, noAnswer);
  await reached;
  flow.abort();
  assert.equal(await whole, false);
  listener = swallow;
  assert.equal((await post(large)).status, 200);
});

test('a provider that disconnects in the middle of a body is a failure, reported once', async () => {
  listener = (request) => void request.once('data', () => request.socket.destroy());
  const failures: unknown[] = [];
  await new Promise<void>((resolve) => {
    client.send(
      requestOf(Array.from({ length: 8 }, () => large)),
      () => assert.fail('no answer was sent'),
      (error) => {
        failures.push(error);
        resolve();
      },
    );
  });
  listener = swallow;
  assert.equal((await post(large)).status, 200);
  assert.equal(failures.length, 1);
});

function post(body: Body): Promise<{ status: number; headers: AnswerHeaders; body: Buffer }> {
  return client.request(requestOf(body), LIMITS);
}

function requestOf(body: Body) {
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, method: 'POST' as const, path: '/', headers: {}, body };
}

test('dropping an origin lets its requests finish, closes its idle connections, and allows new requests later', async () => {
  const own = new UpstreamClient({ clock: new ManualClock(), connectMs: 1000 });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = () => own.request({ origin, method: 'GET', path: '/', headers: {}, body: null }, LIMITS);
  const began = Promise.withResolvers<ServerResponse>();
  listener = (_request, response) => {
    response.write('half');
    began.resolve(response);
  };
  const running = ask();
  const response = await began.promise;
  const closed = once(response.socket ?? assert.fail('it is connected'), 'close');
  own.keepOnly(new Set([origin]));
  assert.ok(own.connections().has(origin));
  own.keepOnly(new Set());
  assert.equal(own.connections().has(origin), false);
  response.end(' and half');
  assert.equal((await running).body.toString(), 'half and half');
  await closed;
  listener = swallow;
  assert.equal((await ask()).body.toString(), 'taken');
  await own.close();
});

test('requests still running at a dropped origin are cut off when the client closes', async () => {
  const own = new UpstreamClient({ clock: new ManualClock(), connectMs: 1000 });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const began = Promise.withResolvers<void>();
  listener = (_request, response) => {
    response.write('half');
    began.resolve();
  };
  const running = own.request({ origin, method: 'GET', path: '/', headers: {}, body: null }, LIMITS);
  const failed = assert.rejects(running);
  await began.promise;
  own.keepOnly(new Set());
  await own.close();
  await failed;
});
