/** Nodes are killed and not started again: the others go on, and what was lent to the dead ones is back within 150 s. */
import assert from 'node:assert/strict';
import { loadProvider, startPacedProvider } from '../load/paced-provider.ts';
import { pause } from '../load/pause.ts';
import { Cluster } from './cluster.ts';
import { failuresOf, NodeLoad } from './node-load.ts';

const NODES = 4;
const RATE = 40;
const BACK_MS = 150_000;

/** Returns figures; throws at the first violation. `rounds` of three dead nodes each. */
export async function deadNodes(rounds: number): Promise<string> {
  const provider = await startPacedProvider();
  let slowestMs = 0;
  let served = 0;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const cluster = await Cluster.start({
        nodes: NODES,
        file: { demo: false, providers: [loadProvider(provider.origin)] },
      });
      try {
        const took = await killAndWait(cluster);
        slowestMs = Math.max(slowestMs, took.backMs);
        served += took.served;
      } finally {
        await cluster.close();
      }
    }
  } finally {
    await provider.close();
  }
  return `${rounds * (NODES - 1)} nodes killed and left dead: what was lent to them was back after ${(slowestMs / 1_000).toFixed(1)} s at most; 0 of ${served} calls failed at the node that lived`;
}

async function killAndWait(cluster: Cluster): Promise<{ readonly backMs: number; readonly served: number }> {
  const [survivor, ...dead] = cluster.nodes;
  assert.ok(survivor !== undefined);
  const warm = new NodeLoad({ urls: () => cluster.nodes.map(({ url }) => url), keys: [cluster.key], rate: RATE });
  warm.start();
  await pause(3_000);
  await warm.stop();
  const lentTo = () =>
    cluster.inLedger((ledger) => ledger.sum(`select count(*) from leases where granted_nano > spent_nano`));
  assert.ok((await lentTo()) >= BigInt(NODES), 'each node has a share');
  await Promise.all(dead.map((node) => node.kill()));
  const killedAt = performance.now();
  const load = new NodeLoad({ urls: () => [survivor.url], keys: [cluster.key], rate: RATE });
  load.start();
  while ((await lentTo()) > 1n) {
    assert.ok(performance.now() - killedAt < BACK_MS, 'the shares of dead nodes are back within 150 s');
    await pause(500);
  }
  const backMs = performance.now() - killedAt;
  await load.stop();
  assert.equal(load.failures, 0, failuresOf(load));
  await cluster.inLedger((ledger) => ledger.check());
  return { backMs, served: load.made };
}
