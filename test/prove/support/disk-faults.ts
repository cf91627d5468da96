/**
 * The real program on a disk that fails under load. While it does, no answer ends as if it were paid for without its
 * row in the ledger, and callers get 503; after a restart balances are right and nothing is held.
 */
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../src/core/clock.ts';
import type { Ending } from '../../../src/core/settlement.ts';
import { control } from '../../support/control.ts';
import { chatBody, errorCode, PATHS } from '../../support/open-gateway.ts';
import { type Installation, newInstallation } from '../../support/serve-process.ts';
import { until } from '../../support/turns.ts';
import { audit } from './audit.ts';
import { type InjectedErrors, inject, straceCommand } from './injected-errors.ts';
import { inLedger } from './ledger-file.ts';
import { Callers, type CallLog, countUp } from './numbered-calls.ts';
import { type NumberedProvider, numberedProviders, startNumberedProvider } from './numbered-provider.ts';
import { seeded } from './seeded.ts';
import { spawnServer } from './spawned-server.ts';
import { verifyClean } from './verify-clean.ts';

export interface DiskFault {
  readonly name: string;
  readonly durability: 'process' | 'power';
  readonly errors: (databasePath: string) => InjectedErrors;
  /** Whether calls resume by themselves when it has passed; otherwise a restart is needed. */
  readonly passes: boolean;
}

export const DISK_FAULTS: readonly DiskFault[] = [
  {
    name: 'fsync: EIO',
    durability: 'power',
    errors: () => ({ calls: ['fsync', 'fdatasync'], error: 'EIO' }),
    passes: false,
  },
  { name: 'write: EIO', durability: 'process', errors: writes('EIO'), passes: false },
  { name: 'write: ENOSPC', durability: 'process', errors: writes('ENOSPC'), passes: true },
  {
    name: 'write: ENOSPC, with fsync',
    durability: 'power',
    errors: writes('ENOSPC'),
    passes: true,
  },
  { name: 'write: EROFS', durability: 'process', errors: writes('EROFS'), passes: false },
];

function writes(error: string): DiskFault['errors'] {
  return (databasePath) => ({ calls: ['pwrite64', 'write', 'pwritev'], error, paths: [`${databasePath}-wal`] });
}

const CALLERS = 12;
const CALLS_BEFORE = 60;
const REFUSED = 30;
/** Any ending, for calls that the disk refused to end; a charge occurs only at `complete` and `gateway_crashed`, and is checked there. */
const ENDINGS: ReadonlySet<Ending> = new Set(['complete', 'gateway_crashed', 'gateway_failed']);

/** Load, the fault, the answers meanwhile, its end, a kill, a restart, and what the ledger says. Returns figures. */
export async function diskFault(fault: DiskFault, seed: number): Promise<string> {
  return withProvider({ durability: fault.durability }, async (provider, installation) => {
    const log: CallLog[] = [];
    const callers = {
      key: installation.key,
      random: seeded(seed),
      numbers: countUp(),
      log,
      onProgress: () => undefined,
    };
    const server = spawnServer(installation);
    try {
      const url = await server.ready;
      assert.ok(url !== null, server.printed());
      let goesOn = true;
      const running = new Callers({ ...callers, url, staying: fault.passes ? 0 : 4 }).run(CALLERS, () => goesOn);
      await until('calls before the fault', () => log.filter(({ complete }) => complete).length >= CALLS_BEFORE);
      const injected = await inject(server.process.pid ?? 0, fault.errors(databasePath(installation)));
      const begun = log.length;
      await until('calls that are refused', () => refusedOf(log).length >= REFUSED);
      assert.equal((await fetch(`${url}/health/ready`)).status, 503);
      await expectRefusal(url, installation.key);
      goesOn = false;
      await injected.end();
      if (fault.passes) {
        await running;
        await expectRecovery(url, new Callers({ ...callers, url, staying: 0 }), log);
        await expectNothingHeld(installation);
      } else {
        await expectRefusal(url, installation.key);
      }
      await server.kill();
      await running;
      for (const { status, code, plan } of log.slice(begun))
        assert.ok(
          status === null || status === 200 || (status === 503 && code === 'ledger_unavailable'),
          `call ${plan.number} was answered ${status} ${code}`,
        );
    } finally {
      await server.kill();
    }
    const charged = await checkAfterRestart(installation, provider, log);
    assert.equal(charged, 0, 'calls that were refused and charged');
    const [refused, whole] = [refusedOf(log).length, log.filter(({ complete }) => complete).length];
    return `${fault.name}: ${log.length} calls, ${whole} seen whole, ${refused} refused, ${charged} of them charged`;
  });
}

