/**
 * Load on the real program, `kill -9` at random moments, its start and its recovery included;
 * after each, what callers and provider saw and what the ledger says agree.
 */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { systemClock } from '../../../src/core/clock.ts';
import { newInstallation } from '../../support/serve-process.ts';
import { audit, type Logs } from './audit.ts';
import { inLedger } from './ledger-file.ts';
import { Callers, type CallLog, countUp } from './numbered-calls.ts';
import { missingOperations, type PartName, partProviders } from './numbered-parts.ts';
import { numberedProviders, startNumberedProvider } from './numbered-provider.ts';
import { auditParts, callParts, isOfPart, type PartCall, startPartsProvider } from './part-calls.ts';
import { between, seeded } from './seeded.ts';
import { type SpawnedServer, spawnServer } from './spawned-server.ts';
import { verifyClean } from './verify-clean.ts';

const CALLERS = 24;
/** Of operations besides conversations. */
const PART_CALLERS = 8;
/** The load continues, so that the moment of the kill is reached. */
const STAYING = 10;
const EVENTS_MAX = 1_500;
const ENDINGS = new Set(['complete', 'gateway_crashed'] as const);

/** Returns figures; throws at the first violation. */
export async function killLoop(kills: number, seed: number): Promise<string> {
  const random = seeded(seed);
  assert.deepEqual(missingOperations, [], 'paid operations without a numbered call');
  const provider = await startNumberedProvider();
  const parts = await startPartsProvider();
  const installation = await newInstallation({
    demo: false,
    providers: [...numberedProviders(provider.origin), ...partProviders(parts.origin)],
    billing: { firstRunCredit: '1000000' },
  });
  const log: CallLog[] = [];
  const partLog: PartCall[] = [];
  const partsMade = new Map<PartName, number>();
  const seen: Seen = { log, served: provider.served, partLog, answered: parts.answered };
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
      crashed = check(installation.dataFolder, seen);

      const running = server;
      let eventsLeft = between(random, 1, EVENTS_MAX);
      const onProgress = () => {
        eventsLeft -= 1;
        if (eventsLeft === 0) running.process.kill('SIGKILL');
      };
      const asked = { url, key: installation.key, random, onProgress };
      const callers = new Callers({ ...asked, numbers, log, staying: STAYING });
      await Promise.all([
        callers.run(CALLERS, () => true),
        callParts({ ...asked, log: partLog, made: partsMade }, PART_CALLERS),
      ]);
      await running.gone;
      assert.equal(running.process.signalCode, 'SIGKILL', `it ended by itself:\n${running.printed()}`);
      killed += 1;
    }
    server = spawnServer(installation);
    assert.ok((await server.ready) !== null, `it did not start:\n${server.printed()}`);
    crashed = check(installation.dataFolder, seen);
    await verifyClean(installation.dataFolder);
    const all = [...log, ...partLog];
    const seenWhole = all.filter(({ complete }) => complete).length;
    const stored = inLedger(installation.dataFolder, (file) => file.stored().size);
    return `${killed} kills (${killedAtStart} while starting), ${all.length} calls (${partLog.length} of operations besides conversations), ${seenWhole} seen whole, ${stored} ids known, ${crashed.calls} settled by the crash rule (${crashed.charged} with a charge), 0 lost, 0 double, verify clean`;
  } finally {
    await server?.kill();
    await provider.close();
    await parts.close();
    await rm(installation.folder, { recursive: true, force: true });
  }
}

/** What callers and providers have seen. */
interface Seen extends Pick<Logs, 'served'> {
  readonly log: readonly CallLog[];
  readonly partLog: readonly PartCall[];
  readonly answered: ReadonlySet<string>;
}

interface Crashed {
  readonly calls: number;
  /** Of those, with a charge. */
  readonly charged: number;
}

/** As soon as it is ready; returns what the crash rule has settled. */
function check(dataFolder: string, { log, served, partLog, answered }: Seen): Crashed {
  return inLedger(dataFolder, (file) => {
    const { openHolds } = file.check();
    assert.equal(openHolds, 0, 'no hold is open once it is ready');
    const settled = file.settlements();
    const conversations = settled.filter((each) => !isOfPart(each));
    audit({ calls: log, served, settled: conversations, stored: file.stored() }, ENDINGS);
    auditParts(partLog, answered, settled.filter(isOfPart), ENDINGS);
    const crashed = settled.filter(({ ending }) => ending === 'gateway_crashed');
    return { calls: crashed.length, charged: crashed.filter(({ charge }) => charge > 0n).length };
  });
}
