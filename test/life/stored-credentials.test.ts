/**
 * Goal: what a provider keeps is read, continued and deleted with the credential that made it, the operator's or an own one, also after a
 * restart; without that credential the caller is told why, and nobody else is asked. Method: the real program; a server that keeps responses
 * for each credential apart, as providers do for their accounts.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { ask, type Json } from '../dashboard/ask.ts';
import { wholeAnswer } from '../prove/support/numbered-formats.ts';
import { headerOf } from '../support/http-reader.ts';
import { errorCode, type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type Exchange, startScriptedUpstream } from '../support/scripted-upstream.ts';

const MODEL = 'openai/gpt-5';
const PATH = '/api/v1/responses';
const FIRST = 'sk-operators-first-1111';
const SECOND = 'sk-operators-second-2222';
const THIRD = 'sk-operators-third-3333';
const OWN = 'sk-of-the-team-4444';

/** `<end of the credential> <id>` of what is kept. */
const kept = new Set<string>();
let asked: string[] = [];
let limited: string | null = null;
let number = 0;

async function provider(exchange: Exchange): Promise<void> {
  const end = (headerOf(exchange.request, 'authorization') ?? '').slice(-4);
  const [method = '', path = ''] = exchange.request.startLine.split(' ');
  asked.push(`${method} ${end}`);
  const missing = () =>
    exchange.whole(404, JSON.stringify({ error: { message: 'not found', type: 'invalid_request_error' } }));
  if (method !== 'POST') {
    const place = `${end} ${path.split('/').at(-1)}`;
    if (!kept.has(place)) return missing();
    if (method === 'DELETE') kept.delete(place);
    return exchange.whole(200, JSON.stringify({ id: path.split('/').at(-1), object: 'response', output: [] }));
  }
  if (limited === end) return exchange.whole(429, JSON.stringify({ error: { message: 'slow down' } }));
  const previous = exchange.json['previous_response_id'];
  if (typeof previous === 'string' && !kept.has(`${end} ${previous}`)) return missing();
  number += 1;
  const answer = wholeAnswer('openai-responses', number, 2) as { id: string };
  kept.add(`${end} ${answer.id}`);
  await exchange.whole(200, JSON.stringify(answer));
}

const upstream = await startScriptedUpstream(provider);
after(() => upstream.close());
let dataFolder: string;
let gateway: OpenGateway;
let key: string;

async function open(...keys: readonly string[]): Promise<OpenGateway> {
  const [credential, ...credentials] = keys;
  gateway = await openGateway({
    dataFolder,
    egress: { allow: ['127.0.0.1/32'], http: true },
    providers: [
      {
        name: 'openai',
        kind: 'openai',
        origin: upstream.origin,
        credential,
        ...(credentials.length === 0 ? {} : { credentials }),
      },
    ],
  });
  return gateway;
}

async function restart(...keys: readonly string[]): Promise<void> {
  await gateway.close();
  await open(...keys);
  asked = [];
}

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'turnpike-stored-'));
  ({ key } = await open(FIRST, SECOND));
  kept.clear();
  asked = [];
  limited = null;
});
afterEach(async () => {
  await gateway.close();
  await rm(dataFolder, { recursive: true, force: true });
});

async function make(fields: object = {}): Promise<string> {
  const response = await gateway.post(
    PATH,
    { model: MODEL, input: 'hi', max_output_tokens: 99, ...fields },
    authorized(),
  );
  const answer = (await response.json()) as Json;
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer.id;
}

const authorized = () => ({ authorization: `Bearer ${key}` });
const send = (method: string, id: string) => fetch(`${gateway.url}${PATH}/${id}`, { method, headers: authorized() });
const continues = (id: string) =>
  gateway.post(PATH, { model: MODEL, input: 'on', max_output_tokens: 99, previous_response_id: id }, authorized());
const control = async (method: string, path: string, body?: object): Promise<Json> => {
  const reply = await ask(join(dataFolder, 'control.sock'), { method, path: `/control/api${path}`, body });
  assert.ok(reply.status < 300, reply.text);
  return reply.json.data;
};

