/**
 * Goal: a node that starts knows what was changed while it was down before it serves; a rotated sealing key is known everywhere; and a journal
 * that is newer than the database settles what the database lacks, once. Method: whole gateways on a real PostgreSQL server.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatBody, OPEN_MODEL, type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';

const EFFECT_MS = 5_000;

async function manage(node: OpenGateway, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) {
  const url = `/control/api${path}`;
  const answer = await node.app.control.inject(payload === undefined ? { method, url } : { method, url, payload });
  assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.body}`);
  return answer.json();
}

async function call(node: OpenGateway, key: string, model: string = OPEN_MODEL): Promise<number> {
  const body = chatBody(false, 'hi', model);
  const answer = await node.post('/api/v1/chat/completions', body, { authorization: `Bearer ${key}` });
  await answer.text();
  return answer.status;
}

async function becomes(status: number, ask: () => Promise<number>): Promise<void> {
  const begin = performance.now();
  for (;;) {
    const got = await ask();
    if (got === status) return;
    assert.ok(performance.now() - begin < EFFECT_MS, `still ${got}`);
  }
}

for (const server of serverNames.slice(0, 1)) {
  const provider = (name: string, origin: string) => ({
    name,
    kind: 'custom',
    origin,
    credential: `canary-of-${name}-0123456789`,
    dialects: ['openai-chat'],
    model_settings: [{ upstream: 'm', id: `${name}/m`, price: { input: '1', output: '5' }, output_cap: 99 }],
  });

  test(`PostgreSQL ${server}: a node with the name of another one says so at its start`, async (context) => {
    const nodes = await startNodes(1, server);
    context.after(() => nodes.close());
    const twin = await openGateway(nodes.fileOf('node-1'));
    context.after(() => twin.close());
    const warned = ({ log }: OpenGateway) => log.filter((line) => line.includes('node_name_shared'));
    assert.match(
      warned(twin)[0] ?? '',
      /"node":"node-1","slots":\[1,2\],"advice":"Give each a name .*TURNPIKE_NODES_NAME/,
    );
    assert.deepEqual(nodes.nodes.flatMap(warned), []);
    assert.deepEqual(warned(await nodes.add()), []);
  });

  test(`PostgreSQL ${server}: what was changed while a node was down holds from its first call`, async (context) => {
    const nodes = await startNodes(2, server);
    context.after(() => nodes.close());
    const [one, down] = nodes.nodes;
    assert.ok(one && down);
    const made = await manage(one, 'POST', '/keys', { name: 'revoked while it is down' });
    await becomes(200, () => call(down, made.key));
    await down.close();
    await manage(one, 'DELETE', `/keys/${made.data.id}`);
    const later = await manage(one, 'POST', '/keys', { name: 'made while it is down' });
    await manage(one, 'POST', '/providers', provider('later', nodes.upstream.origin));
    const started = await nodes.add();
    // Each is the first call of its kind: nothing is waited for.
    assert.equal(await call(started, made.key), 401);
    assert.equal(await call(started, later.key), 200);
    assert.equal(await call(started, nodes.key, 'later/m'), 200);
  });

  test(`PostgreSQL ${server}: a sealing key that one node rotates opens and seals at every node`, async (context) => {
    const nodes = await startNodes(2, server);
    context.after(() => nodes.close());
    const [one, other] = nodes.nodes;
    assert.ok(one && other);
    await manage(one, 'POST', '/providers', provider('before', nodes.upstream.origin));
    await becomes(200, () => call(other, nodes.key, 'before/m'));
    const { data: rotated } = await manage(one, 'POST', '/credentials/rotate');
    await manage(one, 'POST', '/providers', provider('after', nodes.upstream.origin));
    // Sealed with the new key, and opened where it was not made.
    await becomes(200, () => call(other, nodes.key, 'after/m'));
    await manage(other, 'POST', '/providers', provider('other', nodes.upstream.origin));
    await becomes(200, () => call(one, nodes.key, 'other/m'));
    const started = await nodes.add();
    for (const node of [one, other, started]) {
      for (const name of ['before', 'after', 'other'])
        assert.equal(await call(node, nodes.key, `${name}/m`), 200, name);
      const { data } = await manage(node, 'GET', '/credentials');
      assert.equal(data.active_key, rotated.active_key);
      assert.deepEqual(data.unopened, []);
    }
  });
}
