/**
 * Goal: a response that a provider keeps is read, deleted and continued by the project whose call made it and by nobody else, with the exact
 * balance after each step. Method: the `openai` package and raw requests against the gateway in process, prepaid, with two accounts; a
 * provider that keeps responses and refuses whatever it does not know.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import { control } from '../support/control.ts';
import { headerOf } from '../support/http-reader.ts';
import { errorCode, type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { until } from '../support/turns.ts';

const MODEL = 'lab/thinker';
const CREDENTIAL = 'canary-credential-of-the-keeper';
/** Per million tokens. */
const PRICES = { input: 1, output: 5, webSearch: 0.01, codeInterpreter: 0.03 };
const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 110,
};
/** 100 × $1 and 10 × $5 a million, in nano-USD. */
const CALL_COST = 150_000n;
const CREDIT = 5_000_000_000n;

interface Kept {
  readonly body: Record<string, unknown>;
  readonly input: unknown;
}

/** What the provider keeps, of all accounts: it knows only one credential. */
const kept = new Map<string, Kept>();
let number = 0;

function answerOf(request: Record<string, unknown>, items: readonly object[] = []): Record<string, unknown> {
  number += 1;
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: 1_795_000_000,
    status: 'completed',
    model: request['model'],
    output: [
      { type: 'reasoning', id: `rs_${number}`, summary: [] },
      ...items,
      {
        type: 'message',
        id: `msg_${number}`,
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: `answer ${number}`, annotations: [] }],
      },
    ],
    previous_response_id: request['previous_response_id'] ?? null,
    usage: USAGE,
  };
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

async function provider(exchange: Exchange): Promise<void> {
  const [method = '', target = ''] = exchange.request.startLine.split(' ');
  const { pathname } = new URL(target, 'http://x');
  assert.equal(headerOf(exchange.request, 'authorization'), `Bearer ${CREDENTIAL}`);
  if (method === 'POST' && pathname === '/v1/responses') return answer(exchange);
  if (method === 'POST' && pathname === '/v1/responses/compact') {
    number += 1;
    const output = [{ type: 'compaction', id: `cmp_${number}`, encrypted_content: 'opaque' }];
    return exchange.whole(
      200,
      JSON.stringify({ id: `resp_${number}`, object: 'response.compaction', created_at: 1, output, usage: USAGE }),
    );
  }
  if (method === 'POST' && pathname === '/v1/responses/input_tokens') {
    const isGone = exchange.request.body.includes('item_reference');
    const counted = { object: 'response.input_tokens', input_tokens: 7_777 };
    const error = { message: "Item with id 'x' not found.", type: 'invalid_request_error', param: 'input', code: null };
    return exchange.whole(isGone ? 404 : 200, JSON.stringify(isGone ? { error } : counted));
  }
  const [, id = '', part = ''] = /^\/v1\/responses\/([^/]+)(\/input_items)?$/.exec(pathname) ?? [];
  const found = kept.get(id);
  if (found === undefined) {
    const message = `Response with id '${id}' not found.`;
    return exchange.whole(
      404,
      JSON.stringify({ error: { message, type: 'invalid_request_error', param: 'id', code: null } }),
    );
  }
  if (method === 'DELETE') {
    kept.delete(id);
    return exchange.whole(200, JSON.stringify({ id, object: 'response', deleted: true }));
  }
  const data = [
    { type: 'message', id: `in_${id}`, role: 'user', content: [{ type: 'input_text', text: found.input }] },
  ];
  const page = { object: 'list', data, first_id: `in_${id}`, last_id: `in_${id}`, has_more: false };
  const text = JSON.stringify(part === '' ? found.body : page);
  if ('gzip' in found.body) return exchange.whole(200, gzipSync(text), { 'content-encoding': 'gzip' });
  return exchange.whole(200, text);
}

