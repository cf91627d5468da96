/**
 * A node is paused (SIGSTOP), as a machine that is suspended or a loop that is blocked: shortly, which nobody notices but its callers; then for
 * so long that the others take it for lost and lend its money again. What it settles afterwards is late: charged once, or its operator's loss.
 * Its own monotonic clock says that its leases are over: no call that waits for it when it goes on, or comes at once, is admitted on them.
 */
import assert from 'node:assert/strict';
import { loadProvider, startPacedProvider } from '../load/paced-provider.ts';
import { pause } from '../load/pause.ts';
import { Cluster } from './cluster.ts';
import { failuresOf, NodeLoad } from './node-load.ts';

const NODES = 3;
const RATE = 30;
const SHORT_MS = 2_000;
const BEFORE_MS = 5_000;
const BACK_MS = 15_000;
const LONG_CALLS = 8;
const WAITING_MS = 1_000;

/** Returns figures; throws at the first violation. Beyond some 125 s the node is taken for lost. */
export async function pausedNode(seconds: number): Promise<string> {
  const provider = await startPacedProvider();
  const cluster = await Cluster.start({
    nodes: NODES,
    file: { demo: false, providers: [loadProvider(provider.origin)] },
  });
  const [paused, ...others] = cluster.nodes;
  assert.ok(paused !== undefined);
  const all = new NodeLoad({ urls: () => cluster.nodes.map(({ url }) => url), keys: [cluster.key], rate: RATE });
  const rest = new NodeLoad({ urls: () => others.map(({ url }) => url), keys: [cluster.key], rate: RATE });
  const running = new NodeLoad({
    urls: () => [paused.url],
    keys: [cluster.key],
    rate: LONG_CALLS,
    pace: { pieces: 40, pauseMs: 100 },
  });
  const again = new NodeLoad({ urls: () => [paused.url], keys: [cluster.key], rate: RATE });
  const waiting = new NodeLoad({ urls: () => [paused.url], keys: [cluster.key], rate: RATE });
  const loads = [all, rest, running, waiting, again];
  const { process: child } = paused.server;
  const lost = () =>
    cluster.inLedger((ledger) =>
      ledger.sum(`select count(*) from nodes where name = '${paused.name}' and state = 'lost'`),
    );
  try {
    all.start();
    await pause(BEFORE_MS);
    child.kill('SIGSTOP');
    await pause(SHORT_MS);
    child.kill('SIGCONT');
    await pause(BEFORE_MS);
    await all.stop();
    assert.equal(all.failures, 0, `paused for ${SHORT_MS} ms: ${failuresOf(all)}`);

    running.start();
    await pause(1_500);
    running.halt();
    child.kill('SIGSTOP');
    rest.start();
    await pause(seconds * 1_000);
    assert.equal(await lost(), 1n, 'the others have taken it for lost');
    waiting.start();
    await pause(WAITING_MS);
    child.kill('SIGCONT');
    await pause(WAITING_MS);
    await waiting.stop();
    await running.stop();
    await rest.stop();
    assert.equal(rest.failures, 0, `at the others: ${failuresOf(rest)}`);
    assert.equal(running.failures, 0, `calls that were paused: ${failuresOf(running)}`);
    for (const { status, text } of waiting.failed)
      assert.equal(status, 503, `a call that waited for it: ${text.slice(-400)}`);
    await untilServing(paused.url);
    again.start();
    await pause(3_000);
    await again.stop();
    assert.equal(again.failures, 0, `after it was paused: ${failuresOf(again)}`);
    for (const node of cluster.nodes) assert.equal(await node.stop(), 0, node.server.printed());
    const totals = await cluster.inLedger((ledger) => ledger.check());
    const made = loads.reduce((sum, load) => sum + load.made - load.failures, 0);
    assert.equal(totals.settlements, made, 'every call is settled once');
    assert.equal(totals.lent, 0n);
    const late = lateOf(paused.server.printed());
    assert.ok(late <= running.made, `${late} calls were settled late, and ${running.made} ran when it was stopped`);
    return (
      `a node paused for ${SHORT_MS / 1_000} s: 0 of ${all.made} calls failed; for ${seconds} s: taken for lost, 0 of ${rest.made} failed at the others, ` +
      `${late} of ${running.made} running calls settled late, ${waiting.failures} of ${waiting.made} that waited for it got 503 and none was late, node loss ${totals.nodeLoss} nano-USD, it served again; sums exact`
    );
  } finally {
    for (const load of loads) load.halt();
    child.kill('SIGCONT');
    await cluster.close();
    await provider.close();
  }
}

/** How many calls its log says were settled late. */
function lateOf(log: string): number {
  const lines = log.split('\n').filter((line) => line.includes('settled_late') || line.includes('settled_unlent'));
  return lines.reduce((sum, line) => {
    const [, count] = /count"?[:=] ?(\d+)/.exec(line) ?? assert.fail(line);
    return sum + Number(count);
  }, 0);
}

/** Its place was another's, so it takes a new one first. */
async function untilServing(url: string): Promise<void> {
  for (const until = performance.now() + BACK_MS; performance.now() < until; await pause(100)) {
    const { status, body } = await fetch(`${url}/health/ready`);
    await body?.cancel();
    if (status === 200) return;
  }
  throw new Error(`a node that was paused is not ready after ${BACK_MS} ms`);
}
