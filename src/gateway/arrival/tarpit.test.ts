/**
 * Goal: who sends one bad key too many is answered late and in few, whose connection waits sends nothing
 * meanwhile, and good calls and first mistakes are not delayed. Method: a clock moved by hand; real requests on loopback.
 */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { startCallServer } from '../../../test/support/call-server.ts';
import { statusOf } from '../../../test/support/raw-connection.ts';
import { UnknownKey } from '../../accounts/authenticate.ts';
import { BadKeyLimiter } from '../../accounts/bad-key-limiter.ts';
import { ManualClock } from '../../core/clock.ts';
import { type ReplyPorts, replyFailure } from '../end/reply-error.ts';
import { Tarpit, WAIT_MS, WAITING_MAX } from './tarpit.ts';

test('a wait is over after a second, in the order they came, a few at a time', async () => {
  const clock = new ManualClock();
  const room = new Tarpit(clock);
  const over: number[] = [];
  for (let place = 0; place < 300; place += 1) void room.enter(response())?.then(() => over.push(place));
  const overAt = async (byMs: number) => {
    clock.advance(byMs);
    await Promise.resolve();
    return over.length;
  };
  assert.equal(await overAt(WAIT_MS - 1), 0);
  const first = await overAt(21);
  assert.ok(first > 0 && first <= 10, `${first} at once`);
  const second = await overAt(1_000);
  assert.ok(second >= 50 && second <= 200, `${second} in a second`);
  await overAt(10_000);
  assert.deepEqual(
    over,
    Array.from({ length: 300 }, (_, place) => place),
  );
  assert.equal(room.size, 0);
});

test('when all have left, the next one waits as the first did', async () => {
  const clock = new ManualClock();
  const room = new Tarpit(clock);
  for (let time = 0; time < 2; time += 1) {
    const wait = room.enter(response());
    clock.advance(WAIT_MS + 20);
    await wait;
    assert.equal(room.size, 0);
  }
});

test('there is room for so many and no more', () => {
  const room = new Tarpit(new ManualClock());
  for (let place = 0; place < WAITING_MAX; place += 1) assert.ok(room.enter(response()) !== null);
  assert.equal(room.enter(response()), null);
  assert.equal(room.size, WAITING_MAX);
});

test('who leaves gives the place up at once', async () => {
  const clock = new ManualClock();
  const room = new Tarpit(clock);
  const leaving = Array.from({ length: WAITING_MAX }, response);
  const waits = leaving.map((each) => room.enter(each));
  for (const each of leaving) each.emit('close');
  await Promise.all(waits);
  assert.equal(room.size, 0);
  const wait = room.enter(response());
  clock.advance(WAIT_MS + 20);
  await wait;
});

const BAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';

test('the first bad keys are answered at once, and one too many when its wait is over', async (context) => {
  const { connection, answered, clock, untilWaiting } = await open(context);
  await connection.write(BAD);
  assert.equal(statusOf(await connection.answer(1)), 401);
  await connection.write(BAD);
  await untilWaiting(1);
  assert.equal(answered(), 1);
  clock.advance(WAIT_MS + 20);
  const told = await connection.answer(2);
  assert.equal(statusOf(told), 429);
  assert.ok(told?.rawHeaders.some(([name]) => name.toLowerCase() === 'retry-after'));
  await connection.write(BAD);
  await untilWaiting(1);
  assert.equal(connection.isClosed, false, 'the connection goes on');
});

test('a caller that leaves while it waits keeps no place', async (context) => {
  const { connection, room, untilWaiting } = await open(context);
  await connection.write(BAD);
  await connection.answer(1);
  await connection.write(BAD);
  await untilWaiting(1);
  connection.close();
  while (room.size > 0) await new Promise((resolve) => setImmediate(resolve));
});

test('one that is sent ahead, behind another that waits, ends its connection', async (context) => {
  const { connection, clock, untilWaiting } = await open(context);
  await connection.write(BAD + BAD + BAD);
  await untilWaiting(1);
  clock.advance(WAIT_MS + 20);
  await connection.closed();
  assert.deepEqual(connection.answers.map(statusOf), [401, 429, 429]);
});

test('with no room left the answer comes at once and ends the connection', async (context) => {
  const { connection, room } = await open(context);
  for (let place = 0; place < WAITING_MAX; place += 1) void room.enter(response());
  await connection.write(BAD);
  await connection.answer(1);
  await connection.write(BAD);
  const told = await connection.answer(2);
  assert.equal(statusOf(told), 429);
  await connection.closed();
});

test('a long body is not read while its sender waits: it is refused at once', async (context) => {
  const { connection, room } = await open(context);
  await connection.write(BAD);
  await connection.answer(1);
  await connection.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n{');
  assert.equal(statusOf(await connection.answer(2)), 429);
  assert.equal(room.size, 0);
});

test('nobody is made to wait by a server that shuts down', async (context) => {
  const { connection, running } = await open(context);
  await connection.write(BAD);
  await connection.answer(1);
  running.draining = true;
  await connection.write(BAD);
  assert.equal(statusOf(await connection.answer(2)), 429);
});

/** What of a response the room looks at: whether it is closed. */
function response(): ServerResponse {
  return new EventEmitter() as ServerResponse;
}

/** A server to which every key is a bad one; the first from an address is free. */
async function open(context: TestContext) {
  const clock = new ManualClock();
  const room = new Tarpit(clock);
  const running = { draining: false };
  const gateway = {
    clock,
    running,
    badKeyLimiter: new BadKeyLimiter({ burst: 1, perSecond: 0.001 }, clock),
    tarpit: room,
    clientAddress: () => '10.0.0.1',
    metrics: { errorAnswered: () => undefined },
  } as unknown as ReplyPorts;
  const server = await startCallServer((call) => void replyFailure(gateway, call, new UnknownKey()), clock);
  context.after(() => server.close());
  const connection = await server.connect();
  const untilWaiting = async (count: number) => {
    while (room.size < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { connection, clock, room, running, untilWaiting, answered: () => connection.answers.length };
}
