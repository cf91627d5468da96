/**
 * Goal: several gateways on one PostgreSQL are one installation: what is changed at one holds at the others at once, and the same money is
 * never spent twice. Method: whole gateways in this process, a real server, and a provider that does what the test says.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chatBody, type OpenGateway } from '../support/open-gateway.ts';
import { execute } from '../support/postgres/database.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startGateway } from '../support/start-gateway.ts';
import { startNodes, type TestNodes } from '../support/start-nodes.ts';
import { answerWell, openaiFrames, streamThen } from '../support/upstream-scripts.ts';

const PATH = '/api/v1/chat/completions';
/** What a whole answer of the scripted provider costs: 5 tokens in, 1 out, at 1 and 5 USD a million. */
const COST_NANO = 10_000;
/** What a call holds: 33 tokens in by their bytes, 99 out, and the request as it may be sent. */
const HOLD_NANO = 660_000;
/** A refusal is remembered for 200 ms. */
const REMEMBERED_MS = 250;
/** From the change at one node to its effect at another. */
const EFFECT_MS = 1_000;

type Answer = { readonly status: number; readonly body: Record<string, never> };

async function manage(node: OpenGateway, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) {
  const url = `/control/api${path}`;
  const answer = await node.app.control.inject(payload === undefined ? { method, url } : { method, url, payload });
  assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.body}`);
  return answer.json();
}

async function makeKey(node: OpenGateway, name: string, rest: object = {}): Promise<{ id: number; secret: string }> {
  const { key, data } = await manage(node, 'POST', '/keys', { name, ...rest });
  return { id: data.id, secret: key };
}

async function call(node: OpenGateway, key: string, body: object = chatBody(false)): Promise<Answer> {
  const answer = await node.post(PATH, body, { authorization: `Bearer ${key}` });
  const text = await answer.text();
  return { status: answer.status, body: answer.status === 200 ? {} : JSON.parse(text) };
}

/** Asks until the answer has the status; fails when that takes longer than a change may. */
async function becomes(status: number, ask: () => Promise<Answer>, withinMs = EFFECT_MS): Promise<void> {
  const begin = performance.now();
  for (;;) {
    const begun = performance.now();
    const answer = await ask();
    if (answer.status === status) return;
    assert.ok(begun - begin <= withinMs, `still ${answer.status} after ${Math.round(begun - begin)} ms`);
  }
}

/**
 * Calls the nodes together until they have refused for longer than a refusal is remembered, and returns how many calls were served.
 */
async function spendAll(nodes: readonly OpenGateway[], key: string): Promise<number> {
  let served = 0;
  for (let servedAt = performance.now(); performance.now() - servedAt < 3 * REMEMBERED_MS; ) {
    const answers = await Promise.all(nodes.map((node) => call(node, key)));
    for (const { status, body } of answers) assert.ok([200, 402].includes(status), JSON.stringify(body));
    const count = answers.filter(({ status }) => status === 200).length;
    served += count;
    if (count > 0) servedAt = performance.now();
  }
  return served;
}

/** Never more than there was, and less than a call's hold is left. */
function assertSpent(nano: number, served: number): void {
  const left = nano - served * COST_NANO;
  assert.ok(left >= 0 && left < HOLD_NANO, `${left} nano-USD left after ${served} calls`);
}

async function creditsAt(node: OpenGateway, key: string) {
  const answer = await fetch(`${node.url}/api/v1/credits`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { data: { total_credits: number; total_usage: number } }).data;
}

for (const server of serverNames) {
  describe(`several nodes on PostgreSQL ${server}`, () => {
    let nodes: TestNodes;
    let one: OpenGateway;
    let other: OpenGateway;
    before(async () => {
      nodes = await startNodes(2, server);
      [one, other] = nodes.nodes as [OpenGateway, OpenGateway];
    });
    after(() => nodes.close());

    test('a key made at one works at the other at once, for calls and for routes that read', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { secret } = await makeKey(one, `made ${round}`);
        assert.equal((await call(other, secret)).status, 200);
        const read = (await makeKey(one, `read ${round}`)).secret;
        const answer = await fetch(`${other.url}/api/v1/key`, { headers: { authorization: `Bearer ${read}` } });
        assert.equal(answer.status, 200, await answer.text());
      }
    });

    test('a key that nobody made is still 401', async () => {
      assert.equal((await call(other, one.key.replace(/....$/, 'AAAA'))).status, 401);
    });

    const revocation = async () => {
      const { id, secret } = await makeKey(one, 'to be revoked');
      assert.equal((await call(other, secret)).status, 200);
      await manage(one, 'DELETE', `/keys/${id}`);
      await becomes(401, () => call(other, secret));
    };
    test('a key revoked at one ends at the other within a second', revocation);

    test('revoked at once, its running calls end at the other', async () => {
      const { id, secret } = await makeKey(one, 'to be cut');
      nodes.upstream.play(streamThen(openaiFrames(['Hi']).slice(0, 2), () => undefined));
      const answer = await other.post(PATH, chatBody(true), { authorization: `Bearer ${secret}` });
      assert.equal(answer.status, 200);
      const ended = other.nextRecord();
      const begin = performance.now();
      await manage(one, 'DELETE', `/keys/${id}?now=true`);
      assert.equal((await ended).ending, 'key_cut');
      assert.ok(performance.now() - begin <= EFFECT_MS, `after ${performance.now() - begin} ms`);
      await answer.text();
      nodes.upstream.play(answerWell);
    });

    test('an alias, a limit and a provider that are made at one hold at the other', async () => {
      await manage(one, 'POST', '/providers', {
        name: 'added',
        kind: 'custom',
        origin: nodes.upstream.origin,
        dialects: ['openai-chat'],
        model_settings: [{ upstream: 'm', id: 'added/model', price: { input: '1', output: '5' }, output_cap: 1_000 }],
      });
      const ask = (model: string) => call(other, nodes.key, chatBody(false, 'hi', model));
      await becomes(200, () => ask('added/model'));
      await manage(one, 'POST', '/aliases', { name: 'short', targets: [{ model: 'added/model' }] });
      await becomes(200, () => ask('short'));
      await manage(one, 'DELETE', '/providers/added');
      await becomes(404, () => ask('added/model'));
      const { id, secret } = await makeKey(one, 'limited');
      assert.equal((await call(other, secret)).status, 200);
      await manage(one, 'PATCH', `/keys/${id}`, { permissions: { models_allow: ['none/such'] } });
      await becomes(403, () => call(other, secret));
    });

    test('both show the same balance, and what either has charged', async () => {
      const before = await creditsAt(one, nodes.key);
      assert.deepEqual(await creditsAt(other, nodes.key), before);
      await Promise.all([one, other, one].map((node) => call(node, nodes.key)));
      const spent = async (node: OpenGateway) =>
        Math.round(((await creditsAt(node, nodes.key)).total_usage - before.total_usage) * 1e9);
      assert.deepEqual([await spent(one), await spent(other)], [3 * COST_NANO, 3 * COST_NANO]);
    });

    test('a budget is shared: together they never spend more', async () => {
      const { id, secret } = await makeKey(one, 'with a budget', { limits: { budgets: { total: '0.001' } } });
      const served = await spendAll([one, other], secret);
      const { data } = await manage(other, 'GET', `/keys/${id}/limits`);
      const { spent } = data.budgets.find(({ window }: { window: string }) => window === 'total');
      assert.equal(Math.round(Number(spent) * 1e9), served * COST_NANO);
      assertSpent(1_000_000, served);
    });

    test('without notifications a revocation takes at most a second, too', async () => {
      await execute(nodes.database.url, 'drop trigger wake on changes');
      for (let round = 0; round < 5; round += 1) await revocation();
    });
  });

  test(`a balance is spent once, by all nodes together, on PostgreSQL ${server}`, async (context) => {
    const nodes = await startNodes(3, server, { billing: { firstRunCredit: '0.001' } });
    context.after(() => nodes.close());
    const first = await spendAll(nodes.nodes, nodes.key);
    await manage(nodes.nodes[0] as OpenGateway, 'POST', '/balance/entries', { amount: '0.0005', reference: 'top-up' });
    const served = first + (await spendAll(nodes.nodes, nodes.key));
    for (const node of nodes.nodes) {
      const { data } = await manage(node, 'GET', '/balance');
      assert.equal(Math.round(Number(data.balance) * 1e9), 1_500_000 - served * COST_NANO);
    }
    assertSpent(1_500_000, served);
    const [node] = nodes.nodes;
    const { data } = await manage(node as OpenGateway, 'POST', '/ledger/verify', {});
    assert.deepEqual(data.violations, []);
    assert.equal(data.looked_at.settlements, served);
  });

  test(`a node that is killed takes nobody with it, and has its place back at once, on PostgreSQL ${server}`, async (context) => {
    const nodes = await startNodes(1, server);
    context.after(() => nodes.close());
    const [other] = nodes.nodes as [OpenGateway];
    const config = nodes.fileOf('killed');
    const folder = await mkdtemp(join(tmpdir(), 'turnpike-killed-'));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const options = { config, dataFolder: join(folder, 'data') };
    const killed = await startGateway(options);
    const ask = (url: string) =>
      fetch(url + PATH, {
        method: 'POST',
        body: JSON.stringify(chatBody(false)),
        headers: { authorization: `Bearer ${nodes.key}`, 'content-type': 'application/json' },
      });
    for (let each = 0; each < 5; each += 1) assert.equal((await ask(killed.url)).status, 200);
    const before = await creditsAt(other, nodes.key);
    const ended = once(killed.process, 'exit');
    killed.process.kill('SIGKILL');
    await ended;
    for (let each = 0; each < 5; each += 1) assert.equal((await call(other, nodes.key)).status, 200);
    const again = await startGateway(options);
    context.after(() => void again.process.kill('SIGKILL'));
    assert.equal((await ask(again.url)).status, 200);
    const list = await manage(other, 'GET', '/nodes');
    const states = list.data.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`);
    assert.deepEqual(states.toSorted(), ['killed live', 'node-1 live']);
    await again.stop();
    const spent = Math.round(((await creditsAt(other, nodes.key)).total_usage - before.total_usage) * 1e9);
    assert.equal(spent, 6 * COST_NANO);
    const left = (await manage(other, 'GET', '/nodes')).data.find(({ name }: { name: string }) => name === 'killed');
    assert.equal(left.state, 'gone');
  });
}
