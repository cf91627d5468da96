/**
 * Goal: after the sealing key was rotated at one node, every node opens what any of them sealed, and a request that is sent again is served once.
 * Method: two whole gateways on one PostgreSQL; credentials, stored answers and running calls from before and after rotations at either.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { headerOf } from '../support/http-reader.ts';
import { chatBody, type OpenGateway } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';
import { answerWell, openaiFrames, streamThen } from '../support/upstream-scripts.ts';

const PATH = '/api/v1/chat/completions';
/** What one node changes holds at the others. */
const EFFECT_MS = 5_000;

async function manage(node: OpenGateway, method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) {
  const url = `/control/api${path}`;
  const answer = await node.app.control.inject(payload === undefined ? { method, url } : { method, url, payload });
  assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.body}`);
  return answer.json();
}

async function becomes(what: string, is: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + EFFECT_MS;
  while (!(await is())) {
    assert.ok(performance.now() < deadline, what);
    await pause(20);
  }
}

for (const server of serverNames)
  test(`PostgreSQL ${server}: the sealing key is rotated at either node`, { timeout: 55_000 }, async (context) => {
    const nodes = await startNodes(2, server);
    context.after(() => nodes.close());
    const [one, other] = nodes.nodes as [OpenGateway, OpenGateway];
    const { upstream, key } = nodes;
    const ask = (node: OpenGateway, idempotencyKey: string, model?: string, streamed = false) =>
      node.post(PATH, chatBody(streamed, 'hi', model), {
        authorization: `Bearer ${key}`,
        'idempotency-key': idempotencyKey.replaceAll(' ', '-'),
      });
    const provider = (name: string, credential: string) => ({
      name,
      kind: 'custom',
      origin: upstream.origin,
      dialects: ['openai-chat'],
      credential,
      model_settings: [{ upstream: 'm', id: `${name}/m`, price: { input: '1', output: '5' }, output_cap: 99 }],
    });
    const bearer = { authorization: `Bearer ${key}` };
    const activeAt = async (node: OpenGateway): Promise<string> =>
      (await manage(node, 'GET', '/credentials')).data.active_key;
    const hasModel = async (node: OpenGateway, id: string) =>
      (await (await fetch(`${node.url}/api/v1/models`, { headers: bearer })).text()).includes(`"${id}"`);
    /** The credential with which the provider was asked, through either node. */
    const signedBy = async (node: OpenGateway, name: string, idempotencyKey: string) => {
      const before = upstream.exchanges.length;
      const answer = await ask(node, idempotencyKey, `${name}/m`);
      assert.equal(answer.status, 200, await answer.text());
      const exchange = upstream.exchanges[before];
      return exchange === undefined ? null : headerOf(exchange.request, 'authorization');
    };
    await manage(one, 'POST', '/providers', provider('early', 'sk-early-0123456789'));
    assert.equal(await signedBy(one, 'early', 'e1'), 'Bearer sk-early-0123456789');
    assert.equal((await ask(one, 'stored before')).status, 200);

    // A call that runs across the rotation.
    upstream.play(streamThen(openaiFrames(['Hi']).slice(0, 2), () => undefined));
    const left = new AbortController();
    const running = await fetch(one.url + PATH, {
      method: 'POST',
      body: JSON.stringify(chatBody(true, 'hi')),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'running' },
      signal: left.signal,
    });
    assert.equal(running.status, 200);
    upstream.play(answerWell);

    const first = (await manage(one, 'POST', '/credentials/rotate', {})).data;
    await manage(one, 'POST', '/providers', provider('late', 'sk-late-0123456789'));
    await becomes('the other follows', async () => (await activeAt(other)) === first.active_key);
    assert.equal(await signedBy(one, 'late', 'l1'), 'Bearer sk-late-0123456789');
    const asked = upstream.exchanges.length;
    const again = await ask(other, 'running', undefined, true);
    assert.equal(again.status, 409, await again.text());
    assert.equal(upstream.exchanges.length, asked, 'the provider was not asked again');
    const stored = await ask(other, 'stored before');
    assert.equal(stored.status, 200);
    assert.equal(upstream.exchanges.length, asked, 'the stored answer was sent');
    left.abort();

    await becomes('the other has the model', () => hasModel(other, 'late/m'));
    for (const [name, credential] of [
      ['early', 'sk-early-0123456789'],
      ['late', 'sk-late-0123456789'],
    ] as const)
      assert.equal(await signedBy(other, name, `${name} at the other`), `Bearer ${credential}`);
    const second = (await manage(other, 'POST', '/credentials/rotate', {})).data;
    assert.notEqual(second.active_key, first.active_key);
    await manage(other, 'PATCH', '/providers/early', { credential: 'sk-changed-0123456789' });
    assert.equal(await signedBy(other, 'early', 'changed at the other'), 'Bearer sk-changed-0123456789');
    await becomes('the first follows', async () => (await activeAt(one)) === second.active_key);
    for (const node of [one, other]) {
      const { active_key, unopened, sealed, under_active_key } = (await manage(node, 'GET', '/credentials')).data;
      assert.deepEqual([active_key, unopened], [second.active_key, []]);
      assert.equal(under_active_key, sealed);
    }
    let times = 0;
    await becomes('the first has the changed credential', async () => {
      times += 1;
      return (await signedBy(one, 'early', `changed, seen at one ${times}`)) === 'Bearer sk-changed-0123456789';
    });

    // Who starts now has all of the ring.
    const third = await nodes.add();
    assert.equal(await signedBy(third, 'late', 'late at the third'), 'Bearer sk-late-0123456789');
    assert.equal((await manage(third, 'GET', '/credentials')).data.active_key, second.active_key);
    const once = await ask(third, 'stored before');
    assert.equal(once.status, 200);
  });

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => systemClock.after(ms, resolve));
}
