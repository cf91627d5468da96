/**
 * Goal: operators change providers, and new calls always find a complete snapshot that is stored and reported correctly.
 * Method: a registry over a store in memory that can be made to fail, together with providers of a configuration.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { priceVersionId } from '../core/ids.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import { Secret } from '../core/secret.ts';
import type { ProviderDialectName } from '../dialects/index.ts';
import { configureProvider } from '../providers/configure.ts';
import { NOWHERE } from '../providers/outside.ts';
import { signCall } from '../providers/provider-fixture.ts';
import { custom } from '../providers/vendors/servers/custom.ts';
import { openAccountsInMemory } from '../storage/sqlite/engine/kysely-under-test.ts';
import type { FixedProvider } from './listed-provider.ts';
import { MemoryListedPrices, MemoryProviders } from './memory-providers.ts';
import type { ModelSetting, StoredProvider } from './ports.ts';
import type { ProviderInput } from './provider-input.ts';
import { ProviderRegistry, type ProviderRegistryParts } from './provider-registry.ts';

const CREDENTIAL = new Secret('sk-canary-0123456789');
const ORIGIN = 'http://10.0.0.5:8000';

/** Binds each value to the place it was sealed for; opens it for no other. */
const sealer: Sealer = {
  seal: (plain, about) => Buffer.from(JSON.stringify([about, plain.toString('base64')])),
  open(sealed, about) {
    const [place, text] = JSON.parse(Buffer.from(sealed).toString()) as [string, string];
    if (place !== about) throw new Error('sealed for another place');
    return Buffer.from(text, 'base64');
  },
};

function fixed(name: string, source: FixedProvider['source'] = 'file'): FixedProvider {
  const provider = configureProvider(custom, { name, origin: 'http://192.0.2.1', credential: CREDENTIAL });
  return { provider, source, models: [] };
}

async function open(parts: Partial<ProviderRegistryParts> & { store?: MemoryProviders } = {}) {
  const store = parts.store ?? new MemoryProviders();
  const registry = await ProviderRegistry.open({
    fixed: [],
    wholeModels: [],
    listedPrices: new MemoryListedPrices(),
    sealer,
    outside: NOWHERE,
    pin: async (targets) => targets.map((_, index) => priceVersionId(index + 1)),
    clock: new ManualClock(5000),
    transactions: (await openAccountsInMemory()).transactions,
    ...parts,
    store,
  });
  return { registry, store };
}

function input(changes: Partial<ProviderInput> = {}): ProviderInput {
  return {
    origin: ORIGIN,
    options: {},
    credential: CREDENTIAL,
    dialects: null,
    enabled: true,
    models: [model('m')],
    ...changes,
  };
}

function model(upstream: string, changes: Partial<ModelSetting> = {}): ModelSetting {
  return { upstream, id: null, name: null, contextWindow: null, outputCap: null, price: null, ...changes };
}

const namesIn = (registry: ProviderRegistry) => [...registry.current.providers.keys()];

test('providers of the file come first, then those of the dashboard, then the built-in one', async () => {
  const { registry } = await open({ fixed: [fixed('filed'), fixed('demo', 'built-in')] });
  await registry.create('made', 'custom', input());
  assert.deepEqual(namesIn(registry), ['filed', 'made', 'demo']);
  assert.deepEqual(
    registry.list().map(({ name, source }) => [name, source]),
    [
      ['filed', 'file'],
      ['demo', 'built-in'],
      ['made', 'dashboard'],
    ],
  );
});

