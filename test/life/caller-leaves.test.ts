/**
 * Goal: a caller that leaves frees the provider's connection at once, at any stage, and pays for what it
 * got and no more. (`npm run prove -- aborts` judges the 100 ms of every call; here other tests share the cores.) Method: bare sockets destroyed at every stage; the raw provider notes when its own
 * connection closed. The caller's and the provider's clock are the same one.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { CallRecord } from '../../src/stats/record.ts';
import { CLOSED_SOON_MS } from '../support/closed-soon.ts';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  type OpenBench,
  openBench,
  PATHS,
  rawCall,
} from '../support/open-gateway.ts';
import { countOf, StreamReader } from '../support/stream-reader.ts';
import { anthropicFrames, openaiFrames, silent, streamThen } from '../support/upstream-scripts.ts';

const PROMISED_MS = 100;
/** Fewer bytes than a token takes: it counts as one. */
const PIECE = 'four';
const CHUNKS_MAX = 10;
/** The price of the scripted model, nano-USD a token. */
const INPUT_NANO = 1_000n;
const OUTPUT_NANO = 5_000n;
/** The estimate for the messages alone: 4.3 bytes a token for an unknown model. */
const PROMPT_NANO = BigInt(Math.ceil(JSON.stringify([{ role: 'user', content: 'hi' }]).length / 4.3)) * INPUT_NANO;

const FRAMES: Readonly<Record<DialectUnderTest, { frames: readonly string[]; beforeText: number }>> = {
  'openai-chat': { frames: openaiFrames(Array(CHUNKS_MAX).fill(PIECE)), beforeText: 1 },
  'anthropic-messages': { frames: anthropicFrames(Array(CHUNKS_MAX).fill(PIECE)), beforeText: 2 },
};

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());
beforeEach(() => bench.upstream.play(silent));

/** Starts a stream of `pieces` pieces of text, leaves when they have arrived, and returns how long the provider stayed connected. */
async function leaveAfter(dialect: DialectUnderTest, pieces: number): Promise<{ keptMs: number; record: CallRecord }> {
  const { frames, beforeText } = FRAMES[dialect];
  bench.upstream.play(streamThen(frames.slice(0, beforeText + pieces), () => undefined));
  const arrived = bench.upstream.nextExchange();
  const settled = bench.nextRecord();
  const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, true));
  const exchange = await arrived;
  await reader.sees('data: ');
  await reader.sees((text) => countOf(text, `"${PIECE}"`) === pieces);
  const leftAt = reader.leave();
  return { keptMs: (await exchange.closed) - leftAt, record: await settled };
}

function expectedCharge(dialect: DialectUnderTest, pieces: number): bigint {
  return dialect === 'openai-chat'
    ? PROMPT_NANO + BigInt(pieces) * OUTPUT_NANO
    : // Its first event reports the prompt, and one token of output before there is any.
      5n * INPUT_NANO + BigInt(Math.max(1, pieces)) * OUTPUT_NANO;
}

describe('in the middle of a stream', () => {
  for (const dialect of DIALECTS) {
    for (let pieces = 0; pieces <= CHUNKS_MAX; pieces += 1) {
      test(`${dialect}: after ${pieces} pieces, which are paid for`, async () => {
        let { keptMs, record } = await leaveAfter(dialect, pieces);
        // Another test may have had the core: the promise must be kept in one of three.
        for (let again = 0; again < 2 && keptMs >= PROMISED_MS; again += 1)
          ({ keptMs, record } = await leaveAfter(dialect, pieces));
        assert.ok(keptMs < PROMISED_MS, `${keptMs} ms`);
        assert.equal(record.ending, 'caller_left');
        assert.equal(record.usageSource, 'estimated');
        assert.equal(record.charge, expectedCharge(dialect, pieces));
      });
    }
  }

  test('trap 30: fifty times: half of the provider’s connections are closed within 100 ms, all of them soon', async (context) => {
    const kept: number[] = [];
    for (let round = 0; round < 50; round += 1) {
      const { keptMs } = await leaveAfter(DIALECTS[round % 2] ?? 'openai-chat', round % (CHUNKS_MAX + 1));
      kept.push(keptMs);
    }
    kept.sort((left, right) => left - right);
    const [median = 0, slowest = 0] = [kept[25], kept[49]];
    context.diagnostic(`provider kept: p50 ${median.toFixed(1)} ms, p99 (slowest of 50) ${slowest.toFixed(1)} ms`);
    assert.ok(median < PROMISED_MS, `${median} ms`);
    assert.ok(slowest < CLOSED_SOON_MS, `${slowest} ms`);
  });
});

