/** Goal: a reload counts, whatever changes in the dashboard while it happens, and so does that change. Method: each waits in the middle of the other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { priceVersionId } from '../core/ids.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import { Secret } from '../core/secret.ts';
import { configureProvider } from '../providers/configure.ts';
import { NOWHERE } from '../providers/outside.ts';
import { custom } from '../providers/vendors/servers/custom.ts';
import { openAccountsInMemory } from '../storage/sqlite/engine/kysely-under-test.ts';
import type { FixedProvider } from './listed-provider.ts';
import { MemoryListedPrices, MemoryProviders } from './memory-providers.ts';
import { ProviderRegistry } from './provider-registry.ts';

const MODEL = { upstream: 'm', id: null, name: null, contextWindow: null, outputCap: null, price: null };
const INPUT = {
  origin: 'http://10.0.0.5:8000',
  options: {},
  credential: new Secret('sk-abcdefghijklmnop'),
  dialects: null,
  enabled: true,
  models: [MODEL],
};

/** Not secret at all. */
const SEALER: Sealer = { seal: (plain) => plain, open: (sealed) => Buffer.from(sealed) };

test('a change that was decided before a reload does not bring the earlier configuration back', async () => {
  const { registry, store, names, shown } = await opened();
  const stored = store.waitToList();
  const change = registry.create('more', 'custom', INPUT);
  await stored.asked;
  await registry.replaceFixed([fixed('new')]);
  stored.goOn();
  await change;
  assert.equal(names(), 'new,dash,more');
  assert.deepEqual(shown, ['new,dash', 'new,dash,more']);
});

test('a reload between the check of a change and its commit counts, and the change is shown with it', async () => {
  const { registry, names, shown } = await opened();
  await registry.update(
    'dash',
    { models: [{ ...MODEL, upstream: 'm2' }] },
    {
      checkStill: () => registry.replaceFixed([fixed('new')]),
    },
  );
  assert.equal(names(), 'new,dash');
  assert.ok(
    shown.every((each) => each === 'new,dash'),
    shown.join(' '),
  );
});

test('if the snapshot of both cannot be made now, the next refresh makes it', async () => {
  const { registry, pins, names } = await opened();
  const change = registry.create('more', 'custom', INPUT, {
    checkStill: async () => {
      await registry.replaceFixed([fixed('new')]);
      pins.fail = true;
    },
  });
  await assert.rejects(change, /database is away/);
  assert.equal(names(), 'new,dash', 'never the earlier configuration');
  pins.fail = false;
  await registry.refresh();
  assert.equal(names(), 'new,dash,more');
});

test('of two reloads around a change the later one counts', async () => {
  const { registry, names } = await opened();
  let second: Promise<void> = Promise.resolve();
  await registry.update(
    'dash',
    { models: [{ ...MODEL, upstream: 'm2' }] },
    {
      checkStill: async () => {
        await registry.replaceFixed([fixed('first')]);
        second = registry.replaceFixed([fixed('second')]);
      },
    },
  );
  await second;
  assert.equal(names(), 'second,dash');
  assert.deepEqual(
    registry.list().map(({ name }) => name),
    ['second', 'dash'],
  );
});

async function opened() {
  const store = new SlowProviders();
  const pins = { fail: false };
  const registry = await ProviderRegistry.open({
    fixed: [fixed('old')],
    wholeModels: [],
    listedPrices: new MemoryListedPrices(),
    sealer: SEALER,
    outside: NOWHERE,
    pin: async (targets) => {
      if (pins.fail) throw new Error('the database is away');
      return targets.map((_, index) => priceVersionId(index + 1));
    },
    clock: new ManualClock(5_000),
    transactions: (await openAccountsInMemory()).transactions,
    store,
  });
  await registry.create('dash', 'custom', INPUT);
  const names = () => [...registry.current.providers.keys()].join();
  const shown: string[] = [];
  registry.onChange(() => shown.push(names()));
  return { registry, store, pins, names, shown };
}

function fixed(name: string): FixedProvider {
  const provider = configureProvider(custom, {
    name,
    origin: 'http://192.0.2.1',
    credential: new Secret('sk-0123456789abcd'),
  });
  return { provider, source: 'file', models: [] };
}

class SlowProviders extends MemoryProviders {
  #asked = (): void => undefined;
  #until: Promise<void> | null = null;

  /** The next list is answered once `goOn` is called; `asked` resolves when it was asked for. */
  waitToList(): { readonly asked: Promise<void>; readonly goOn: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#until = promise;
    const asked = new Promise<void>((done) => {
      this.#asked = done;
    });
    return { asked, goOn: resolve };
  }

  override async list() {
    this.#asked();
    const until = this.#until;
    this.#until = null;
    await until;
    return super.list();
  }
}
