/**
 * Goal: each time limit ends a call when it expires, in the caller's dialect, and closes the provider's connection.
 * Method: the whole gateway on a clock that the test moves; sockets are real.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { goodAnswers } from '../faults/fault.ts';
import {
  chatBody,
  DIALECTS,
  endsProperly,
  errorCode,
  eventsOf,
  OPEN_MODEL,
  type OpenBench,
  openBench,
  PATHS,
  rawCall,
} from '../support/open-gateway.ts';
import { countOf, StreamReader } from '../support/stream-reader.ts';
import { standstill, until } from '../support/turns.ts';
import { silent, streamThen } from '../support/upstream-scripts.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Limits are checked four times a second. */
const SWEEP = 250;

const clock = new ManualClock();
let bench: OpenBench;
before(async () => {
  bench = await openBench({}, { clock });
});
after(() => bench.close());
beforeEach(() => bench.upstream.play(silent));

describe('the first byte', () => {
  for (const dialect of DIALECTS) {
    for (const [streamed, limit] of [
      [true, 120 * SECOND],
      [false, 600 * SECOND],
    ] as const) {
      test(`${dialect}, ${streamed ? 'streamed' : 'whole'}: is waited for ${limit / SECOND} s`, async () => {
        const arrived = bench.upstream.nextExchange();
        const settled = bench.nextRecord();
        const answer = bench.post(PATHS[dialect], chatBody(streamed));
        const exchange = await arrived;
        clock.advance(limit - SECOND);
        assert.equal(bench.app.gateway.running.count, 1, 'it is still waited for');
        clock.advance(SECOND + SWEEP);
        const response = await answer;
        assert.equal(response.status, 504);
        assert.equal(errorCode(await response.json()), 'upstream_timeout');
        await exchange.closed;
        const record = await settled;
        assert.equal(record.ending, 'upstream_timeout');
        assert.equal(record.charge, 0n);
        assert.equal(record.attempts.length, 1, 'a slow provider is not called twice');
      });
    }
  }
});

describe('silence in the middle of an answer', () => {
  for (const dialect of DIALECTS) {
    test(`${dialect}: a stream is given up after 300 s, with an event`, async () => {
      const { frames } = goodAnswers[dialect];
      bench.upstream.play(streamThen(frames.slice(0, 3), () => undefined));
      const settled = bench.nextRecord();
      const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, true));
      await reader.sees('one ');
      clock.advance(299 * SECOND);
      await reader.sees((text) => countOf(text, pingOf(dialect)) === 19);
      clock.advance(SECOND + SWEEP);
      await reader.sees('upstream_timeout');
      await reader.sees('\r\n0\r\n');
      reader.leave();
      assert.equal(endsProperly(reader.text), false);
      await bench.upstream.exchanges.at(-1)?.closed;
      const record = await settled;
      assert.equal(record.ending, 'upstream_timeout');
      assert.equal(record.charge, 0n);
    });

    test(`${dialect}: a whole answer is given up after 300 s`, async () => {
      const { body } = goodAnswers[dialect];
      bench.upstream.play(async (exchange) => {
        await exchange.head(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
        await exchange.raw(body.slice(0, 20));
      });
      const settled = bench.nextRecord();
      const entered = bench.nextCall();
      const answer = bench.post(PATHS[dialect], chatBody(false));
      const call = await entered;
      await until('the head of the answer', () => call.answered);
      clock.advance(300 * SECOND + SWEEP);
      const response = await answer;
      assert.equal(response.status, 504);
      assert.equal(errorCode(await response.json()), 'upstream_timeout');
      await bench.upstream.exchanges.at(-1)?.closed;
      assert.equal((await settled).ending, 'upstream_timeout');
    });

    test(`${dialect}: any byte restarts the limit`, async () => {
      const { frames } = goodAnswers[dialect];
      bench.upstream.play(streamThen(frames.slice(0, 2), () => undefined));
      const arrived = bench.upstream.nextExchange();
      const entered = bench.nextCall();
      const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, true));
      const exchange = await arrived;
      const call = await entered;
      const settled = bench.nextRecord();
      await until('the first frame', () => call.responseBytes > 0);
      for (const frame of frames.slice(2)) {
        clock.advance(299 * SECOND);
        const bytes = call.responseBytes;
        await exchange.chunk(frame);
        await until('the next frame', () => call.responseBytes > bytes);
      }
      await exchange.lastChunk();
      await reader.sees((text) => endsProperly(text));
      reader.leave();
      assert.equal((await settled).ending, 'complete');
    });
  }
});

