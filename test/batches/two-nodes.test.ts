/**
 * Goal: when a node is stopped in the middle of a batch, another one goes on. Method: that of `npm run prove -- nodes-batches`, which also kills the
 * node; that takes minutes, because its leases must be over first.
 */
import { test } from 'node:test';
import { batchOfTwoNodes } from '../prove/support/nodes/batch-of-two-nodes.ts';

test('a batch of a node that is stopped is ended by another', { timeout: 200_000 }, async (context) => {
  context.diagnostic(await batchOfTwoNodes('SIGTERM'));
});