async function answer(exchange: Exchange): Promise<void> {
  const { json } = exchange;
  const tools = Array.isArray(json['tools']) ? (json['tools'] as { type: string }[]) : [];
  const items: readonly object[] = tools.flatMap(({ type }, index): object[] =>
    type === 'web_search'
      ? [{ type: 'web_search_call', id: `ws_${index}`, status: 'completed', action: { type: 'search', query: 'q' } }]
      : [{ type: 'code_interpreter_call', id: `ci_${index}`, status: 'completed', container_id: 'cntr_1', code: 'x' }],
  );
  const body = answerOf(json, items);
  if (json['store'] !== false) kept.set(body['id'] as string, { body, input: json['input'] });
  if (json['stream'] !== true) return exchange.whole(200, JSON.stringify(body));
  const started = { ...body, status: 'in_progress', output: [], usage: null };
  const output = body['output'] as object[];
  const text = event('response.created', { sequence_number: 0, response: started });
  const done = output.map((item, index) =>
    event('response.output_item.done', { sequence_number: index + 1, output_index: index, item }),
  );
  const end = event('response.completed', { sequence_number: output.length + 1, response: body });
  const bytes = Buffer.from(text + done.join('') + end);
  await exchange.head(200, { 'content-type': 'text/event-stream', 'content-length': String(bytes.length) });
  await exchange.raw(bytes);
}

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
let client: OpenAI;
let strangers: string;
let siblings: string;

before(async () => {
  upstream = await startScriptedUpstream(provider);
  const facts = { prices: PRICES, contextWindow: 100_000, outputCap: 1_000 };
  const models = [
    { id: MODEL, upstream: 'thinker-1', ...facts },
    { id: 'lab/other', upstream: 'other-1', ...facts },
  ];
  gateway = await openGateway({
    providers: [
      { name: 'keeper', kind: 'openai', origin: upstream.origin, credential: CREDENTIAL, models },
      {
        name: 'forgetful',
        kind: 'custom',
        origin: upstream.origin,
        credential: CREDENTIAL,
        dialects: ['openai-responses'],
        models: [{ id: 'lab/forgetful', upstream: 'f-1', prices: PRICES, contextWindow: 100_000 }],
      },
    ],
    billing: { mode: 'prepaid', firstRunCredit: '5' },
  });
  client = clientOf(gateway.key);
  const made = await control(gateway.dataFolder, 'POST', '/control/api/accounts', { name: 'Strangers' });
  const { id } = (made.body as { data: { id: number } }).data;
  const project = await control(gateway.dataFolder, 'POST', `/control/api/projects?account=${id}`, { name: 'theirs' });
  assert.equal(project.status, 201, JSON.stringify(project.body));
  strangers = await makeKey(id, { project: 'theirs' });
  await control(gateway.dataFolder, 'POST', '/control/api/projects?account=1', { name: 'other' });
  siblings = await makeKey(1, { project: 'other' });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});

let balance = 0n;
beforeEach(async () => {
  balance = await available();
});

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey, maxRetries: 0 });
}

