/** Goal: bodies of one account that wait for the database leave room for those of others. Method: a queue that one account fills. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SealedCapture } from '../../../capture/ports.ts';
import { accountId, newCallId } from '../../../core/ids.ts';
import { WaitingCaptures } from './waiting-captures.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

function captureOf(account: number): SealedCapture {
  return { callId: newCallId(NOON), accountId: accountId(account), expiresAt: NOON, sealed: new Uint8Array(100) };
}

test('an account that fills the queue leaves room for others, and has it again once its bodies are written', () => {
  const waiting = new WaitingCaptures(1_000);
  let flooded = 0;
  while (waiting.add(captureOf(1))) flooded += 1;
  assert.equal(flooded, 5);
  assert.ok(waiting.add(captureOf(2)) && waiting.add(captureOf(3)));
  assert.ok(!waiting.add(captureOf(1)));
  const chunk = new Set(waiting.nextChunk());
  assert.equal(
    waiting.drop((each) => chunk.has(each)),
    7,
  );
  assert.equal(waiting.count, 0);
  assert.ok(waiting.add(captureOf(1)));
});
