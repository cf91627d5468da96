/**
 * A node that runs a batch is stopped, another one is killed, and a third one is lost and comes back: the batch goes on at the other node, and each line
 * is charged once.
 */
import { batchOfLostNode } from './support/nodes/batch-of-lost-node.ts';
import { batchOfTwoNodes } from './support/nodes/batch-of-two-nodes.ts';
import { prove } from './support/prove.ts';

await prove('nodes-batches', async () => {
  const figures = [await batchOfTwoNodes('SIGTERM'), await batchOfTwoNodes('SIGKILL'), await batchOfLostNode()];
  return figures.join('; ');
});
