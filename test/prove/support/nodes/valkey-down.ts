/** Valkey is killed, hung, slow and emptied under load: no call fails, and no limit lets more through than it says. */
import assert from 'node:assert/strict';
import { control } from '../../../support/control.ts';
import { startRedis } from '../../../support/redis-server.ts';
import { quantile } from '../load/load-caller.ts';
import { loadProvider, startPacedProvider } from '../load/paced-provider.ts';
import { pause } from '../load/pause.ts';
import { Cluster } from './cluster.ts';
import { failuresOf, NodeLoad } from './node-load.ts';

const NODES = 4;
const RATE = 80;
const LIMIT = 200;
/** Shares are whole calls, and follow the calls with a delay: some of a limit may be left unused, none of it twice. */
const LEAST = LIMIT - 5 * NODES;
/** What the faults may add to p99; judged only if p99 without a fault says that the machine has time for it. */
const ADDED_MS_MAX = 5;
const CALM_MS = 80;
const MINUTE_MS = 60_000;
/** By how much the database's clock may be behind. */
const CLOCKS_MS = 500;

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
    const before = load.servedMs.length;
    const calmMs = load.within(0.99);
    await redis.client.flushall();
    await pause(eachMs);
    redis.hang();
    await pause(eachMs);
    redis.goOn();
    await pause(eachMs);
    await redis.kill();
    await pause(eachMs);
    const admitted = await admittedOf(cluster, 'alone');
    again = await startRedis(redis.port);
    await pause(eachMs);
    const shared = await admittedOf(cluster, 'shared');
    await load.stop();
    const addedMs = quantile(load.servedMs.slice(before), 0.99) - calmMs;
    const isCalm = calmMs <= CALM_MS;
    assert.ok(!isCalm || addedMs <= ADDED_MS_MAX, `p99 grew by ${addedMs.toFixed(1)} ms`);
    assert.equal(load.failures, 0, failuresOf(load));
    const totals = await cluster.inLedger((ledger) => ledger.check());
    return (
      `Valkey emptied, hung, killed and started again for ${eachMs / 1_000} s each: 0 of ${load.made} calls failed, p99 ${calmMs.toFixed(1)} ms before and ${addedMs.toFixed(1)} ms more since${isCalm ? '' : ' (not judged: the machine is busy)'}; ` +
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
  const forMs = (LIMIT * 3 * 1_000) / (RATE * 2);
  await untilMinuteHas(2 * forMs);
  load.start();
  await pause(forMs);
  await load.stop();
  for (const { status } of load.failed) assert.equal(status, 429, failuresOf(load));
  const admitted = load.servedMs.length;
  assert.ok(admitted >= LEAST && admitted <= LIMIT, `${admitted} of ${LIMIT} a minute were admitted (${name})`);
  return admitted;
}

/** What was used counts less from call to call once the next minute begins: the limit would admit more, as on a single node. */
async function untilMinuteHas(ms: number): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (leftMs < ms) await pause(leftMs + CLOCKS_MS);
}