/** Another process holds the lock for three seconds: calls wait for it, and none is lost. */
export async function lockedDatabase(seed: number): Promise<string> {
  return withProvider({}, async (provider, installation) => {
    const log: CallLog[] = [];
    const server = spawnServer(installation);
    try {
      const url = await server.ready;
      assert.ok(url !== null, server.printed());
      const callers = { url, key: installation.key, random: seeded(seed), numbers: countUp(), log };
      let goesOn = true;
      const running = new Callers({ ...callers, onProgress: () => undefined, staying: 0 }).run(CALLERS, () => goesOn);
      await until('calls before the lock', () => log.length >= CALLS_BEFORE);
      const other = new DatabaseSync(databasePath(installation), { timeout: 1_000 });
      other.exec('BEGIN IMMEDIATE');
      let waiting = 0;
      systemClock.after(LOCKED_MS, () => {
        goesOn = false;
        waiting = log.filter(({ complete }) => !complete).length;
        other.exec('COMMIT');
        other.close();
      });
      await running;
      assert.equal(waiting, CALLERS, 'every caller waits for the lock');
      for (const call of log)
        assert.ok(call.complete, `call ${call.plan.number} was answered ${call.status} ${call.code}`);
      assert.equal((await fetch(`${url}/health/ready`)).status, 200);
      await server.kill();
      await checkAfterRestart(installation, provider, log);
      return `locked for ${LOCKED_MS} ms: ${log.length} calls, ${waiting} of them waited, 0 lost`;
    } finally {
      await server.kill();
    }
  });
}

const LOCKED_MS = 3_000;

/** A database that cannot be written at the start: it says so and exits; once repaired, everything is there. */
export async function readOnlyAtStart(seed: number): Promise<string> {
  return withProvider({}, async (provider, installation) => {
    const log: CallLog[] = [];
    const first = spawnServer(installation);
    try {
      const url = await first.ready;
      assert.ok(url !== null, first.printed());
      const callers = { url, key: installation.key, random: seeded(seed), numbers: countUp(), log };
      await new Callers({ ...callers, onProgress: () => undefined, staying: 0 }).run(
        CALLERS,
        () => log.length < CALLS_BEFORE,
      );
    } finally {
      await first.kill();
    }
    const errors = { calls: ['openat', 'open'], error: 'EROFS', paths: [databasePath(installation)] };
    const second = spawnServer(installation, { before: straceCommand(errors) });
    assert.equal(await second.ready, null, 'it does not serve');
    assert.equal(second.process.exitCode, 1);
    assert.match(second.printed(), /turnpike\.db cannot be opened: .*read-only/);
    await checkAfterRestart(installation, provider, log);
    return `read-only at the start: refused with the reason, ${log.length} calls kept`;
  });
}

