/**
 * Makes an installation for a measure: its first run, limits on its first key that no load reaches, so that limits are
 * counted, and as many further keys and accounts as `--keys` and `--accounts` say. Prints the first key.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import type { Key, Limits } from '../src/accounts/ports.ts';
import { Pepper } from '../src/accounts/secret/pepper.ts';
import { openApp } from '../src/app/app.ts';
import { openStorage } from '../src/app/open-storage.ts';
import type { Config } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { systemClock } from '../src/core/clock.ts';
import { parseUsd } from '../src/core/money.ts';
import { openDataFolder } from '../src/storage/folder/data-folder.ts';
import type { Storage, StorageProblem } from '../src/storage/storage.ts';
import { creditAccounts, insertAccounts } from './load/more-accounts.ts';
import { GOOD_KEYS, numberedKey } from './load/numbered-keys.ts';

/** Of every kind, far above any load. */
const LIMITS: Limits = {
  requestsPerMinute: 100_000_000,
  requestsPerDay: 1_000_000_000,
  tokensPerMinute: 1_000_000_000_000,
  concurrentCalls: 1_000_000,
  budgets: { day: parseUsd('900000'), month: parseUsd('900000') },
};

interface Size {
  /** In addition to the first one. */
  readonly keys: number;
  /** In all. */
  readonly accounts: number;
}

async function prepare(config: Config, { keys, accounts }: Size): Promise<string> {
  const app = await openApp(config);
  const firstRun = await app.begin();
  await app.close();
  if (firstRun === null) throw new Error('the folder was in use before');
  const folder = openDataFolder(config.dataFolder);
  try {
    const storage = await openStorage(config, { clock: systemClock, onProblem });
    const pepper = new Pepper(storage.secrets.pepper);
    if (accounts > 1) insertAccounts(folder.path, pepper, accounts);
    await limit(storage, firstRun.key);
    if (accounts > 1) await creditAccounts(storage, accounts);
    await storage.close();
    if (keys > 0) insertKeys(folder.path, pepper, firstRun.key, keys);
  } finally {
    folder.close();
  }
  return firstRun.secret.reveal();
}

function onProblem({ type, cause }: StorageProblem): never {
  throw new Error(type, { cause });
}

async function limit({ accounts }: Storage, key: Key): Promise<void> {
  const limited = await accounts.changeKey(key.id, { limits: LIMITS });
  if (limited === null) throw new Error('the first key is not there');
}

/** Without the domain, in one transaction: one by one they would take longer than everything that is measured. */
function insertKeys(folder: string, pepper: Pepper, { projectId }: Key, keys: number): void {
  const database = new DatabaseSync(join(folder, 'turnpike.db'));
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN');
  const insert = database.prepare(
    `INSERT INTO keys (project_id, name, label, kind, digest, pepper_id, created_at, limits, permissions)
     VALUES (?, ?, ?, 'inference', ?, ?, ?, '{}', '{}')`,
  );
  const nowMs = Date.now();
  for (let number = 0; number < keys; number += 1) {
    const secret = numberedKey(GOOD_KEYS, number);
    const label = `sk-tp-…${secret.slice(-4)}`;
    insert.run(projectId, `Key ${number + 2}`, label, pepper.digest(secret), pepper.id, nowMs);
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      config: { type: 'string' },
      keys: { type: 'string', default: '0' },
      accounts: { type: 'string', default: '1' },
    },
  });
  const flags = { data: values.data ?? '', config: values.config ?? '' };
  const { config } = loadConfig({ flags, environment: process.env, cwd: process.cwd() });
  process.stdout.write(`${await prepare(config, { keys: Number(values.keys), accounts: Number(values.accounts) })}\n`);
}