describe('pings', () => {
  for (const dialect of DIALECTS) {
    test(`trap 26: ${dialect}: every 15 s of quiet once the provider has answered, and never before`, async () => {
      const arrived = bench.upstream.nextExchange();
      const entered = bench.nextCall();
      const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, true));
      const exchange = await arrived;
      const call = await entered;
      clock.advance(100 * SECOND);
      assert.equal(reader.text, '', 'without an answer there is no stream to keep alive');
      await exchange.openStream();
      await until('the head of the answer', () => call.answered);
      clock.advance(SECOND + SWEEP);
      await reader.sees('text/event-stream');
      clock.advance(15 * SECOND + SWEEP);
      await reader.sees((text) => countOf(text, pingOf(dialect)) === 1);
      const [first = '', ...rest] = goodAnswers[dialect].frames;
      await exchange.chunk(first);
      await until('the first frame', () => countOf(reader.text, 'scripted/model') === 1);
      clock.advance(14 * SECOND);
      assert.equal(countOf(reader.text, pingOf(dialect)), 1, 'a frame counts as a ping');
      clock.advance(1 * SECOND + SWEEP);
      await reader.sees((text) => countOf(text, pingOf(dialect)) === 2);
      const settled = bench.nextRecord();
      for (const frame of rest) await exchange.chunk(frame);
      await exchange.lastChunk();
      await reader.sees((text) => endsProperly(text));
      reader.leave();
      assert.equal((await settled).ending, 'complete');
    });
  }

  test('sound has no pings: its head comes early, and what stops is given up, with the connection', async () => {
    const arrived = bench.upstream.nextExchange();
    const entered = bench.nextCall();
    const settled = bench.nextRecord();
    const answer = bench.post('/v1/audio/speech', { model: OPEN_MODEL, input: 'hi', voice: 'alloy' });
    const exchange = await arrived;
    const call = await entered;
    await exchange.openStream({ 'content-type': 'audio/mpeg' });
    await until('the head of the answer', () => call.answered);
    clock.advance(SECOND + SWEEP);
    const response = await answer;
    assert.equal(response.headers.get('content-type'), 'audio/mpeg');
    const reader = response.body?.getReader() ?? assert.fail('it has a body');
    clock.advance(100 * SECOND);
    await exchange.chunk('ID3');
    assert.deepEqual(Buffer.from((await reader.read()).value ?? '').toString(), 'ID3');
    clock.advance(300 * SECOND + SWEEP);
    await assert.rejects(reader.read());
    await exchange.closed;
    const record = await settled;
    assert.deepEqual([record.ending, record.charge, record.responseBytes], ['upstream_timeout', 0n, 3]);
  });

  test('a whole answer has no pings', async () => {
    const { body } = goodAnswers['openai-chat'];
    bench.upstream.play(async (exchange) => {
      await exchange.head(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
    });
    const entered = bench.nextCall();
    const answer = bench.post(PATHS['openai-chat'], chatBody(false));
    const call = await entered;
    await until('the head of the answer', () => call.answered);
    clock.advance(100 * SECOND);
    await bench.upstream.exchanges.at(-1)?.raw(body);
    assert.match(await (await answer).text(), /chat\.completion/);
  });
});

describe('the whole of a call', () => {
  for (const dialect of DIALECTS) {
    test(`${dialect}: a stream that never falls silent ends after an hour`, async () => {
      const { frames } = goodAnswers[dialect];
      bench.upstream.play(streamThen(frames.slice(0, 3), () => undefined));
      const arrived = bench.upstream.nextExchange();
      const settled = bench.nextRecord();
      const entered = bench.nextCall();
      const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, true));
      const exchange = await arrived;
      const call = await entered;
      await reader.sees('one ');
      for (let minutes = 4; minutes < 60; minutes += 4) {
        clock.advance(4 * MINUTE);
        const bytes = call.responseBytes;
        await exchange.chunk(frames[2] ?? '');
        await until('the next frame', () => call.responseBytes > bytes);
      }
      assert.equal(bench.app.gateway.running.count, 1);
      clock.advance(4 * MINUTE + SWEEP);
      await reader.sees('upstream_timeout');
      reader.leave();
      await exchange.closed;
      assert.equal((await settled).ending, 'upstream_timeout');
    });
  }
});

