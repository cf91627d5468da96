/**
 * Goal: a call runs until its caller has received the answer, but no longer than allowed. Method: real sockets whose reader
 * stalls, a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startCallServer } from '../../../test/support/call-server.ts';
import { standstill, until } from '../../../test/support/turns.ts';
import { ManualClock } from '../../core/clock.ts';
import type { Call } from '../call.ts';
import { Watch } from '../watch.ts';
import { awaitDelivery, type DeliveryPorts } from './await-delivery.ts';
import { sendBody } from './send-body.ts';

const LARGE = Buffer.alloc(24 * 1024 * 1024, 'a');
const STALL_MS = 60_000;

async function bench(context: TestContext, body: Buffer) {
  const clock = new ManualClock();
  const gateway = { clock, watch: new Watch(clock), timeouts: { writeStallMs: STALL_MS } } as unknown as DeliveryPorts;
  const served = Promise.withResolvers<{ call: Call; rest: Promise<void> | null }>();
  const server = await startCallServer((call) => {
    call.response.writeHead(200, ['content-length', String(body.length)]);
    sendBody(call.response, body);
    served.resolve({ call, rest: awaitDelivery(gateway, call) });
  }, clock);
  context.after(() => server.close());
  const connection = await server.connect();
  connection.socket.pause();
  await connection.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const { call, rest } = await served.promise;
  return { clock, connection, call, rest };
}

test('an answer that the operating system took immediately needs no waiting', async (context) => {
  const { rest, connection } = await bench(context, Buffer.from('small'));
  assert.equal(rest, null);
  connection.socket.resume();
  assert.equal((await connection.answer())?.body.toString(), 'small');
});

test('the call waits until a large answer is taken, and it arrives whole', async (context) => {
  const { rest, connection } = await bench(context, LARGE);
  assert.ok(rest !== null);
  let bytes = 0;
  connection.socket.removeAllListeners('data');
  connection.socket.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  connection.socket.resume();
  await rest;
  await until('the last bytes', () => bytes >= LARGE.length);
});

test('a caller that reads nothing is cut off after the write stall time, and not before', async (context) => {
  const { clock, call, rest } = await bench(context, LARGE);
  await standstill(() => call.response.socket?.bytesWritten ?? 0);
  clock.advance(250);
  clock.advance(STALL_MS - 500);
  assert.equal(call.response.destroyed, false);
  clock.advance(1_000);
  assert.equal(call.response.destroyed, true);
  await rest;
  assert.equal(call.active, null);
});

test('a caller that reads slowly is not cut off', async (context) => {
  const { clock, connection, call, rest } = await bench(context, LARGE);
  let bytes = 0;
  connection.socket.removeAllListeners('data');
  connection.socket.on('data', (piece: Buffer) => {
    bytes += piece.length;
    connection.socket.pause();
  });
  for (let minute = 0; minute < 5; minute += 1) {
    const wanted = bytes + 3 * 1024 * 1024;
    while (bytes < wanted) {
      const seen = bytes;
      connection.socket.resume();
      await until('some bytes', () => bytes > seen);
    }
    await standstill(() => call.response.socket?.bytesWritten ?? 0, 20);
    clock.advance(STALL_MS - 250);
    assert.equal(call.response.destroyed, false);
  }
  call.active?.cancel('drained');
  await rest;
});

test('a delivery is cut off at the deadline of a shutdown; one that begins after it, or was settled during it, has another second', async (context) => {
  const cut = await bench(context, LARGE);
  cut.call.active?.cancel('drained');
  await cut.rest;
  assert.equal(cut.call.response.destroyed, true);

  for (const isCut of [
    (call: Call) => {
      call.ending = 'drained';
    },
    (call: Call) => {
      call.cutBetweenSteps = 'drained';
    },
  ]) {
    const last = await bench(context, LARGE);
    isCut(last.call);
    await standstill(() => last.call.response.socket?.bytesWritten ?? 0);
    last.clock.advance(250);
    last.clock.advance(1_000);
    await last.rest;
    assert.equal(last.call.response.destroyed, true);
  }
});
