/**
 * Goal: no request that two parsers could read differently is answered twice, or reaches a provider.
 * Method: C16 of the fault table; each case is followed by a second, harmless request on the same connection; at most one
 * answer may come.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultRow } from '../faults/rows/fault-row.ts';
import { inLedger } from '../prove/support/ledger-file.ts';
import { statusOf } from '../support/raw-connection.ts';
import { type Bench, startGatewayWithUpstream } from '../support/start-gateway-with-upstream.ts';
import { assertHealthy, CHAT, chatBody, goodHeaders, rawRequest } from './bad-request.ts';

let bench: Bench;
before(async () => {
  bench = await startGatewayWithUpstream();
});
after(() => bench.stop());

const body = chatBody();
const head = (key: string) => goodHeaders(key, body.length).slice(0, 3);
const lines =
  (...headers: string[]) =>
  (key: string) =>
    rawRequest(key, { headers: [...head(key), ...headers], body });
const length = `Content-Length: ${body.length}`;
const chunkedBody = (framing: string) => (key: string) =>
  rawRequest(key, { headers: [...head(key), 'Transfer-Encoding: chunked'], body: framing });
const size = body.length.toString(16);
const startLine = (line: string) => (key: string) =>
  Buffer.from(`${line}\r\n${goodHeaders(key, body.length).join('\r\n')}\r\n\r\n${body}`);

const cases: readonly [string, (key: string) => Buffer][] = [
  ['a length and chunks', lines(length, 'Transfer-Encoding: chunked')],
  ['chunks and a length', lines('Transfer-Encoding: chunked', length)],
  ['a length of 0 and chunks', lines('Content-Length: 0', 'Transfer-Encoding: chunked')],
  ['two lengths that differ', lines(length, 'Content-Length: 1')],
  ['two lengths that agree', lines(length, length)],
  ['a list of lengths', lines(`Content-Length: ${body.length}, ${body.length}`)],
  ['a length with a sign', lines(`Content-Length: +${body.length}`)],
  ['a length below zero', lines('Content-Length: -1')],
  ['a length in hexadecimal', lines('Content-Length: 0x10')],
  ['a length of two numbers', lines('Content-Length: 5 5')],
  ['an empty length', lines('Content-Length:')],
  ['a length beyond 64 bits', lines('Content-Length: 99999999999999999999')],
  ['the coding identity', lines(length, 'Transfer-Encoding: identity')],
  ['chunked twice', lines('Transfer-Encoding: chunked, chunked')],
  ['gzip and chunked', lines('Transfer-Encoding: gzip, chunked')],
  ['chunked and gzip', lines('Transfer-Encoding: chunked, gzip')],
  ['two headers of coding', lines('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')],
  ['two headers of coding that differ', lines('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')],
  ['an unknown coding', lines('Transfer-Encoding: xchunked')],
  ['chunked in quotes', lines('Transfer-Encoding: "chunked"')],
  ['a space before the colon', lines('Transfer-Encoding : chunked', length)],
  ['a vertical tab before chunked', lines('Transfer-Encoding: \x0bchunked', length)],
  ['a folded header', lines(length, 'X-Folded: a', ' b')],
  ['a folded coding', lines(length, 'Transfer-Encoding:', ' chunked')],
  [
    'chunks over HTTP/1.0',
    (key) =>
      rawRequest(key, {
        version: '1.0',
        headers: [...head(key), 'Transfer-Encoding: chunked'],
        body: `${size}\r\n${body}\r\n0\r\n\r\n`,
      }),
  ],
  ['lines ended by LF alone', (key) => Buffer.from(rawRequest(key).toString().replaceAll('\r\n', '\n'))],
  [
    'one line ended by LF alone',
    (key) => Buffer.from(rawRequest(key).toString().replace('\r\nAuthorization', '\nAuthorization')),
  ],
  ['lines ended by CR alone', (key) => Buffer.from(rawRequest(key).toString().replaceAll('\r\n', '\r'))],
  ['a chunk size beyond 64 bits', chunkedBody(`fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk size below zero', chunkedBody(`-1\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk size with 0x', chunkedBody(`0x${size}\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk size with a space before it', chunkedBody(` ${size}\r\n${body}\r\n0\r\n\r\n`)],
  ['an empty chunk size', chunkedBody(`\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk longer than its size', chunkedBody(`1\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk without its line end', chunkedBody(`${size}\r\n${body}0\r\n\r\n`)],
  ['a chunk size ended by LF alone', chunkedBody(`${size}\n${body}\r\n0\r\n\r\n`)],
  ['a chunk ended by LF alone', chunkedBody(`${size}\r\n${body}\n0\r\n\r\n`)],
  ['a chunk extension with LF in it', chunkedBody(`${size};a\nb\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk extension of 32 KiB', chunkedBody(`${size};${'a'.repeat(32 * 1024)}\r\n${body}\r\n0\r\n\r\n`)],
  ['an absolute URL as the target', startLine(`POST http://elsewhere.test${CHAT} HTTP/1.1`)],
  ['a host as the target', startLine('CONNECT elsewhere.test:443 HTTP/1.1')],
  ['a target without a slash', startLine('POST api/v1/chat/completions HTTP/1.1')],
  ['a tab in the first line', startLine(`POST\t${CHAT} HTTP/1.1`)],
  ['an unknown version', startLine(`POST ${CHAT} HTTP/3.7`)],
  ['a method in lower case', startLine(`post ${CHAT} HTTP/1.1`)],
  ['an unknown method', startLine(`SMUGGLE ${CHAT} HTTP/1.1`)],
  ['the preface of HTTP/2', () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  ['TRACE', startLine('TRACE / HTTP/1.1')],
  ['a TLS greeting', () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
];

const SECOND = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const REFUSALS: readonly (number | null)[] = [null, 400, 404, 405, 413, 426, 431, 501, 505];

faultRow('C16', import.meta.filename, async (row, context) => {
  for (const [what, send] of cases) {
    await context.test(`${what}: refused once, and closed`, async () => {
      const called = bench.upstream.exchanges.length;
      const connection = await bench.gateway.connect();
      void connection.write(Buffer.concat([send(bench.gateway.key), Buffer.from(SECOND)]));
      await connection.answer();
      // Connections that the gateway left open are closed here, so that nothing waits for them.
      connection.socket.end();
      await connection.closed();
      const statuses = connection.answers.map(statusOf);
      assert.ok(statuses.length <= 1, `answered ${statuses.length} times: ${statuses.join(', ')}`);
      assert.ok(REFUSALS.includes(statuses[0] ?? null), `${statuses[0]}`);
      assert.equal(bench.upstream.exchanges.length, called, 'no provider was called');
      await assertHealthy(bench);
    });
  }
  const { settlements, openHolds } = inLedger(bench.gateway.dataFolder, (file) => file.check());
  assert.deepEqual([settlements, openHolds], [0, 0]);
  row.note('one refusal (4xx, 501 or 505) or none, and a closed connection', 'L0');
});

// The parser takes a first line without a version for HTTP/0.9, which has neither headers nor framing.
test('a request of HTTP/0.9 is refused, and closed', async () => {
  const called = bench.upstream.exchanges.length;
  const connection = await bench.gateway.connect();
  await connection.write(startLine(`POST ${CHAT}`)(bench.gateway.key));
  await connection.closed();
  assert.deepEqual(connection.answers.map(statusOf), [400]);
  assert.equal(bench.upstream.exchanges.length, called, 'no provider was called');
});

test('OPTIONS * and an offer to upgrade to HTTP/2 do no harm', async () => {
  for (const bytes of [
    'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
  ]) {
    const connection = await bench.gateway.connect();
    await connection.write(bytes);
    const status = statusOf(await connection.answer());
    assert.ok([null, 200, 400, 404, 405, 426].includes(status), `${status}`);
    connection.close();
    await assertHealthy(bench);
  }
});

test('a chunked body that is well formed is served, extensions, trailers and all', async () => {
  const half = body.slice(0, 10);
  const rest = body.slice(10);
  const framing = `a;note=1\r\n${half}\r\n${rest.length.toString(16)}\r\n${rest}\r\n0\r\nX-Trailer: t\r\n\r\n`;
  const connection = await bench.gateway.connect();
  await connection.write(chunkedBody(framing)(bench.gateway.key));
  assert.equal(statusOf(await connection.answer()), 200);
  connection.close();
});