async function makeKey(account: number, fields: object): Promise<string> {
  const { status, body } = await control(gateway.dataFolder, 'POST', `/control/api/keys?account=${account}`, {
    name: 'k',
    ...fields,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return (body as { key: string }).key;
}

/** What can be spent, in nano-USD: nothing is held between the steps of a test. */
async function available(): Promise<bigint> {
  const { body } = await control(gateway.dataFolder, 'GET', '/control/api/balance');
  const { balance: whole, held } = (body as { data: { balance: number; held: number } }).data;
  assert.equal(held, 0, 'nothing is held');
  return BigInt(Math.round(whole * 1e9));
}

async function spent(): Promise<bigint> {
  return balance - (await available());
}

async function create(
  fields: object = {},
): Promise<{ readonly id: string; readonly output: { readonly id: string }[] }> {
  const made = await client.responses.create({ model: MODEL, input: 'hi', ...fields });
  return made as unknown as { id: string; output: { id: string }[] };
}

async function refusal(asked: Promise<unknown>): Promise<{ status: number; code: string; message: string }> {
  const error = await asked.then(
    () => assert.fail('it was not refused'),
    (thrown) => thrown,
  );
  assert.ok(error instanceof OpenAI.APIError, String(error));
  return { status: error.status as number, code: String(error.code), message: error.message };
}

const CODE = { tools: [{ type: 'code_interpreter' as const, container: { type: 'auto' as const } }] };

/** A call of an earlier turn, as a client sends it back. */
function ranIn(container: string): object {
  return { type: 'code_interpreter_call', id: 'ci_0', status: 'completed', container_id: container, code: 'x' };
}

function ask(method: string, path: string, key: string): Promise<Response> {
  return fetch(gateway.url + path, { method, headers: { authorization: `Bearer ${key}` } });
}

describe('a response that was made by a key of the project', () => {
  for (const stream of [false, true])
    test(`can be read, listed and deleted, at no cost (${stream ? 'streamed' : 'whole'})`, async () => {
      const id = stream ? await streamed() : (await create()).id;
      assert.equal(await spent(), CALL_COST);
      const read = await client.responses.retrieve(id);
      assert.deepEqual([read.id, read.status, read.output_text], [id, 'completed', `answer ${number}`]);
      const items = await client.responses.inputItems.list(id, { order: 'asc', limit: 5 });
      assert.equal(items.data[0]?.id, `in_${id}`);
      assert.match(upstream.exchanges.at(-1)?.request.startLine ?? '', /\?(?:order=asc&limit=5|limit=5&order=asc) /);
      await client.responses.delete(id);
      assert.equal(kept.has(id), false);
      const gone = await refusal(client.responses.retrieve(id));
      assert.deepEqual([gone.status, gone.code], [404, 'response_not_found']);
      assert.equal(await spent(), CALL_COST);
    });

  test('can be read however long it is', async () => {
    const { id } = await create();
    const { body } = kept.get(id) ?? assert.fail();
    body['metadata'] = { long: 'x'.repeat(3_000_000) };
    assert.deepEqual((await client.responses.retrieve(id)).metadata, body['metadata']);
    body['metadata'] = { long: `${'x'.repeat(3_000_000)}${CREDENTIAL}` };
    assert.equal((await refusal(client.responses.retrieve(id))).status, 502);
  });

  test('is not passed on in a coding, in which a credential would not be found', async () => {
    const { id } = await create();
    kept.set(id, { body: { gzip: CREDENTIAL }, input: 'hi' });
    const answered = await ask('GET', `/v1/responses/${id}`, gateway.key);
    assert.equal(answered.status, 502);
    assert.match(await answered.text(), /compressed answer/);
  });

  test('is read only while there is memory for it, which is free again afterwards', async () => {
    const { memory } = gateway.app.gateway;
    const { id } = await create();
    kept.set(id, { body: { id, long: 'x'.repeat(30_000_000) }, input: 'hi' });
    const { bytesMax } = memory;
    const key = gateway.calls.at(-1)?.key ?? assert.fail();
    const other = memory.open(key.accountId, key.id);
    other.takeForAnswer(Math.floor(bytesMax / 2) - 1_000_000);
    const refused = await ask('GET', `/v1/responses/${id}`, gateway.key);
    assert.deepEqual([refused.status, errorCode(await refused.json())], [503, 'overloaded']);
    other.release();
    assert.equal((await ask('GET', `/v1/responses/${id}`, gateway.key).then((read) => read.text())).length > 3e7, true);
    await until('the memory is free', () => memory.used === 0);
  });

  test('is missed by a count only where it is named: other counts stay exact', async () => {
    const { output } = await create();
    const count = (input: unknown) =>
      fetch(`${gateway.url}/v1/responses/input_tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: MODEL, input }),
      });
    const missed = await count([{ type: 'item_reference', id: output[0]?.id }]);
    assert.equal(missed.status, 404);
    assert.match(await missed.text(), /not found/);
    assert.deepEqual(await (await count('hi')).json(), { object: 'response.input_tokens', input_tokens: 7_777 });
  });

  test('can be continued, with the whole window held and what was used charged', async () => {
    const first = await create();
    const second = await create({ previous_response_id: first.id });
    assert.equal(upstream.exchanges.at(-1)?.json['previous_response_id'], first.id);
    const record = gateway.records.at(-1);
    // A window of 100,000 tokens at $1, and the model's cap of 1,000 tokens at $5, a million.
    assert.equal(record?.hold, 105_000_000n);
    const items = [first.output[0], second.output.at(-1)].map((item) => ({ type: 'item_reference', id: item?.id }));
    await create({ input: [...items, { role: 'user', content: 'and?' }] });
    const sent = upstream.exchanges.at(-1)?.json['input'];
    assert.ok(Array.isArray(sent));
    assert.deepEqual(sent.slice(0, 2), items);
    await create({
      input: [
        { type: 'reasoning', id: first.output[0]?.id, summary: [] },
        { role: 'user', content: 'x' },
      ],
    });
    assert.equal(await spent(), 4n * CALL_COST);
  });

  test('can be read with another key of the project, after its own was revoked', async () => {
    const mine = await makeKey(1, {});
    const made = await clientOf(mine).responses.create({ model: MODEL, input: 'hi' });
    const { id } = gateway.calls.at(-1)?.key ?? assert.fail();
    const revoked = await control(gateway.dataFolder, 'DELETE', `/control/api/keys/${id}?now=true`);
    assert.equal(revoked.status, 200, JSON.stringify(revoked.body));
    const refused = await refusal(clientOf(mine).responses.retrieve(made.id));
    assert.deepEqual([refused.status, refused.code], [401, 'invalid_api_key']);
    assert.equal((await client.responses.retrieve(made.id)).id, made.id);
  });
});

describe('a response of another project', () => {
  test('is as unknown as one that does not exist, of another account and of the same one', async () => {
    await create({ ...CODE, max_tool_calls: 1 });
    balance = await available();
    const { id } = await create();
    const asked = upstream.exchanges.length;
    for (const key of [strangers, siblings]) {
      for (const [method, end] of [
        ['GET', ''],
        ['DELETE', ''],
        ['GET', '/input_items'],
      ] as const) {
        for (const base of ['/api/v1/responses', '/v1/responses', '/api/v1/v1/responses', '/responses']) {
          const [other, unknown] = await Promise.all(
            [id, 'resp_404'].map(async (each) => {
              const answered = await ask(method, `${base}/${each}${end}`, key);
              return [answered.status, (await answered.text()).replaceAll(each, 'ID').replace(/req_\w+/, '')];
            }),
          );
          assert.deepEqual(other, unknown);
          assert.equal(other?.[0], 404);
          assert.match(String(other?.[1]), /"message":"Response with id 'ID' not found\."/);
        }
      }
      for (const fields of [
        { previous_response_id: id },
        { input: [{ type: 'item_reference', id: `msg_${number}` }] },
        { input: [{ id: `rs_${number}` }] },
        { input: [ranIn('cntr_1')] },
        { input: [ranIn('cntr_404')] },
      ]) {
        const refused = await refusal(
          clientOf(key).responses.create({ model: MODEL, input: 'hi', ...fields } as never),
        );
        assert.deepEqual([refused.status, refused.code], [400, 'previous_response_not_found'], JSON.stringify(fields));
        assert.match(refused.message, /Send the whole input instead/);
      }
    }
    assert.equal(upstream.exchanges.length, asked, 'the provider was asked nothing');
    assert.equal(kept.has(id), true);
    assert.equal(await spent(), CALL_COST);
  });

  test('a thought of it, or an unknown one, is left out of a conversation, since nothing but its id is there', async () => {
    const { output } = await create();
    const theirs = output[0]?.id ?? '';
    const question = { role: 'user', content: 'and?' };
    for (const id of [theirs, 'rs_unknown']) {
      const thought = { type: 'reasoning', id, summary: [{ type: 'summary_text', text: 'Hm.' }] };
      const { data, response } = await clientOf(siblings)
        .responses.create({ model: MODEL, input: [question, thought, question] } as never)
        .withResponse();
      assert.equal((data as { status?: string }).status, 'completed');
      assert.match(response.headers.get('x-turnpike-warnings') ?? '', /reasoning from other providers was left out/);
      assert.deepEqual(upstream.exchanges.at(-1)?.json['input'], [question, question]);
    }
    // Of an item that says its id twice, or in a way that only a parser reads, it is not clear which is meant.
    const mine = `rs_${number}`;
    const shapes = [`"id":"${mine}","id":"${theirs}"`, `"i\\u0064":"${theirs}"`, `"id":"${theirs}","s\\u0075mmary":[]`];
    for (const fields of shapes) {
      const asked = upstream.exchanges.length;
      const body = `{"model":"${MODEL}","input":[{"type":"reasoning",${fields},"summary":[]}]}`;
      const answered = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${siblings}`, 'content-type': 'application/json' },
        body,
      });
      assert.equal(answered.status, 400, `${fields} ${await answered.text()}`);
      assert.equal(upstream.exchanges.length, asked);
    }
  });
});

