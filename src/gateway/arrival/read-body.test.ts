/**
 * Goal: a large body is read whole without blocking the event loop, however its length is announced. Method: a server on
 * loopback that reads with `readBody` what the test writes to a socket.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { SOMEBODY } from '../../../test/support/call-server.ts';
import { ManualClock } from '../../core/clock.ts';
import { TurnQueue } from '../../core/turns/turn-queue.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { chat } from '../../operations/chat.ts';
import type { JsonDocument } from '../../wire/json-document.ts';
import { Call } from '../call.ts';
import { MemoryBudget } from '../capacity/memory-budget.ts';
import type { Identified } from '../phases.ts';
import { Watch } from '../watch.ts';
import { readBody } from './read-body.ts';

const clock = new ManualClock();
const watch = new Watch(clock);
const ports = {
  limits: { bodyBytesMax: 8 * 1024 * 1024 },
  timeouts: { totalMs: 60_000 },
  memory: new MemoryBudget(64 * 1024 * 1024),
  watch,
  turnQueues: { requests: new TurnQueue() },
};
const content = Buffer.from(`{"model":"m","messages":["${'wörtlich 😀 '.repeat(250_000)}"],"n":1}`);

let server: Server;
let reading: (call: Call, document: Promise<JsonDocument>) => void;
let caller: Socket;

before(async () => {
  server = createServer((request, response) => {
    const call = new Call(openaiChat, chat, request, response, clock) as Identified;
    call.key = SOMEBODY;
    reading(call, readBody(ports, call));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => {
  watch.close();
  server.closeAllConnections();
  server.close();
});
afterEach(() => caller.destroy());

const framings: readonly [name: string, request: (body: Buffer) => Buffer][] = [
  ['of declared length', (body) => Buffer.concat([head(`content-length: ${body.length}`), body])],
  [
    'in chunks',
    (body) => Buffer.concat([head('transfer-encoding: chunked'), ...chunks(body), Buffer.from('0\r\n\r\n')]),
  ],
];

for (const [name, request] of framings) {
  test(`a large body ${name} is read as it was sent, a little in each turn of the event loop`, async () => {
    let turnBytes = 0;
    let turnBytesMost = 0;
    let done = false;
    const turn = () => {
      turnBytesMost = Math.max(turnBytesMost, turnBytes);
      turnBytes = 0;
      if (!done) setImmediate(turn);
    };
    setImmediate(turn);
    const { document } = await send(request(content), (call) => {
      call.request.on('data', (piece: Buffer) => {
        turnBytes += piece.length;
      });
    });
    const { bytes, fields } = await document;
    done = true;
    assert.ok(bytes.equals(content));
    assert.deepEqual([...fields.keys()], ['model', 'messages', 'n']);
    assert.ok(turnBytesMost <= 256 * 1024, `${turnBytesMost} bytes in one turn`);
  });

  test(`a body ${name} that grows beyond the limit is refused`, async () => {
    const { document } = await send(request(Buffer.alloc(ports.limits.bodyBytesMax + 1, ' ')));
    await assert.rejects(document, { code: 'request_too_large' });
  });
}

test('a small body in one piece is that piece, not a copy', async () => {
  const small = Buffer.from('{"model":"m"}');
  const pieces: Buffer[] = [];
  const sent = send(Buffer.concat([head(`content-length: ${small.length}`), small]), (call) => {
    call.request.on('data', (piece: Buffer) => pieces.push(piece));
  });
  const document = await (await sent).document;
  assert.equal(document.bytes.buffer, pieces[0]?.buffer);
  assert.ok(document.bytes.equals(small));
});

test('a call that is cut off while its body waits for its turn gets the error and reads no more', async () => {
  const { call, document } = await send(Buffer.concat([head(`content-length: ${content.length}`), content]));
  const refused = assert.rejects(document, { code: 'draining' });
  await once(call.request, 'pause');
  call.active?.cancel('drained');
  await refused;
  let turns = 0;
  while (turns < 3) turns += await new Promise<number>((resolve) => setImmediate(resolve, 1));
  assert.equal(call.request.isPaused(), true);
});

interface Read {
  readonly call: Call;
  /** In an object, because a promise of a promise would be awaited. */
  readonly document: Promise<JsonDocument>;
}

/** Resolves when the request's head has been read. */
function send(bytes: Buffer, meet: (call: Call) => void = () => undefined): Promise<Read> {
  return new Promise((resolve, reject) => {
    reading = (call, document) => {
      meet(call);
      // The test checks the outcome later; until then it must not count as unhandled.
      document.catch(() => undefined);
      resolve({ call, document });
    };
    caller = connect((server.address() as AddressInfo).port, '127.0.0.1', () => caller.write(bytes));
    caller.once('error', reject);
  });
}

function head(framing: string): Buffer {
  return Buffer.from(`POST / HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`);
}

function chunks(body: Buffer): Buffer[] {
  const framed: Buffer[] = [];
  for (let at = 0; at < body.length; at += 100_000) {
    const piece = body.subarray(at, at + 100_000);
    framed.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return framed;
}
