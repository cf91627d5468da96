/**
 * Goal: whatever a provider's connection does, a caller gets the error in its own dialect, never takes a
 * part for the whole, and pays nothing for what failed. Method: a table of faults against a raw
 * provider, each in chat completions and in Messages, streamed and not.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { neverResting } from '../support/never-resting.ts';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  endsProperly,
  errorCode,
  eventsOf,
  type OpenBench,
  openBench,
  PATHS,
} from '../support/open-gateway.ts';
import {
  endlessEvent,
  gzipBomb,
  htmlInstead,
  informational,
  lyingLength,
  redirectElsewhere,
  refuse,
  resetAtOnce,
  stream,
  streamThen,
} from '../support/upstream-scripts.ts';
import { type Fault, type GoodAnswer, goodAnswers } from './fault.ts';

const MIB = 1024 * 1024;

let bench: OpenBench;
before(async () => {
  bench = await openBench({ limits: { answerBytesMax: 2 * MIB } });
  neverResting(bench);
});
after(() => bench.close());

const connection: Fault[] = [
  {
    name: 'a reset before any answer is tried once more, then reported',
    on: 'both',
    script: () => resetAtOnce,
    status: 502,
    code: 'upstream_unreachable',
    ending: 'upstream_failed',
    requests: 2,
  },
  {
    name: 'a connection closed before any answer is tried once more, then reported',
    on: 'both',
    script: () => (exchange) => exchange.finish(),
    status: 502,
    code: 'upstream_unreachable',
    ending: 'upstream_failed',
    requests: 2,
  },
  ...[1, 2, 4].map(
    (count): Fault => ({
      name: `a reset after ${count} chunks`,
      on: 'streamed',
      script: ({ frames }) => streamThen(frames.slice(0, count), (exchange) => exchange.reset()),
      status: 200,
      code: 'bad_gateway',
      ending: 'upstream_failed',
    }),
  ),
  ...[1, 2, 4].map(
    (count): Fault => ({
      name: `a connection closed after ${count} chunks`,
      on: 'streamed',
      script: ({ frames }) => streamThen(frames.slice(0, count), (exchange) => exchange.finish()),
      status: 200,
      code: 'bad_gateway',
      ending: 'upstream_failed',
    }),
  ),
  {
    name: 'a stream that ends cleanly in the middle',
    on: 'streamed',
    script: ({ frames }) => stream(frames.slice(0, 4)),
    status: 200,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a stream that ends cleanly in the middle of a frame',
    on: 'streamed',
    script: ({ frames }) => stream([...frames.slice(0, 3), frames[3]?.slice(0, 20) ?? '']),
    status: 200,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a body shorter than its length',
    on: 'whole',
    script: () => lyingLength(10),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a body longer than its length is cut at that length, and is not an answer',
    on: 'whole',
    script: () => lyingLength(-10),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a reset in the middle of a body',
    on: 'whole',
    script:
      ({ body }) =>
      async (exchange) => {
        await exchange.head(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
        await exchange.raw(body.slice(0, 30));
        exchange.reset();
      },
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a chunk whose size is not a number',
    on: 'streamed',
    script: ({ frames }) => streamThen(frames.slice(0, 2), (exchange) => exchange.raw('zz\r\nwhat\r\n')),
    status: 200,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a length that is not a number',
    on: 'whole',
    script:
      ({ body }) =>
      (exchange) =>
        exchange.raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: many\r\n\r\n${body}`),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'bytes that are not HTTP',
    on: 'both',
    script: () => (exchange) => exchange.raw('SSH-2.0-OpenSSH_9.2\r\n\r\n'),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a header of 100 KiB',
    on: 'both',
    script: () => (exchange) => exchange.whole(200, '{}', { 'x-large': 'a'.repeat(100 * 1024) }),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a flood of interim answers',
    on: 'both',
    script: () => informational(17),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'an unrequested protocol upgrade',
    on: 'both',
    script: () => (exchange) =>
      exchange.raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    status: 502,
    code: 'upstream_unreachable',
    ending: 'upstream_failed',
    requests: 2,
  },
];

const content: Fault[] = [
  {
    name: 'an HTML page instead of an answer',
    on: 'both',
    script: () => htmlInstead,
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
    look: ({ text }) => assert.doesNotMatch(text, /It works/),
  },
  {
    name: 'unrelated JSON',
    on: 'both',
    script: () => (exchange) => exchange.whole(200, '{"ok":true}'),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'an empty body',
    on: 'both',
    script: () => (exchange) => exchange.whole(200, ''),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'an error in an answer of status 200',
    on: 'whole',
    script:
      ({ errorBody }) =>
      (exchange) =>
        exchange.whole(200, errorBody('server_error', 'broken')),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a whole answer when a stream was requested',
    on: 'streamed',
    script:
      ({ body }) =>
      (exchange) =>
        exchange.whole(200, body),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a stream when a whole answer was requested',
    on: 'whole',
    script: ({ frames }) => stream(frames),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'an error in the middle of a stream is passed on in the provider’s words',
    on: 'streamed',
    script: ({ frames, errorFrame }) => stream([...frames.slice(0, 3), errorFrame('the machine is on fire')]),
    status: 200,
    code: null,
    ending: 'upstream_failed',
    look({ text, dialect }) {
      assert.match(text, /the machine is on fire/);
      assert.match(text, dialect === 'openai-chat' ? /"error"/ : /event: error/);
      assert.equal(endsProperly(text), false);
    },
  },
  {
    name: 'an error in a stream that repeats our credential is replaced by our own message',
    on: 'streamed',
    script: ({ frames, errorFrame }) =>
      stream([...frames.slice(0, 3), errorFrame('no such key: canary-credential-of-scripted')]),
    status: 200,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'one event of more than a mebibyte',
    on: 'streamed',
    script: () => endlessEvent(3 * MIB),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a body above the cap that declares its length',
    on: 'whole',
    script: () => (exchange) => exchange.whole(200, Buffer.alloc(2 * MIB + 1, ' ')),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a body above the cap that does not declare its length',
    on: 'whole',
    script: () => async (exchange) => {
      await exchange.head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
      const piece = Buffer.alloc(64 * 1024, ' ');
      for (let sent = 0; sent < 8 * MIB && !exchange.socket.destroyed; sent += piece.length)
        await exchange.chunk(piece);
    },
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
  {
    name: 'a gzip bomb is not decompressed',
    on: 'both',
    script: () => gzipBomb(8 * MIB),
    status: 502,
    code: 'bad_gateway',
    ending: 'upstream_failed',
  },
];

const REFUSED = { on: 'both', ending: 'upstream_failed' } as const;
const refusals: Fault[] = [
  ...[401, 403].map(
    (status): Fault => ({
      ...REFUSED,
      name: `a ${status} for our credential is not the caller's error`,
      script: ({ errorBody }) =>
        withBody(status, errorBody('authentication_error', 'bad key canary-credential-of-scripted')),
      status: 502,
      code: 'upstream_credential_rejected',
    }),
  ),
  {
    ...REFUSED,
    name: 'a 402 is about our account, not the caller’s',
    script: ({ errorBody }) => withBody(402, errorBody('billing_error', 'top up')),
    status: 502,
    code: 'upstream_credential_rejected',
  },
  {
    ...REFUSED,
    name: 'our exhausted quota is not the caller’s rate limit',
    script: ({ errorBody }) => withBody(429, errorBody('insufficient_quota', 'You exceeded your current quota')),
    status: 502,
    code: 'upstream_credential_rejected',
  },
  ...[301, 302, 307, 308].map(
    (status): Fault => ({
      ...REFUSED,
      name: `a redirect of status ${status} is not followed`,
      script: () => (exchange) =>
        exchange.whole(status, '', { location: `http://${exchange.request.rawHeaders[0]?.[1]}/x` }),
      status: 502,
      code: 'bad_gateway',
      look: ({ response }) => assert.equal(response.headers.get('location'), null),
    }),
  ),
  {
    ...REFUSED,
    name: 'a redirect to another address is not followed',
    script: () => redirectElsewhere('http://127.0.0.1:9/elsewhere'),
    status: 502,
    code: 'bad_gateway',
  },
  ...[500, 502].map(
    (status): Fault => ({
      ...REFUSED,
      name: `a ${status} is reported as a bad gateway`,
      script: ({ errorBody }) => withBody(status, errorBody('api_error', 'Internal server error')),
      status: 502,
      code: 'bad_gateway',
    }),
  ),
  {
    ...REFUSED,
    name: 'a 503 is reported as overload',
    script: ({ errorBody }) => withBody(503, errorBody('overloaded_error', 'Overloaded')),
    status: 503,
    code: 'upstream_overloaded',
  },
  {
    ...REFUSED,
    name: 'a 504 is reported as a timeout',
    script: () => (exchange) => exchange.whole(504, '<html>', { 'content-type': 'text/html' }),
    status: 504,
    code: 'upstream_timeout',
    ending: 'upstream_timeout',
  },
  {
    ...REFUSED,
    name: 'a refusal whose body breaks off is still reported',
    script: () => async (exchange) => {
      await exchange.head(500, { 'content-type': 'application/json', 'content-length': '1000' });
      await exchange.raw('{"error":');
      exchange.reset();
    },
    status: 502,
    code: 'bad_gateway',
  },
  {
    ...REFUSED,
    name: 'an endless refusal is not read to its end',
    script: () => (exchange) => exchange.whole(500, Buffer.alloc(MIB, 'a')),
    status: 502,
    code: 'bad_gateway',
  },
];

for (const [family, faults] of Object.entries({ connection, content, refusals })) {
  describe(family, () => {
    for (const fault of faults) {
      for (const dialect of DIALECTS) {
        for (const streamed of fault.on === 'both' ? [false, true] : [fault.on === 'streamed']) {
          test(`${fault.name}: ${dialect}, ${streamed ? 'streamed' : 'whole'}`, () => suffer(fault, dialect, streamed));
        }
      }
    }
  });
}

async function suffer(fault: Fault, dialect: DialectUnderTest, streamed: boolean): Promise<void> {
  const good: GoodAnswer = goodAnswers[dialect];
  bench.upstream.play(fault.script(good));
  const requestsBefore = bench.upstream.exchanges.length;
  const recordsBefore = bench.records.length;
  const settled = bench.nextRecord();

  const response = await bench.post(PATHS[dialect], chatBody(streamed));
  const text = await response.text();
  assert.equal(response.status, fault.status, text.slice(0, 500));
  assert.doesNotMatch(text, /canary-credential/);
  if (response.status === 200) {
    assert.equal(endsProperly(text), false, 'a part is not shown as the whole');
    if (fault.code !== null) assert.equal(errorCode(eventsOf(text).at(-1)), fault.code, text);
    if (dialect === 'anthropic-messages') assert.match(text, /event: error\n/);
  } else if (fault.code !== null) {
    assert.equal(errorCode(JSON.parse(text)), fault.code, text);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  }

  const record = await settled;
  assert.equal(record.ending, fault.ending);
  assert.equal(record.charge, 0n, 'what failed costs the caller nothing');
  assert.equal(record.status, fault.status);
  assert.equal(record.attempts.length, fault.requests ?? 1);
  assert.equal(bench.records.length, recordsBefore + 1, 'one call, one settlement');
  assert.equal(bench.upstream.exchanges.length, requestsBefore + (fault.requests ?? 1));
  fault.look?.({ dialect, response, text });

  // The next caller is not harmed by the remains of the previous answer.
  bench.upstream.play((exchange) => exchange.whole(200, good.body));
  const next = await bench.post(PATHS[dialect], chatBody(false));
  assert.equal(next.status, 200);
  assert.match(await next.text(), /one two three four/);
}

function withBody(status: number, body: string) {
  return refuse(status, JSON.parse(body));
}
