/** Goal: a broken, hostile or absurd body gets a clear refusal and reaches no provider. Method: raw requests, a table. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { headerOf } from '../support/http-reader.ts';
import { statusOf } from '../support/raw-connection.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import {
  type Bench,
  SCRIPTED_CREDENTIAL,
  SCRIPTED_MODEL,
  startGatewayWithUpstream,
} from '../support/start-gateway-with-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';
import {
  assertHealthy,
  type BadCase,
  chatBody,
  goodHeaders,
  MESSAGES,
  messagesBody,
  rawRequest,
  testBadCases,
} from './bad-request.ts';

const MIB = 1024 * 1024;

let bench: Bench;
before(async () => {
  bench = await startGatewayWithUpstream();
});
after(() => bench.stop());

const chat = (what: string, body: string | Buffer, code: string, status = 400): BadCase => ({
  what,
  send: (key) => rawRequest(key, { body }),
  status: [status],
  code,
});
const nested = (depth: number) =>
  `{"model":"${SCRIPTED_MODEL}","messages":[{"role":"user","content":"hi"}],"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const manyFields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, index]));
/** The given bytes inside the user's text. */
const inText = (bytes: readonly number[]) => {
  const [head = '', tail = ''] = chatBody().split('hi');
  return Buffer.concat([Buffer.from(`${head}h`), Buffer.from(bytes), Buffer.from(`i${tail}`)]);
};
const twice = (field: string, value: string) => chatBody({ model: SCRIPTED_MODEL }).replace('{', `{${field}:${value},`);

describe('JSON', () => {
  const broken = [
    '',
    ' ',
    '{',
    '}',
    '{"model"',
    '{"model":}',
    "{'model':1}",
    '{"model":"a",}',
    '{"a":1 "b":2}',
    '{a:1}',
  ];
  const notWhole = ['{"a":NaN}', '{"a":01}', '{"a":tru}', '{"a":1}x', '{"a":1}{"b":2}', '/**/{}'];
  testBadCases(
    () => bench,
    [...broken, ...notWhole].map((body) => chat(`is broken: ${JSON.stringify(body)}`, body, 'invalid_json')),
  );
  testBadCases(
    () => bench,
    ['[]', 'null', '1', '"text"', 'true'].map((body) => ({
      what: `is not an object: ${body}`,
      send: (key: string) => rawRequest(key, { body }),
      status: [400],
    })),
  );
  testBadCases(
    () => bench,
    [
      chat('a continuation byte alone', inText([0x80]), 'invalid_utf8'),
      chat('an overlong form', inText([0xc0, 0xaf]), 'invalid_utf8'),
      chat('a surrogate in bytes', inText([0xed, 0xa0, 0x80]), 'invalid_utf8'),
      chat('a character beyond Unicode', inText([0xf4, 0x90, 0x80, 0x80]), 'invalid_utf8'),
      chat('a character cut short', inText([0xe2, 0x82]), 'invalid_utf8'),
      chat('UTF-16', Buffer.from(chatBody(), 'utf16le'), 'invalid_json'),
      chat('nested 129 deep', nested(128), 'json_too_deep'),
      chat('nested a million levels deep', nested(1_000_000), 'json_too_deep'),
      chat('nested a million levels deep and never closed', `{"x":${'['.repeat(1_000_000)}`, 'json_too_deep'),
      chat('a model twice', twice('"model"', '"demo/echo"'), 'duplicate_key'),
      chat('a model given twice, once with escapes', twice('"\\u006dodel"', '"demo/echo"'), 'duplicate_key'),
      chat('stream twice', chatBody({ stream: false }).replace('{', '{"stream":true,'), 'duplicate_key'),
      chat('max_tokens twice', chatBody({ max_tokens: 5 }).replace('{', '{"max_tokens":9,'), 'duplicate_key'),
      chat('messages twice', twice('"messages"', '[]'), 'duplicate_key'),
    ],
  );
});