describe('the container that a tool of the project ran in', () => {
  for (const store of [true, false])
    test(`can be gone on in, if store is ${store}`, async () => {
      await create({ ...CODE, max_tool_calls: 1, store });
      const input = [ranIn('cntr_1'), { role: 'user', content: 'go on' }];
      await create({ ...CODE, max_tool_calls: 1, input });
      assert.deepEqual(upstream.exchanges.at(-1)?.json['input'], input);
    });
});

describe('an item with two ids', () => {
  test('is not passed on, whichever of them is of the project', async () => {
    const { output } = await create();
    const asked = upstream.exchanges.length;
    const [own, other] = [output[0]?.id, 'rs_of_somebody'];
    for (const [one, two] of [
      [`"id":"${own}"`, `"id":"${other}"`],
      [`"id":"${other}"`, `"id":"${own}"`],
      [`"id":"${own}"`, `"i\\u0064":"${other}"`],
    ]) {
      const answered = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: `{"model":"${MODEL}","input":[{"type":"item_reference",${one},${two}}]}`,
      });
      assert.equal(answered.status, 400);
      assert.match(await answered.text(), /duplicate_key/);
    }
    assert.equal(upstream.exchanges.length, asked, 'the provider was asked nothing');
  });
});

describe('what is refused', () => {
  test('an id when the caller wanted nothing stored', async () => {
    const { id } = await create({ store: false });
    assert.equal((await refusal(client.responses.retrieve(id))).status, 404);
  });

  test('an id for a model whose providers keep nothing', async () => {
    const { id } = await create();
    for (const fields of [{ previous_response_id: id }, { input: [{ type: 'item_reference', id: `msg_${number}` }] }]) {
      const refused = await refusal(create({ model: 'lab/forgetful', ...fields }));
      assert.deepEqual([refused.status, refused.code], [400, 'unsupported_value']);
      assert.match(refused.message, /Send the whole input instead/);
    }
    const whole = await create({ model: 'lab/forgetful' });
    assert.equal((await refusal(client.responses.retrieve(whole.id))).status, 404);
  });

  test('a conversation, a stream of a stored response, and what runs in the background', async () => {
    const { id } = await create();
    assert.equal((await refusal(create({ conversation: 'conv_1' }))).code, 'field_not_allowed');
    assert.equal((await refusal(client.responses.cancel(id))).status, 400);
    for (const query of ['stream=true', 'starting_after=4']) {
      const answered = await ask('GET', `/v1/responses/${id}?${query}`, gateway.key);
      assert.equal(answered.status, 400);
      assert.match(await answered.text(), /made in the background/);
    }
  });

  test('ids that would change the path, without asking the provider', async () => {
    const asked = upstream.exchanges.length;
    for (const id of ['%2e%2e', 'a%2Fb', 'resp_1%3Fx', 'x'.repeat(300), '..', "'"])
      assert.equal((await ask('GET', `/v1/responses/${id}`, gateway.key)).status, 404, id);
    assert.equal(upstream.exchanges.length, asked);
  });

  test('a key without the permission, or for another model, or beyond its rate', async () => {
    const { id, output } = await create();
    const item = output[0]?.id ?? '';
    const refusedWith = async (fields: object) => {
      const key = await makeKey(1, fields);
      return (await refusal(clientOf(key).responses.retrieve(id))).code;
    };
    assert.equal(await refusedWith({ permissions: { operations: ['embeddings'] } }), 'permission_denied');
    assert.equal(await refusedWith({ permissions: { models_allow: ['lab/forgetful'] } }), 'model_not_allowed');
    const other = clientOf(await makeKey(1, { permissions: { models_allow: ['lab/other'] } })).responses;
    const asked = upstream.exchanges.length;
    for (const fields of [{ previous_response_id: id }, { input: [{ type: 'item_reference' as const, id: item }] }]) {
      const refused = await refusal(other.create({ model: 'lab/other', input: 'hi', ...fields }));
      assert.deepEqual([refused.status, refused.code], [403, 'model_not_allowed']);
    }
    assert.equal(upstream.exchanges.length, asked);
    const own = await other.create({ model: 'lab/other', input: 'hi' });
    assert.equal(
      (await other.create({ model: 'lab/other', input: 'hi', previous_response_id: own.id })).status,
      'completed',
    );
    const key = await makeKey(1, { limits: { requests_per_minute: 1 } });
    assert.equal((await clientOf(key).responses.retrieve(id)).id, id);
    assert.equal((await refusal(clientOf(key).responses.retrieve('resp_404'))).status, 429);
  });
});

