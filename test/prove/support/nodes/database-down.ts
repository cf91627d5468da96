/**
 * The database is taken away for a minute under load. Calls of known keys whose node has money for them go on; everything else is told to try
 * again, and nobody that the key or the money is at fault. When it is back, all that was settled meanwhile is in it.
 */
import assert from 'node:assert/strict';
import { newSecret } from '../../../../src/accounts/secret/key-secret.ts';
import { control } from '../../../support/control.ts';
import { loadProvider, startPacedProvider } from '../load/paced-provider.ts';
import { pause } from '../load/pause.ts';
import { Cluster } from './cluster.ts';
import { type Outage, takeAway } from './database-control.ts';
import { failuresOf, NodeLoad } from './node-load.ts';

const NODES = 4;
const RATE = 60;
/** Before it is taken away, so that every account was served at every node. */
const BEFORE_MS = 12_000;
const FORWARDED_MS = 5_000;

export interface DatabaseDownOptions {
  readonly seconds: number;
  readonly outage: Outage;
}

/** Returns figures; throws at the first violation. */
export async function databaseDown({ seconds, outage }: DatabaseDownOptions): Promise<string> {
  const provider = await startPacedProvider();
  const cluster = await Cluster.start({
    nodes: NODES,
    file: { demo: false, providers: [loadProvider(provider.origin)] },
  });
  const load = new NodeLoad({
    urls: () => cluster.nodes.map(({ url }) => url),
    keys: [cluster.key],
    rate: RATE,
  });
  try {
    load.start();
    await pause(BEFORE_MS);
    assert.equal(load.failures, 0, failuresOf(load));
    const before = load.servedMs.length;
    const giveBack = takeAway(cluster.postgres, outage);
    let refusals: readonly string[];
    try {
      await pause(2_000);
      refusals = await askForWhatNeedsIt(cluster);
      await pause(seconds * 1_000 - 2_000);
    } finally {
      giveBack();
    }
    const during = load.servedMs.length - before;
    const backAt = performance.now();
    await untilForwarded(cluster);
    const forwardedMs = performance.now() - backAt;
    await pause(5_000);
    await load.stop();
    assert.equal(load.failures, 0, failuresOf(load));
    await untilForwarded(cluster);
    const totals = await cluster.inLedger((ledger) => ledger.check());
    assert.equal(totals.settlements, load.made, 'every call is settled once');
    assert.ok(forwardedMs <= FORWARDED_MS, `all was forwarded after ${forwardedMs.toFixed(0)} ms`);
    return (
      `the database ${outage} for ${seconds} s: ${during} calls served meanwhile, 0 of ${load.made} failed, ` +
      `${refusals.join(', ')}; all forwarded after ${forwardedMs.toFixed(0)} ms, ${totals.settlements} settled once, sums exact`
    );
  } finally {
    load.halt();
    await cluster.close();
    await provider.close();
  }
}

/** A key that no node knows, and a change: both need the database. */
async function askForWhatNeedsIt({ nodes }: Cluster): Promise<readonly string[]> {
  const [node] = nodes;
  assert.ok(node !== undefined);
  const unknown = await fetch(`${node.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${newSecret().reveal()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any/model', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  await unknown.arrayBuffer();
  assert.equal(unknown.status, 503, 'an unknown key is not called wrong');
  assert.ok(unknown.headers.has('retry-after'));
  const changed = await control(node.installation.dataFolder, 'POST', '/control/api/keys', { name: 'meanwhile' });
  assert.equal(changed.status, 503, JSON.stringify(changed.body));
  return ['an unknown key got 503 with Retry-After', 'a change got 503'];
}

async function untilForwarded(cluster: Cluster): Promise<void> {
  const waiting = () =>
    cluster
      .inLedger((ledger) => ledger.sum("select count(*) from nodes where state = 'live' and unsent_from is not null"))
      .catch(() => 1n);
  for (const until = performance.now() + 60_000; performance.now() < until; await pause(50)) {
    if ((await waiting()) === 0n) return;
  }
  throw new Error('nodes did not forward what they had settled within a minute');
}