describe('the body of a request', () => {
  for (const dialect of DIALECTS) {
    test(`${dialect}: one that does not arrive is a 408, and the connection closes`, async () => {
      const connection = await bench.connect();
      const [head = '', body = ''] = rawCall(bench, dialect, false).split('\r\n\r\n');
      const entered = bench.nextCall();
      await connection.write(`${head}\r\n\r\n${body.slice(0, 10)}`);
      await entered;
      clock.advance(9 * SECOND);
      assert.equal(connection.answers.length, 0);
      clock.advance(SECOND + SWEEP);
      const answer = await connection.answer();
      assert.match(answer?.startLine ?? '', / 408 /);
      assert.equal(errorCode(JSON.parse(answer?.body.toString() ?? '')), 'request_timeout');
      clock.advance(SECOND);
      await connection.closed();
    });
  }

  const PACE = 20 * 1024;

  test('one that arrives faster than 16 KiB a second is accepted, however long it is', async () => {
    const connection = await bench.connect();
    bench.upstream.play((exchange) => exchange.whole(200, goodAnswers['openai-chat'].body));
    const [head = '', body = ''] = rawCall(bench, 'openai-chat', false, 'x'.repeat(600 * 1024)).split('\r\n\r\n');
    const entered = bench.nextCall();
    await connection.write(`${head}\r\n\r\n`);
    await entered;
    for (let at = 0; at < body.length; at += PACE) {
      await connection.write(body.slice(at, at + PACE));
      await standstill(() => connection.socket.bytesWritten, 5);
      clock.advance(SECOND);
    }
    assert.match((await connection.answer())?.startLine ?? '', / 200 /);
    connection.close();
  });

  test('a refused caller does not keep its connection by dribbling the rest of its body', async () => {
    const connection = await bench.connect();
    await connection.write(
      `POST ${PATHS['openai-chat']} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nothing\r\nContent-Length: 5000\r\n\r\n{`,
    );
    assert.match((await connection.answer())?.startLine ?? '', / 401 /);
    await connection.write('"');
    clock.advance(10 * SECOND);
    await connection.closed();
  });
});

describe('a caller that does not read', () => {
  const frame = `data: {"choices":[{"index":0,"delta":{"content":"${'a'.repeat(32 * 1024)}"},"finish_reason":null}]}\n\n`;

  test('is cut off after 60 s, and pays for what was delivered', async () => {
    bench.upstream.play(async (exchange) => {
      await exchange.openStream();
      while (!exchange.socket.destroyed) await exchange.chunk(frame);
    });
    const arrived = bench.upstream.nextExchange();
    const settled = bench.nextRecord();
    const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true));
    reader.socket.pause();
    const exchange = await arrived;
    await standstill(() => exchange.socket.bytesWritten);
    clock.advance(59 * SECOND);
    assert.equal(bench.app.gateway.running.count, 1);
    clock.advance(SECOND + SWEEP);
    await exchange.closed;
    const record = await settled;
    assert.equal(record.ending, 'caller_slow');
    assert.ok(record.charge > 0n);
    reader.socket.resume();
    await reader.closed();
    assert.equal(endsProperly(reader.text), false);
  });

  test('a whole answer that is not read does not stay forever', async () => {
    const content = 'a'.repeat(16 * 1024 * 1024);
    const body = JSON.stringify({
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    });
    bench.upstream.play((exchange) => exchange.whole(200, body));
    const settled = bench.nextRecord();
    const entered = bench.nextCall();
    const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', false));
    reader.socket.pause();
    const { response } = await entered;
    await until('the answer', () => response.writableNeedDrain);
    await standstill(() => response.socket?.bytesWritten ?? 0);
    assert.equal(bench.app.gateway.running.count, 1, 'it is running until it is read');
    clock.advance(60 * SECOND + 2 * SWEEP);
    await settled;
    assert.equal(bench.app.gateway.running.count, 0);
    reader.leave();
  });

  test('a whole answer that is read late arrives complete', async () => {
    const content = 'b'.repeat(16 * 1024 * 1024);
    const body = JSON.stringify({
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    });
    bench.upstream.play((exchange) => exchange.whole(200, body));
    const settled = bench.nextRecord();
    const entered = bench.nextCall();
    const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', false));
    reader.socket.pause();
    const { response } = await entered;
    await until('the answer', () => response.writableNeedDrain);
    clock.advance(30 * SECOND);
    reader.socket.resume();
    await reader.sees((text) => text.length > content.length && text.endsWith('}'));
    const record = await settled;
    assert.equal(record.ending, 'complete');
    assert.ok(reader.text.length > content.length);
    reader.leave();
  });
});

test('after a shutdown nothing is watched any longer', () => {
  assert.equal(bench.app.gateway.running.count, 0);
});

test('an error event is the last thing of a stream that was cut', async () => {
  bench.upstream.play(streamThen(goodAnswers['openai-chat'].frames.slice(0, 3), () => undefined));
  const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true));
  await reader.sees('one ');
  clock.advance(HOUR);
  await reader.sees('\r\n0\r\n');
  const events = eventsOf(
    reader.text
      .split('\r\n\r\n')
      .slice(1)
      .join('\r\n\r\n')
      .replace(/\r\n[0-9a-f]+\r\n/g, '\n'),
  );
  assert.equal(errorCode(events.at(-1)), 'upstream_timeout');
  reader.leave();
});

function pingOf(dialect: string): string {
  return dialect === 'openai-chat' ? ': ping' : 'event: ping';
}
