/**
 * Goal: bytes that bypass Node's chunk writer are the same on the wire, and in order with what Node writes itself. Method: a
 * real server and raw sockets, so that every byte is seen.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { CHUNK_START } from './http-chunk.ts';
import { StreamBody } from './stream-body.ts';

const REQUEST = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n';
const nothing = () => {};

test('a chunk on the wire is the same as Node’s', async (context) => {
  const sizes = [1, 9, 10, 15, 16, 17, 255, 256, 4095, 4096, 65_536, 100_000];
  const pieces = sizes.map((size) => Buffer.alloc(size, size.toString(36)));
  const byNode = await answerTo(context, REQUEST, async (response) => {
    for (const piece of pieces) {
      response.write(piece);
      await nextTurn();
    }
    response.end();
  });
  const byBody = await answerTo(context, REQUEST, async (response) => {
    const body = new StreamBody(response, nothing);
    body.flushHead();
    for (const piece of pieces) {
      body.write(piece);
      await nextTurn();
    }
    body.end(null);
  });
  assert.ok(byBody.equals(byNode));
  const byScratch = await answerTo(context, REQUEST, async (response) => {
    const body = new StreamBody(response, nothing);
    body.flushHead();
    for (const piece of pieces) {
      if (!putInto(body, piece)) body.write(piece);
      await nextTurn();
    }
    body.end(null);
  });
  assert.ok(byScratch.equals(byNode));
});

test('there is no scratch memory before the head, while the response is corked, or for a slow caller', async (context) => {
  await answerTo(context, REQUEST, async (response) => {
    const body = new StreamBody(response, nothing);
    assert.equal(body.scratch(), null);
    body.flushHead();
    assert.ok(body.scratch() !== null);
    response.cork();
    assert.equal(body.scratch(), null);
    response.uncork();
    body.write(Buffer.alloc(4 * 1024 * 1024));
    assert.equal(body.scratch(), null);
    body.end(null);
  });
});

test('bytes that a caller has not read yet are not overwritten by those of others', async (context) => {
  const sizes = { own: 3000, others: 2000 };
  const stopped = Promise.withResolvers<number>();
  const slow = await openServer(context, async (_request, response) => {
    const body = new StreamBody(response, nothing);
    body.flushHead();
    let written = 0;
    while (putInto(body, Buffer.alloc(sizes.own, 'x'))) written += 1;
    stopped.resolve(written);
    body.end(null);
  });
  slow.pause();
  slow.write(REQUEST);
  const written = await stopped.promise;
  const other = await answerTo(context, REQUEST, async (response) => {
    const body = new StreamBody(response, nothing);
    body.flushHead();
    for (let count = 0; count < 5; count += 1) assert.ok(putInto(body, Buffer.alloc(sizes.others, 'y')));
    body.end(null);
  });
  assert.equal(bodyText(other), 'y'.repeat(5 * sizes.others));
  const answer = await readUntil(slow, (bytes) => bytes.subarray(-5).equals(Buffer.from('0\r\n\r\n')));
  assert.equal(bodyText(answer), 'x'.repeat(written * sizes.own));
});

test('a chunk is written in the same tick once the head is out', async (context) => {
  await answerTo(context, REQUEST, async (response) => {
    const body = new StreamBody(response, nothing);
    body.flushHead();
    const before = response.socket?.bytesWritten ?? 0;
    assert.equal(body.write(Buffer.from('event')), true);
    assert.equal(response.socket?.bytesWritten, before + '5\r\nevent\r\n'.length);
    body.end(null);
  });
});

test('chunks written in the same tick as the head follow it in order', async (context) => {
  const answer = await answerTo(context, REQUEST, async (response) => {
    const body = new StreamBody(response, nothing);
    for (const word of ['one ', 'two ', 'three ']) body.write(Buffer.from(word));
    await nextTurn();
    body.write(Buffer.from('four '));
    body.end(Buffer.from('five'));
  });
  assert.equal(bodyText(answer), 'one two three four five');
});

test('nothing reaches the caller while the response is corked, and all of it in order afterwards', async (context) => {
  const answer = await answerTo(context, REQUEST, async (response) => {
    const body = new StreamBody(response, nothing);
    response.cork();
    body.write(Buffer.from('held '));
    await nextTurn();
    body.write(Buffer.from('too '));
    assert.equal(response.socket?.bytesWritten, 0);
    response.uncork();
    body.write(Buffer.from('free'));
    body.end(null);
  });
  assert.equal(bodyText(answer), 'held too free');
});

test('a caller of HTTP/1.0 gets the bytes without chunks', async (context) => {
  const answer = await answerTo(context, 'GET / HTTP/1.0\r\n\r\n', async (response) => {
    const body = new StreamBody(response, nothing);
    body.flushHead();
    body.write(Buffer.from('one '));
    await nextTurn();
    body.write(Buffer.from('two'));
    body.end(null);
  });
  assert.equal(answer.toString('latin1').split('\r\n\r\n')[1], 'one two');
});

test('an answer that waits for another on the connection does not overtake it', async (context) => {
  const responses: ServerResponse[] = [];
  const socket = await openServer(context, (_request, response) => {
    responses.push(response);
    if (responses.length === 2) void answerBoth();
  });
  const answerBoth = async () => {
    const [first, second] = responses.map((response) => new StreamBody(response, nothing));
    assert.ok(first !== undefined && second !== undefined);
    second.flushHead();
    second.write(Buffer.from('second'));
    await nextTurn();
    first.flushHead();
    first.write(Buffer.from('first'));
    first.end(null);
    await nextTurn();
    second.write(Buffer.from(' and last'));
    second.end(null);
  };
  socket.write(REQUEST + REQUEST);
  const text = await readUntil(socket, (bytes) => countOf(bytes, '0\r\n\r\n') === 2);
  const [first, second] = text.toString('latin1').split('0\r\n\r\n');
  assert.equal(first?.split('\r\n\r\n')[1], '5\r\nfirst\r\n');
  assert.equal(second?.split('\r\n\r\n')[1], '6\r\nsecond\r\n9\r\n and last\r\n');
});

test('the connection serves the next request after the end', async (context) => {
  const socket = await openServer(context, (_request, response) => {
    const body = new StreamBody(response, nothing);
    body.flushHead();
    body.write(Buffer.from('answer'));
    body.end(null);
  });
  for (let turn = 0; turn < 3; turn += 1) {
    socket.write(REQUEST);
    const answer = await readUntil(socket, (bytes) => bytes.includes('0\r\n\r\n'));
    assert.equal(bodyText(answer), 'answer');
  }
});

test('a caller that does not read pauses the writer, and resumes it by reading', async (context) => {
  const piece = Buffer.alloc(64 * 1024 - 16, 'x');
  const stopped = Promise.withResolvers<void>();
  let written = 0;
  const socket = await openServer(context, async (_request, response) => {
    const taken = Promise.withResolvers<void>();
    const body = new StreamBody(response, taken.resolve);
    const write = () => {
      written += piece.length;
      return body.write(piece);
    };
    body.flushHead();
    // The kernel's buffers are finite: far fewer pieces than this fit.
    for (let count = 0; count < 1000 && write(); count += 1) await nextTurn();
    stopped.resolve();
    await taken.promise;
    write();
    body.end(null);
  });
  socket.pause();
  socket.write(REQUEST);
  await stopped.promise;
  assert.ok(written < 1000 * piece.length);
  const answer = await readUntil(socket, (bytes) => bytes.subarray(-5).equals(Buffer.from('0\r\n\r\n')));
  assert.equal(bodyText(answer).length, written);
});

test('a chunk larger than the socket’s buffer asks to wait, and reports when it is taken', async (context) => {
  const answer = await answerTo(context, REQUEST, async (response) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const body = new StreamBody(response, resolve);
    body.flushHead();
    assert.equal(body.write(Buffer.alloc(1024 * 1024, 'x')), false);
    await promise;
    body.end(null);
  });
  assert.equal(bodyText(answer).length, 1024 * 1024);
});

test('a write to a caller that has disconnected is not an error', async (context) => {
  const seen = Promise.withResolvers<ServerResponse>();
  const socket = await openServer(context, (_request, response) => seen.resolve(response));
  socket.write(REQUEST);
  const response = await seen.promise;
  const body = new StreamBody(response, nothing);
  body.flushHead();
  socket.destroy();
  await once(response, 'close');
  body.write(Buffer.from('late'));
  body.end(Buffer.from('later'));
  await nextTurn();
  assert.equal(response.writableFinished, false);
});

/** Sends the piece through the scratch memory; false if that is not possible. */
function putInto(body: StreamBody, piece: Buffer): boolean {
  const scratch = body.scratch();
  if (scratch === null || CHUNK_START + piece.length > scratch.length) return false;
  scratch.set(piece, CHUNK_START);
  body.sendScratch(piece.length);
  return true;
}