/** A database with a page that is not what was written: it says so and does not serve, and changes nothing. */
export async function brokenPageAtStart(seed: number): Promise<string> {
  return withProvider({}, async (_provider, installation) => {
    const first = spawnServer(installation);
    try {
      const url = await first.ready;
      assert.ok(url !== null, first.printed());
      const log: CallLog[] = [];
      const callers = { url, key: installation.key, random: seeded(seed), numbers: countUp(), log };
      const run = new Callers({ ...callers, onProgress: () => undefined, staying: 0 });
      await run.run(CALLERS, () => log.length < CALLS_BEFORE);
    } finally {
      await first.kill();
    }
    // Everything is in the one file, where a page can be spoiled.
    const path = databasePath(installation);
    const database = new DatabaseSync(path);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const { page_size: size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
    database.close();
    const good = await readFile(path);
    for (const page of [0, 1]) {
      const bad = Buffer.from(good);
      bad.fill(0xa5, page * size, page * size + 200);
      await writeFile(path, bad);
      const server = spawnServer(installation);
      assert.equal(await server.ready, null, `page ${page + 1}: it does not serve`);
      assert.match(server.printed(), /The database .*turnpike\.db (is damaged|cannot be opened)/);
      assert.ok((await readFile(path)).equals(bad), 'it did not change it');
    }
    return 'a broken page at the start: refused with the reason, and left as it is';
  });
}

async function withProvider(
  file: object,
  run: (provider: NumberedProvider, installation: Installation) => Promise<string>,
): Promise<string> {
  const provider = await startNumberedProvider();
  const installation = await newInstallation({
    demo: false,
    providers: numberedProviders(provider.origin),
    billing: { firstRunCredit: '1000000' },
    ...file,
  });
  try {
    return await run(provider, installation);
  } finally {
    await provider.close();
    await rm(installation.folder, { recursive: true, force: true });
  }
}

/** Returns how many calls whose end was refused are still charged as complete. */
async function checkAfterRestart(
  installation: Installation,
  { served }: NumberedProvider,
  calls: readonly CallLog[],
): Promise<number> {
  const server = spawnServer(installation);
  try {
    assert.ok((await server.ready) !== null, server.printed());
    await verifyClean(installation.dataFolder);
    return inLedger(installation.dataFolder, (file) => {
      assert.equal(file.check().openHolds, 0);
      const settled = file.settlements();
      audit({ calls, served, settled, stored: file.stored() }, ENDINGS);
      const charged = new Set(
        settled.filter((each) => each.ending === 'complete' && each.charge > 0n).map(({ id }) => id),
      );
      return refusedOf(calls).filter(({ id }) => id !== null && charged.has(id)).length;
    });
  } finally {
    await server.kill();
  }
}

/** A valid key gets the ledger's error, never 401. */
async function expectRefusal(url: string, key: string): Promise<void> {
  for (const path of Object.values(PATHS)) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(chatBody(true, '#0 0 end#', 'numbered/both')),
    });
    assert.equal(response.status, 503);
    assert.equal(errorCode(await response.json()), 'ledger_unavailable');
  }
}

const RECOVERS_WITHIN_MS = 10_000;

async function expectRecovery(url: string, callers: Callers, log: readonly CallLog[]): Promise<void> {
  const startedAt = performance.now();
  let status = 503;
  while (status !== 200 && performance.now() - startedAt < RECOVERS_WITHIN_MS)
    status = (await fetch(`${url}/health/ready`)).status;
  assert.equal(status, 200, 'it is ready again by itself');
  const since = log.length;
  await callers.run(CALLERS, () => log.length < since + CALLS_BEFORE);
  for (const call of log.slice(since))
    assert.ok(call.complete, `call ${call.plan.number}: ${call.status} ${call.code}`);
}

/** Calls whose end the disk had refused are settled by now, without a restart. */
async function expectNothingHeld({ dataFolder }: Installation): Promise<void> {
  assert.equal(
    inLedger(dataFolder, (file) => file.check().openHolds),
    0,
  );
  const { body } = await control(dataFolder, 'GET', '/control/api/balance');
  assert.equal((body as { data: { held: number } }).data.held, 0, 'the bank holds nothing');
  await verifyClean(dataFolder);
}

function refusedOf(log: readonly CallLog[]): CallLog[] {
  return log.filter(({ code }) => code === 'ledger_unavailable');
}

function databasePath({ dataFolder }: Installation): string {
  return join(dataFolder, 'turnpike.db');
}