test('each is read, continued and deleted with the credential that made it, in any order and after a restart', async () => {
  const ids = [await make(), await make(), await make()];
  assert.deepEqual(asked.splice(0), ['POST 1111', 'POST 2222', 'POST 1111']);
  for (const [first, second] of [
    [FIRST, SECOND],
    [SECOND, FIRST],
  ] as const) {
    await restart(first, second);
    for (const id of ids.toReversed()) {
      assert.equal((await send('GET', id)).status, 200);
      assert.equal((await continues(id)).status, 200);
    }
    assert.deepEqual(asked, ['GET 1111', 'POST 1111', 'GET 2222', 'POST 2222', 'GET 1111', 'POST 1111']);
  }
  for (const id of ids) assert.equal((await send('DELETE', id)).status, 200);
  assert.equal([...kept].filter((place) => ids.some((id) => place.endsWith(` ${id}`))).length, 0);
});

test('while its credential is limited, no other one is asked for it', async () => {
  const id = await make();
  limited = '1111';
  asked = [];
  assert.equal((await continues(id)).status, 429);
  assert.deepEqual(asked, ['POST 1111']);
});

test('without the credential that made it, the caller is told so, and nobody is asked', async () => {
  const id = await make();
  await restart(SECOND, THIRD);
  for (const method of ['GET', 'DELETE']) {
    const read = await send(method, id);
    const answer = await read.text();
    assert.equal(read.status, 404);
    assert.match(answer, /credential that was removed or replaced/);
  }
  const next = await continues(id);
  const refusal = (await next.json()) as Json;
  assert.deepEqual([next.status, errorCode(refusal)], [400, 'previous_response_not_found']);
  assert.match(JSON.stringify(refusal), /removed or replaced.*Send the whole input/);
  assert.deepEqual(asked, []);
  await restart(THIRD, FIRST);
  assert.equal((await send('GET', id)).status, 200, 'nothing was forgotten');
});

test('the successor of a provider’s only credential is asked; if it does not reach the response, the caller is told why', async () => {
  await restart(FIRST);
  const [id, other] = [await make(), await make()];
  kept.add(`2222 ${id}`);
  await restart(SECOND);
  assert.equal((await send('GET', id)).status, 200);
  const lost = await send('GET', other);
  assert.equal(lost.status, 404);
  assert.match(await lost.text(), /credential that was removed or replaced/);
  await restart(FIRST);
  assert.equal((await send('GET', other)).status, 200, 'nothing was forgotten');
});

test('what an own credential made is reached with it only, also with a new secret of it', async () => {
  const own = { provider: 'openai', name: 'team', key: OWN, base_url: upstream.origin };
  const { id: credential } = await control('POST', '/byok', own);
  const id = await make();
  await restart(FIRST, SECOND);
  assert.equal((await send('GET', id)).status, 200);
  assert.equal((await continues(id)).status, 200);
  assert.deepEqual(asked.splice(0), ['GET 4444', 'POST 4444']);
  kept.add(`5555 ${id}`);
  await control('POST', `/byok/${credential}/rotate`, { key: 'sk-of-the-team-5555' });
  assert.equal((await send('GET', id)).status, 200);
  assert.deepEqual(asked.splice(0), ['GET 5555']);
  await control('PATCH', `/byok/${credential}`, { disabled: true });
  const [read, next] = [await send('GET', id), await continues(id)];
  assert.deepEqual([read.status, next.status], [404, 400]);
  assert.match(await next.text(), /removed or replaced/);
  assert.deepEqual(asked, []);
});

test('an own credential does not reach what the operator’s made', async () => {
  const id = await make();
  await control('POST', '/byok', {
    provider: 'openai',
    name: 'team',
    key: OWN,
    base_url: upstream.origin,
    fallback: true,
  });
  asked = [];
  assert.equal((await send('GET', id)).status, 200);
  assert.equal((await continues(id)).status, 200);
  assert.deepEqual(asked, ['GET 1111', 'POST 1111']);
  const [{ id: credential }] = await control('GET', '/byok');
  await control('PATCH', `/byok/${credential}`, { use: 'only' });
  const refused = await continues(id);
  assert.deepEqual([refused.status, errorCode(await refused.json())], [400, 'unsupported_value']);
});
