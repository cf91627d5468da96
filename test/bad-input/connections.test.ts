/** Goal: a connection used in unusual ways is served in order, or closed in time. Method: raw sockets. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { statusOf } from '../support/raw-connection.ts';
import type { Exchange } from '../support/scripted-upstream.ts';
import { type Bench, startGatewayWithUpstream } from '../support/start-gateway-with-upstream.ts';
import { answerWell, openaiBody } from '../support/upstream-scripts.ts';
import { assertHealthy, chatBody, goodHeaders, rawRequest } from './bad-request.ts';

const MIB = 1024 * 1024;

let bench: Bench;
before(async () => {
  bench = await startGatewayWithUpstream();
});
after(() => bench.stop());

describe('requests sent before the answer to the last one', () => {
  test('are answered in order, each for its own key', async () => {
    bench.upstream.play((exchange) => exchange.whole(200, openaiBody(String(exchange.json['user']))));
    const send = (key: string, user: string) => rawRequest(key, { body: chatBody({ user }) });
    const { key } = bench.gateway;
    const connection = await bench.gateway.connect();
    await connection.write(Buffer.concat([send(key, 'first'), send('junk', 'second'), send(key, 'third')]));
    await connection.answer(3);
    connection.close();
    assert.deepEqual(connection.answers.map(statusOf), [200, 401, 200]);
    const texts = connection.answers.map((answer) => JSON.parse(answer.body.toString()).choices?.[0].message.content);
    assert.deepEqual(texts, ['first', undefined, 'third']);
  });

  test('run one after the other', async () => {
    const running: Exchange[] = [];
    let most = 0;
    bench.upstream.play(async (exchange) => {
      running.push(exchange);
      most = Math.max(most, running.length);
      await exchange.head(200, {
        'content-type': 'application/json',
        'content-length': String(openaiBody('x').length),
      });
      running.splice(running.indexOf(exchange), 1);
      await exchange.raw(openaiBody('x'));
    });
    const connection = await bench.gateway.connect();
    await connection.write(Buffer.concat(Array.from({ length: 20 }, () => rawRequest(bench.gateway.key))));
    await connection.answer(20);
    connection.close();
    assert.equal(most, 1);
    assert.deepEqual(connection.answers.map(statusOf), Array(20).fill(200));
    bench.upstream.play(answerWell);
  });

  test('are answered ten thousand times', async () => {
    const connection = await bench.gateway.connect();
    void connection.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10_000));
    await connection.answer(10_000);
    assert.deepEqual([...new Set(connection.answers.map(statusOf))], [200]);
    connection.close();
  });
});

describe('Expect: 100-continue', () => {
  const announced = (key: string, bytes: number) =>
    rawRequest(key, { headers: goodHeaders(key, bytes), more: ['Expect: 100-continue'], body: '' });

  test('with a bad key gets a 401 and no 100', async () => {
    const connection = await bench.gateway.connect();
    await connection.write(announced('junk', 10));
    assert.equal(statusOf(await connection.answer()), 401);
    await connection.closed();
    assert.equal(connection.answers.length, 1);
  });

  test('with too large a body gets a 413 and no 100', async () => {
    const connection = await bench.gateway.connect();
    await connection.write(announced(bench.gateway.key, 33 * MIB));
    assert.equal(statusOf(await connection.answer()), 413);
    await connection.closed();
    assert.equal(connection.answers.length, 1);
  });

  test('with a good key gets a 100, then the answer', async () => {
    const connection = await bench.gateway.connect();
    await connection.write(announced(bench.gateway.key, chatBody().length));
    assert.equal(statusOf(await connection.answer(1)), 100);
    await connection.write(chatBody());
    assert.equal(statusOf(await connection.answer(2)), 200);
    connection.close();
  });
});

describe('slow senders', () => {
  /** Its timeout is short, so only those that are slow on purpose may meet it. */
  let bench: Bench;
  before(async () => {
    bench = await startGatewayWithUpstream({ config: { timeouts: { headersMs: 300 } } });
  });
  after(() => bench.stop());

  for (const [what, bytes] of [
    ['nothing at all', ''],
    ['half a line', 'POST /api/v1/chat'],
    ['headers without end', `${rawRequest('x').toString().split('\r\n\r\n')[0]}\r\n`],
  ] as const) {
    test(`${what}: closed at the header timeout`, async () => {
      const connection = await bench.gateway.connect();
      if (bytes !== '') await connection.write(bytes);
      await connection.closed();
      assert.ok([null, 408].includes(statusOf(connection.answers[0] ?? null)));
      await assertHealthy(bench);
    });
  }

  test('a caller that disconnects in the middle of its body leaves nothing running', async () => {
    const called = bench.upstream.exchanges.length;
    for (let round = 0; round < 50; round += 1) {
      const connection = await bench.gateway.connect();
      await connection.write(rawRequest(bench.gateway.key).subarray(0, 200 + round));
      connection.socket.resetAndDestroy();
      await connection.closed();
    }
    await assertHealthy(bench);
    assert.equal(bench.upstream.exchanges.length, called);
  });
});
