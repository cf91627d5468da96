/**
 * Goal: pages of a key's origins, and no others, can read every answer to it; nothing about keys is revealed to anybody else, and programs
 * that are not pages notice nothing. Method: a gateway with keys of several kinds, and every way in which an answer is sent.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newSecret } from '../../src/accounts/secret/key-secret.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { callerDialects } from '../../src/dialects/index.ts';
import { control } from '../support/control.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

const PAGE = 'https://app.example.com';
const PREVIEW = 'https://pr-7.preview.example.com';
const STRANGER = 'https://evil.example';
const LIST = ['HTTPS://App.example.com/', 'https://*.preview.example.com'];

let gateway: OpenGateway;
/** Has `LIST`. */
let listed: Made;
let management: Made;
before(async () => {
  gateway = await openGateway({ demo: true, billing: { mode: 'off' } });
  listed = await make({ name: 'listed', origins: LIST });
  await make({ name: 'other', origins: ['https://other.example'] });
  management = await make({ name: 'management', kind: 'management' });
});
after(() => gateway.close());

interface Made {
  readonly id: number;
  readonly key: string;
  readonly origins: readonly string[] | null;
}

async function make(body: object): Promise<Made> {
  const { status, body: made } = await control(gateway.dataFolder, 'POST', '/control/api/keys', body);
  assert.equal(status, 201, JSON.stringify(made));
  const { data, key } = made as { data: Made; key: string };
  return { id: data.id, key, origins: data.origins };
}

async function change(key: Made, body: object): Promise<void> {
  const { status } = await control(gateway.dataFolder, 'PATCH', `/control/api/keys/${key.id}`, body);
  assert.equal(status, 200);
}

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly key?: string | null;
  readonly origin?: string | null;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const HELLO = { model: 'demo/echo', messages: [{ role: 'user', content: 'hello' }] };

async function ask(asked: Asked): Promise<Response> {
  const { path = '/api/v1/chat/completions', key = listed.key, origin = PAGE, body = HELLO } = asked;
  const method = asked.method ?? 'POST';
  return fetch(gateway.url + path, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(origin !== null && { origin }),
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...asked.headers,
    },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
}

const CORS = ['access-control-allow-origin', 'access-control-expose-headers', 'access-control-allow-credentials'];

function corsOf({ headers }: Response): readonly (string | null)[] {
  return CORS.map((name) => headers.get(name));
}

function assertReadable(answer: Response, origin: string, what: string): void {
  assert.deepEqual(corsOf(answer), [origin, '*', null], what);
  assert.match(answer.headers.get('vary') ?? '', /Origin/, what);
}

function assertSealed(answer: Response, what: string): void {
  assert.deepEqual(corsOf(answer), [null, null, null], what);
}

function preflight(path: string, origin: string | null, headers: Readonly<Record<string, string>> = {}) {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  return fetch(gateway.url + path, {
    method: 'OPTIONS',
    headers: { ...asked, ...(origin !== null && { origin }), ...headers },
  });
}

/** One path of every kind that takes a key. */
const PATHS = [
  ...Object.values(callerDialects).flatMap(({ paths }) =>
    paths.map(({ pattern }) => pattern.replace('{model}', 'demo/echo')),
  ),
  '/v1/chat/completions',
  '/api/v1/responses/resp_1',
  '/api/v1/files',
  '/api/v1/batches',
  '/v1/files/file-1/content',
  '/api/v1/route',
  '/api/v1/models',
  '/v1/models',
  '/v1beta/models',
  '/api/v1/models/demo/echo/endpoints',
  '/api/v1/providers',
  '/api/v1/key',
  '/api/v1/credits',
  '/api/v1/generation?id=gen-1',
];

test('the origins of a key are kept as browsers send them', () => {
  assert.deepEqual(listed.origins, [PAGE, 'https://*.preview.example.com']);
});

