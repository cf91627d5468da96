/** SIGTERM while hundreds of streams are under way: with time for them, with too little, and with a second signal. */
import assert from 'node:assert/strict';
import { newInstallation } from '../../support/serve-process.ts';
import { ledgerCounts } from './load/ledger-counts.ts';
import { loadProvider, startPacedProvider } from './load/paced-provider.ts';
import { pause } from './load/pause.ts';
import { openStreams, untilRunning } from './load/streams.ts';
import { spawnServer } from './spawned-server.ts';

export interface DrainOptions {
  readonly streams: number;
  /** Of the longest stream. */
  readonly streamMs: number;
  readonly drainMs: number;
  /** When a second SIGTERM comes, after the first; null for none. */
  readonly secondAfterMs: number | null;
}

export interface DrainFigures {
  readonly whole: number;
  /** Those that ended with an error event in their own format. */
  readonly told: number;
  /** From the signal to a readiness of 503, and to the end of the process. */
  readonly unreadyMs: number;
  readonly goneMs: number;
}

const PIECES = 60;

export async function drain({ streams, streamMs, drainMs, secondAfterMs }: DrainOptions): Promise<DrainFigures> {
  const provider = await startPacedProvider();
  const installation = await newInstallation({
    demo: false,
    providers: [loadProvider(provider.origin)],
    timeouts: { drainMs },
    log: { level: 'warn' },
  });
  const server = spawnServer(installation);
  try {
    const url = await server.ready;
    assert.ok(url !== null, server.printed());
    // From a third of the longest upwards, so that all are under way at the signal.
    const paceOf = (number: number) => ({
      pieces: PIECES,
      pauseMs: Math.round((streamMs / PIECES) * (1 / 3 + (2 / 3) * ((number % streams) / streams))),
    });
    const open = await openStreams(url, installation, streams, paceOf);
    await untilRunning(url, streams);
    const startMs = performance.now();
    server.process.kill('SIGTERM');
    while (
      (await fetch(`${url}/health/ready`).then(async (response) => [response.status, await response.text()]))[0] !== 503
    );
    const unreadyMs = performance.now() - startMs;
    if (secondAfterMs !== null) {
      await pause(secondAfterMs);
      server.process.kill('SIGTERM');
    }
    const outcomes = await open.outcomes;
    await server.gone;
    const goneMs = performance.now() - startMs;
    assert.equal(server.process.exitCode, 0, server.printed());
    const { holds, settlements } = await ledgerCounts(installation.dataFolder);
    assert.equal(holds, 0);
    assert.equal(settlements, streams);
    const cut = outcomes.filter(({ whole }) => !whole);
    return {
      whole: outcomes.length - cut.length,
      told: cut.filter(({ text }) => /event: error|"error":/.test(text) && text.includes('draining')).length,
      unreadyMs,
      goneMs,
    };
  } finally {
    await server.kill();
    await provider.close();
  }
}
