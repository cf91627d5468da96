/** Valkey is killed, hung, slow and emptied under load: no call fails, and no limit lets more through than it says. */
import assert from 'node:assert/strict';
import { control } from '../../../support/control.ts';
import { startRedis } from '../../../support/redis-server.ts';
import { loadProvider, startPacedProvider } from '../load/paced-provider.ts';
import { pause } from '../load/pause.ts';
import { Cluster } from './cluster.ts';
import { failuresOf, NodeLoad } from './node-load.ts';

const NODES = 4;
const RATE = 80;
const LIMIT = 200;
/** What the other nodes may admit in one period of the exchange, at the rate of the load. */
const OVERSHOOT = Math.ceil((RATE * (NODES - 1)) / NODES / 10) + NODES;

/** Returns figures; throws at the first violation. */
export async function valkeyDown(eachMs: number): Promise<string> {
  const provider = await startPacedProvider();
  const redis = await startRedis();
  const cluster = await Cluster.start({
    nodes: NODES,
    file: { demo: false, providers: [loadProvider(provider.origin)] },
    environment: { VALKEY_URL: redis.url },
  });
  const urls = () => cluster.nodes.map(({ url }) => url);
  const load = new NodeLoad({ urls, keys: [cluster.key], rate: RATE });
  let again: Awaited<ReturnType<typeof startRedis>> | null = null;
  try {
    load.start();
    await pause(eachMs);
    await redis.client.flushall();
    await pause(eachMs);
    redis.hang();
    await pause(eachMs);
    redis.goOn();
    await pause(eachMs);
    await redis.kill();
    await pause(eachMs);
    const admitted = await admittedWithoutValkey(cluster);
    again = await startRedis(redis.port);
    await pause(eachMs);
    const shared = await admittedOf(cluster, 'shared');
    assert.ok(shared <= LIMIT + OVERSHOOT, `${shared} of ${LIMIT} a minute were admitted`);
    await load.stop();
    assert.equal(load.failures, 0, failuresOf(load));
    const totals = await cluster.inLedger((ledger) => ledger.check());
    return (
      `Valkey emptied, hung, killed and started again for ${eachMs / 1_000} s each: 0 of ${load.made} calls failed, p99 ${load.within(0.99).toFixed(0)} ms; ` +
      `of a limit of ${LIMIT} a minute ${shared} were admitted with it, ${admitted} without; ${totals.settlements} settled, sums exact`
    );
  } finally {
    load.halt();
    await cluster.close();
    await again?.close();
    await redis.close();
    await provider.close();
  }
}

/** Without Valkey, PostgreSQL carries the counts once a second. */
async function admittedWithoutValkey(cluster: Cluster): Promise<number> {
  const admitted = await admittedOf(cluster, 'alone');
  const perSecond = Math.ceil((RATE * 2 * (NODES - 1)) / NODES);
  assert.ok(admitted <= LIMIT + perSecond + NODES, `${admitted} of ${LIMIT} a minute were admitted`);
  return admitted;
}

/** How many calls of a key with a limit are admitted, of three times as many within a few seconds. */
async function admittedOf(cluster: Cluster, name: string): Promise<number> {
  const [first] = cluster.nodes;
  assert.ok(first !== undefined);
  const { body } = await control(first.installation.dataFolder, 'POST', '/control/api/keys', {
    name,
    limits: { requests_per_minute: LIMIT },
  });
  const { key } = body as { readonly key: string };
  const load = new NodeLoad({ urls: () => cluster.nodes.map(({ url }) => url), keys: [key], rate: RATE * 2 });
  load.start();
  await pause((LIMIT * 3 * 1_000) / (RATE * 2));
  await load.stop();
  for (const { status } of load.failed) assert.equal(status, 429, failuresOf(load));
  return load.servedMs.length;
}
