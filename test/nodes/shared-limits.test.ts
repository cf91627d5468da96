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

const LIMIT = 20;
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
      let used = 0;
      for (const node of [first, second])
        await until(
          () => ask(node),
          (answer) => {
            if (limited(answer)) used += 1;
            return limited(answer);
          },
        );
      for (; used < LIMIT; used += 1) assert.equal((await ask(first)).status, 200);
      let late = 0;
      const refused = await until(
        async () => {
          await pause(300);
          return ask(second);
        },
        ({ status }) => {
          if (status === 200) late += 1;
          return status === 429;
        },
      );
      assert.ok(late < LIMIT - 5, `it counts the calls of the other node: ${late} passed`);
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
