/**
 * Goal: the routes that list models, their endpoints and providers are found at every spelling of their paths, with OpenRouter's errors, and
 * a long list arrives whole. Method: a gateway with the demo and a provider of 1,200 models whose ids have more than one slash.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

let gateway: OpenGateway;
before(async () => {
  const models = Array.from({ length: 1_200 }, (_, index) => ({ upstream: `deep/model-${index}` }));
  gateway = await openGateway({
    demo: true,
    aliases: [{ name: 'quick', targets: [{ model: 'demo/echo' }] }],
    providers: [
      {
        name: 'lab',
        kind: 'custom',
        origin: 'http://127.0.0.1:1',
        price: 'free',
        models,
      },
    ],
  });
});
after(() => gateway.close());

function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(gateway.url + path, { headers: { authorization: `Bearer ${gateway.key}`, ...headers } });
}

async function json(path: string) {
  return JSON.parse(await (await read(path)).text());
}

for (const path of [
  '/api/v1/models/demo/echo/endpoints',
  '/api/v1/models/demo/echo/endpoints/',
  '/v1/models/demo/echo/endpoints',
  '/api/v1/v1/models/demo/echo/endpoints',
  '/api/v1/model/demo/echo/endpoints',
  '/v1/model/demo/echo/endpoints',
  '/api/v1/models/demo%2Fecho/endpoints',
])
  test(`${path} has the endpoints of the model, whatever the client says it is`, async () => {
    for (const headers of [{}, { 'anthropic-version': '2023-06-01' }] as Record<string, string>[]) {
      const answer = await read(path, headers);
      assert.equal(answer.status, 200);
      const { data } = JSON.parse(await answer.text());
      assert.deepEqual([data.id, data.endpoints[0].tag], ['demo/echo', 'demo']);
    }
  });

test('an alias, and a model with more slashes, have endpoints too', async () => {
  const alias = await json('/api/v1/models/quick/endpoints');
  assert.deepEqual([alias.data.id, alias.data.endpoints[0].model_id], ['quick', 'demo/echo']);
  for (const path of ['/api/v1/models', '/api/v1/model']) {
    const deep = await json(`${path}/lab/deep/model-7/endpoints`);
    assert.deepEqual([deep.data.id, deep.data.endpoints[0].tag], ['lab/deep/model-7', 'lab']);
  }
});

test("a model that does not exist is OpenRouter's 404 there", async () => {
  for (const id of ['nobody/none', 'nobody', 'lab/deep/none']) {
    const answer = await read(`/api/v1/models/${id}/endpoints`, { 'anthropic-version': '2023-06-01' });
    const { error } = JSON.parse(await answer.text());
    assert.deepEqual([answer.status, error.code, error.metadata.error_type], [404, 404, 'model_not_found'], id);
    assert.match(error.message, new RegExp(id));
  }
});

test('a list of more than a thousand models arrives whole, and with HEAD its headers do', async () => {
  const answer = await read('/api/v1/models');
  const { data, total_count } = JSON.parse(await answer.text());
  assert.equal(data.length, total_count);
  assert.ok(total_count > 1_200);
  assert.equal(new Set(data.map(({ id }: { id: string }) => id)).size, total_count);
  const counted = await json('/api/v1/models/count?providers=lab&free=true');
  assert.equal(counted.data.count, 1_200);
  const head = await fetch(`${gateway.url}/api/v1/models`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${gateway.key}` },
  });
  assert.deepEqual([head.status, head.headers.get('content-type'), await head.text()], [200, 'application/json', '']);
});

test('a reader that leaves in the middle of a long list does no harm', async () => {
  const aborter = new AbortController();
  const answer = await fetch(`${gateway.url}/api/v1/models`, {
    headers: { authorization: `Bearer ${gateway.key}` },
    signal: aborter.signal,
  });
  const reader = answer.body?.getReader();
  await reader?.read();
  aborter.abort();
  await assert.rejects(async () => {
    while (!(await reader?.read())?.done);
  });
  assert.equal((await read('/api/v1/models?limit=1')).status, 200);
});

test('the providers are those that serve something', async () => {
  const { data } = await json('/api/v1/providers');
  assert.deepEqual(
    data.map(({ slug }: { slug: string }) => slug),
    ['lab', 'demo'],
  );
});

test('an unknown value of a filter is 400 and names the field', async () => {
  const answer = await read('/api/v1/models?input_modalities=taste');
  const { error } = JSON.parse(await answer.text());
  assert.deepEqual([answer.status, error.code, error.param], [400, 'invalid_value', 'input_modalities']);
});
