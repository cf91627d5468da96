/**
 * Goal: what nodes share besides money holds when callers meet two of them: rate limits, the first call of an idempotency key. Method: two whole
 * gateways on one PostgreSQL, with Valkey and without.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { OPEN_MODEL, type OpenGateway } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { openRedis } from '../support/redis-server.ts';
import { startNodes } from '../support/start-nodes.ts';

/** At least 16 for each node: below that, each other node may admit one call more than its share (docs/guide/nodes.md). */
const LIMIT = 40;
const BODY = { model: OPEN_MODEL, messages: [{ role: 'user', content: 'Hello' }] };

for (const name of serverNames.slice(0, 1))
  for (const hasValkey of [true, false])
    test(`PostgreSQL ${name}, ${hasValkey ? 'with' : 'without'} Valkey: a limit and an idempotency key hold at two nodes`, async (context) => {
      const redis = hasValkey ? await openRedis() : null;
      context.after(() => redis?.close());
      const file = redis === null ? {} : { valkey: { url: redis.url } };
      const { nodes, key, close } = await startNodes(2, name, file);
      context.after(() => close());
      const [first, second] = nodes as [OpenGateway, OpenGateway];
      const authorization = `Bearer ${key}`;
      const ask = async (node: OpenGateway, headers: Record<string, string> = {}) => {
        const answer = await node.post('/api/v1/chat/completions', BODY, { authorization, ...headers });
        return { status: answer.status, headers: answer.headers, text: await answer.text() };
      };

      const once = { 'idempotency-key': 'order-17' };
      const original = await ask(first, once);
      assert.equal(original.status, 200);
      const again = await until(
        () => ask(second, once),
        ({ status }) => status !== 409,
      );
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual(again.text, original.text);

      const patched = await first.app.control.inject({
        method: 'PATCH',
        url: '/control/api/projects/1',
        payload: { limits: { requests_per_minute: LIMIT } },
      });
      assert.equal(patched.statusCode, 200, patched.body);
      const limited = ({ headers }: { headers: Headers }) => headers.get('x-ratelimit-limit-requests') === `${LIMIT}`;
      const from = systemClock.monotonic();
      let used = 0;
      const count = (answer: { status: number; headers: Headers }) => {
        if (answer.status === 200 && limited(answer)) used += 1;
        return limited(answer);
      };
      for (const node of [first, second]) await until(() => ask(node), count);
      // Its share follows the calls: it has more than half of the limit.
      await until(
        () => ask(first),
        (answer) => count(answer) && used > (LIMIT * 2) / 3,
      );
      for (let call = 0; call < LIMIT; call += 1) for (const node of [first, second]) count(await ask(node));
      const refused = await until(
        () => ask(second),
        (answer) => count(answer) && answer.status === 429,
      );
      // In a new minute, some of those before no longer count.
      const later = Math.ceil(((systemClock.monotonic() - from) * LIMIT) / 60_000);
      assert.ok(used <= LIMIT + later, `${used} of ${LIMIT} passed`);
      assert.match(refused.text, /requests per minute/);
    });

/** Asks again, for ten seconds at most, until the answer is the one that is waited for. */
async function until<Answer>(ask: () => Promise<Answer>, isIt: (answer: Answer) => boolean): Promise<Answer> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await ask();
    if (isIt(answer)) return answer;
    await pause(100);
  }
  return assert.fail('it did not come');
}

/** Between two questions. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => systemClock.after(ms, resolve));
}
