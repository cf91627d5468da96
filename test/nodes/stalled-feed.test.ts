/**
 * Goal: a node that has the database but cannot read what others changed serves known keys as long as configured and no longer, and lets no
 * management key change anything that may have been revoked. Method: two whole gateways; a lock on a table that holds up what the nodes read of
 * others' changes, and nothing else.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { openConnections } from '../../src/storage/postgres/engine/connections.ts';
import { chatBody, type OpenGateway } from '../support/open-gateway.ts';
import { execute } from '../support/postgres/database.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';
import { withSession } from './signed-in.ts';

const STALE_MAX_MS = 6_000;

async function manage(node: OpenGateway, method: 'POST' | 'DELETE', path: string, payload?: object) {
  const url = `/control/api${path}`;
  const answer = await node.app.control.inject(payload === undefined ? { method, url } : { method, url, payload });
  assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.body}`);
  return answer.json();
}

async function call(node: OpenGateway, key: string) {
  const answer = await node.post('/api/v1/chat/completions', chatBody(false), { authorization: `Bearer ${key}` });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const makeKeyWith = (node: OpenGateway, key: string, name: string) => node.post('/api/v1/keys', { name }, bearer(key));

async function becomes(what: string, is: () => Promise<boolean>, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await is())) {
    assert.ok(performance.now() < deadline, what);
    await pause(50);
  }
}

for (const server of serverNames.slice(0, 1))
  test(`PostgreSQL ${server}: changes that cannot be read`, { timeout: 55_000 }, async (context) => {
    const nodes = await startNodes(2, server, { nodes: { staleMaxMs: STALE_MAX_MS } });
    context.after(() => nodes.close());
    const [one, other] = nodes.nodes as [OpenGateway, OpenGateway];
    const management = await manage(one, 'POST', '/keys', { name: 'leaked', kind: 'management' });
    const good = await manage(one, 'POST', '/keys', { name: 'good', kind: 'management' });
    const inference = await manage(one, 'POST', '/keys', { name: 'inference' });
    for (const { key } of [management, good]) assert.ok((await makeKeyWith(other, key, 'before')).ok);
    assert.equal((await call(other, inference.key)).status, 200);

    const invited = await one.post(
      '/api/v1/invitations',
      { email: 'mallory@example.com', role: 'developer' },
      bearer(management.key),
    );
    const { link } = (await invited.json()) as { readonly link: string };
    const token = new URL(link).hash.slice('#token='.length);

    const { control, close } = await openConnections({ url: nodes.database.url, readUrl: null, connections: 1 });
    context.after(close);
    const lock = await control.acquire();
    await lock.query('begin; lock table aliases in access exclusive mode');
    await execute(nodes.database.url, "select turnpike_publish_1('alias', '1')");
    const health = async () => (await (await fetch(`${other.url}/health`)).json()) as { node: { feed_lag_ms: number } };
    await becomes('the feed is held up', async () => (await health()).node.feed_lag_ms > 1_000, 5_000);

    await manage(one, 'DELETE', `/keys/${management.data.id}`);
    const made = await makeKeyWith(other, management.key, 'made by a revoked key');
    assert.equal(made.status, 503, await made.text());
    assert.ok(Number(made.headers.get('retry-after')) >= 1);
    assert.notEqual((await call(other, inference.key)).status, 401);
    const accepted = await withSession('').fetch(other, 'POST', '/invitations/accept', {
      ...{ token, email: 'mallory@example.com', name: 'Mallory', password: 'a horse of another colour' },
    });
    assert.equal(accepted.status, 404, await accepted.text());

    await becomes(
      'known keys end',
      async () => (await call(other, inference.key)).status === 503,
      STALE_MAX_MS + 5_000,
    );
    const refused = await call(other, inference.key);
    assert.match(refused.text, /auth_unavailable|503/);
    assert.equal(refused.retryAfter, '1');
    const ready = await fetch(`${other.url}/health/ready`);
    assert.equal(ready.status, 503);
    assert.match(await ready.text(), /keys_stale/);

    await lock.query('rollback');
    lock.release(false);
    await becomes('it serves again by itself', async () => (await call(other, inference.key)).status === 200, 10_000);
    assert.equal((await makeKeyWith(other, management.key, 'made by a revoked key')).status, 401);
    assert.ok((await makeKeyWith(other, good.key, 'after')).ok);
  });

for (const server of serverNames.slice(0, 1))
  test(`PostgreSQL ${server}: a change that means nothing holds up no revocation`, {
    timeout: 55_000,
  }, async (context) => {
    const nodes = await startNodes(2, server);
    context.after(() => nodes.close());
    const [one, other] = nodes.nodes as [OpenGateway, OpenGateway];
    for (const [topic, id] of [
      ['key', 'none'],
      ['alias', 'none'],
      ['account', '99999999999999999999'],
      ['project', ''],
      ['nothing', '1'],
    ]) {
      const made = await manage(one, 'POST', '/keys', { name: `before ${topic}` });
      assert.equal((await call(other, made.key)).status, 200);
      await execute(nodes.database.url, `select turnpike_publish_1('${topic}', '${id}')`);
      await manage(one, 'DELETE', `/keys/${made.data.id}`);
      await becomes(`revoked after ${topic} ${id}`, async () => (await call(other, made.key)).status === 401, 3_000);
    }
  });

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => systemClock.after(ms, resolve));
}