/** All bytes of the answer that `write` sends, without the date, which changes. */
async function answerTo(
  context: TestContext,
  request: string,
  write: (response: ServerResponse) => Promise<void>,
): Promise<Buffer> {
  const written = Promise.withResolvers<void>();
  const socket = await openServer(context, (_request, response) => {
    response.sendDate = false;
    response.shouldKeepAlive = false;
    write(response).then(written.resolve, (error) => {
      written.reject(error);
      response.destroy();
    });
  });
  socket.write(request);
  const [, bytes] = await Promise.all([written.promise, readUntil(socket, () => false)]);
  return bytes;
}

async function openServer(
  context: TestContext,
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Socket> {
  const server = createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  context.after(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return socket;
}

/** Reads until `isEnough`, or until the server ends the connection. */
function readUntil(socket: Socket, isEnough: (bytes: Buffer) => boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const stop = () => {
      socket.off('data', onData).off('end', stop).off('error', reject);
      resolve(bytes);
    };
    const onData = (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece]);
      if (isEnough(bytes)) stop();
    };
    socket.on('data', onData).on('end', stop).on('error', reject);
    socket.resume();
  });
}

/** The body of a chunked answer, decoded as a caller does it. */
function bodyText(answer: Buffer): string {
  let at = answer.indexOf('\r\n\r\n') + 4;
  let text = '';
  for (;;) {
    const lineEnd = answer.indexOf('\r\n', at);
    const length = Number.parseInt(answer.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + length;
    assert.equal(answer.toString('latin1', end, end + 2), '\r\n', 'a chunk ends where its length says');
    if (length === 0) return text;
    text += answer.toString('latin1', lineEnd + 2, end);
    at = end + 2;
  }
}

function countOf(bytes: Buffer, part: string): number {
  return bytes.toString('latin1').split(part).length - 1;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
