/**
 * Goal: bodies take no more memory than allowed, and other callers' calls continue meanwhile. Method: more large bodies of one key than
 * there is memory for, sent at once to the program as a process of its own; in full size as `npm run prove -- memory`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, KeyId } from '../../src/core/ids.ts';
import { bodiesAtOnce, bodiesHold, describeBodies } from '../prove/support/bodies-at-once.ts';
import { headerOf } from '../support/http-reader.ts';
import { chatBody, DIALECTS, errorCode, openBench, PATHS, rawCall } from '../support/open-gateway.ts';
import { statusOf } from '../support/raw-connection.ts';

const MIB = 1024 * 1024;
const size = { bodies: 12, bodyBytes: 16 * MIB, memoryBytes: 256 * MIB };

for (const stalled of [false, true]) {
  test(`many large bodies at once, ${stalled ? 'stalled' : 'whole'}, take their share of the memory`, async (context) => {
    const outcome = await bodiesAtOnce({ ...size, stalled });
    context.diagnostic(describeBodies(outcome));
    assert.equal(bodiesHold(outcome, size), null);
  });
}

for (const dialect of DIALECTS) {
  test(`${dialect}: a body for which there is no memory gets a 503 with Retry-After, and its connection is closed`, async () => {
    const bench = await openBench({ limits: { memoryBytes: MIB } });
    try {
      const { memory } = bench.app.gateway;
      const others = [1, 2, 3].map((id) => memory.open(id as AccountId, (1000 + id) as KeyId));
      for (const other of others) other.take(100_000);
      const connection = await bench.connect();
      await connection.write(rawCall(bench, dialect, false, 'x'.repeat(250_000)));
      const answer = await connection.answer();
      assert.ok(answer);
      assert.equal(statusOf(answer), 503);
      assert.equal(errorCode(JSON.parse(answer.body.toString())), 'overloaded');
      assert.match(headerOf(answer, 'retry-after') ?? '', /^[1-9]/);
      assert.equal(headerOf(answer, 'connection'), 'close');
      assert.equal(bench.upstream.exchanges.length, 0);
      connection.close();
      for (const other of others) other.release();
      const large = await bench.post(PATHS[dialect], chatBody(false, 'x'.repeat(200_000)));
      assert.equal(large.status, 200, await large.text());
      assert.equal(memory.used, 0);
    } finally {
      await bench.close();
    }
  });
}
