/**
 * Goal: a caller that leaves, stops reading, asks again or sends ahead frees its provider and pays for what it got, once. Method: C1–C4, C17
 * and C23 of the fault table: bare sockets in every lane, and official clients behind a bad connection.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { CLOSED_SOON_MS } from '../../support/closed-soon.ts';
import { FAULT_WORDS } from '../../support/fault-answers.ts';
import { type FaultBench, openFaultBench } from '../../support/fault-bench.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { laneAnswers, REPORTED_PROMPT } from '../../support/lane-answers.ts';
import { ALL_LANES, type AnyLane, countedPrompt, requestBytes } from '../../support/ledger-bench.ts';
import { outcomeOf } from '../../support/ledger-outcome.ts';
import { RawConnection, statusOf } from '../../support/raw-connection.ts';
import type { Exchange } from '../../support/scripted-upstream.ts';
import { StreamReader } from '../../support/stream-reader.ts';
import { standstill, until } from '../../support/turns.ts';
import { faultRow, type RowNotes } from './fault-row.ts';

const FILE = import.meta.filename;
const MEDIAN_WITHIN_MS = 100;
const SECOND = 1_000;
/** For a caller that does not read. */
const QUEUED_BYTES_MAX = 256 * 1024;

let bench: FaultBench;
before(async () => {
  bench = await openFaultBench();
});
after(() => bench.close());

function price(prompt: number, output: number): bigint {
  return BigInt(prompt) * 1_000n + BigInt(output) * 5_000n;
}

/** What is known of the prompt once a stream has begun. */
function promptOf(lane: AnyLane): number {
  return laneAnswers[lane.upstream].reportsPromptFirst ? REPORTED_PROMPT : countedPrompt(lane);
}

async function onlySettled(row: RowNotes, gets: string) {
  const [settled] = (await bench.ledger.settled(1)).values();
  assert.ok(settled !== undefined);
  row.note(gets, outcomeOf(settled));
  return settled;
}

faultRow('C1', FILE, async (row) => {
  for (const lane of ALL_LANES) {
    const asked = bench.upstream.exchanges.length;
    const entered = bench.nextCall();
    const bytes = requestBytes(bench, { lane, streamed: true });
    const connection = await bench.connect();
    await connection.write(bytes.slice(0, -1));
    await entered;
    connection.close();
    await bench.ledger.settled(0);
    assert.equal(bench.upstream.exchanges.length, asked, 'no provider is asked');
    row.note('nothing; no provider is asked', 'L0');
  }
});

faultRow('C2', FILE, async (row) => {
  const kept: number[] = [];
  for (const lane of ALL_LANES) {
    const { lead, reportsPromptFirst } = laneAnswers[lane.upstream];
    const leave = async (streamed: boolean, frames: number, seen: (reader: StreamReader) => unknown) => {
      bench.play(`silent@${frames}`);
      const arrived = bench.upstream.nextExchange();
      const reader = await StreamReader.open(bench.url, requestBytes(bench, { lane, streamed, outputCap: 1_000 }));
      const exchange = await arrived;
      await seen(reader);
      const leftAt = reader.leave();
      kept.push((await exchange.closed) - leftAt);
      return onlySettled(row, 'nothing more; the provider’s connection is closed within 100 ms');
    };
    for (const streamed of [true, false]) {
      const waiting = await leave(streamed, 0, () => undefined);
      assert.equal(waiting.charge, price(countedPrompt(lane), 0), `${lane.name}: the prompt`);
    }
    for (let words = 1; words <= FAULT_WORDS.length; words += 1) {
      const last = FAULT_WORDS[words - 1]?.trim() ?? '';
      const settled = await leave(true, lead + words, (reader) => reader.sees(last));
      // A format that reports tokens as it goes may have reported one before there was any.
      const output = reportsPromptFirst ? Math.max(1, words) : words;
      assert.equal(settled.charge, price(promptOf(lane), output), `${lane.name} after ${words} words`);
    }
  }
  kept.sort((left, right) => left - right);
  const [median = 0, slowest = 0] = [kept[Math.floor(kept.length / 2)], kept.at(-1)];
  assert.ok(median < MEDIAN_WITHIN_MS, `${median} ms`);
  assert.ok(slowest < CLOSED_SOON_MS, `${slowest} ms`);
});

faultRow('C3', FILE, async (row) => {
  for (const lane of ALL_LANES) {
    const frames = laneAnswers[lane.upstream].frames(FAULT_WORDS);
    bench.play(`silent@${frames.length - 1}`);
    const arrived = bench.upstream.nextExchange();
    const entered = bench.nextCall();
    const reader = await StreamReader.open(bench.url, requestBytes(bench, { lane, streamed: true, outputCap: 1_000 }));
    const exchange = await arrived;
    const call = await entered;
    await reader.sees('four');
    // In these the last frame only says that the stream is over; in the others it brings the usage.
    const isReported = ['openai-chat', 'anthropic-messages'].includes(lane.upstream);
    if (isReported) await until('the usage', () => call.meter?.usage()?.outputTokens === FAULT_WORDS.length);
    reader.leave();
    await exchange.closed;
    const settled = await onlySettled(row, 'nothing more');
    const prompt = isReported ? REPORTED_PROMPT : promptOf(lane);
    assert.equal(settled.charge, price(prompt, FAULT_WORDS.length), lane.name);
  }
});

