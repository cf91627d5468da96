/** Keys are revoked at one of four nodes; how long until every node refuses them, with calls going on at all. */
import assert from 'node:assert/strict';
import { createKey, revokeKey } from '../../../support/control.ts';
import { pause } from '../load/pause.ts';
import { between, seeded } from '../seeded.ts';
import { Cluster, type ClusterNode } from './cluster.ts';

const NODES = 4;
/** From the answer to the revocation until the last node refuses the key. */
const ALLOWED_P99_MS = 1_000;
const ASKED_EVERY_MS = 5;

export interface RevokeOptions {
  readonly trials: number;
  /** Whether notifications reach the nodes; otherwise they learn of changes by their pulse alone. */
  readonly notified: boolean;
  readonly seed: number;
}

/** Returns figures; throws if a key works for too long, or does not work at once at another node when it is made. */
export async function revokeNodes({ trials, notified, seed }: RevokeOptions): Promise<string> {
  const random = seeded(seed);
  // A revoked key is an invalid one: all come from one address here.
  const cluster = await Cluster.start({ nodes: NODES, file: { demo: true, limits: { badKeysBurst: 100_000 } } });
  const times: number[] = [];
  try {
    if (!notified) await cluster.execute('drop trigger wake on changes');
    for (let trial = 1; trial <= trials; trial += 1) {
      const at = cluster.nodes[between(random, 0, NODES - 1)];
      assert.ok(at !== undefined);
      const name = `trial-${trial}`;
      const key = await createKey(at.installation.dataFolder, name);
      for (const node of cluster.nodes)
        assert.equal(await statusOf(node, key), 200, `a new key works at ${node.name} at once`);
      await revokeKey(at.installation.dataFolder, name);
      const revokedAt = performance.now();
      await Promise.all(cluster.nodes.map((node) => untilRefused(node, key)));
      times.push(performance.now() - revokedAt);
    }
  } finally {
    await cluster.close();
  }
  times.sort((one, other) => one - other);
  const p99 = times[Math.ceil(times.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY;
  assert.ok(p99 <= ALLOWED_P99_MS, `p99 is ${p99.toFixed(0)} ms`);
  const p50 = times[Math.ceil(times.length / 2) - 1] ?? 0;
  return `${trials} revocations at ${NODES} nodes ${notified ? 'with' : 'without'} notifications: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, at most ${(times.at(-1) ?? 0).toFixed(0)} ms`;
}

async function untilRefused(node: ClusterNode, key: string): Promise<void> {
  for (;;) {
    const status = await statusOf(node, key);
    if (status === 401) return;
    assert.equal(status, 200);
    await pause(ASKED_EVERY_MS);
  }
}

async function statusOf(node: ClusterNode, key: string): Promise<number> {
  const answer = await fetch(`${node.url}/api/v1/key`, { headers: { authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  return answer.status;
}
