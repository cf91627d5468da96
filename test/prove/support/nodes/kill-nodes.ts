/**
 * Load on four nodes of the real program, `kill -9` at random moments: most start again at once, some later with their journal, some lose
 * it. After each round, what callers and provider saw and what the shared ledger says agree.
 */
import assert from 'node:assert/strict';
import { audit } from '../audit.ts';
import { Callers, type CallLog, countUp } from '../numbered-calls.ts';
import { numberedProviders, startNumberedProvider } from '../numbered-provider.ts';
import { between, seeded } from '../seeded.ts';
import { Cluster, type ClusterNode } from './cluster.ts';

const NODES = 4;
const CALLERS_OF_A_NODE = 8;
const STAYING = 4;
const EVENTS_MAX = 800;
const ENDINGS = new Set(['complete', 'gateway_crashed'] as const);
/** A node that starts again has its shares back within this time of its start. */
const BACK_MS = 5_000;

export interface KillOptions {
  readonly kills: number;
  /** What part of the killed nodes loses its disk. */
  readonly diskLost: number;
  readonly seed: number;
}

/** Returns figures; throws at the first violation. */
export async function killNodes({ kills, diskLost, seed }: KillOptions): Promise<string> {
  const random = seeded(seed);
  const provider = await startNumberedProvider();
  const cluster = await Cluster.start({
    nodes: NODES,
    file: { demo: false, providers: numberedProviders(provider.origin), billing: { firstRunCredit: '1000000' } },
  });
  const log: CallLog[] = [];
  const numbers = countUp();
  const lost = { disks: 0 };
  let killed = 0;
  let slowestBackMs = 0;
  try {
    while (killed < kills) {
      await Promise.all(
        cluster.nodes.map(async (node) => {
          await loadUntilKilled(node, cluster.key, { random, numbers, log });
          killed += 1;
          const losesDisk = random() < diskLost;
          if (losesDisk) {
            lost.disks += 1;
            await node.loseDisk();
          }
          const startedAt = performance.now();
          await node.start();
          if (!losesDisk) slowestBackMs = Math.max(slowestBackMs, performance.now() - startedAt);
        }),
      );
      if (killed % 100 < NODES) await check(cluster, log, provider.served);
    }
    for (const node of cluster.nodes)
      assert.equal(await node.stop(), 0, `${node.name} ends in order:\n${node.server.printed()}`);
    await check(cluster, log, provider.served);
    const totals = await cluster.inLedger((ledger) => ledger.check());
    if (diskLost === 0) assert.equal(totals.lent, 0n, 'nothing is lent once all nodes have ended');
    assert.ok(slowestBackMs <= BACK_MS, `a node was back after ${slowestBackMs} ms`);
    const whole = log.filter(({ complete }) => complete).length;
    return (
      `${killed} kills over ${NODES} nodes, ${lost.disks} with the disk, ${log.length} calls, ${whole} seen whole, ` +
      `0 lost, 0 double, node loss ${totals.nodeLoss} nano-USD, slowest start ${slowestBackMs.toFixed(0)} ms`
    );
  } finally {
    await cluster.close();
    await provider.close();
  }
}

interface Load {
  readonly random: () => number;
  readonly numbers: Iterator<number>;
  readonly log: CallLog[];
}

/** Calls until a random moment, at which the node is killed. */
async function loadUntilKilled(node: ClusterNode, key: string, load: Load): Promise<void> {
  const { url, server } = node;
  let eventsLeft = between(load.random, 1, EVENTS_MAX);
  const onProgress = () => {
    eventsLeft -= 1;
    if (eventsLeft === 0) void node.kill();
  };
  await new Callers({ ...load, url, key, onProgress, staying: STAYING }).run(CALLERS_OF_A_NODE, () => true);
  await server.gone;
  assert.equal(server.process.signalCode, 'SIGKILL', `${node.name} ended by itself:\n${server.printed()}`);
}

/** Everything that nodes had settled is in the database once they have forwarded it. */
async function check(
  cluster: Cluster,
  calls: readonly CallLog[],
  served: Parameters<typeof audit>[0]['served'],
): Promise<void> {
  await cluster.untilForwarded(30_000);
  await cluster.inLedger(async (ledger) => {
    await ledger.check();
    const logs = { calls, served, settled: await ledger.settlements(), stored: await ledger.stored() };
    audit(logs, ENDINGS);
  });
}
