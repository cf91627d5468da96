/** Opens the storage that the configuration selects; the only place that chooses a member of the family. */
import { ledgerRulesModule } from '../billing/ledger-rules.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { VERSION } from '../core/version.ts';
import type { ExaminedDatabase } from '../storage/examined-database.ts';
import { storages } from '../storage/index.ts';
import type { MaintenanceSetting } from '../storage/maintenance-setting.ts';
import type { DatabaseOptions, Storage, StorageMember, StorageProblem } from '../storage/storage.ts';
import { nodeSettings, type SharedConfig } from './nodes/node-settings.ts';

export type StorageConfig = Pick<
  Config,
  | 'dataFolder'
  | 'database'
  | 'nodes'
  | 'durability'
  | 'records'
  | 'capture'
  | 'pepper'
  | 'sealingKey'
  | 'billing'
  | 'timeouts'
> &
  SharedConfig;

export interface StorageParts {
  readonly clock: Clock;
  /** Whether this process takes calls, which is the default, or runs one command. */
  readonly role?: DatabaseOptions['role'];
  /** Receives problems that are not reported to a caller; must not throw. */
  readonly onProblem: (problem: StorageProblem) => void;
}

/** The storage member, not opened. */
export function storageOf({ database }: Partial<StorageConfig>): StorageMember {
  return (database?.url ?? null) === null ? storages.sqlite : storages.postgres;
}

/** Opens a data folder that the caller has locked (`openDataFolder`); see `StorageMember.open`. */
export function openStorage(
  config: StorageConfig,
  { clock, role = 'node', onProblem }: StorageParts,
): Promise<Storage> {
  return storageOf(config).open({
    folder: config.dataFolder,
    clock,
    durability: config.durability,
    database: databaseOptions(config, role),
    recordsBytesMax: config.records.bytesMax,
    capturesBytesMax: config.capture.bytesMax,
    givenSecrets: { pepper: config.pepper, sealingKey: config.sealingKey },
    maintenance: maintenanceSetting(config),
    onProblem,
  });
}

/** Looks at the database that the configuration selects; see `StorageMember.examine`. */
export async function examineStorage(config: StorageConfig, now: () => number): Promise<ExaminedDatabase | null> {
  const database = databaseOptions(config, 'command');
  if (database === null) return null;
  const givenSecrets = { pepper: config.pepper, sealingKey: config.sealingKey };
  return storageOf(config).examine({ folder: config.dataFolder, database, givenSecrets, now, version: VERSION });
}

function databaseOptions(config: StorageConfig, role: DatabaseOptions['role']): DatabaseOptions | null {
  const { url, readUrl, connections } = config.database;
  if (url === null) return null;
  return { url, readUrl, connections, nodeName: config.nodes.name, settings: nodeSettings(config), role };
}

export function maintenanceSetting({ billing, timeouts }: Pick<Config, 'billing' | 'timeouts'>): MaintenanceSetting {
  return {
    billingMode: billing.mode,
    longestCallMs: timeouts.totalMs,
    version: VERSION,
    rulesModule: ledgerRulesModule,
  };
}
