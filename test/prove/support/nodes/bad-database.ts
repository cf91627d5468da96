/**
 * The database is there, but bad: its connections are killed in the middle of what they do, it writes no more (a primary that was deposed), and
 * every statement takes two seconds. Calls of known keys go on, and each is settled once.
 */
import assert from 'node:assert/strict';
import pg from 'pg';
import { loadProvider, startPacedProvider } from '../load/paced-provider.ts';
import { pause } from '../load/pause.ts';
import { Cluster } from './cluster.ts';
import { failuresOf, NodeLoad } from './node-load.ts';
import { type SlowLink, startSlowLink } from './slow-link.ts';

const NODES = 2;
const RATE = 30;
const BEFORE_MS = 12_000;
const KILL_EVERY_MS = 150;
const SLOW_MS = 2_000;
const FORWARDED_MS = 15_000;
/** Calls that end in the first 500 ms wait for it: `durability: database` is lowered after that. */
const LOWERED_MS = 2_000;
/** A call that waited for the slow database would wait for 500 ms or longer; the rest is the machine's noise. */
const ADDED_MS = 250;

/** Returns figures; throws at the first violation. */
export async function badDatabase(seconds: number): Promise<string> {
  const provider = await startPacedProvider();
  let link: SlowLink | null = null;
  const cluster = await Cluster.start({
    nodes: NODES,
    file: { demo: false, providers: [loadProvider(provider.origin)] },
    async reach(port) {
      link = await startSlowLink(port);
      return link.port;
    },
  });
  const load = new NodeLoad({ urls: () => cluster.nodes.map(({ url }) => url), keys: [cluster.key], rate: RATE });
  const administrator = new pg.Client({ connectionString: cluster.postgres.url });
  try {
    await administrator.connect();
    load.start();
    await pause(BEFORE_MS);
    const usual = load.within(0.99);
    const killed = await during(seconds, KILL_EVERY_MS, () => killAll(administrator));
    for (const { name, server } of cluster.nodes) {
      const { exitCode, signalCode } = server.process;
      assert.ok(exitCode === null && signalCode === null, `${name} ended:\n${server.printed().slice(-3_000)}`);
    }
    assert.equal(load.failures, 0, `connections killed: ${failuresOf(load)}`);

    await depose(administrator, 'on');
    await pause(seconds * 1_000);
    await depose(administrator, 'off');
    await pause(3_000);
    assert.equal(load.failures, 0, `read-only: ${failuresOf(load)}`);

    const slowLink = link as SlowLink | null;
    assert.ok(slowLink !== null);
    slowLink.delayMs = SLOW_MS;
    await pause(LOWERED_MS);
    const before = load.servedMs.length;
    await pause(seconds * 1_000);
    const slow = load.servedMs.slice(before).sort((one, other) => one - other);
    slowLink.delayMs = 0;
    assert.equal(load.failures, 0, `slow: ${failuresOf(load)}`);
    const slowP99 = slow[Math.floor(slow.length * 0.99)] ?? 0;
    await load.stop();
    assert.equal(load.failures, 0, failuresOf(load));
    const forwardedMs = await untilSettled(cluster, load.made);
    const totals = await cluster.inLedger((ledger) => ledger.check());
    assert.equal(totals.settlements, load.made, 'every call is settled once');
    assert.ok(
      slowP99 <= usual + ADDED_MS,
      `p99 ${slowP99.toFixed(0)} ms with a slow database, ${usual.toFixed(0)} before`,
    );
    return (
      `${killed} connections killed, read-only, and ${SLOW_MS} ms a statement, ${seconds} s each: 0 of ${load.made} calls failed, ` +
      `p99 ${slowP99.toFixed(0)} ms while it was slow, ${usual.toFixed(0)} before; all forwarded after ${forwardedMs.toFixed(0)} ms, each settled once, sums exact`
    );
  } finally {
    load.halt();
    await administrator.end();
    await cluster.close();
    await (link as SlowLink | null)?.close();
    await provider.close();
  }
}

/** Calls `act` again and again; returns the sum of its answers. */
async function during(seconds: number, everyMs: number, act: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (const until = performance.now() + seconds * 1_000; performance.now() < until; await pause(everyMs))
    sum += await act();
  return sum;
}

/** Those of nodes that are in the middle of a statement, and one in three of the others. */
async function killAll(administrator: pg.Client): Promise<number> {
  const { rowCount } = await administrator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name like 'turnpike%' and (state = 'active' or random() < 0.3)`,
  );
  return rowCount ?? 0;
}

/** New sessions write no more, or again; those that exist end, as with a failover. */
async function depose(administrator: pg.Client, readOnly: 'on' | 'off'): Promise<void> {
  await administrator.query(`alter system set default_transaction_read_only = ${readOnly}`);
  await administrator.query('select pg_reload_conf()');
  if (readOnly === 'on')
    await administrator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'turnpike%'`,
    );
}

async function untilSettled(cluster: Cluster, calls: number): Promise<number> {
  const startedAt = performance.now();
  const settled = () => cluster.inLedger((ledger) => ledger.sum('select count(*) from settlements'));
  while ((await settled()) < BigInt(calls)) {
    assert.ok(performance.now() - startedAt < FORWARDED_MS, 'all is forwarded once the database is well');
    await pause(100);
  }
  return performance.now() - startedAt;
}
