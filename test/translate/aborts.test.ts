/**
 * Goal: a caller that leaves a translated stream closes the provider's immediately, wherever it leaves; many
 * concurrent streams stay separate. Method: the official packages leave after each chunk of an answer that never ends.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CLAUDE, GPT, openTranslateBench, ROUTED, type TranslateBench } from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const WORDS = 12;
const held = [{ role: 'user' as const, content: `hold ${WORDS}` }];

describe('a caller that leaves', () => {
  for (let seen = 1; seen <= WORDS; seen += 1) {
    test(`openai: after ${seen} chunks closes the stream of Anthropic`, async () => {
      const [arrived, recorded] = [bench.strictAnthropic.nextRequest(), bench.nextRecord()];
      const stream = await bench.openai.chat.completions.create({ model: CLAUDE, messages: held, stream: true });
      await leaveAfter(stream, seen);
      assert.equal(await (await arrived).closed, 'cut');
      assert.equal((await recorded).ending, 'caller_left');
    });

    test(`anthropic: after ${seen} events closes the stream of OpenAI`, async () => {
      const [arrived, recorded] = [bench.strictOpenai.nextRequest(), bench.nextRecord()];
      const request = { model: GPT, max_tokens: 100, messages: held, stream: true as const };
      await leaveAfter(await bench.anthropic.messages.create(request), seen);
      assert.equal(await (await arrived).closed, 'cut');
      assert.equal((await recorded).ending, 'caller_left');
    });
  }

  test('before an answer began closes the call of the provider', async () => {
    for (const [model, server] of [
      [CLAUDE, bench.strictAnthropic],
      [GPT, bench.strictOpenai],
    ] as const) {
      const leaving = new AbortController();
      const [arrived, recorded] = [server.nextRequest(), bench.nextRecord()];
      const call =
        model === CLAUDE
          ? bench.openai.chat.completions.create({ model, messages: held }, { signal: leaving.signal })
          : bench.anthropic.messages.create({ model, max_tokens: 9, messages: held }, { signal: leaving.signal });
      const received = await arrived;
      leaving.abort();
      await assert.rejects(call);
      assert.equal(await received.closed, 'cut');
      assert.equal((await recorded).ending, 'caller_left');
    }
  });

  test('is charged for what it received', async () => {
    const recorded = bench.nextRecord();
    const stream = await bench.openai.chat.completions.create({ model: CLAUDE, messages: held, stream: true });
    await leaveAfter(stream, 5);
    const record = await recorded;
    assert.equal(record.usageSource, 'estimated');
    assert.ok(record.usage.outputTokens > 0);
    assert.ok((record.charge ?? 0n) > 0n);
  });
});

test('200 concurrent translated streams stay separate', async () => {
  const texts = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const content = `say ${Array.from({ length: 20 }, (_word, at) => `${index}-${at}`).join(' ')}`;
      const messages = [{ role: 'user' as const, content }];
      const text =
        index % 2 === 0
          ? await openaiText(index % 4 === 0 ? CLAUDE : ROUTED, messages)
          : await bench.anthropic.messages.stream({ model: GPT, max_tokens: 1_000, messages }).finalText();
      return `say ${text}` === content;
    }),
  );
  assert.deepEqual(texts, Array(200).fill(true));
});

async function openaiText(model: string, messages: { role: 'user'; content: string }[]): Promise<string | null> {
  const stream = bench.openai.chat.completions.stream({ model, messages });
  return (await stream.finalMessage()).content;
}

async function leaveAfter(stream: AsyncIterable<unknown>, count: number): Promise<void> {
  let seen = 0;
  for await (const _part of stream) {
    seen += 1;
    if (seen === count) break;
  }
  assert.equal(seen, count);
}
