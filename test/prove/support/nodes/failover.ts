/**
 * The primary is killed under load, and its standby takes its place at the same address. If the standby lagged, what the nodes settled
 * meanwhile is settled there again from their journals, memory forgets what is lost, and the nodes serve on by themselves.
 */
import assert from 'node:assert/strict';
import { control } from '../../../support/control.ts';
import { Standby } from '../../../support/postgres/standby.ts';
import { startServer } from '../../../support/postgres/start-server.ts';
import { LOAD_MODEL, loadProvider, promptOf, startPacedProvider } from '../load/paced-provider.ts';
import { pause } from '../load/pause.ts';
import { Cluster, type ClusterNode } from './cluster.ts';
import { LedgerDatabase } from './ledger-database.ts';
import { NodeLoad } from './node-load.ts';
import { startTcpSwitch } from './tcp-switch.ts';

const NODES = 2;
const RATE = 20;
const BEFORE_MS = 4_000;
/** Less than the minute for which a journal keeps what was acknowledged. */
const LAG_MS = 10_000;
const AFTER_MS = 4_000;
/** From the switch until every node serves. */
const BACK_MS = 20_000;

export type StandbyKind = 'lagging' | 'synchronous';

/** Returns figures; throws at the first violation. PostgreSQL 15 must be installed. */
export async function failOver(kind: StandbyKind): Promise<string> {
  await using closing = new AsyncDisposableStack();
  const provider = await startPacedProvider();
  closing.defer(() => provider.close());
  const primary = await startServer(15, ['wal_keep_size=64MB']);
  const standby = await Standby.start(primary);
  closing.defer(() => standby.stop());
  const address = await startTcpSwitch(primary.port);
  closing.defer(() => address.close());
  const url = new URL(primary.url);
  url.port = String(address.port);
  const cluster = await Cluster.start({
    nodes: NODES,
    postgres: primary,
    file: { demo: false, providers: [loadProvider(provider.origin)], billing: { firstRunCredit: '1000' } },
    environment: { DATABASE_URL: url.href },
  });
  closing.defer(() => cluster.close());
  if (kind === 'synchronous') await standby.makeSynchronous();

  const revoked = await makeKey(cluster, 'revoked');
  const path = `/control/api/keys/${revoked.id}`;
  const { installation } = cluster.nodes[0] as ClusterNode;
  assert.equal((await control(installation.dataFolder, 'DELETE', path)).status, 200);
  const load = new NodeLoad({ urls: () => cluster.nodes.map((node) => node.url), keys: [cluster.key], rate: RATE });
  load.start();
  await pause(BEFORE_MS);
  assert.equal(load.failures, 0, JSON.stringify(load.failed[0]));
  if (kind === 'lagging') await standby.lag();
  const made = await makeKey(cluster, 'made while it lagged');
  for (const node of cluster.nodes) assert.equal(await statusOf(node, made.secret), 200, 'the key works at every node');
  await pause(LAG_MS);
  assert.equal(load.failures, 0, JSON.stringify(load.failed[0]));

  const settledBefore = await settlementsAt(primary.url);
  process.kill(primary.pid, 'SIGKILL');
  const killedAt = performance.now();
  await standby.promote();
  const settledAtStandby = await settlementsAt(standby.url);
  address.leadTo(standby.port);
  const switchedAt = performance.now();
  const expected = kind === 'lagging' ? 401 : 200;
  for (const node of cluster.nodes)
    for (;;) {
      const [kept, lost, gone] = [
        await statusOf(node, cluster.key),
        await statusOf(node, made.secret),
        await statusOf(node, revoked.secret),
      ];
      assert.ok([200, 503].includes(kept), `a good key got ${kept}`);
      assert.ok([401, 503].includes(gone), `a revoked key got ${gone}`);
      if (kept === 200 && lost === expected && (await fetch(`${node.url}/health/ready`)).status === 200) break;
      assert.ok(
        performance.now() - switchedAt < BACK_MS,
        `${node.name}: ${kept}, ${lost}\n${node.server.printed().slice(-4_000)}`,
      );
      await pause(50);
    }
  const backMs = performance.now() - switchedAt;
  const failuresThen = load.failures;
  await pause(AFTER_MS);
  await load.stop();
  assert.equal(load.failures, failuresThen, `calls fail afterwards: ${JSON.stringify(load.failed.at(-1))}`);
  for (const { status } of load.failed) assert.equal(status, 503, JSON.stringify(load.failed[0]));

  for (const node of cluster.nodes) assert.equal(await node.stop(), 0, node.server.printed().slice(-4_000));
  const { requests } = await provider.counts();
  const ledger = await LedgerDatabase.open(standby.url);
  try {
    const totals = await ledger.check();
    assert.equal(totals.settlements, requests, 'every call that reached the provider is settled once');
    assert.equal(totals.lent, 0n, 'nothing is lent once all nodes have ended');
    assert.equal(totals.nodeLoss, 0n, 'there was money for every call');
    const lost = settledBefore - settledAtStandby;
    if (kind === 'lagging')
      assert.ok(lost > (LAG_MS / 1_000) * RATE * 0.5, `only ${lost} calls were not at the standby`);
    else assert.ok(lost <= 0, `${lost} calls were not at the standby`);
    return (
      `${kind} standby: ${Math.max(0, lost)} settlements were not there when it was promoted ` +
      `${(switchedAt - killedAt).toFixed(0)} ms after the primary was killed; nodes served ${backMs.toFixed(0)} ms after the switch, ` +
      `${load.failures} of ${load.made} calls got 503, ${totals.settlements} settled once, node loss 0, sums exact`
    );
  } finally {
    await ledger.close();
  }
}

async function makeKey({ nodes }: Cluster, name: string): Promise<{ readonly id: number; readonly secret: string }> {
  const [node] = nodes;
  assert.ok(node !== undefined);
  const { status, body } = await control(node.installation.dataFolder, 'POST', '/control/api/keys', { name });
  assert.ok(status < 300, JSON.stringify(body));
  const { key, data } = body as { readonly key: string; readonly data: { readonly id: number } };
  return { id: data.id, secret: key };
}

async function statusOf(node: ClusterNode, key: string): Promise<number> {
  const answer = await fetch(`${node.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: LOAD_MODEL,
      messages: [{ role: 'user', content: promptOf({ pieces: 1, pauseMs: 1 }) }],
    }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function settlementsAt(url: string): Promise<number> {
  const ledger = await LedgerDatabase.open(url);
  try {
    return Number(await ledger.sum('select count(*) from settlements'));
  } finally {
    await ledger.close();
  }
}
