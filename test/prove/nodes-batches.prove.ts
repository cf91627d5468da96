/** A node that runs a batch is stopped, and another one is killed: the batch goes on at the other node, and each line is charged once. */
import { batchOfTwoNodes } from './support/nodes/batch-of-two-nodes.ts';
import { prove } from './support/prove.ts';

await prove('nodes-batches', async () => {
  const figures = [await batchOfTwoNodes('SIGTERM'), await batchOfTwoNodes('SIGKILL')];
  return figures.join('; ');
});
