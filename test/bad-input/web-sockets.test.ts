/**
 * Goal: a WebSocket is refused at once, at any path and with any key, so that clients use HTTP, and other calls go on. Method: raw sockets
 * to the gateway in process.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type OpenBench, openBench } from '../support/open-gateway.ts';
import { statusOf } from '../support/raw-connection.ts';
import { rawRequest } from './bad-request.ts';

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: eA=='];

function head(path: string, lines: readonly string[], method = 'GET'): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: gateway.test', ...lines].join('\r\n')}\r\n\r\n`;
}

const PATHS = [
  ...['/v1/responses', '/api/v1/responses?x=1', '/v1/chat/completions', '/v1/messages', '/v1/realtime'],
  ...['/', '/api/v1/models', '/api/dashboard/x', '/health/live', '/nowhere'],
];

test('a WebSocket is refused with 426 at every path, with a key or without, and the connection is closed', async () => {
  for (const path of PATHS) {
    for (const key of [[], [`Authorization: Bearer ${bench.key}`], ['Authorization: Bearer junk']]) {
      const connection = await bench.connect();
      await connection.write(head(path, [...UPGRADE, ...key]));
      const answer = await connection.answer();
      await connection.closed();
      assert.equal(statusOf(answer), 426, path);
      const { error } = JSON.parse(answer?.body.toString() ?? '');
      assert.equal(error.code, 'websocket_not_supported', path);
      assert.equal(error.type, 'invalid_request_error', path);
      assert.equal(connection.leftover.length, 0);
    }
  }
  assert.equal(bench.calls.length, 0, 'it is not a call');
  assert.equal(bench.records.length, 0);
  assert.equal(bench.upstream.exchanges.length, 0);
});

test('the refusal has the format of the client, and frames sent with the upgrade are ignored', async () => {
  const connection = await bench.connect();
  const frames = Buffer.from([0x81, 0x85, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await connection.write(
    Buffer.concat([Buffer.from(head('/v1/messages', [...UPGRADE, 'anthropic-version: 2023-06-01'])), frames]),
  );
  const answer = await connection.answer();
  await connection.closed();
  assert.equal(connection.answers.length, 1);
  assert.equal(statusOf(answer), 426);
  const body = JSON.parse(answer?.body.toString() ?? '');
  assert.equal(body.type, 'error');
  assert.equal(body.error.details.code, 'websocket_not_supported');
});

test('a call before it on the connection is answered first', async () => {
  const connection = await bench.connect();
  await connection.write(Buffer.concat([rawRequest(bench.key), Buffer.from(head('/v1/responses', UPGRADE))]));
  await connection.answer(2);
  await connection.closed();
  assert.deepEqual(connection.answers.map(statusOf), [200, 426]);
});

test('a thousand of them leave no connection open', async () => {
  const before = openSockets();
  for (let round = 0; round < 10; round++) {
    const all = await Promise.all(Array.from({ length: 100 }, () => bench.connect()));
    await Promise.all(all.map((connection) => connection.write(head('/v1/responses', UPGRADE))));
    await Promise.all(all.map((connection) => connection.closed()));
    assert.deepEqual([...new Set(all.map(({ answers: [answer] }) => statusOf(answer ?? null)))], [426]);
  }
  await setImmediate();
  assert.equal(openSockets(), before);
});

test('an upgrade to HTTP/2, which is optional, is served in HTTP/1.1', async () => {
  const connection = await bench.connect();
  const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
  await connection.write(head('/health/live', h2c));
  assert.equal(statusOf(await connection.answer()), 200);
  await connection.write(rawRequest(bench.key, { more: h2c }));
  assert.equal(statusOf(await connection.answer(2)), 200);
  connection.close();
});

/** Of the whole process: the gateway and its callers. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}