test('a preflight of an origin that a key has is answered at every path that takes a key', async () => {
  for (const path of PATHS)
    for (const origin of [PAGE, PREVIEW, 'https://other.example']) {
      const answer = await preflight(path, origin);
      assert.equal(answer.status, 204, path);
      assert.equal(await answer.text(), '');
      const { headers } = answer;
      assert.equal(headers.get('access-control-allow-origin'), origin, path);
      assert.equal(headers.get('access-control-allow-headers'), 'authorization, *');
      assert.equal(headers.get('access-control-allow-methods'), 'GET, POST, DELETE');
      assert.equal(headers.get('access-control-allow-credentials'), null);
      assert.equal(headers.get('vary'), 'Origin');
    }
});

test('a preflight of any other origin is refused in the same way at every path', async () => {
  const answers = new Set<string>();
  for (const path of PATHS)
    for (const origin of [STRANGER, 'null', 'http://app.example.com', 'https://preview.example.com']) {
      const answer = await preflight(path, origin);
      assertSealed(answer, path);
      assert.equal(answer.headers.get('access-control-allow-methods'), null);
      const { error } = JSON.parse(await answer.text());
      answers.add(`${answer.status} ${error.code} ${error.message}`);
    }
  assert.equal(answers.size, 1, [...answers].join('\n'));
  assert.match([...answers][0] ?? '', /^403 origin_not_allowed Pages of this origin cannot call/);
});

test('the dashboard, its API, the management API and the documents answer no preflight', async () => {
  for (const path of [
    '/',
    '/keys',
    '/api/dashboard/session',
    '/api/dashboard/keys',
    '/api/v1/keys',
    '/api/v1/keys/1',
    '/api/v1/projects',
    '/openapi.json',
    '/health',
    '/metrics',
    '/docs',
    '/nowhere',
  ]) {
    const answer = await preflight(path, PAGE);
    assert.ok([401, 404, 405].includes(answer.status), `${path}: ${answer.status}`);
    assertSealed(answer, path);
  }
  const managed = await ask({ path: '/api/v1/keys', method: 'GET', key: management.key });
  assert.equal(managed.status, 200);
  assertSealed(managed, 'the management API');
});

test('an OPTIONS request that is no preflight is refused as before', async () => {
  for (const path of ['/api/v1/chat/completions', '/api/v1/models']) {
    const without = await fetch(gateway.url + path, { method: 'OPTIONS', headers: { origin: PAGE } });
    assert.ok([404, 405].includes(without.status), path);
    assertSealed(without, path);
    assert.ok([404, 405].includes((await preflight(path, null)).status), path);
  }
});

test('a page of the key can read every kind of answer', async () => {
  const answers: [string, Asked, number][] = [
    ['a whole answer', {}, 200],
    ['a stream', { body: { ...HELLO, stream: true } }, 200],
    ['a translated answer', { path: '/v1/messages', body: { ...HELLO, max_tokens: 50 } }, 200],
    ['a translated stream', { path: '/v1/messages', body: { ...HELLO, max_tokens: 50, stream: true } }, 200],
    ['a Responses stream', { path: '/api/v1/responses', body: { model: 'demo/echo', input: 'x', stream: true } }, 200],
    [
      "an answer in Google's format",
      { path: '/v1beta/models/demo/echo:generateContent', body: { contents: [{ parts: [{ text: 'x' }] }] } },
      200,
    ],
    ['a count of tokens', { path: '/v1/messages/count_tokens', body: HELLO }, 200],
    ['a plan', { path: '/api/v1/route' }, 200],
    ['a list of models', { path: '/api/v1/models', method: 'GET' }, 200],
    ['endpoints', { path: '/api/v1/models/demo/echo/endpoints', method: 'GET' }, 200],
    ['the key', { path: '/api/v1/key', method: 'GET' }, 200],
    ['an unknown model', { body: { ...HELLO, model: 'nobody/none' } }, 404],
    ['no JSON', { body: { ...HELLO, messages: 'none' } }, 400],
    ['an unknown stored response', { path: '/api/v1/responses/resp_1', method: 'GET' }, 404],
    ['an unknown generation', { path: '/api/v1/generation?id=gen-1', method: 'GET' }, 404],
    ['an unknown filter', { path: '/api/v1/models?sort=x', method: 'GET' }, 400],
    ['a key in the URL', { path: '/v1beta/models?key=x', method: 'GET' }, 400],
  ];
  for (const [what, asked, status] of answers)
    for (const origin of [PAGE, PREVIEW]) {
      const answer = await ask({ ...asked, origin });
      assert.equal(answer.status, status, `${what}: ${await answer.clone().text()}`);
      assertReadable(answer, origin, what);
      await answer.text();
    }
});

