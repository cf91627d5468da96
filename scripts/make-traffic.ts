/**
 * Makes synthetic traffic, for measurements and screenshots, in the data folder of a server that is not running.
 *
 *   node scripts/make-traffic.ts --folder F --days 30 --calls 10000000 --accounts 20
 *     records and the sums that agree with them; no settlements, so that `ledger verify` does not hold
 *   node scripts/make-traffic.ts --folder F --calls 100000000 --rollups-only
 *     the sums alone
 *   node scripts/make-traffic.ts --folder F --calls 20000 --seed-demo
 *     calls of the first account and its keys, settled and charged: `ledger verify` holds. Start a server on F once
 *     before, so that there are an account and a key. May be done again: more calls are added.
 *
 * Sums and records by the million are made only in a folder that has none of those days: they would collide with what is there.
 */
import { parseArgs } from 'node:util';
import { openStorage } from '../src/app/open-storage.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { systemClock } from '../src/core/clock.ts';
import { type DataFolder, DataFolderInUse, openDataFolder } from '../src/storage/folder/data-folder.ts';
import { checkUnused, Refusal } from './make-traffic/check-unused.ts';
import { makeBulk } from './make-traffic/make-bulk.ts';
import { seedDemo } from './make-traffic/seed-demo.ts';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    days: { type: 'string', default: '30' },
    calls: { type: 'string', default: '100000' },
    accounts: { type: 'string', default: '20' },
    keys: { type: 'string', default: '10' },
    models: { type: 'string', default: '10' },
    'rollups-only': { type: 'boolean', default: false },
    'seed-demo': { type: 'boolean', default: false },
  },
});
for (const name of ['days', 'calls', 'accounts', 'keys', 'models'] as const)
  if (!/^[1-9]\d*$/.test(values[name])) refuse(`--${name} ${values[name]} is no number of them`);
const folder = openFolder(values.folder ?? refuse('say which data folder: --folder F'));
const startedMs = performance.now();
try {
  const { config } = loadConfig({ flags: { data: folder.path }, environment: {}, cwd: folder.path });
  const unlimited = { ...config, records: { ...config.records, bytesMax: Number.MAX_SAFE_INTEGER } };
  const storage = await openStorage(unlimited, {
    clock: systemClock,
    onProblem: ({ type, cause }) => {
      throw new Error(type, { cause });
    },
  });
  const nowMs = Date.now();
  const size = { days: Number(values.days), calls: Number(values.calls), nowMs, seed: nowMs % 1000 };
  let made: number;
  if (values['seed-demo']) {
    made = await seedDemo(storage, size);
    await storage.close();
  } else {
    await storage.close();
    checkUnused(folder.path, size);
    const keys = { accounts: Number(values.accounts), keysEach: Number(values.keys), models: Number(values.models) };
    made = makeBulk(folder.path, { ...size, ...keys, rollupsOnly: values['rollups-only'] });
  }
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`${made} calls in ${seconds.toFixed(1)} s, ${Math.round(made / seconds)} a second`);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  folder.close();
}

function openFolder(path: string): DataFolder {
  try {
    return openDataFolder(path);
  } catch (error) {
    if (error instanceof DataFolderInUse) return refuse(error.message);
    throw error;
  }
}

/** Prints one sentence; nothing was written. */
function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}
