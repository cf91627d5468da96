/**
 * Goal: what a provider sends in addition to its answer never reaches another caller, and a connection that
 * misbehaved is not used again. Method: a hundred pairs of calls over raw connections that add
 * garbage, forged answers and late bytes.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chatBody, DIALECTS, type OpenBench, openBench, PATHS } from '../support/open-gateway.ts';
import { answerWell, isMessages, lyingLength, openaiBody, trailing } from '../support/upstream-scripts.ts';

const TRIES = 100;
const FORGED_BODY = openaiBody('FORGED');
const FORGED = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${FORGED_BODY.length}\r\n\r\n${FORGED_BODY}`;

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

for (const [what, extra] of [
  ['garbage', 'FORGED garbage'],
  ['a whole answer more', FORGED],
] as const) {
  for (const dialect of DIALECTS) {
    test(`${what} after an answer reaches nobody, ${TRIES} times: ${dialect}`, async () => {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        bench.upstream.play(trailing(extra));
        const first = await bench.post(PATHS[dialect], chatBody(false));
        const told = await first.text();
        assert.equal(first.status, 200, told);
        assert.match(told, /Hi you/);
        assert.doesNotMatch(told, /FORGED/);
        bench.upstream.play(answerWell);
        const second = await bench.post(PATHS[dialect], chatBody(false));
        const text = await second.text();
        assert.equal(second.status, 200, text);
        assert.match(text, /Hi you/);
        assert.doesNotMatch(text, /FORGED/);
      }
    });
  }
}

test('an unrequested answer on an idle connection closes it and reaches nobody', async () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    bench.upstream.play(answerWell);
    const first = await bench.post(PATHS['openai-chat'], chatBody(false));
    assert.match(await first.text(), /Hi you/);
    const idle = bench.upstream.exchanges.at(-1);
    assert.ok(idle !== undefined);
    await idle.raw(FORGED);
    await idle.closed;
    const second = await bench.post(PATHS['openai-chat'], chatBody(false));
    assert.match(await second.text(), /Hi you/);
  }
});

test('a connection is used again after a good answer, and not after one of a wrong length', async () => {
  bench.upstream.play(answerWell);
  await (await bench.post(PATHS['openai-chat'], chatBody(false))).text();
  const good = bench.upstream.exchanges.at(-1);
  await (await bench.post(PATHS['openai-chat'], chatBody(false))).text();
  assert.equal(bench.upstream.exchanges.at(-1)?.socket, good?.socket);

  bench.upstream.play(lyingLength(-3));
  await (await bench.post(PATHS['openai-chat'], chatBody(false))).text();
  const bad = bench.upstream.exchanges.at(-1);
  bench.upstream.play(answerWell);
  const next = await bench.post(PATHS['openai-chat'], chatBody(false));
  assert.match(await next.text(), /Hi you/);
  assert.notEqual(bench.upstream.exchanges.at(-1)?.socket, bad?.socket);
});

test('a provider that goes on after the end of a stream is cut off, and what it sends reaches nobody', async () => {
  bench.upstream.play(async (exchange) => {
    await exchange.openStream();
    await exchange.chunk('data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n');
    await exchange.chunk('data: [DONE]\n\ndata: {"choices":[{"index":0,"delta":{"content":"FORGED"}}]}\n\n');
    await exchange.chunk('data: {"choices":[{"index":0,"delta":{"content":"FORGED"}}]}\n\n');
  });
  const response = await bench.post(PATHS['openai-chat'], chatBody(true));
  const text = await response.text();
  assert.match(text, /\[DONE\]/);
  assert.doesNotMatch(text, /FORGED/);
  const exchange = bench.upstream.exchanges.at(-1);
  assert.ok(exchange !== undefined && !isMessages(exchange));
  await exchange.closed;
});
