/**
 * Goal: a failure is rendered in the caller's dialect, with what its client needs to decide whether to retry, and nothing
 * that does not concern it. Method: real requests on loopback.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startCallServer } from '../../../test/support/call-server.ts';
import { ManualClock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { CallerLeft } from '../cut-error.ts';
import { describeError } from './describe-error.ts';
import { type ReplyPorts, replyFailure, UpstreamRefusal } from './reply-error.ts';

async function answerTo(context: TestContext, thrown: unknown, request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n') {
  const clock = new ManualClock();
  const logged: unknown[] = [];
  const counted: string[] = [];
  const gateway = {
    clock,
    log: { error: (facts: unknown) => logged.push(facts) },
    metrics: { errorAnswered: (_dialect: string, code: string) => counted.push(code) },
  } as unknown as ReplyPorts;
  const server = await startCallServer((call) => void replyFailure(gateway, call, thrown), clock);
  context.after(() => server.close());
  const connection = await server.connect();
  await connection.write(request);
  const answer = await connection.answer();
  const header = (name: string) => answer?.rawHeaders.find(([sent]) => sent.toLowerCase() === name)?.[1] ?? null;
  return {
    clock,
    connection,
    status: answer === null ? null : Number(answer.startLine.split(' ')[1]),
    body: answer?.body.toString() ?? '',
    header,
    logged,
    counted,
  };
}

test('an error has a status, a code, our ids and a length', async (context) => {
  const answer = await answerTo(
    context,
    new GatewayError('model_not_found', { message: 'No such model.', param: 'model' }),
  );
  assert.equal(answer.status, 404);
  const { error } = JSON.parse(answer.body) as { error: Record<string, unknown> };
  assert.deepEqual([error['code'], error['message'], error['param']], ['model_not_found', 'No such model.', 'model']);
  assert.match(answer.header('x-request-id') ?? '', /^req_/);
  assert.match(answer.header('x-generation-id') ?? '', /^gen-/);
  assert.equal(answer.header('retry-after'), null);
  assert.deepEqual(answer.counted, ['model_not_found']);
});

test('a 401 says how to authenticate', async (context) => {
  const answer = await answerTo(context, new GatewayError('invalid_api_key'));
  assert.match(answer.header('www-authenticate') ?? '', /^Bearer /);
});

test('errors say whether and when to retry', async (context) => {
  const later = await answerTo(context, new GatewayError('shedding', { retryAfterSeconds: 7 }));
  assert.deepEqual([later.header('retry-after'), later.header('x-should-retry')], ['7', 'true']);
  const never = await answerTo(context, new GatewayError('insufficient_balance'));
  assert.deepEqual([never.header('retry-after'), never.header('x-should-retry')], [null, 'false']);
  const tomorrow = await answerTo(context, new GatewayError('shedding', { retryAfterSeconds: 86_400 }));
  // An SDK that followed it would sleep until then.
  assert.deepEqual([tomorrow.header('retry-after'), tomorrow.header('x-should-retry')], ['86400', 'false']);
});

test('a bug is a 500 without its message, which is not logged either', async (context) => {
  const answer = await answerTo(
    context,
    new TypeError('Cannot read "the prompt" of undefined\nsecond line of the prompt'),
  );
  assert.equal(answer.status, 500);
  assert.doesNotMatch(answer.body, /prompt/);
  assert.equal(answer.logged.length, 1);
  assert.doesNotMatch(JSON.stringify(answer.logged), /prompt/);
  assert.match(JSON.stringify(answer.logged), /TypeError \| at /);
});

test('a provider’s refusal keeps its status and bytes', async (context) => {
  const body = Buffer.from('{"error":{"message":"temperature: too high","extra":[1,  2]}}');
  const refusal = new UpstreamRefusal(new GatewayError('bad_request'), 422, body, ['retry-after', '3']);
  const answer = await answerTo(context, refusal);
  assert.equal(answer.status, 422);
  assert.equal(answer.body, body.toString());
  assert.equal(answer.header('retry-after'), '3');
});

test('a caller that has disconnected gets no answer', async (context) => {
  const answer = await answerTo(context, new CallerLeft());
  assert.equal(answer.status, null);
});

test('a short rest of a body is skipped, and the connection stays open', async (context) => {
  const answer = await answerTo(
    context,
    new GatewayError('invalid_api_key'),
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{"a"',
  );
  assert.equal(answer.status, 401);
  await answer.connection.write(':12345GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  assert.match((await answer.connection.answer(2))?.startLine ?? '', / 401 /);
});

test('a short rest that does not arrive closes the connection after ten seconds', async (context) => {
  const answer = await answerTo(
    context,
    new GatewayError('invalid_api_key'),
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{"a"',
  );
  answer.clock.advance(10_000);
  await answer.connection.closed();
});

test('a long rest is read for a second so that the answer arrives, then the connection closes', async (context) => {
  const answer = await answerTo(
    context,
    new GatewayError('request_too_large'),
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n${'a'.repeat(1000)}`,
  );
  assert.equal(answer.status, 413);
  assert.equal(answer.header('connection'), 'close');
  for (let sent = 0; sent < 20; sent += 1) await answer.connection.write('a'.repeat(100_000));
  assert.equal(answer.connection.isClosed, false);
  answer.clock.advance(1_000);
  await answer.connection.closed();
});

test('an error is described by its name, its code and its stack frames', () => {
  const error = Object.assign(new Error('hunter2\n    at least this is no frame'), { code: 'ECONNRESET' });
  const described = describeError(error);
  assert.match(described, /^Error \| ECONNRESET \| at /);
  assert.doesNotMatch(described, /hunter2|at least/);
  assert.equal(describeError('a thrown text'), 'string');
});