describe('before an answer', () => {
  for (const dialect of DIALECTS) {
    for (const streamed of [false, true]) {
      test(`${dialect}, ${streamed ? 'streamed' : 'whole'}: the provider’s connection is closed and the prompt is paid for`, async () => {
        const arrived = bench.upstream.nextExchange();
        const settled = bench.nextRecord();
        const reader = await StreamReader.open(bench.url, rawCall(bench, dialect, streamed));
        const exchange = await arrived;
        const leftAt = reader.leave();
        assert.ok((await exchange.closed) - leftAt < CLOSED_SOON_MS);
        const record = await settled;
        assert.equal(record.ending, 'caller_left');
        assert.equal(record.status, 499);
        assert.equal(record.charge, PROMPT_NANO);
      });
    }
  }

  test('in the middle of a whole answer: the provider’s connection is closed', async () => {
    bench.upstream.play(async (exchange) => {
      await exchange.head(200, { 'content-type': 'application/json', 'content-length': '1000' });
      await exchange.raw('{"object":');
    });
    const entered = bench.nextCall();
    const arrived = bench.upstream.nextExchange();
    const settled = bench.nextRecord();
    const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', false));
    const exchange = await arrived;
    await entered;
    const leftAt = reader.leave();
    assert.ok((await exchange.closed) - leftAt < CLOSED_SOON_MS);
    assert.equal((await settled).ending, 'caller_left');
  });
});

test('while its request is read: no provider is called, and there is nothing to settle', async () => {
  const [requests, settlements] = [bench.upstream.exchanges.length, bench.records.length];
  const entered = bench.nextCall();
  const [head = '', body = ''] = rawCall(bench, 'openai-chat', false).split('\r\n\r\n');
  const connection = await bench.connect();
  await connection.write(`${head}\r\n\r\n${body.slice(0, -1)}`);
  const call = await entered;
  const gone = new Promise((resolve) => call.response.once('close', resolve));
  connection.close();
  await gone;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(bench.app.gateway.running.count, 0);
  assert.deepEqual([bench.upstream.exchanges.length, bench.records.length], [requests, settlements]);
});

describe('after the last token, before the proper end', () => {
  test('openai-chat: the stream is settled once, at the usage that was reported', async () => {
    const { frames } = FRAMES['openai-chat'];
    bench.upstream.play(streamThen(frames.slice(0, -1), () => undefined));
    const settlements = bench.records.length;
    const settled = bench.nextRecord();
    const arrived = bench.upstream.nextExchange();
    const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true));
    const exchange = await arrived;
    await reader.sees('"stop"');
    await reader.sees('"completion_tokens":10');
    reader.leave();
    await exchange.closed;
    const record = await settled;
    assert.equal(record.charge, 5n * INPUT_NANO + 10n * OUTPUT_NANO);
    assert.equal(bench.records.length, settlements + 1);
  });

  test('anthropic-messages: the same', async () => {
    const { frames } = FRAMES['anthropic-messages'];
    bench.upstream.play(streamThen(frames.slice(0, -1), () => undefined));
    const settled = bench.nextRecord();
    const arrived = bench.upstream.nextExchange();
    const reader = await StreamReader.open(bench.url, rawCall(bench, 'anthropic-messages', true));
    const exchange = await arrived;
    await reader.sees('message_delta');
    reader.leave();
    await exchange.closed;
    assert.equal((await settled).charge, 5n * INPUT_NANO + 10n * OUTPUT_NANO);
  });
});

describe('requests sent ahead on one connection', () => {
  test('run one after the other, and are answered in order', async () => {
    const exchanges = bench.upstream.exchanges.length;
    const connection = await bench.connect();
    let next = bench.upstream.nextExchange();
    await connection.write(rawCall(bench, 'openai-chat', false).repeat(3));
    for (let number = 1; number <= 3; number += 1) {
      const exchange = await next;
      assert.equal(bench.upstream.exchanges.length, exchanges + number, 'only one is running');
      if (number < 3) next = bench.upstream.nextExchange();
      await exchange.whole(200, completion(`answer ${number}`));
      assert.match((await connection.answer(number))?.body.toString() ?? '', new RegExp(`answer ${number}`));
    }
    connection.close();
  });

  test('are all ended when the caller leaves', async () => {
    const exchanges = bench.upstream.exchanges.length;
    const settled = bench.nextRecord();
    const connection = await bench.connect();
    const first = bench.upstream.nextExchange();
    await connection.write(rawCall(bench, 'openai-chat', false).repeat(3));
    const exchange = await first;
    connection.close();
    await exchange.closed;
    assert.equal((await settled).ending, 'caller_left');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(bench.app.gateway.running.count, 0);
    assert.equal(bench.upstream.exchanges.length, exchanges + 1);
  });
});

function completion(content: string): string {
  return JSON.stringify({
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  });
}

test('a caller that comes back is served as if nothing had happened', async () => {
  bench.upstream.play((exchange) => exchange.whole(200, completion('again')));
  const response = await bench.post(PATHS['openai-chat'], chatBody(false));
  assert.match(await response.text(), /again/);
});
