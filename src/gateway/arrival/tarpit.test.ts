/**
 * Goal: an address that sends too many bad keys gets late answers, a few at a time, and nothing else on the waiting
 * connection is read; valid calls and first mistakes are not delayed. Method: a clock moved by hand; real requests on
 * loopback.
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

test('waits end after a second, in order of arrival, a few at a time', async () => {
  const clock = new ManualClock();
  const tarpit = new Tarpit(clock);
  const over: number[] = [];
  for (let place = 0; place < 300; place += 1) void tarpit.enter(response())?.then(() => over.push(place));
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
  assert.equal(tarpit.size, 0);
});

test('after all waits have ended, the next one waits like the first', async () => {
  const clock = new ManualClock();
  const tarpit = new Tarpit(clock);
  for (let time = 0; time < 2; time += 1) {
    const wait = tarpit.enter(response());
    clock.advance(WAIT_MS + 20);
    await wait;
    assert.equal(tarpit.size, 0);
  }
});

test('only a limited number of requests may wait', () => {
  const tarpit = new Tarpit(new ManualClock());
  for (let place = 0; place < WAITING_MAX; place += 1) assert.ok(tarpit.enter(response()) !== null);
  assert.equal(tarpit.enter(response()), null);
  assert.equal(tarpit.size, WAITING_MAX);
});

test('a caller that disconnects frees its slot immediately', async () => {
  const clock = new ManualClock();
  const tarpit = new Tarpit(clock);
  const leaving = Array.from({ length: WAITING_MAX }, response);
  const waits = leaving.map((each) => tarpit.enter(each));
  for (const each of leaving) each.emit('close');
  await Promise.all(waits);
  assert.equal(tarpit.size, 0);
  const wait = tarpit.enter(response());
  clock.advance(WAIT_MS + 20);
  await wait;
});

const BAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';

test('the first bad keys are answered immediately, and one too many after its wait', async (context) => {
  const { connection, answered, clock, untilWaiting } = await open(context);
  await connection.write(BAD);
  assert.equal(statusOf(await connection.answer(1)), 401);
  await connection.write(BAD);
  await untilWaiting(1);
  assert.equal(answered(), 1);
  clock.advance(WAIT_MS + 20);
  const answer = await connection.answer(2);
  assert.equal(statusOf(answer), 429);
  assert.ok(answer?.rawHeaders.some(([name]) => name.toLowerCase() === 'retry-after'));
  await connection.write(BAD);
  await untilWaiting(1);
  assert.equal(connection.isClosed, false, 'the connection stays open');
});

test('a caller that disconnects while it waits keeps no slot', async (context) => {
  const { connection, tarpit, untilWaiting } = await open(context);
  await connection.write(BAD);
  await connection.answer(1);
  await connection.write(BAD);
  await untilWaiting(1);
  connection.close();
  while (tarpit.size > 0) await new Promise((resolve) => setImmediate(resolve));
});

test('a pipelined request behind a waiting one is refused, and its connection closed', async (context) => {
  const { connection, clock, untilWaiting } = await open(context);
  await connection.write(BAD + BAD + BAD);
  await untilWaiting(1);
  clock.advance(WAIT_MS + 20);
  await connection.closed();
  assert.deepEqual(connection.answers.map(statusOf), [401, 429, 429]);
});

test('if too many are waiting, the answer is sent immediately and the connection closed', async (context) => {
  const { connection, tarpit } = await open(context);
  for (let place = 0; place < WAITING_MAX; place += 1) void tarpit.enter(response());
  await connection.write(BAD);
  await connection.answer(1);
  await connection.write(BAD);
  const answer = await connection.answer(2);
  assert.equal(statusOf(answer), 429);
  await connection.closed();
});

test('a request with a long body does not wait: it is refused immediately', async (context) => {
  const { connection, tarpit } = await open(context);
  await connection.write(BAD);
  await connection.answer(1);
  await connection.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n{');
  assert.equal(statusOf(await connection.answer(2)), 429);
  assert.equal(tarpit.size, 0);
});

test('nothing waits while the server shuts down', async (context) => {
  const { connection, running } = await open(context);
  await connection.write(BAD);
  await connection.answer(1);
  running.draining = true;
  await connection.write(BAD);
  assert.equal(statusOf(await connection.answer(2)), 429);
});

/** The part of a response that the tarpit uses: its close event. */
function response(): ServerResponse {
  return new EventEmitter() as ServerResponse;
}

/** A server for which every key is invalid; the first from an address is answered immediately. */
async function open(context: TestContext) {
  const clock = new ManualClock();
  const tarpit = new Tarpit(clock);
  const running = { draining: false };
  const gateway = {
    clock,
    running,
    badKeyLimiter: new BadKeyLimiter({ burst: 1, perSecond: 0.001 }, clock),
    tarpit,
    clientAddress: () => '10.0.0.1',
    metrics: { errorAnswered: () => undefined },
  } as unknown as ReplyPorts;
  const server = await startCallServer((call) => void replyFailure(gateway, call, new UnknownKey()), clock);
  context.after(() => server.close());
  const connection = await server.connect();
  const untilWaiting = async (count: number) => {
    while (tarpit.size < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { connection, clock, tarpit, running, untilWaiting, answered: () => connection.answers.length };
}
