/**
 * Load on the real program, `kill -9` at random moments, its start and its recovery included;
 * after each, what callers and provider saw and what the ledger says agree.
 */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { systemClock } from '../../../src/core/clock.ts';
import { newInstallation } from '../../support/serve-process.ts';
import { audit } from './audit.ts';
import { inLedger } from './ledger-file.ts';
import { Callers, type CallLog, countUp } from './numbered-calls.ts';
import { numberedProviders, type Served, startNumberedProvider } from './numbered-provider.ts';
import { between, seeded } from './seeded.ts';
import { type SpawnedServer, spawnServer } from './spawned-server.ts';
import { verifyClean } from './verify-clean.ts';

const CALLERS = 24;
/** The load continues, so that the moment of the kill is reached. */
const STAYING = 10;
const EVENTS_MAX = 1_500;
const ENDINGS = new Set(['complete', 'gateway_crashed'] as const);

/** Returns figures; throws at the first violation. */
export async function killLoop(kills: number, seed: number): Promise<string> {
  const random = seeded(seed);
  const provider = await startNumberedProvider();
  const installation = await newInstallation({
    demo: false,
    providers: numberedProviders(provider.origin),
    billing: { firstRunCredit: '1000000' },
  });
  const log: CallLog[] = [];
  const numbers = countUp();
  let [killed, killedAtStart, startMs] = [0, 0, 1_000];
  let crashed: Crashed = { calls: 0, charged: 0 };
  let server: SpawnedServer | null = null;
  try {
    while (killed < kills) {
      // Either way of writing; a kill takes nothing from the operating system, so both survive it.
      const environment = { TURNPIKE_DURABILITY: random() < 0.3 ? 'power' : 'process' };
      server = spawnServer(installation, { environment });
      const startedAt = performance.now();
      if (killed % 5 === 2 || random() < 0.2) {
        // A start has no events to wait for; any moment of it will do.
        const { process } = server;
        const timer = systemClock.after(random() * startMs * 1.1, () => process.kill('SIGKILL'));
        await server.gone;
        timer.cancel();
        assert.equal(process.signalCode, 'SIGKILL', `it ended by itself:\n${server.printed()}`);
        killed += 1;
        killedAtStart += 1;
        continue;
      }
      const url = await server.ready;
      assert.ok(url !== null, `it did not start:\n${server.printed()}`);
      startMs = performance.now() - startedAt;
      crashed = check(installation.dataFolder, log, provider.served);

      const running = server;
      let eventsLeft = between(random, 1, EVENTS_MAX);
      const onProgress = () => {
        eventsLeft -= 1;
        if (eventsLeft === 0) running.process.kill('SIGKILL');
      };
      const callers = new Callers({ url, key: installation.key, random, numbers, log, onProgress, staying: STAYING });
      await callers.run(CALLERS, () => true);
      await running.gone;
      assert.equal(running.process.signalCode, 'SIGKILL', `it ended by itself:\n${running.printed()}`);
      killed += 1;
    }
    server = spawnServer(installation);
    assert.ok((await server.ready) !== null, `it did not start:\n${server.printed()}`);
    crashed = check(installation.dataFolder, log, provider.served);
    await verifyClean(installation.dataFolder);
    const seenWhole = log.filter(({ complete }) => complete).length;
    const stored = inLedger(installation.dataFolder, (file) => file.stored().size);
    return `${killed} kills (${killedAtStart} while starting), ${log.length} calls, ${seenWhole} seen whole, ${stored} ids known, ${crashed.calls} settled by the crash rule (${crashed.charged} with a charge), 0 lost, 0 double, verify clean`;
  } finally {
    await server?.kill();
    await provider.close();
    await rm(installation.folder, { recursive: true, force: true });
  }
}

interface Crashed {
  readonly calls: number;
  /** Of those, with a charge. */
  readonly charged: number;
}

/** As soon as it is ready; returns what the crash rule has settled. */
function check(dataFolder: string, calls: readonly CallLog[], served: ReadonlyMap<number, Served>): Crashed {
  return inLedger(dataFolder, (file) => {
    const { openHolds } = file.check();
    assert.equal(openHolds, 0, 'no hold is open once it is ready');
    const settled = file.settlements();
    audit({ calls, served, settled, stored: file.stored() }, ENDINGS);
    const crashed = settled.filter(({ ending }) => ending === 'gateway_crashed');
    return { calls: crashed.length, charged: crashed.filter(({ charge }) => charge > 0n).length };
  });
}