describe('values', () => {
  const openai: readonly [string, Readonly<Record<string, unknown>>][] = [
    ['no model', { model: undefined }],
    ['a model that is null', { model: null }],
    ['a model that is a number', { model: 5 }],
    ['a model that is a list', { model: ['demo/echo'] }],
    ['an empty model', { model: '' }],
    ['no messages', { messages: undefined }],
    ['empty messages', { messages: [] }],
    ['messages that are a string', { messages: 'hi' }],
    ['messages that are null', { messages: null }],
    ['max_tokens below zero', { max_tokens: -1 }],
    ['max_tokens with a fraction', { max_tokens: 1.5 }],
    ['max_tokens as a string', { max_tokens: '10' }],
    ['an absurd max_tokens', { max_tokens: 1e30 }],
    ['max_completion_tokens below zero', { max_completion_tokens: -1 }],
    ['n of zero', { n: 0 }],
    ['n of a million', { n: 1_000_000 }],
    ['n as a string', { n: '1' }],
    ['stream as a string', { stream: 'yes' }],
  ];
  testBadCases(
    () => bench,
    [
      ...openai.map(([what, fields]) => ({
        what: `openai: ${what}`,
        send: (key: string) => rawRequest(key, { body: chatBody(fields) }),
        status: [400],
      })),
      ...openai
        .filter(([, fields]) => !('n' in fields || 'max_completion_tokens' in fields))
        .map(([what, fields]) => ({
          what: `anthropic: ${what}`,
          send: (key: string) => rawRequest(key, { path: MESSAGES, body: messagesBody(fields) }),
          status: [400],
        })),
      {
        what: 'anthropic: no max_tokens',
        send: (key) => rawRequest(key, { path: MESSAGES, body: chatBody() }),
        status: [400],
      },
      {
        what: 'max_tokens beyond every number type',
        send: (key) => rawRequest(key, { body: chatBody({ max_tokens: 5 }).replace(':5', ':1e400') }),
        status: [400],
      },
      chat('an unknown model', chatBody({ model: 'nobody/nothing' }), 'model_not_found', 404),
      chat(
        'a model with line breaks in its name',
        chatBody({ model: 'a/b\r\nX-Injected: yes' }),
        'model_not_found',
        404,
      ),
      chat('a model named __proto__', chatBody({ model: '__proto__' }), 'model_not_found', 404),
      chat('a model named constructor', chatBody({ model: 'demo/constructor' }), 'model_not_found', 404),
      {
        what: 'a model of a megabyte',
        send: (key) => rawRequest(key, { body: chatBody({ model: 'x'.repeat(MIB) }) }),
        status: [400, 404],
      },
      {
        what: 'a hundred thousand fields at the top level',
        send: (key) => rawRequest(key, { body: chatBody(manyFields) }),
        status: [400],
      },
    ],
  );

  test('an unknown model gets the closest names, and its text appears in no header', async () => {
    const connection = await bench.gateway.connect();
    const body = chatBody({ model: 'scripted/modle\r\nX-Injected: yes' });
    await connection.write(rawRequest(bench.gateway.key, { body }));
    const answer = await connection.answer();
    assert.ok(answer);
    assert.equal(headerOf(answer, 'x-injected'), null);
    connection.close();
  });
});

describe('addresses and credentials in the body are never used', () => {
  let decoy: ScriptedUpstream;
  before(async () => {
    decoy = await startScriptedUpstream(answerWell);
  });
  after(() => decoy.close());

  const places: readonly [string, (value: unknown, field: string) => object][] = [
    ['at the top level', (value, field) => ({ [field]: value })],
    ['in metadata', (value, field) => ({ metadata: { [field]: value } })],
    ['in a message', (value, field) => ({ messages: [{ role: 'user', content: 'hi', [field]: value }] })],
    ['in extra_body', (value, field) => ({ extra_body: { [field]: value } })],
  ];
  for (const [where, place] of places) {
    for (const field of ['api_base', 'base_url', 'api_key', 'extra_headers']) {
      test(`${field} ${where}`, async () => {
        const value = {
          api_base: decoy.origin,
          base_url: decoy.origin,
          api_key: 'sk-of-somebody',
          extra_headers: { authorization: 'Bearer sk-of-somebody' },
        }[field];
        const called = bench.upstream.exchanges.length;
        const connection = await bench.gateway.connect();
        const body = chatBody({ ...place(value, field) });
        await connection.write(rawRequest(bench.gateway.key, { body }));
        const status = statusOf(await connection.answer());
        connection.close();
        assert.equal(decoy.connections, 0);
        assert.ok(status === 200 || status === 400, `${status}`);
        const [exchange] = bench.upstream.exchanges.slice(called);
        assert.equal(exchange !== undefined, status === 200);
        if (exchange === undefined) return;
        assert.equal(headerOf(exchange.request, 'authorization'), `Bearer ${SCRIPTED_CREDENTIAL}`);
        assert.equal(`http://${headerOf(exchange.request, 'host')}`, bench.upstream.origin);
      });
    }
  }
});