test('a provider is listed with its configured address and the addresses of its calls', async () => {
  const { registry } = await open({ fixed: [fixed('filed')] });
  const given = {
    bare: ['http://10.0.0.5:9400', '/v1/chat/completions'],
    base: ['http://10.0.0.5:9400/v1', '/v1/chat/completions'],
    deep: ['http://10.0.0.5:9400/api', '/api/v1/chat/completions'],
    call: ['http://10.0.0.5:9400/api/chat/completions', '/api/chat/completions'],
  } as const;
  for (const [name, [origin]] of Object.entries(given))
    await registry.create(name, 'custom', input({ origin, dialects: ['openai-chat'] }));
  for (const [name, [origin, path]] of Object.entries(given)) {
    const listed = registry.find(name);
    assert.deepEqual([listed.origin, listed.callsTo], [origin, [`http://10.0.0.5:9400${path}`]]);
  }
  await registry.create('both', 'custom', input({ dialects: ['anthropic-messages', 'openai-chat'] }));
  assert.deepEqual(registry.find('both').callsTo, [`${ORIGIN}/v1/messages`, `${ORIGIN}/v1/chat/completions`]);
  assert.match(registry.find('filed').callsTo[0] ?? '', /\/v1\//);
});

test('a snapshot never changes; every change creates another and notifies listeners', async () => {
  const { registry } = await open();
  const before = registry.current;
  const snapshots: unknown[] = [];
  registry.onChange((snapshot) => snapshots.push(snapshot));
  await registry.create('made', 'custom', input());
  assert.equal(before.providers.size, 0);
  assert.equal(before.catalog.get('made/m'), undefined);
  assert.ok(registry.current.catalog.get('made/m') !== undefined);
  assert.deepEqual(snapshots, [registry.current]);
});

test('a model has exactly the price that is set; without one it is free at a private address, and unknown elsewhere', async () => {
  const { registry } = await open();
  const price = { input: '0.000001', output: '1234567.654321', cacheRead: '0', cacheWrite: null };
  const seeing = model('seeing', { price: { ...price, inputImage: '8' } });
  await registry.create('made', 'custom', input({ models: [model('priced', { price }), seeing, model('own')] }));
  await registry.create('far', 'custom', input({ origin: 'https://example.com', models: [model('m')] }));
  const pricesOf = (id: string) => registry.current.catalog.get(id)?.targets[0]?.prices;
  assert.deepEqual(
    [pricesOf('made/priced')?.input, pricesOf('made/priced')?.output, pricesOf('made/priced')?.cacheRead],
    [1n, 1_234_567_654_321n, 0n],
  );
  assert.equal(pricesOf('made/priced')?.cacheWrite, null);
  assert.deepEqual([pricesOf('made/priced')?.inputImage, pricesOf('made/seeing')?.inputImage], [null, 8_000_000n]);
  assert.equal(pricesOf('made/own')?.input, 0n);
  assert.equal(pricesOf('far/m'), null);
});

test('a provider that cannot serve is refused with the field, and nothing is stored', async () => {
  const { registry, store } = await open();
  const cases: [string, string, Partial<ProviderInput>, RegExp, string][] = [
    ['made', 'nothing', {}, /unknown provider type/, 'kind'],
    ['made', 'demo', {}, /unknown provider type/, 'kind'],
    ['demo', 'custom', {}, /built-in/, 'name'],
    ['made', 'custom', { origin: null }, /needs an origin/, 'origin'],
    ['made', 'openai', { origin: null, credential: null }, /needs a credential/, 'credential'],
    ['made', 'custom', { origin: 'http://user:pass@host' }, /must not hold a user/, 'origin'],
    ['made', 'custom', { credential: new Secret('with blanks') }, /no header can carry/, 'credential'],
    ['made', 'custom', { models: [model('a', { id: 'none' })] }, /<vendor>\/<name>/, 'model_settings.0.id'],
    ['made', 'custom', { models: [model('a'), model('b', { id: 'made/a' })] }, /earlier model/, 'model_settings.1'],
    [
      'made',
      'custom',
      { models: [model('a', { price: { input: '0.0000001', output: '1', cacheRead: null, cacheWrite: null } })] },
      /6 decimal places/,
      'model_settings.0.price',
    ],
  ];
  for (const [name, kind, changes, message, param] of cases)
    await assert.rejects(registry.create(name, kind, input(changes)), { code: 'invalid_value', message, param });
  assert.equal(store.rows.size, 0);
  assert.deepEqual(namesIn(registry), []);
});

test('a name is unique across the file, the environment and the dashboard', async () => {
  const { registry } = await open({ fixed: [fixed('filed'), fixed('environed', 'environment')] });
  await registry.create('made', 'custom', input());
  for (const [name, message] of [
    ['filed', /configuration file/],
    ['environed', /environment variable/],
    ['made', /already/],
  ] as const)
    await assert.rejects(registry.create(name, 'custom', input()), { code: 'conflict', message });
});

test('a row whose name the file also uses is listed, but neither called nor changed', async () => {
  const store = new MemoryProviders();
  const first = await open({ store });
  await first.registry.create('twice', 'custom', input());
  const { registry } = await open({ store, fixed: [fixed('twice')] });
  assert.equal(registry.current.providers.get('twice')?.origin, 'http://192.0.2.1');
  assert.equal(registry.current.catalog.get('twice/m'), undefined);
  const [filed, shadowed] = registry.list();
  assert.deepEqual([filed?.source, filed?.isShadowed], ['file', false]);
  assert.deepEqual([shadowed?.source, shadowed?.isShadowed, shadowed?.models], ['dashboard', true, 0]);
  assert.match(shadowed?.problem ?? '', /configuration file/);
  await assert.rejects(registry.update('twice', { enabled: false }), { code: 'conflict' });
  await assert.rejects(registry.delete('twice'), { code: 'conflict' });
});

test('rows that cannot be served are listed with the problem, and do not affect others', async () => {
  const store = new MemoryProviders();
  const { registry: first } = await open({ store });
  for (const name of ['moved', 'unknown', 'good']) await first.create(name, 'custom', input());
  const rowOf = (name: string) => store.rows.get(name) as StoredProvider;
  store.rows.set('moved', { ...rowOf('moved'), credential: rowOf('good').credential });
  store.rows.set('unknown', { ...rowOf('unknown'), kind: 'of-tomorrow' });
  const { registry } = await open({ store });
  assert.deepEqual(namesIn(registry), ['good']);
  const problems = Object.fromEntries(registry.list().map(({ name, problem }) => [name, problem]));
  assert.match(problems['moved'] ?? '', /cannot be decrypted/);
  assert.match(problems['unknown'] ?? '', /does not know the provider type of-tomorrow/);
  assert.equal(problems['good'], null);
});

test('a credential is not sent to an origin it was not entered for', async () => {
  const { registry } = await open();
  await registry.create('made', 'custom', input());
  const elsewhere = { origin: 'http://10.0.0.6:8000' };
  await assert.rejects(registry.update('made', elsewhere), { code: 'invalid_value', param: 'credential' });
  assert.equal(registry.current.providers.get('made')?.origin, ORIGIN);
  await registry.update('made', { ...elsewhere, credential: new Secret('another-credential') });
  assert.equal(registry.current.providers.get('made')?.origin, elsewhere.origin);
  await registry.update('made', { credential: null });
  await registry.update('made', { origin: ORIGIN });
  assert.deepEqual(signedBy(registry, 'openai-chat'), {});
});

test('absent fields stay, including the credential, which is not rewritten', async () => {
  const { registry, store } = await open();
  await registry.create('made', 'custom', input());
  const row = store.rows.get('made');
  store.rows.set('made', { ...(row as StoredProvider), credential: Buffer.from('sealed again') });
  const { before, after } = await registry.update('made', { dialects: ['anthropic-messages'] });
  assert.deepEqual([before.dialects, after.dialects], [['openai-chat'], ['anthropic-messages']]);
  assert.deepEqual(after.settings, before.settings);
  assert.deepEqual(store.rows.get('made')?.credential, Buffer.from('sealed again'));
  assert.equal(signedBy(registry, 'anthropic-messages')['x-api-key'], CREDENTIAL.reveal());
});

function signedBy({ current }: ProviderRegistry, dialect: ProviderDialectName) {
  const provider = current.providers.get('made');
  assert(provider !== undefined);
  return signCall(provider, dialect).headers;
}

test('the hint is the end of a credential, and a short one has none', async () => {
  const { registry } = await open();
  const hintOf = async (text: string) =>
    (await registry.create(`p${text.length}`, 'custom', input({ credential: new Secret(text) }))).credentialHint;
  assert.equal(await hintOf('a'.repeat(12)), null);
  assert.equal(await hintOf(`${'a'.repeat(9)}wxyz`), 'wxyz');
});

test('a change that fails in the store or when pinning prices changes nothing, and the next one succeeds', async () => {
  let pinFails = false;
  const store = new MemoryProviders();
  const { registry } = await open({
    store,
    pin: async (targets) => {
      if (pinFails) throw new Error('EIO');
      return targets.map(() => priceVersionId(1));
    },
  });
  await registry.create('made', 'custom', input());
  const before = registry.current;
  pinFails = true;
  await assert.rejects(registry.create('next', 'custom', input()), /EIO/);
  assert.equal(store.rows.has('next'), false);
  pinFails = false;
  store.update = () => Promise.reject(new Error('disk'));
  await assert.rejects(registry.update('made', { enabled: false }), /disk/);
  assert.equal(registry.current, before);
  assert.equal(registry.find('made').isEnabled, true);
  await registry.delete('made');
  assert.deepEqual(namesIn(registry), []);
});

test('a model that only the configuration has is as old as its provider, or as this start', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const { provider, source } = fixed('filed');
  const known = { parameters: null, efforts: null, quirks: {}, contextWindow: null, outputCap: null, id: null };
  const own = { ...known, provider: 'filed', upstream: 'own', name: null, prices: 'free' as const };
  const { registry } = await open({ clock, fixed: [{ provider, source, models: [own] }] });
  const createdOf = (id: string) => registry.current.catalog.get(id)?.created;
  const start = Date.UTC(2026, 10, 21) / 1000;
  assert.equal(createdOf('filed/own'), start);
  clock.advance(90_500);
  await registry.create('made', 'custom', input({ models: [model('m', { price: 'free' })] }));
  clock.advance(90_000);
  await registry.update('made', { models: [model('m', { price: 'free' }), model('n', { price: 'free' })] });
  assert.deepEqual([createdOf('filed/own'), createdOf('made/m'), createdOf('made/n')], [start, start + 90, start + 90]);
});

test('further credentials are sealed for their provider alone, and are there after a restart', async () => {
  const { registry, store } = await open();
  await registry.create('made', 'custom', input());
  await registry.addCredential('made', new Secret('sk-canary-second-2222'));
  const reopened = await open({ store });
  assert.deepEqual(
    reopened.registry.find('made').credentials.map(({ hint, createdAt }) => [hint, createdAt]),
    [
      ['6789', null],
      ['2222', 5000],
    ],
  );
  const row = store.rows.get('made');
  assert.ok(row !== undefined);
  store.rows.clear();
  await store.create({ ...row, name: 'moved', credential: null });
  const moved = await open({ store });
  assert.match(moved.registry.find('moved').problem ?? '', /cannot be decrypted/);
  await moved.registry.update('moved', { credential: CREDENTIAL });
  assert.equal((await open({ store })).registry.find('moved').problem, null);
  assert.ok(!JSON.stringify([...store.rows.values()]).includes('second-2222'));
});
