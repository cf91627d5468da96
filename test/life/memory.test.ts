/**
 * Goal: bodies take no more memory than they may, and calls of others go on meanwhile. Method: more large bodies of one key than
 * there is memory for, sent at once to the program as a process of its own; in full size as `npm run prove -- memory`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodiesAtOnce, bodiesHold, describeBodies } from '../prove/support/bodies-at-once.ts';

const MIB = 1024 * 1024;
const size = { bodies: 24, bodyBytes: 16 * MIB, memoryBytes: 256 * MIB };

for (const stalled of [false, true]) {
  test(`many large bodies at once, ${stalled ? 'stalled' : 'whole'}, take their share of the memory`, async (context) => {
    const outcome = await bodiesAtOnce({ ...size, stalled });
    context.diagnostic(describeBodies(outcome));
    assert.equal(bodiesHold(outcome, size), null);
  });
}
