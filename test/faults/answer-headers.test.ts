/**
 * Goal: only the few allowed provider headers pass, and nothing a provider writes becomes a
 * header of ours. Method: raw answers with every kind of header, read back with fetch and as raw bytes.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chatBody, DIALECTS, type OpenBench, openBench, PATHS, rawCall } from '../support/open-gateway.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';
import { goodAnswers } from './fault.ts';

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

/** What every answer may have: our headers, HTTP's, and the provider's request id under our name for it. */
const ALLOWED = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'request-id',
  'retry-after',
  'transfer-encoding',
  'x-accel-buffering',
  'x-generation-id',
  'x-request-id',
  'x-should-retry',
  'x-turnpike-attempts',
  'x-upstream-request-id',
]);
const INTERNAL = {
  'set-cookie': 'session=provider',
  server: 'provider/1.0',
  via: '1.1 inside',
  'x-powered-by': 'provider',
  'openai-organization': 'org-inside',
  'openai-version': '2020-10-01',
  'x-ratelimit-remaining-requests': '1',
  'anthropic-ratelimit-tokens-remaining': '1',
  'anthropic-organization-id': 'inside',
  'cf-ray': 'inside',
  'access-control-allow-origin': '*',
  'strict-transport-security': 'max-age=1',
  'x-generation-id': 'forged',
  'keep-alive': 'timeout=5',
  'x-request-id': 'theirs-1',
};

for (const dialect of DIALECTS) {
  for (const streamed of [false, true]) {
    test(`only allowed headers pass: ${dialect}, ${streamed ? 'streamed' : 'whole'}`, async () => {
      const { frames, body } = goodAnswers[dialect];
      bench.upstream.play(async (exchange) => {
        if (!streamed) return exchange.whole(200, body, INTERNAL);
        await exchange.openStream(INTERNAL);
        for (const frame of frames) await exchange.chunk(frame);
        await exchange.lastChunk();
      });
      const response = await bench.post(PATHS[dialect], chatBody(streamed));
      await response.text();
      assert.deepEqual(
        [...response.headers.keys()].filter((name) => !ALLOWED.has(name)),
        [],
      );
      assert.equal(response.headers.get('x-upstream-request-id'), 'theirs-1');
      assert.match(response.headers.get('x-generation-id') ?? '', /^gen-/);
      const ours = response.headers.get(dialect === 'openai-chat' ? 'x-request-id' : 'request-id');
      assert.match(ours ?? '', /^req_/);
    });
  }

  test(`only allowed headers pass with a refusal: ${dialect}`, async () => {
    const refusal = JSON.parse(goodAnswers[dialect].errorBody('invalid_request_error', 'temperature is too high'));
    bench.upstream.play(refuse(400, refusal, INTERNAL));
    const response = await bench.post(PATHS[dialect], chatBody(false));
    assert.equal(response.status, 400);
    assert.match(await response.text(), /temperature is too high/);
    assert.deepEqual(
      [...response.headers.keys()].filter((name) => !ALLOWED.has(name)),
      [],
    );
  });

  test(`a rate limit keeps its Retry-After: ${dialect}`, async () => {
    const refusal = JSON.parse(goodAnswers[dialect].errorBody('rate_limit_error', 'slow down'));
    bench.upstream.play(refuse(429, refusal, { 'retry-after': '17' }));
    const response = await bench.post(PATHS[dialect], chatBody(false));
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '17');
    await response.text();
  });

  test(`line breaks in a header end it, and start no header of ours: ${dialect}`, async () => {
    const { body } = goodAnswers[dialect];
    bench.upstream.play((exchange) =>
      exchange.raw(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: a\u0001b\r\nset-cookie: forged=1\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      ),
    );
    const connection = await bench.connect();
    await connection.write(rawCall(bench, dialect, false));
    const answer = await connection.answer();
    connection.close();
    const names = answer?.rawHeaders.map(([name]) => name.toLowerCase()) ?? [];
    assert.equal(names.includes('set-cookie'), false);
    assert.equal(names.includes('x-upstream-request-id'), false, 'an id that is not text does not pass');
  });
}

test('a provider’s request id that is too long does not pass', async () => {
  bench.upstream.play((exchange) =>
    exchange.whole(200, goodAnswers['openai-chat'].body, { 'x-request-id': 'a'.repeat(300) }),
  );
  const response = await bench.post(PATHS['openai-chat'], chatBody(false));
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('x-upstream-request-id'), null);
  await response.text();
});

test('we never ask for a compressed answer, and the caller’s own headers are not passed on', async () => {
  bench.upstream.play(answerWell);
  const response = await bench.post(PATHS['openai-chat'], chatBody(false), {
    'accept-encoding': 'gzip, br',
    'openai-organization': 'org-caller',
    cookie: 'a=b',
    'x-forwarded-for': '10.0.0.1',
  });
  await response.text();
  const sent = bench.upstream.exchanges.at(-1)?.request.rawHeaders ?? [];
  const names = sent.map(([name]) => name.toLowerCase());
  assert.equal(sent.find(([name]) => name.toLowerCase() === 'accept-encoding')?.[1], 'identity');
  for (const name of ['openai-organization', 'cookie', 'x-forwarded-for'])
    assert.equal(names.includes(name), false, name);
});