describe('compact', () => {
  test('is held, metered and charged like a call, and its body passes', async () => {
    const first = await create();
    const shortened = await client.responses.compact({
      model: MODEL,
      previous_response_id: first.id,
      instructions: 'be brief',
    });
    assert.equal(shortened.object, 'response.compaction');
    assert.deepEqual(shortened.output, [{ type: 'compaction', id: `cmp_${number}`, encrypted_content: 'opaque' }]);
    const sent = upstream.exchanges.at(-1)?.json;
    assert.deepEqual(sent, { model: 'thinker-1', previous_response_id: first.id, instructions: 'be brief' });
    const record = gateway.records.at(-1);
    assert.equal(record?.operation, 'compact');
    // A window of input at $1, and one of output at $5, a million: the request has no field for a cap.
    assert.equal(record?.hold, 600_000_000n);
    assert.equal(await spent(), 2n * CALL_COST);
  });

  test('is refused where the provider does not have it, and for what another project stored', async () => {
    const elsewhere = await refusal(client.responses.compact({ model: 'lab/forgetful' as never, input: 'x' }));
    assert.deepEqual([elsewhere.status, elsewhere.code], [400, 'unsupported_value']);
    const { id } = await create();
    const foreign = await refusal(
      clientOf(siblings).responses.compact({ model: MODEL as never, previous_response_id: id }),
    );
    assert.equal(foreign.code, 'previous_response_not_found');
    assert.equal(await spent(), CALL_COST);
  });
});

