/**
 * Goal: a request sent again under its idempotency key is made once and charged once. Method: the whole gateway
 * between real sockets and a scripted provider that counts what reaches it.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { balanceOf } from '../../src/billing/money-view.ts';
import { accountId } from '../../src/core/ids.ts';
import type { Money } from '../../src/core/money.ts';
import { chatBody, DIALECTS, errorCode, type OpenBench, openBench, PATHS } from '../support/open-gateway.ts';
import { answerWell, openaiBody, refuse } from '../support/upstream-scripts.ts';

for (const dialect of DIALECTS) {
  describe(dialect, () => {
    let bench: OpenBench;
    before(async () => {
      bench = await openBench();
    });
    after(() => bench.close());
    const path = PATHS[dialect];
    const balance = () => balanceIn(bench);
    const asked = () => bench.upstream.exchanges.length;

    test('an answer is replayed byte for byte, under its own generation id, and charged once', async () => {
      const first = await bench.post(path, chatBody(false), { 'idempotency-key': 'a' });
      const bytes = await first.text();
      const before = await balance();
      const again = await bench.post(path, chatBody(false), { 'idempotency-key': 'a' });
      assert.equal(await again.text(), bytes);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.equal(again.headers.get('x-generation-id'), first.headers.get('x-generation-id'));
      assert.equal(await balance(), before);
      assert.equal(asked(), 1);
    });

    test('ten concurrent requests are one call; the others learn that it runs, or get its answer', async () => {
      const askedBefore = asked();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => bench.post(path, chatBody(false), { 'idempotency-key': 'b' })),
      );
      const statuses = await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()] as const));
      assert.ok(statuses.every(([status]) => status === 200 || status === 409));
      assert.ok(statuses.some(([status]) => status === 200));
      for (const [status, text] of statuses) if (status === 409) assert.match(text, /still running|in flight|runs/i);
      assert.equal(asked(), askedBefore + 1);
    });

    test('another body under the same key is 422, and an invalid key is 400', async () => {
      const other = await bench.post(path, chatBody(false, 'another'), { 'idempotency-key': 'a' });
      assert.equal(other.status, 422);
      assert.equal(other.headers.get('x-should-retry'), 'false');
      assert.equal((await bench.post(path, chatBody(false), { 'idempotency-key': ' ' })).status, 400);
    });

    test('a streamed call sent again is 409 and names the first one', async () => {
      const first = await bench.post(path, chatBody(true), { 'idempotency-key': 's' });
      await first.text();
      const again = await bench.post(path, chatBody(true), { 'idempotency-key': 's' });
      assert.equal(again.status, 409);
      assert.match(await again.text(), new RegExp(String(first.headers.get('x-generation-id'))));
    });

    test('a call that failed frees its key', async () => {
      bench.upstream.play(refuse(500, {}));
      const failed = await bench.post(path, chatBody(false), { 'idempotency-key': 'f' });
      assert.ok(failed.status >= 500);
      await failed.text();
      bench.upstream.play(answerWell);
      assert.equal((await bench.post(path, chatBody(false), { 'idempotency-key': 'f' })).status, 200);
    });
  });
}

test('without space for an answer its call is still known: nothing is served or charged twice', async () => {
  const bench = await openBench({ idempotency: { bytesMax: 1024 * 1024 } });
  try {
    bench.upstream.play((exchange) => exchange.whole(200, openaiBody('a'.repeat(600_000))));
    const path = PATHS['openai-chat'];
    const post = (key: string) => bench.post(path, chatBody(false), { 'idempotency-key': key });
    const texts = [await (await post('a')).text(), await (await post('b')).text()];
    const balance = await balanceIn(bench);

    assert.equal(await (await post('a')).text(), texts[0]);
    const refused = await post('b');
    assert.equal(refused.status, 409);
    const error: unknown = await refused.json();
    assert.equal(errorCode(error), 'idempotency_streamed');
    assert.match(JSON.stringify(error), /"reason":"not_kept"/);

    assert.equal(bench.upstream.exchanges.length, 2);
    assert.equal(await balanceIn(bench), balance);
    assert.equal(bench.log.filter((line) => line.includes('replays_over_limit')).length, 1);
  } finally {
    await bench.close();
  }
});

async function balanceIn({ app }: OpenBench): Promise<Money | undefined> {
  return (await balanceOf(app.gateway.bank.money, accountId(1)))?.balance;
}
