/** What is below a simulated node and outlives it: the ledger in memory, or the storage of the real program. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerRulesModule } from '../../../src/billing/ledger-rules.ts';
import { MemoryLedger } from '../../../src/billing/memory-ledger.ts';
import type { LedgerStore, LoadedLedger, PricedTarget, Prices, SpentSoFar } from '../../../src/billing/ports.ts';
import type { ManualClock } from '../../../src/core/clock.ts';
import { type KeyId, keyId, type PriceVersionId, priceVersionId } from '../../../src/core/ids.ts';
import { nanoUsd } from '../../../src/core/money.ts';
import type { Settlement } from '../../../src/core/settlement.ts';
import { storages } from '../../../src/storage/index.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { readSqlite } from './read-sqlite.ts';
import { Violation } from './violation.ts';

export interface Durable {
  readonly settlements: readonly Settlement[];
  readonly holds: readonly Settlement[];
  /** What the storage keeps added up, by account. */
  readonly balances: ReadonlyMap<number, { readonly credited: bigint; readonly charged: bigint }>;
  /** What is wrong with sums that are kept in addition to the settlements. */
  readonly faults: readonly string[];
}

export interface Backing {
  readonly store: LedgerStore;
  /** Keeps a key, so that what it spent counts for its root. Ids start at 1, in order. */
  addKey(rootId: number | null, projectId: number): Promise<void>;
  pin(target: PricedTarget): Promise<PriceVersionId>;
  prices(version: PriceVersionId): Promise<Prices | null>;
  /** The process ended; the next one opens what is on disk. Returns how many holds were open. */
  reopen(): Promise<number>;
  load(): Promise<LoadedLedger>;
  durable(): Promise<Durable>;
  dispose(): Promise<void>;
}

export const ACCOUNTS = 3;
export const PROJECTS = 4;

export function accountOfProject(project: number): number {
  return Math.min(project, ACCOUNTS);
}

export class MemoryBacking implements Backing {
  readonly store: MemoryLedger;
  readonly #clock: ManualClock;
  readonly #roots = new Map<KeyId, KeyId>();
  readonly #versions: Prices[] = [];

  constructor(clock: ManualClock) {
    this.#clock = clock;
    this.store = new MemoryLedger(clock.now());
  }

  async addKey(rootId: number | null): Promise<void> {
    const id = keyId(this.#roots.size + 1);
    this.#roots.set(id, rootId === null ? id : keyId(rootId));
  }

  async pin({ prices }: PricedTarget): Promise<PriceVersionId> {
    return priceVersionId(this.#versions.push(prices));
  }

  async prices(version: PriceVersionId): Promise<Prices | null> {
    return this.#versions[version - 1] ?? null;
  }

  async reopen(): Promise<number> {
    this.store.nowMs = this.#clock.now();
    this.store.recover();
    return this.store.recovered;
  }

  async load(): Promise<LoadedLedger> {
    const loaded = await this.store.load();
    const keys = new Map<KeyId, SpentSoFar>();
    for (const [id, spent] of loaded.spent.keys) {
      const root = this.#roots.get(id) ?? id;
      const known = keys.get(root);
      keys.set(root, known === undefined ? spent : together(known, spent));
    }
    return { ...loaded, spent: { ...loaded.spent, keys } };
  }

  async durable(): Promise<Durable> {
    const { settlements, holds, posted } = this.store;
    const accounts = new Set([...settlements.values(), ...posted].map((row) => row.accountId));
    const balances = new Map([...accounts].map((id) => [id as number, this.store.totals(id)]));
    return { settlements: [...settlements.values()], holds: [...holds.values()], balances, faults: [] };
  }

  async dispose(): Promise<void> {
    // Nothing outlives the process.
  }
}

export class SqliteBacking implements Backing {
  readonly #clock: ManualClock;
  readonly #folder: string;
  #storage: Storage;
  #keys = 0;

  constructor(storage: Storage, clock: ManualClock, folder: string) {
    this.#storage = storage;
    this.#clock = clock;
    this.#folder = folder;
  }

  static async open(clock: ManualClock): Promise<SqliteBacking> {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-prove-'));
    const storage = await openStorage(folder, clock);
    const createdAt = clock.now();
    for (let account = 1; account <= ACCOUNTS; account += 1)
      await storage.accounts.createAccount({ name: `account ${account}`, createdAt });
    for (let project = 1; project <= PROJECTS; project += 1) {
      const accountId = accountOfProject(project) as never;
      await storage.accounts.createProject({ accountId, name: `project ${project}`, createdAt });
    }
    return new SqliteBacking(storage, clock, folder);
  }

  get store(): LedgerStore {
    return this.#storage.ledger;
  }

  async addKey(rootId: number | null, projectId: number): Promise<void> {
    const digest = Buffer.alloc(32);
    this.#keys += 1;
    digest.writeUInt32BE(this.#keys);
    await this.#storage.accounts.createKey({
      projectId: projectId as never,
      rootId: rootId as never,
      name: null,
      kind: 'inference',
      digest,
      pepperId: 'pepper',
      label: 'sk-tp-…',
      createdAt: this.#clock.now(),
      createdBy: null,
      expiresAt: null,
      limits: {},
      permissions: {},
    });
  }

  async pin(target: PricedTarget): Promise<PriceVersionId> {
    const [version] = await this.#storage.prices.pin([target]);
    if (version === undefined) throw new Violation('a price got no version');
    return version;
  }

  prices(version: PriceVersionId): Promise<Prices | null> {
    return this.#storage.prices.read(version);
  }

  async reopen(): Promise<number> {
    await this.#storage.close();
    this.#storage = await openStorage(this.#folder, this.#clock);
    return this.#storage.ledger.recovered;
  }

  load(): Promise<LoadedLedger> {
    return this.#storage.ledger.load();
  }

  async durable(): Promise<Durable> {
    return readSqlite(join(this.#folder, 'turnpike.db'));
  }

  async dispose(): Promise<void> {
    await this.#storage.close();
    rmSync(this.#folder, { recursive: true });
  }
}

function openStorage(folder: string, clock: ManualClock): Promise<Storage> {
  return storages.sqlite.open({
    folder,
    clock,
    durability: 'process',
    database: null,
    recordsBytesMax: 1_000_000_000,
    givenSecrets: { pepper: null, sealingKey: null },
    maintenance: {
      billingMode: 'prepaid',
      longestCallMs: 3_600_000,
      version: 'simulated',
      rulesModule: ledgerRulesModule,
    },
    onProblem({ type, cause }) {
      throw new Violation(`the storage reports ${type}: ${cause}`);
    },
  });
}

function together(one: SpentSoFar, other: SpentSoFar): SpentSoFar {
  return {
    day: one.day,
    today: nanoUsd(one.today + other.today),
    week: nanoUsd(one.week + other.week),
    month: nanoUsd(one.month + other.month),
    total: nanoUsd(one.total + other.total),
    callsToday: one.callsToday + other.callsToday,
    lastDay: Math.max(one.lastDay, other.lastDay),
  };
}