describe('tools that the provider runs', () => {
  test('are held by their limit and charged by use', async () => {
    const tools = [{ type: 'web_search' }, { type: 'code_interpreter', container: { type: 'auto' } }];
    await create({ tools, max_tool_calls: 2 });
    assert.equal(await spent(), CALL_COST + 10_000_000n + 30_000_000n);
    const record = gateway.records.at(-1);
    assert.deepEqual([record?.usage.webSearches, record?.usage.codeContainers], [1, 1]);
    // Three readings of the window, two uses of the most expensive tool, and the cap.
    assert.equal(record?.hold, 3n * 100_000_000n + 2n * 30_000_000n + 5_000_000n);
  });

  for (const [what, tools, fields, message] of [
    ['without a limit', [{ type: 'code_interpreter', container: { type: 'auto' } }], {}, /max_tool_calls/],
    ['without a price', [{ type: 'image_generation' }], { max_tool_calls: 1 }, /image_generation/],
    [
      'with more memory than has a price',
      [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '64g' } }],
      { max_tool_calls: 1 },
      /no price/,
    ],
  ] as const)
    test(`are refused ${what}`, async () => {
      const refused = await refusal(create({ tools, ...fields }));
      assert.equal(refused.status, 400);
      assert.match(refused.message, message);
      assert.equal(await spent(), 0n);
    });
});

test('no secret and no content of a stored response is in the log', () => {
  const log = gateway.log.join('');
  for (const word of [CREDENTIAL, 'answer 1', 'resp_1"']) assert.ok(!log.includes(word), word);
  assert.ok(balance < CREDIT);
});

async function streamed(): Promise<string> {
  let id = '';
  for await (const each of await client.responses.create({ model: MODEL, input: 'hi', stream: true }))
    if (each.type === 'response.completed') id = each.response.id;
  return id;
}
