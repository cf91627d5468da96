/**
 * Goal: a caller that leaves costs the provider's attention no longer than 100 ms. Method: the
 * official packages abort; the scripted provider notes when its connection closes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Exchange } from '../support/scripted-upstream.ts';
import { type Bench, SCRIPTED_MODEL, startGatewayWithUpstream } from '../support/start-gateway-with-upstream.ts';
import { anthropicFrames, openaiFrames, silent, streamThen } from '../support/upstream-scripts.ts';

const CLOSED_WITHIN_MS = 100;
const messages = [{ role: 'user' as const, content: 'hi' }];

let bench: Bench;
let openai: OpenAI;
let anthropic: Anthropic;
before(async () => {
  bench = await startGatewayWithUpstream();
  openai = new OpenAI({ baseURL: `${bench.gateway.url}/api/v1`, apiKey: bench.gateway.key, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: bench.gateway.url, apiKey: bench.gateway.key, maxRetries: 0 });
});
after(() => bench.stop());

describe('before the first byte', () => {
  test('openai: the upstream connection closes', async () => {
    bench.upstream.play(silent);
    const arrived = bench.upstream.nextExchange();
    const leaving = new AbortController();
    const call = openai.chat.completions.create({ model: SCRIPTED_MODEL, messages }, { signal: leaving.signal });
    const exchange = await arrived;
    const closed = closedAfter(exchange, () => leaving.abort());
    await assert.rejects(call, OpenAI.APIUserAbortError);
    await closed;
  });

  test('anthropic: the upstream connection closes', async () => {
    bench.upstream.play(silent);
    const arrived = bench.upstream.nextExchange();
    const leaving = new AbortController();
    const call = anthropic.messages.create(
      { model: SCRIPTED_MODEL, max_tokens: 9, messages },
      { signal: leaving.signal },
    );
    const exchange = await arrived;
    const closed = closedAfter(exchange, () => leaving.abort());
    await assert.rejects(call, Anthropic.APIUserAbortError);
    await closed;
  });
});

describe('in the middle of a stream', () => {
  for (const chunksSeen of [1, 2, 5, 20]) {
    test(`openai: leaving after ${chunksSeen} chunks closes the upstream connection`, async () => {
      bench.upstream.play(streamThen(openaiFrames(Array(30).fill(' word')).slice(0, 25), () => undefined));
      const arrived = bench.upstream.nextExchange();
      const stream = await openai.chat.completions.create({ model: SCRIPTED_MODEL, messages, stream: true });
      await closedAfter(await arrived, async () => {
        let seen = 0;
        for await (const _chunk of stream) {
          seen += 1;
          if (seen === chunksSeen) break;
        }
      });
    });

    test(`anthropic: leaving after ${chunksSeen} events closes the upstream connection`, async () => {
      bench.upstream.play(streamThen(anthropicFrames(Array(30).fill(' word')).slice(0, 25), () => undefined));
      const arrived = bench.upstream.nextExchange();
      const stream = await anthropic.messages.create({
        model: SCRIPTED_MODEL,
        max_tokens: 99,
        messages,
        stream: true,
      });
      await closedAfter(await arrived, async () => {
        let seen = 0;
        for await (const _event of stream) {
          seen += 1;
          if (seen === chunksSeen) break;
        }
      });
    });
  }
});

test('fifty callers that leave at once leave no upstream connection behind', async () => {
  bench.upstream.play(streamThen(openaiFrames(['a', 'b', 'c']).slice(0, 3), () => undefined));
  const before = bench.upstream.exchanges.length;
  const streams = await Promise.all(
    Array.from({ length: 50 }, () => openai.chat.completions.create({ model: SCRIPTED_MODEL, messages, stream: true })),
  );
  const leftAt = performance.now();
  for (const stream of streams) stream.controller.abort();
  const exchanges = bench.upstream.exchanges.slice(before);
  assert.equal(exchanges.length, 50);
  const closedAt = await Promise.all(exchanges.map((exchange) => exchange.closed));
  // Fifty closings share two cores with this test itself.
  assert.ok(Math.max(...closedAt) - leftAt < 5 * CLOSED_WITHIN_MS, `${Math.max(...closedAt) - leftAt} ms`);
});

async function closedAfter(exchange: Exchange, leave: () => void | Promise<void>): Promise<void> {
  await leave();
  const leftAt = performance.now();
  const tookMs = (await exchange.closed) - leftAt;
  assert.ok(tookMs < CLOSED_WITHIN_MS, `closed after ${tookMs} ms`);
}
