/**
 * Goal: calls with an alias are served by the models that it leads to, in the stated shares, within the key's rights; the record and the
 * reports name the model. Method: the real program with two models at a scripted provider.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ask, type Json } from '../dashboard/ask.ts';
import { errorCode, openBenchWith, scriptedProvider } from '../support/open-gateway.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';

const [ONE, TWO] = ['scripted/one', 'scripted/two'];
const prices = { input: 1, output: 5 };
const upstream = await startScriptedUpstream(answerWell);
const bench = await openBenchWith(upstream, {
  providers: [
    {
      ...scriptedProvider('scripted', upstream.origin),
      models: [
        { id: ONE, upstream: 'one-1', prices },
        { id: TWO, upstream: 'two-1', prices },
      ],
    },
  ],
  aliases: [
    { name: 'one', targets: [{ model: ONE }] },
    {
      name: 'either',
      choice: 'random',
      targets: [
        { model: ONE, weight: 50 },
        { model: TWO, weight: 50 },
      ],
    },
    {
      name: 'first-two',
      targets: [
        { model: TWO, weight: 1 },
        { model: ONE, weight: 0 },
      ],
    },
    { name: 'gone', targets: [{ model: 'openai/gpt-5-mini' }] },
  ],
});
after(() => bench.close());
const control = async (method: string, path: string, body?: object): Promise<Json> => {
  const reply = await ask(join(bench.dataFolder, 'control.sock'), { method, path: `/control/api${path}`, body });
  assert.ok(reply.status < 300, reply.text);
  return reply.json;
};

test('a call with an alias is answered by its model, and its record shows both names', async () => {
  for (const path of ['/api/v1/chat/completions', '/v1/messages']) {
    const { answer, record } = await call('one', { path });
    assert.equal(record.model, ONE);
    assert.equal(record.asked, 'one');
    assert.equal(answer.model, ONE, 'the answer names the model that gave it');
    assert.equal(upstream.exchanges.at(-1)?.json['model'], 'one-1');
    const shown = await control('GET', `/calls/gen-${record.callId}`);
    assert.deepEqual([shown.data.model, shown.data.asked_model], [ONE, 'one']);
  }
  const { record } = await call(ONE);
  assert.equal(record.asked, null);
});

test('the suffixes of a model can follow an alias', async () => {
  for (const name of ['one:nitro', 'one:floor', 'one[1m]']) assert.equal((await call(name)).record.model, ONE);
  assert.equal((await refused('one:free')).code, 'model_not_found');
});

test('at random, both models answer; the reports count the models, and know no alias', async () => {
  const seen = new Map<string, number>();
  for (let count = 0; count < 40; count += 1) {
    const { model } = (await call('either')).record;
    seen.set(model, (seen.get(model) ?? 0) + 1);
  }
  // Of 40 even draws, fewer than 3 of either is one chance in a thousand million.
  for (const model of [ONE, TWO]) assert.ok((seen.get(model) ?? 0) >= 3, `${model}: ${seen.get(model)}`);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const usage = await control('GET', `/usage?group_by=model&from=${from}&to=${to}`);
  assert.match(JSON.stringify(usage), /scripted\/one/);
  assert.doesNotMatch(JSON.stringify(usage), /"either"/);
});

test('if the chosen model fails before its answer, the next one answers', async () => {
  upstream.play(async (exchange) =>
    exchange.json['model'] === 'two-1' ? refuse(500, { error: { message: 'no' } })(exchange) : answerWell(exchange),
  );
  const { record, answer } = await call('first-two');
  upstream.play(answerWell);
  assert.equal(record.model, ONE);
  assert.equal(answer.model, ONE);
  assert.deepEqual(
    record.attempts.map(({ upstreamModel, status }) => [upstreamModel, status]),
    [
      ['two-1', 500],
      ['one-1', 200],
    ],
  );
});

test('an alias gives no right: a key that may not use the model is refused, one that may use another gets that', async () => {
  const onlyAlias = await keyWith({ models_allow: ['one', 'either'] });
  assert.deepEqual(await refused('one', onlyAlias), { status: 403, code: 'model_not_allowed' });
  assert.deepEqual(await refused('gone'), { status: 404, code: 'model_not_found' });
  const onlyTwo = await keyWith({ models_deny: [ONE] });
  for (let count = 0; count < 8; count += 1) assert.equal((await call('either', { key: onlyTwo })).record.model, TWO);
  const listed = await (await fetch(`${bench.url}/api/v1/models`, { headers: bearer(onlyTwo) })).json();
  assert.deepEqual(
    (listed as Json).data.map(({ id }: Json) => id),
    ['either', 'first-two', TWO],
  );
});

test('a change applies to the next call; the project’s alias comes before the account’s', async () => {
  const { id } = (await control('POST', '/aliases', { name: 'mine', targets: [{ model: ONE }] })).data;
  assert.equal((await call('mine')).record.model, ONE);
  await control('PATCH', `/aliases/${id}`, { targets: [{ model: TWO }] });
  assert.equal((await call('mine')).record.model, TWO);
  const ofProject = await control('POST', '/aliases', { name: 'mine', project: 'Default', targets: [{ model: ONE }] });
  assert.equal((await call('mine')).record.model, ONE);
  await control('DELETE', `/aliases/${ofProject.data.id}`);
  assert.equal((await call('mine')).record.model, TWO);
  await control('DELETE', `/aliases/${id}`);
  assert.deepEqual(await refused('mine'), { status: 404, code: 'model_not_found' });
});

test('a bare name may be taken in a scope, and then means the alias there only', async () => {
  assert.equal((await call('two')).record.model, TWO);
  const { id } = (await control('POST', '/aliases', { name: 'two', targets: [{ model: ONE }] })).data;
  assert.equal((await call('two')).record.model, ONE);
  const other = await control('POST', '/accounts', { name: 'Other' });
  const key = await keyWith({}, other.data.id);
  await control('POST', `/balance/entries?account=${other.data.id}`, { amount: '5', reference: 'start' });
  assert.equal((await call('two', { key })).record.model, TWO);
  await control('DELETE', `/aliases/${id}`);
});

async function call(model: string, { key = bench.key, path = '/api/v1/chat/completions' } = {}) {
  const recorded = bench.nextRecord();
  const response = await bench.post(path, body(model), bearer(key));
  const answer = (await response.json()) as Json;
  assert.equal(response.status, 200, JSON.stringify(answer));
  return { answer, record: await recorded };
}

async function refused(model: string, key = bench.key) {
  const response = await bench.post('/api/v1/chat/completions', body(model), bearer(key));
  return { status: response.status, code: errorCode(await response.json()) };
}

async function keyWith(permissions: object, account = 1): Promise<string> {
  return (await control('POST', `/keys?account=${account}`, { name: 'limited', permissions })).key;
}

function body(model: string) {
  return { model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
}

function bearer(key: string) {
  return { authorization: `Bearer ${key}` };
}
