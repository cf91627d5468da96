/** Goal: missing, repeated, too many or too large headers get a clear refusal. Method: raw requests, a table. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newSecret } from '../../src/accounts/secret/key-secret.ts';
import { createKey, revokeKey } from '../support/control.ts';
import { headerOf } from '../support/http-reader.ts';
import { statusOf } from '../support/raw-connection.ts';
import { type Bench, startGatewayWithUpstream } from '../support/start-gateway-with-upstream.ts';
import {
  type BadCase,
  chatBody,
  goodHeaders,
  MESSAGES,
  messagesBody,
  rawRequest,
  testBadCases,
} from './bad-request.ts';

let bench: Bench;
before(async () => {
  bench = await startGatewayWithUpstream();
});
after(() => bench.stop());

const length = Buffer.byteLength(chatBody());
const withHeaders = (change: (headers: string[], key: string) => string[]) => (key: string) =>
  rawRequest(key, { headers: change(goodHeaders(key, length), key) });
const without = (name: string) => withHeaders((headers) => headers.filter((line) => !line.startsWith(`${name}:`)));
const credential = (...lines: string[]) =>
  withHeaders((headers) => [...headers.filter((line) => !line.startsWith('Authorization:')), ...lines]);
const more = (...lines: string[]) => withHeaders((headers) => [...headers, ...lines]);
const stranger = newSecret().reveal();

describe('credentials', () => {
  const missing: readonly [string, string[]][] = [
    ['no credential', []],
    ['an empty Authorization', ['Authorization:']],
    ['Bearer without a key', ['Authorization: Bearer ']],
    ['another scheme', ['Authorization: Basic dXNlcjpwYXNz']],
    ['an empty X-API-Key', ['X-API-Key:']],
    ['junk', ['Authorization: Bearer junk']],
    ['an unknown key', [`Authorization: Bearer ${stranger}`]],
    ['an unknown key with a broken checksum', [`X-API-Key: ${stranger.slice(0, -1)}${stranger.endsWith('0') ? 1 : 0}`]],
    ['a key of ten thousand characters', [`X-API-Key: sk-tp-${'a'.repeat(10_000)}`]],
    ['two unknown keys', [`Authorization: Bearer ${stranger}`, `X-API-Key: ${newSecret().reveal()}`]],
  ];
  testBadCases(
    () => bench,
    missing.map(([what, lines]) => ({ what, send: credential(...lines), status: [401], code: 'invalid_api_key' })),
  );

  test('a 401 says how to authenticate, in the route’s format', async () => {
    for (const [path, body] of [
      [undefined, chatBody()],
      [MESSAGES, messagesBody()],
    ] as const) {
      const connection = await bench.gateway.connect();
      const headers = ['Host: x', 'Content-Type: application/json', `Content-Length: ${body.length}`];
      await connection.write(rawRequest('', { headers, body, ...(path !== undefined && { path }) }));
      const answer = await connection.answer();
      assert.ok(answer);
      assert.equal(statusOf(answer), 401);
      assert.match(headerOf(answer, 'www-authenticate') ?? '', /^Bearer/);
      const told = JSON.parse(answer.body.toString());
      assert.equal(told.type, path === undefined ? undefined : 'error');
      assert.match(headerOf(answer, path === undefined ? 'x-request-id' : 'request-id') ?? '', /^req_/);
      connection.close();
    }
  });

  const accepted: readonly [string, (key: string) => string[]][] = [
    ['the key in Authorization', (key) => [`Authorization: Bearer ${key}`]],
    ['the scheme in any case', (key) => [`authorization: bEaReR ${key}`]],
    ['the key in X-API-Key', (key) => [`X-API-Key: ${key}`]],
    ['the same key in both headers', (key) => [`Authorization: Bearer ${key}`, `X-API-Key: ${key}`]],
    ['one valid and one not', (key) => [`Authorization: Bearer ${stranger}`, `X-API-Key: ${key}`]],
    ['one valid and one of another scheme', (key) => ['Authorization: Basic eA==', `X-API-Key: ${key}`]],
    ['a header named __proto__ next to it', (key) => [`X-API-Key: ${key}`, '__proto__: x', 'constructor: y']],
  ];
  for (const [what, lines] of accepted) {
    test(`${what} is accepted`, async () => {
      const connection = await bench.gateway.connect();
      await connection.write(credential(...lines(bench.gateway.key))(bench.gateway.key));
      assert.equal(statusOf(await connection.answer()), 200);
      connection.close();
    });
  }
});

test('two different valid keys are refused, until one of them is revoked', async () => {
  const second = await createKey(bench.gateway.dataFolder, 'second');
  const send = async () => {
    const connection = await bench.gateway.connect();
    const both = credential(`Authorization: Bearer ${bench.gateway.key}`, `X-API-Key: ${second}`);
    await connection.write(both(bench.gateway.key));
    const answer = await connection.answer();
    connection.close();
    return answer;
  };
  const refused = await send();
  assert.equal(statusOf(refused), 400);
  assert.equal(JSON.parse(refused?.body.toString() ?? '').error.code, 'conflicting_credentials');
  await revokeKey(bench.gateway.dataFolder, 'second');
  assert.equal(statusOf(await send()), 200);
});

describe('headers', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: y`);
  const cases: readonly BadCase[] = [
    { what: 'no headers at all', send: (key) => rawRequest(key, { headers: [] }), status: [400], closes: true },
    { what: 'no Host', send: without('Host'), status: [400], closes: true },
    {
      what: 'Authorization twice',
      send: withHeaders((headers, key) => [...headers, `Authorization: Bearer ${key}`]),
      status: [400],
      code: 'duplicate_header',
    },
    {
      what: 'X-API-Key twice',
      send: withHeaders((headers, key) => [...headers, `X-API-Key: ${key}`, `x-api-key: ${key}`]),
      status: [400],
      code: 'duplicate_header',
    },
    { what: 'Host twice', send: more('Host: other.test'), status: [400] },
    { what: 'Content-Type twice', send: more('Content-Type: text/plain'), status: [400] },
    { what: '101 headers', send: more(...many(97)), status: [431], code: 'headers_too_large' },
    { what: '1,000 headers', send: more(...many(996)), status: [431], code: 'headers_too_large' },
    { what: '10,000 headers', send: more(...many(9_996)), status: [431], code: 'headers_too_large', closes: true },
    {
      what: 'a header of 17 KiB',
      send: more(`X-Large: ${'a'.repeat(17 * 1024)}`),
      status: [431],
      code: 'headers_too_large',
      closes: true,
    },
    {
      what: 'an address of 17 KiB',
      send: (key) => rawRequest(key, { path: `/${'a'.repeat(17 * 1024)}` }),
      status: [431, 414],
      closes: true,
    },
    {
      what: 'a body that is not JSON by its type',
      send: withHeaders((headers) =>
        headers.map((line) => (line.startsWith('Content-Type') ? 'Content-Type: text/plain' : line)),
      ),
      status: [415],
      code: 'unsupported_media_type',
    },
    {
      what: 'a form',
      send: withHeaders((headers) =>
        headers.map((line) =>
          line.startsWith('Content-Type') ? 'Content-Type: multipart/form-data; boundary=x' : line,
        ),
      ),
      status: [415],
      code: 'unsupported_media_type',
    },
    { what: 'a compressed body', send: more('Content-Encoding: gzip'), status: [415], code: 'unsupported_media_type' },
    { what: 'an unknown expectation', send: more('Expect: a-miracle'), status: [417], code: 'expectation_failed' },
    { what: 'a NUL in a header', send: more('X-Bad: a\0b'), status: [400], closes: true },
    { what: 'a bare CR in a header', send: more('X-Bad: a\rb'), status: [400], closes: true },
    { what: 'a header without a colon', send: more('X-Bad'), status: [400], closes: true },
    { what: 'a header without a name', send: more(': x'), status: [400], closes: true },
    { what: 'a space in a header name', send: more('X Bad: x'), status: [400], closes: true },
  ];
  testBadCases(() => bench, cases);

  test('exactly 100 headers are accepted', async () => {
    const connection = await bench.gateway.connect();
    await connection.write(more(...many(96))(bench.gateway.key));
    assert.equal(statusOf(await connection.answer()), 200);
    connection.close();
  });

  test("ids in the answer are the gateway's, whatever the caller sends", async () => {
    const connection = await bench.gateway.connect();
    await connection.write(more('X-Request-Id: mine', 'X-Generation-Id: mine')(bench.gateway.key));
    const answer = await connection.answer();
    assert.ok(answer);
    assert.match(headerOf(answer, 'x-request-id') ?? '', /^req_[0-9a-z]{26}$/);
    assert.match(headerOf(answer, 'x-generation-id') ?? '', /^gen-[0-9a-z]{26}$/);
    connection.close();
  });
});
