/**
 * SIGHUP a hundred times, each time with other prices and another markup, under 500 streams and calls that come meanwhile: none is dropped,
 * and each is priced by the version, and charged at the rate, that it was admitted at.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PLENTY } from '../support/plenty.ts';
import { newInstallation } from '../support/serve-process.ts';
import { ledgerCounts } from './support/load/ledger-counts.ts';
import { CallerPool, requestBytes } from './support/load/load-caller.ts';
import { LOAD_MODEL, loadProvider, promptOf, startPacedProvider } from './support/load/paced-provider.ts';
import { pause } from './support/load/pause.ts';
import { openStreams, untilRunning } from './support/load/streams.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';
import { spawnServer } from './support/spawned-server.ts';
import { verifyClean } from './support/verify-clean.ts';

const PIECES = 60;
const STREAM_MS = 30_000;
/** Output prices in turn, USD a million tokens; the markup is as many percent. */
const PRICES = [5, 50] as const;

await prove('reload', async () => {
  const streams = countFrom('TURNPIKE_PROVE_RELOAD_STREAMS', 500);
  const reloads = countFrom('TURNPIKE_PROVE_RELOADS', 100);
  const provider = await startPacedProvider();
  const fileOf = (output: number) => ({
    demo: false,
    providers: [loadProvider(provider.origin, output)],
    billing: { ...PLENTY.billing, markup: output },
    timeouts: { idleMs: 100_000 + output },
  });
  const installation = await newInstallation(fileOf(PRICES[0]));
  const { folder, dataFolder, key } = installation;
  const server = spawnServer(installation);
  try {
    const url = await server.ready;
    assert.ok(url !== null, server.printed());
    const open = await openStreams(url, installation, streams, () => ({ pieces: PIECES, pauseMs: STREAM_MS / PIECES }));
    await untilRunning(url, streams);
    const done = () => server.printed().split('"configuration_reloaded"').length - 1;
    const pool = new CallerPool(url);
    const call = { key, format: 'openai-chat', stream: false, prompt: promptOf({ pieces: 1, pauseMs: 20 }) } as const;
    const request = requestBytes(LOAD_MODEL, call);
    const statuses = new Map<number, number>();
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        const { status } = await pool.call(request, call, performance.now());
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    })();
    for (let reload = 1; reload <= reloads; reload += 1) {
      const output = PRICES[reload % 2] ?? PRICES[0];
      const file = { port: 0, dataFolder, ...PLENTY, ...fileOf(output) };
      await writeFile(join(folder, 'turnpike.yaml'), JSON.stringify(file));
      server.process.kill('SIGHUP');
      for (let tries = 0; done() < reload; tries += 1) {
        assert.ok(tries < 500, `reload ${reload} did not happen: ${server.printed().slice(-2000)}`);
        await pause(20);
      }
    }
    const endedMeanwhile = open.ended;
    isOver = true;
    await others;
    const outcomes = await open.outcomes;
    const broken = outcomes.filter(({ whole }) => !whole).length;
    assert.equal(broken, 0, `${broken} streams broke`);
    assert.deepEqual([...statuses.keys()], [200]);
    assert.equal((await ledgerCounts(dataFolder)).holds, 0);
    const versions = pricedBy(dataFolder);
    const calls = statuses.get(200) ?? 0;
    assert.equal(
      [...versions.values()].reduce((sum, count) => sum + count, 0),
      streams + calls,
    );
    assert.ok(
      [...versions.values()].some((count) => count >= streams),
      'the streams have the prices of their admission',
    );
    assert.ok(versions.size >= 2, 'calls have the prices of theirs');
    const rates = new Set([...versions.keys()].map((name) => String(name).split(' ')[1]));
    assert.deepEqual(rates, new Set(PRICES.map((percent) => String(percent * 10_000))));
    await verifyClean(dataFolder);
    pool.close();
    server.process.kill('SIGTERM');
    await server.gone;
    assert.equal(server.process.exitCode, 0, server.printed());
    return `${reloads} reloads under ${streams} streams (${endedMeanwhile} ended meanwhile) and ${calls} calls: 0 dropped; ${versions.size} pairs of price version and rate, each call at its own`;
  } finally {
    await server.kill();
    await provider.close();
  }
});

/** How many settlements name each pair of price version and rate above the list price, in parts per million. */
function pricedBy(dataFolder: string): ReadonlyMap<unknown, number> {
  const database = new DatabaseSync(join(dataFolder, 'turnpike.db'), { readOnly: true });
  try {
    const rows = database
      .prepare("SELECT price_version || ' ' || markup_ppm AS pinned, count(*) AS n FROM settlements GROUP BY 1")
      .all();
    return new Map(rows.map(({ pinned, n }) => [pinned, Number(n)]));
  } finally {
    database.close();
  }
}
