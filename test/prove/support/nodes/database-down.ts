/**
 * The database is taken away for a minute under load. Calls of known keys whose node has money for them go on; everything else is told to try
 * again, and nobody that the key or the money is at fault. When it is back, all that was settled meanwhile is in it.
 */
import assert from 'node:assert/strict';
import { loadProvider, startPacedProvider } from '../load/paced-provider.ts';
import { pause } from '../load/pause.ts';
import { Cluster, type ClusterNode } from './cluster.ts';
import { type Outage, takeAway } from './database-control.ts';
import { askForWhatNeedsDatabase, newAccountKey, type Refused } from './needs-database.ts';
import { failuresOf, NodeLoad } from './node-load.ts';

const NODES = 4;
const RATE = 60;
/** Before it is taken away, so that every account was served at every node. */
const BEFORE_MS = 12_000;
const FORWARDED_MS = 5_000;
/** Nobody waits longer, also not while it is still to be found out that it is away. */
const FIRST_REFUSED_MS = 8_000;
const REFUSED_MS = 4_000;
/** Of one kind, in an outage. */
const REPORTS_MAX = 3;

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
    const [first] = cluster.nodes;
    assert.ok(first !== undefined);
    const notServed = await newAccountKey(first);
    load.start();
    await pause(BEFORE_MS);
    assert.equal(load.failures, 0, failuresOf(load));
    const before = load.servedMs.length;
    const printedBefore = first.server.printed().length;
    const giveBack = takeAway(cluster.postgres, outage);
    const awayAt = performance.now();
    let refusals: string;
    try {
      refusals = await askWithout(cluster, notServed);
      await pause(Math.max(0, seconds * 1_000 - (performance.now() - awayAt)));
    } finally {
      giveBack();
    }
    const during = load.servedMs.length - before;
    const backAt = performance.now();
    await cluster.untilForwarded(60_000);
    const forwardedMs = performance.now() - backAt;
    await pause(5_000);
    await load.stop();
    assert.equal(load.failures, 0, failuresOf(load));
    const reports = reportsOf(first, printedBefore);
    for (const [what, count] of reports) assert.ok(count <= REPORTS_MAX, `${count} lines of ${what}`);
    await cluster.untilForwarded(60_000);
    const totals = await cluster.inLedger((ledger) => ledger.check());
    assert.equal(totals.settlements, load.made, 'every call is settled once');
    assert.ok(forwardedMs <= FORWARDED_MS, `all was forwarded after ${forwardedMs.toFixed(0)} ms`);
    return (
      `the database ${outage} for ${seconds} s: ${during} calls served meanwhile, 0 of ${load.made} failed, ` +
      `${refusals}; reported as ${JSON.stringify(Object.fromEntries(reports))}; all forwarded after ${forwardedMs.toFixed(0)} ms, ${totals.settlements} settled once, sums exact`
    );
  } finally {
    load.halt();
    await cluster.close();
    await provider.close();
  }
}

/** Twice: as soon as it is away, and once that is known. Returns what is to be reported. */
async function askWithout({ nodes }: Cluster, key: string): Promise<string> {
  const [, node] = nodes;
  assert.ok(node !== undefined);
  const first = await askForWhatNeedsDatabase(node, key, FIRST_REFUSED_MS);
  const later = await askForWhatNeedsDatabase(node, key, REFUSED_MS);
  const slowest = (refused: readonly Refused[]) => Math.max(...refused.map(({ ms }) => ms)).toFixed(0);
  return (
    `${first.length} requests that need it got 503 with Retry-After, at once within ${slowest(first)} ms, ` +
    `then within ${slowest(later)} ms`
  );
}

/** What a node reports about an outage, once for each part of it, and not for each call. */
function reportsOf(node: ClusterNode, printedBefore: number): ReadonlyMap<string, number> {
  const lines = node.server.printed().slice(printedBefore).split('\n');
  const counts = new Map<string, number>();
  for (const line of lines) {
    const found = /"level":"(?:warn|error|fatal)".*"msg":"([^"]*)"/.exec(line);
    if (found?.[1] !== undefined) counts.set(found[1], (counts.get(found[1]) ?? 0) + 1);
  }
  return counts;
}
