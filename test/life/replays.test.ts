/**
 * Goal: replayed answers, which nobody pays for, take no more slots and memory than a key's share. Method: a large
 * kept answer that is asked for on many connections, none of which is read.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatBody, OPEN_MODEL, openBench, PATHS, rawCall } from '../support/open-gateway.ts';
import { until } from '../support/turns.ts';
import { openaiBody } from '../support/upstream-scripts.ts';

const PLACES = 64;
const KEPT_BYTES = 900_000;
const REQUESTS = 30;

test('replays that nobody reads leave slots and memory to others', async () => {
  const bench = await openBench({ limits: { inFlightMax: PLACES, memoryBytes: 64 * 1024 * 1024 } });
  const { running, memory } = bench.app.gateway;
  bench.upstream.play((exchange) => exchange.whole(200, openaiBody('word '.repeat(KEPT_BYTES / 5))));
  const keyed = { 'idempotency-key': 'kept' };
  const first = await bench.post(PATHS['openai-chat'], chatBody(false), keyed);
  assert.equal(first.status, 200, await first.text());
  const request = rawCall(bench, 'openai-chat', false).replace('\r\n\r\n', '\r\nIdempotency-Key: kept\r\n\r\n');
  const connections = [];
  for (let number = 0; number < PLACES; number += 1) {
    const connection = await bench.connect();
    connection.socket.pause();
    // Several on each, so that their answers fill what the system keeps for a connection. Some are refused: the share is taken.
    void connection.write(request.repeat(REQUESTS));
    connections.push(connection);
  }
  await until('places to be taken', () => running.count > 4);
  await until('what waits for its caller to be counted', () => memory.used > 0);
  for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(running.count <= PLACES / 2, `${running.count} places are taken`);
  assert.ok(memory.used > 0, 'what waits for its caller stays counted');
  const other = await bench.post(PATHS['openai-chat'], chatBody(false, 'hi', OPEN_MODEL));
  assert.notEqual(other.status, 500);
  await other.text();
  for (const connection of connections) connection.close();
  await until('all to end', () => running.count === 0);
  assert.equal(memory.used, 0);
  await bench.close();
});
