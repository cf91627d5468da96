/** Nodes whose clocks are an hour ahead, an hour behind, and right: days, budgets and order follow the database. */
import assert from 'node:assert/strict';
import { loadProvider, startPacedProvider } from '../load/paced-provider.ts';
import { pause } from '../load/pause.ts';
import { Cluster } from './cluster.ts';
import { failuresOf, NodeLoad } from './node-load.ts';

const OFFSETS_MS = [0, 3_600_000, -3_600_000, 0];
const RATE = 40;
/** A call's time differs from the database's by at most this much. */
const ALLOWED_MS = 5_000;

/** Returns figures; throws at the first violation. */
export async function wrongClocks(seconds: number): Promise<string> {
  const provider = await startPacedProvider();
  const cluster = await Cluster.start({
    nodes: OFFSETS_MS.length,
    file: { demo: false, providers: [loadProvider(provider.origin)] },
    environmentOf: (index) => ({ NODE_OPTIONS: `--import ${clockModule(OFFSETS_MS[index] ?? 0)}` }),
  });
  const load = new NodeLoad({ urls: () => cluster.nodes.map(({ url }) => url), keys: [cluster.key], rate: RATE });
  try {
    const beganAt = Date.now();
    load.start();
    await pause(seconds * 1_000);
    await load.stop();
    const endedAt = Date.now();
    assert.equal(load.failures, 0, failuresOf(load));
    for (const node of cluster.nodes) assert.equal(await node.stop(), 0, node.server.printed());
    await cluster.inLedger(async (ledger) => {
      const { settlements } = await ledger.check();
      assert.equal(settlements, load.made);
      const outside = await ledger.sum(
        `select count(*) from settlements where admitted_at not between ${beganAt - ALLOWED_MS} and ${endedAt + ALLOWED_MS}`,
      );
      assert.equal(outside, 0n, 'calls that were admitted at a time that is not the database’s');
    });
    return `clocks an hour ahead, an hour behind and right: 0 of ${load.made} calls failed, each admitted at the database's time within ${ALLOWED_MS / 1_000} s, sums exact`;
  } finally {
    load.halt();
    await cluster.close();
    await provider.close();
  }
}

/** A module that moves the wall clock of the process that imports it. */
function clockModule(offsetMs: number): string {
  const source = `const RealDate = Date; const offset = ${offsetMs};
    globalThis.Date = class extends RealDate {
      constructor(...words) { if (words.length === 0) super(RealDate.now() + offset); else super(...words); }
      static now() { return RealDate.now() + offset; }
    };`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