test('an answer that is sent again, and one from the response cache, can be read too', async () => {
  const headers = { 'idempotency-key': 'page-1' };
  for (const replayed of [null, 'true']) {
    const answer = await ask({ headers });
    assert.equal(answer.headers.get('idempotent-replayed'), replayed);
    assertReadable(answer, PAGE, 'a replay');
    await answer.text();
  }
  const cached = { ...HELLO, messages: [{ role: 'user', content: 'for the cache' }] };
  for (const what of ['miss', 'hit']) {
    const answer = await ask({ body: cached, headers: { 'x-turnpike-cache': 'true' } });
    assertReadable(answer, PAGE, what);
    await answer.text();
  }
});

test('a page that the key does not have is refused in the words of the format, without CORS headers', async () => {
  for (const [path, codeOf] of [
    ['/api/v1/chat/completions', (body) => body.error.code],
    ['/api/v1/responses', (body) => body.error.code],
    ['/v1/messages', (body) => body.error.details.code],
    [
      '/v1beta/models/demo/echo:generateContent',
      (body) => body.error.details.find(({ metadata }: { metadata?: object }) => metadata !== undefined).metadata.code,
    ],
    ['/api/v1/route', (body) => body.error.code],
  ] as [string, (body: ReturnType<typeof JSON.parse>) => string][])
    for (const origin of [STRANGER, 'null', 'https://other.example']) {
      const answer = await ask({ path, origin });
      const text = await answer.text();
      assert.equal(answer.status, 403, text);
      assert.equal(codeOf(JSON.parse(text)), 'origin_not_allowed');
      assert.ok(text.includes(origin) && /turnpike keys update/.test(text), text);
      assert.doesNotMatch(text, /app\.example\.com|preview/);
      assertSealed(answer, path);
      assert.match(answer.headers.get('vary') ?? '', /Origin/);
    }
  for (const path of ['/api/v1/models', '/api/v1/key', '/v1/models', '/api/v1/responses/resp_1']) {
    const answer = await ask({ path, method: 'GET', origin: STRANGER });
    assert.equal(answer.status, 403, path);
    assertSealed(answer, path);
    assert.match(await answer.text(), /origin_not_allowed/, path);
  }
});

test('a very long origin is refused and not repeated', async () => {
  const answer = await ask({ origin: `https://${'a'.repeat(5_000)}.example` });
  assert.equal(answer.status, 403);
  assert.ok((await answer.text()).length < 1_500);
});

test('a refused page costs nothing and is not a call', async () => {
  const before = gateway.records.length;
  await (await ask({ origin: STRANGER })).text();
  assert.equal(gateway.records.length, before);
});

test('a program without an origin can use the key, too', async () => {
  for (const asked of [{}, { path: '/api/v1/key', method: 'GET' }]) {
    const answer = await ask({ ...asked, origin: null });
    assert.equal(answer.status, 200);
    assertSealed(answer, 'no origin');
  }
});

test('a key without a list, and a management key, answer requests with an origin as they did, without CORS headers', async () => {
  for (const origin of [PAGE, STRANGER, 'null']) {
    for (const asked of [{}, { body: { ...HELLO, stream: true } }, { path: '/api/v1/models', method: 'GET' }]) {
      const answer = await ask({ ...asked, origin, key: gateway.key });
      assert.equal(answer.status, 200);
      assertSealed(answer, origin);
      await answer.text();
    }
    const answer = await ask({ path: '/api/v1/key', method: 'GET', origin, key: management.key });
    assert.equal(answer.status, 200);
    assertSealed(answer, origin);
  }
});