faultRow('C4', FILE, async (row) => {
  for (const lane of ALL_LANES) {
    bench.play(async (exchange) => {
      const { frames, lead, contentType } = laneAnswers[lane.upstream];
      const sent = frames([` ${'a'.repeat(32 * 1024)}`]);
      await exchange.openStream({ 'content-type': contentType });
      for (const frame of sent.slice(0, lead)) await exchange.chunk(frame);
      while (!exchange.socket.destroyed) await exchange.chunk(sent[lead] ?? '');
    });
    const arrived = bench.upstream.nextExchange();
    const reader = await StreamReader.open(bench.url, requestBytes(bench, { lane, streamed: true }));
    row.owns({ close: () => void reader.leave() });
    reader.socket.pause();
    const exchange = await arrived;
    const pushed = await standstill(() => exchange.socket.bytesWritten, 40);
    const queuedBytes = bench.calls.at(-1)?.response.writableLength ?? 0;
    assert.ok(queuedBytes > 0 && queuedBytes <= QUEUED_BYTES_MAX, `${lane.name}: ${queuedBytes} bytes are queued`);
    bench.clock.advance(59 * SECOND);
    assert.equal(bench.app.gateway.running.count, 1);
    assert.equal(exchange.socket.bytesWritten, pushed, 'the provider is paused');
    bench.clock.advance(2 * SECOND);
    await exchange.closed;
    const settled = await onlySettled(row, 'a closed connection after 60 s; the provider is paused meanwhile');
    assert.equal(settled.ending, 'caller_slow', lane.name);
    assert.equal(outcomeOf(settled), 'LE', lane.name);
    reader.leave();
  }
});

faultRow('C17', FILE, async (row) => {
  for (const lane of ALL_LANES) {
    let running = 0;
    bench.play('none');
    const connection = await RawConnection.open(bench.url);
    const [good, entered] = [requestBytes(bench, { lane, streamed: false, outputCap: 9 }), bench.calls.length];
    const bad = good.replace(bench.key, 'sk-tp-unknown');
    await connection.write(good + bad + good);
    await connection.answer(3);
    connection.close();
    running = bench.calls.length - entered;
    assert.deepEqual(connection.answers.map(statusOf), [200, 401, 200], lane.name);
    assert.equal(running, 2, 'each has its own key');
    for (const settled of (await bench.ledger.settled(2)).values())
      row.note('the answers in order, one call at a time', outcomeOf(settled));
  }
});

/** Official clients, which send a request again after a failure of the connection or the gateway, twice at most. */
faultRow('C23', FILE, async (row) => {
  const proxy = row.owns(await startFaultProxy(bench.url));
  const messages = [{ role: 'user' as const, content: 'hi' }];
  const clients: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
    openai: (key) =>
      new OpenAI({
        baseURL: `${proxy.origin}/api/v1`,
        apiKey: bench.key,
        defaultHeaders: { 'idempotency-key': key },
      }).chat.completions.create({ model: 'lanes/openai-chat', max_tokens: 99, messages }),
    anthropic: (key) =>
      new Anthropic({
        baseURL: proxy.origin,
        apiKey: bench.key,
        defaultHeaders: { 'idempotency-key': key },
      }).messages.create({ model: 'lanes/anthropic-messages', max_tokens: 99, messages }),
  };
  for (const [name, create] of Object.entries(clients)) {
    // Its provider fails twice: the third call is the first that is kept, and the only one that is charged.
    let failures = 2;
    const good: Exchange[] = [];
    const playFailing = () => {
      const script = (exchange: Exchange) => {
        failures -= 1;
        if (failures >= 0) return exchange.whole(500, '{}', { 'retry-after': '0' });
        good.push(exchange);
        return exchange.whole(
          200,
          JSON.stringify(laneAnswers[name === 'openai' ? 'openai-chat' : 'anthropic-messages'].body('again', 1)),
        );
      };
      bench.play(script);
    };
    playFailing();
    bench.clock.advance(600 * SECOND);
    assert.match(JSON.stringify(await create(`${name}-failing`)), /again/);
    const outcomes = [...(await bench.ledger.settled(3)).values()].map(outcomeOf);
    assert.deepEqual(outcomes.sort(), ['LP', 'LV', 'LV'], name);
    assert.equal(good.length, 1);
    // The answer is lost on its way: the second request gets the one that was kept.
    proxy.add('downstream', { verb: 'limit_data', bytes: 20 });
    const arrived = bench.upstream.nextExchange();
    const lost = create(`${name}-lost`);
    await arrived;
    proxy.clear();
    assert.match(JSON.stringify(await lost), /again/);
    for (const settled of (await bench.ledger.settled(1)).values())
      row.note('the answer; what was answered before is sent again, and not made again', outcomeOf(settled));
    assert.equal(good.length, 2, 'the provider is asked once');
  }
});
