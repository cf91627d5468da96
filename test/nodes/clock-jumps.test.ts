/**
 * Goal: a node whose own clock is set while it runs refuses calls for a moment at worst, and goes on by itself; keys, days and money follow the
 * database's clock. Method: a whole gateway on PostgreSQL with a clock that the test sets by an hour, and calls all the time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { chatBody, type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';

const HOUR_MS = 3_600_000;
/** A pulse and its answer; the rest is room for a busy machine. */
const RECOVERED_MS = 1_200;
const WATCHED_MS = 1_500;

class SetClock implements Clock {
  offsetMs = 0;
  now = () => systemClock.now() + this.offsetMs;
  monotonic = systemClock.monotonic;
  after = systemClock.after;
  every = systemClock.every;
}

async function call(node: OpenGateway, key: string) {
  const answer = await node.post('/api/v1/chat/completions', chatBody(false), { authorization: `Bearer ${key}` });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
}

for (const server of serverNames.slice(0, 1))
  test(`PostgreSQL ${server}: a clock that is set by an hour, forward and back`, async (context) => {
    const nodes = await startNodes(1, server);
    context.after(() => nodes.close());
    const clock = new SetClock();
    const node = await openGateway(nodes.fileOf('set'), { clock });
    context.after(() => node.close());
    const made = await node.app.control.inject({
      method: 'POST',
      url: '/control/api/keys',
      payload: { name: 'half an hour', expires_at: new Date(systemClock.now() + HOUR_MS / 2).toISOString() },
    });
    assert.equal(made.statusCode, 201, made.body);
    const { key } = made.json() as { readonly key: string };
    assert.equal((await call(node, key)).status, 200);
    let served = 0;
    let longestMs = 0;
    for (const offsetMs of [HOUR_MS, 0, -HOUR_MS, 0, -HOUR_MS, HOUR_MS]) {
      clock.offsetMs = offsetMs;
      const setAt = performance.now();
      while (performance.now() - setAt < WATCHED_MS) {
        const answer = await call(node, key);
        if (answer.status === 200) served += 1;
        else {
          assert.equal(answer.status, 503, answer.text);
          assert.ok(Number(answer.retryAfter) >= 1, 'says when to try again');
          longestMs = Math.max(longestMs, performance.now() - setAt);
        }
      }
    }
    context.diagnostic(`${served} calls served; refused for ${Math.round(longestMs)} ms at the longest`);
    assert.ok(longestMs < RECOVERED_MS, `refused for ${longestMs} ms`);
    assert.ok(served > 20, `${served} calls`);
    const ready = await fetch(`${node.url}/health/ready`);
    assert.equal(ready.status, 200, await ready.text());
    const other = await call(nodes.nodes[0] as OpenGateway, key);
    assert.equal(other.status, 200, 'the other node was never concerned');
    const days = node.records.map(({ admittedAt }) => Math.abs(admittedAt - systemClock.now()));
    assert.ok(Math.max(...days) < 60_000, 'calls are admitted at the database’s time');
  });
