/**
 * Goal: whatever a provider does to its connection, a caller gets its whole answer or a clear error,
 * and never another caller's bytes. Method: the scripted provider, in two formats.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Script } from '../support/scripted-upstream.ts';
import { type Bench, SCRIPTED_MODEL, startGatewayWithUpstream } from '../support/start-gateway-with-upstream.ts';
import {
  answerWell,
  anthropicFrames,
  endlessEvent,
  gzipBomb,
  informational,
  lyingLength,
  openaiFrames,
  streamInPieces,
  trailing,
} from '../support/upstream-scripts.ts';

const MIB = 1024 * 1024;

let bench: Bench;
before(async () => {
  bench = await startGatewayWithUpstream();
});
after(() => bench.stop());

const formats = [
  { name: 'openai', path: '/api/v1/chat/completions', frames: openaiFrames, end: 'data: [DONE]' },
  { name: 'anthropic', path: '/v1/messages', frames: anthropicFrames, end: 'event: message_stop' },
] as const;

async function ask(path: string, stream = false) {
  const response = await bench.gateway.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: SCRIPTED_MODEL,
      max_tokens: 10,
      messages: [{ role: 'user', content: 'hi' }],
      ...(stream && { stream }),
    }),
  });
  return { status: response.status, text: await response.text() };
}

for (const { name, path, frames, end } of formats) {
  describe(name, () => {
    const bad: readonly [string, Script][] = [
      ['a length longer than the answer', lyingLength(10)],
      ['a length shorter than the answer', lyingLength(-10)],
      ['a compressed answer of 64 MiB', gzipBomb(64 * MIB)],
    ];
    for (const [what, script] of bad) {
      test(`${what} is a 502`, async () => {
        bench.upstream.play(script);
        assert.equal((await ask(path)).status, 502);
      });
    }

    test('an endless event is an error, long before it fills the memory', async () => {
      bench.upstream.play(endlessEvent(256 * MIB));
      const arrived = bench.upstream.nextExchange();
      const { status, text } = await ask(path, true);
      assert.ok(status === 502 || !text.includes(end), 'no clean end');
      assert.match(text, /"error"/);
      assert.ok(text.length < 16 * MIB);
      await (await arrived).closed;
    });

    test('unrequested bytes after an answer reach no other caller', async () => {
      const foreign = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n"foreign"';
      for (const extra of [foreign, 'garbage foreign']) {
        bench.upstream.play(trailing(extra));
        for (let round = 0; round < 20; round += 1) {
          const { status, text } = await ask(path);
          assert.ok(!text.includes('foreign'));
          assert.ok(status === 200 ? text.includes('Hi you') : status === 502, `${status}`);
        }
      }
    });

    test('interim answers are skipped', async () => {
      bench.upstream.play(informational(3));
      const { status, text } = await ask(path);
      assert.equal(status, 200);
      assert.match(text, /Hi you/);
    });

    test('a stream cut anywhere reads the same, one to seven bytes a chunk', async () => {
      const pieces = ['Grüße', ' an', ' 世界', ' 🚀'];
      bench.upstream.play(streamInPieces(frames(pieces), 4096));
      const whole = await ask(path, true);
      assert.equal(whole.status, 200);
      assert.ok(whole.text.includes(end) && whole.text.includes('世界'));
      for (const bytesPerChunk of [1, 2, 3, 7]) {
        bench.upstream.play(streamInPieces(frames(pieces), bytesPerChunk));
        assert.deepEqual(await ask(path, true), whole);
      }
    });

    test('after all of that, a good answer is served', async () => {
      bench.upstream.play(answerWell);
      assert.equal((await ask(path)).status, 200);
    });
  });
}