describe('size', () => {
  test('a body declared larger than 32 MiB is refused before it is sent', async () => {
    const connection = await bench.gateway.connect();
    await connection.write(
      rawRequest(bench.gateway.key, { headers: goodHeaders(bench.gateway.key, 33 * MIB), body: '{' }),
    );
    assert.equal(statusOf(await connection.answer()), 413);
    await connection.closed();
    await assertHealthy(bench);
  });

  test('an endless body is cut off at 32 MiB', async () => {
    const connection = await bench.gateway.connect();
    const headers = [...goodHeaders(bench.gateway.key, 0).slice(0, 3), 'Transfer-Encoding: chunked'];
    await connection.write(rawRequest(bench.gateway.key, { headers, body: '' }));
    await connection.write('1\r\n{\r\n6\r\n"user"\r\n2\r\n:"\r\n');
    const content = Buffer.alloc(MIB, 'a');
    const piece = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), content, Buffer.from('\r\n')]);
    let sentMib = 0;
    while (connection.answers.length === 0 && !connection.isClosed && sentMib < 256) {
      await connection.write(piece);
      sentMib += 1;
    }
    assert.equal(statusOf(await connection.answer()), 413);
    await connection.closed();
    // The kernel's buffers hold more than the limit.
    assert.ok(sentMib >= 32 && sentMib <= 48, `${sentMib} MiB were taken`);
    await assertHealthy(bench);
  });

  test('a 10 MiB string and a hundred thousand nested fields pass unchanged', async () => {
    const large = chatBody({ user: 'a'.repeat(10 * MIB) });
    for (const body of [large, chatBody({ metadata: manyFields })]) {
      const called = bench.upstream.exchanges.length;
      const connection = await bench.gateway.connect();
      await connection.write(rawRequest(bench.gateway.key, { body }));
      assert.equal(statusOf(await connection.answer()), 200);
      connection.close();
      const received = bench.upstream.exchanges[called]?.request.body.toString();
      assert.ok(received === body.replace(SCRIPTED_MODEL, 'scripted-1'));
    }
  });

  test('a body that ends before its declared length reaches no provider', async () => {
    const called = bench.upstream.exchanges.length;
    const connection = await bench.gateway.connect();
    const headers = goodHeaders(bench.gateway.key, chatBody().length + 10);
    await connection.write(rawRequest(bench.gateway.key, { headers }));
    connection.socket.end();
    await connection.closed();
    assert.notEqual(statusOf(connection.answers[0] ?? null), 200);
    assert.equal(bench.upstream.exchanges.length, called);
    await assertHealthy(bench);
  });

  test('bytes after a body’s declared length are not a second request', async () => {
    const called = bench.upstream.exchanges.length;
    const connection = await bench.gateway.connect();
    const headers = goodHeaders(bench.gateway.key, 5);
    await connection.write(rawRequest(bench.gateway.key, { headers }));
    await connection.closed();
    assert.ok(connection.answers.every((answer) => statusOf(answer) === 400));
    assert.equal(bench.upstream.exchanges.length, called);
  });
});

test('fields named __proto__ and escaped lone surrogates pass, byte for byte', async () => {
  for (const field of ['"__proto__":{"model":"demo/echo"}', '"constructor":1', '"user":"\\ud800"', '"seed":-0']) {
    const body = chatBody().replace('{', `{${field},`);
    const called = bench.upstream.exchanges.length;
    const connection = await bench.gateway.connect();
    await connection.write(rawRequest(bench.gateway.key, { body }));
    assert.equal(statusOf(await connection.answer()), 200, field);
    connection.close();
    const received = bench.upstream.exchanges[called]?.request.body.toString();
    assert.equal(received, body.replace(SCRIPTED_MODEL, 'scripted-1'));
  }
});