test('without a valid key, an error can be read by pages of any key and by no others: what the preflight says anyway', async () => {
  const wrong = [null, 'sk-wrong', newSecret().reveal()];
  for (const key of wrong)
    for (const asked of [{}, { path: '/v1/messages' }, { path: '/api/v1/models', method: 'GET' }]) {
      const page = await ask({ ...asked, key });
      assert.equal(page.status, 401);
      assertReadable(page, PAGE, String(key));
      const stranger = await ask({ ...asked, key, origin: STRANGER });
      assert.equal(stranger.status, 401);
      assertSealed(stranger, String(key));
    }
});

test('the list of a key is changed, removed and refused like its other settings, and rotation keeps it', async () => {
  const key = await make({ name: 'changing', origins: ['https://one.example'] });
  const statusOf = async (origin: string) => (await ask({ key: key.key, origin })).status;
  assert.deepEqual([await statusOf('https://one.example'), await statusOf('https://two.example')], [200, 403]);
  await change(key, { origins: ['https://two.example'] });
  assert.deepEqual([await statusOf('https://one.example'), await statusOf('https://two.example')], [403, 200]);
  assert.equal((await preflight('/api/v1/models', 'https://one.example')).status, 403);
  const rotated = await control(gateway.dataFolder, 'POST', `/control/api/keys/${key.id}/rotate`, {});
  const { data, key: secret } = rotated.body as { data: Made; key: string };
  assert.deepEqual(data.origins, ['https://two.example']);
  assert.equal((await ask({ key: secret, origin: 'https://one.example' })).status, 403);
  const successor = { ...key, id: data.id };
  await change(successor, { origins: null });
  // The earlier secret changes with it.
  for (const each of [secret, key.key]) {
    const answer = await ask({ key: each, origin: 'https://one.example' });
    assert.equal(answer.status, 200);
    assertSealed(answer, 'no list');
  }
  assert.equal((await preflight('/api/v1/models', 'https://two.example')).status, 403);
  for (const [body, field] of [
    [{ origins: [] }, 'origins'],
    [{ origins: ['https://a.example/path'] }, 'origins[0]'],
    [{ origins: ['*'] }, 'origins[0]'],
  ] as const) {
    const refused = await control(gateway.dataFolder, 'PATCH', `/control/api/keys/${key.id}`, body);
    assert.equal(refused.status, 400);
    assert.ok(JSON.stringify(refused.body).includes(field), JSON.stringify(refused.body));
  }
  const managed = await control(gateway.dataFolder, 'PATCH', `/control/api/keys/${management.id}`, { origins: LIST });
  assert.equal(managed.status, 400);
});

test('an origin is answered only while one of its keys is valid', async () => {
  const origin = 'https://fleeting.example';
  const status = async () => (await preflight('/api/v1/chat/completions', origin)).status;
  assert.equal(await status(), 403);
  const first = await make({ name: 'first', origins: [origin] });
  const second = await make({ name: 'second', origins: [origin] });
  assert.equal(await status(), 204);
  await change(first, { disabled: true });
  assert.equal(await status(), 204);
  await control(gateway.dataFolder, 'DELETE', `/control/api/keys/${second.id}`);
  assert.equal(await status(), 403);
  await change(first, { disabled: false });
  assert.equal(await status(), 204);
});

test('an origin of expired keys only is refused', async () => {
  const clock = new ManualClock();
  const own = await openGateway({ demo: true }, { clock });
  try {
    const expires = new Date(clock.now() + 60_000).toISOString();
    const { status } = await control(own.dataFolder, 'POST', '/control/api/keys', {
      origins: [PAGE],
      expires_at: expires,
    });
    assert.equal(status, 201);
    const asked = { origin: PAGE, 'access-control-request-method': 'GET' };
    const options = () => fetch(`${own.url}/api/v1/models`, { method: 'OPTIONS', headers: asked });
    assert.equal((await options()).status, 204);
    clock.advance(61_000);
    assert.equal((await options()).status, 403);
  } finally {
    await own.close();
  }
});
