/**
 * Goal: operators manage providers without ever seeing a credential again; an account sees the models it may use. Method: the handlers over
 * a real registry and a real key ring in memory, and a provider on loopback that answers as each case needs.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Permissions } from '../../../accounts/limits.ts';
import { LIST_RATES, RateBook } from '../../../billing/rates.ts';
import { MemoryListedPrices, MemoryProviders } from '../../../catalog/memory-providers.ts';
import { ProviderRegistry } from '../../../catalog/provider-registry.ts';
import { ManualClock, systemClock } from '../../../core/clock.ts';
import { priceVersionId } from '../../../core/ids.ts';
import { Secret } from '../../../core/secret.ts';
import { KeyRing } from '../../../credentials/key-ring.ts';
import { testConnection } from '../../../probe/test-connection.ts';
import { configureProvider } from '../../../providers/configure.ts';
import { NOWHERE } from '../../../providers/outside.ts';
import { custom } from '../../../providers/vendors/servers/custom.ts';
import { Breakers } from '../../../routing/breaker/breakers.ts';
import { openAccountsInMemory } from '../../../storage/sqlite/engine/kysely-under-test.ts';
import { ProviderHealth } from '../../../telemetry/provider-health.ts';
import { UpstreamClient } from '../../../upstream/client.ts';
import { providerRoutes } from '../../contract/providers.ts';
import { parseInput } from '../../parse-input.ts';
import type { Change, Context, Handler } from '../door/handler.ts';
import { type ProviderServices, providerHandlers } from './providers.ts';

const CANARY = 'sk-canary-0123456789';

let answerWith: (credential: string) => { status: number; body: unknown } = () => ({ status: 200, body: {} });
const server = createServer((request, response) => {
  const { status, body } = answerWith(request.headers.authorization ?? '');
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
const upstream = new UpstreamClient({ clock: systemClock, connectMs: 1000 });
let origin = '';
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  await upstream.close();
  server.close();
});

async function open(services: Partial<ProviderServices> = {}) {
  const filed = configureProvider(custom, { name: 'filed', origin, credential: new Secret(CANARY) });
  const known = { parameters: null, efforts: null, quirks: {}, contextWindow: 8000, outputCap: null };
  const registry = await ProviderRegistry.open({
    fixed: [
      {
        provider: filed,
        source: 'file',
        models: [{ ...known, provider: 'filed', upstream: 'large', id: 'lab/large', name: 'Large', prices: null }],
      },
    ],
    wholeModels: [],
    listedPrices: new MemoryListedPrices(),
    store: new MemoryProviders(),
    transactions: (await openAccountsInMemory()).transactions,
    sealer: new KeyRing([new Secret('0123456789abcdef'.repeat(4))]),
    outside: NOWHERE,
    pin: async (targets) => targets.map((_, index) => priceVersionId(index + 1)),
    clock: new ManualClock(0),
  });
  const audited: Change[] = [];
  const handlers = providerHandlers({
    registry,
    testConnection: (provider) =>
      testConnection(provider, {
        clock: systemClock,
        timeoutMs: 5000,
        send: ({ timeoutMs, ...request }) =>
          upstream.request({ ...request, body: null }, { timeoutMs, bytesMax: 1_000_000 }),
      }),
    health: new ProviderHealth(new ManualClock(), () => undefined),
    breakers: new Breakers(new ManualClock(), () => undefined),
    proxyOf: () => null,
    paidInAdvance: true,
    rates: new RateBook(LIST_RATES),
    stats: null,
    clock: new ManualClock(Date.UTC(2026, 10, 21)),
    outside: NOWHERE,
    ...services,
  });
  /** Like a door: the input is parsed by the contract, and the answer checked against it. */
  const ask = async (
    name: keyof typeof providerRoutes,
    body: object = {},
    provider = '',
    permissions: Permissions = {},
  ) => {
    const route = providerRoutes[name];
    const context = {
      account: { id: 1, permissions, rates: {} },
      audit: async (change: Change) => void audited.push(change),
      checkStill: async () => undefined,
    } as unknown as Context;
    const handle = handlers[name] as unknown as Handler<typeof route>;
    const input = { params: provider === '' ? {} : { provider }, query: {}, body: parseInput(route.body, body) };
    const answer = await handle(context, input as never);
    return parseInput(route.answer, JSON.parse(JSON.stringify(answer))) as { data: never };
  };
  return { ask, audited, registry };
}

/** Of a model that is entered. */
const PRICE = { input: '0.15', output: '0.60', cache_read: '0.075', input_image: '0.3' };

const made = () => ({
  name: 'made',
  kind: 'custom',
  origin,
  credential: CANARY,
  model_settings: [
    {
      ...{ upstream: 'small', id: 'lab/small', price: PRICE },
      input_modalities: ['image', 'text'],
    },
    { upstream: 'own', price: 'free' },
  ],
});

test('a credential that is too short for a hint, or in the file, is still reported as present', async () => {
  const { ask } = await open();
  const stateOf = async (name: string) => {
    const listed = (await ask('listProviders')).data as {
      name: string;
      has_credential: boolean;
      credential_hint: null;
    }[];
    const found = listed.find((provider) => provider.name === name);
    return [found?.has_credential, found?.credential_hint];
  };
  await ask('createProvider', { ...made(), credential: 'short' });
  assert.deepEqual(await stateOf('made'), [true, null]);
  assert.deepEqual(await stateOf('filed'), [true, null]);
  await ask('updateProvider', { credential: null }, 'made');
  assert.deepEqual(await stateOf('made'), [false, null]);
});

test('further credentials are added and removed one by one, shown by their last characters, and audited', async () => {
  const { ask, audited, registry } = await open();
  await ask('createProvider', made());
  const credentials = (data: unknown) =>
    (data as { credentials: { id: string | null; hint: string | null; state: string }[] }).credentials;
  const second = { credential: `${CANARY}-second-2222` };
  const { data } = await ask('addProviderCredential', second, 'made');
  const [first, added] = credentials(data);
  assert.deepEqual([first?.id, first?.hint, added?.hint, added?.state], [null, '6789', '2222', 'ready']);
  assert.equal(registry.current.providers.get('made')?.credentialCount, 2);
  await assert.rejects(ask('addProviderCredential', second, 'made'), /has a credential twice/);
  await assert.rejects(ask('updateProvider', { origin: `${origin}/other`, credential: CANARY }, 'made'), /not sent to/);
  await assert.rejects(ask('addProviderCredential', second, 'filed'), /defined by the configuration file/);
  await assert.rejects(registry.removeCredential('made', 'none'), /no further credential/);
  const left = await registry.removeCredential('made', added?.id ?? '');
  assert.deepEqual(
    left.credentials.map(({ hint }) => hint),
    ['6789'],
  );
  assert.equal(registry.current.providers.get('made')?.credentialCount, 1);
  assert.deepEqual(audited.at(-1)?.after, { further_hints: ['2222'], access: 'changed' });
  assert.ok(!JSON.stringify([audited, data]).includes(CANARY));
});

test('a provider is created, listed, changed and deleted, each with an audit entry without the credential', async () => {
  const { ask, audited } = await open();
  const { data } = await ask('createProvider', made());
  const provider = data as Record<string, unknown>;
  assert.deepEqual(
    [provider['source'], provider['models'], provider['credential_hint'], provider['is_enabled'], provider['problem']],
    ['dashboard', 2, '6789', true, null],
  );
  await ask('updateProvider', { is_enabled: false }, 'made');
  await ask('updateProvider', { is_enabled: false }, 'made');
  await ask('updateProvider', { credential: `${CANARY}-6789` }, 'made');
  const moved = `${provider['origin']}/base`;
  const { data: after } = await ask('updateProvider', { origin: moved, credential: `${CANARY}-6789` }, 'made');
  assert.deepEqual((after as { calls_to: string[] }).calls_to, [`${moved}/v1/chat/completions`]);
  const listed = (await ask('listProviders')).data as { name: string; source: string; is_enabled: boolean }[];
  assert.deepEqual(
    listed.map(({ name, source, is_enabled }) => [name, source, is_enabled]),
    [
      ['filed', 'file', true],
      ['made', 'dashboard', false],
    ],
  );
  await ask('deleteProvider', {}, 'made');
  assert.deepEqual(
    audited.map(({ action, before, after }) => [action, before, after].slice(0, action === 'provider.update' ? 3 : 1)),
    [
      ['provider.create'],
      ['provider.update', { is_enabled: true }, { is_enabled: false }],
      ['provider.update', null, { access: 'changed' }],
      ['provider.update', { origin: provider['origin'] }, { origin: moved, access: 'changed' }],
      ['provider.delete'],
    ],
  );
  assert.ok(audited.every(({ accountId }) => accountId === null));
  assert.ok(!JSON.stringify([audited, provider, listed]).includes(CANARY));
});

test('prices and models are returned as they were set', async () => {
  const { ask } = await open();
  await ask('createProvider', made());
  const listed = (await ask('listProviders')).data as { name: string; model_settings: unknown }[];
  assert.deepEqual(listed.find(({ name }) => name === 'made')?.model_settings, [
    {
      upstream: 'small',
      id: 'lab/small',
      name: null,
      context_length: null,
      output_cap: null,
      price: PRICE,
      input_modalities: ['text', 'image'],
      output_modalities: null,
    },
    {
      ...{ upstream: 'own', id: null, name: null, context_length: null, output_cap: null, price: 'free' },
      ...{ input_modalities: null, output_modalities: null },
    },
  ]);
});

test('a test returns the provider’s names of its models, up to 500, and never the credential', async () => {
  const { ask } = await open();
  const names = Array.from({ length: 600 }, (_, index) => ({ id: `m${index}` }));
  answerWith = (credential) => ({
    status: 200,
    body: { data: [{ id: credential }, { id: `x-${CANARY}` }, { id: 'a\u202eb' }, ...names] },
  });
  const kept = (await ask('testProvider', {}, 'filed')).data as { ok: boolean; models: number; model_names: string[] };
  const tried = await ask('tryProvider', { kind: 'custom', origin, credential: CANARY });
  assert.deepEqual([kept.ok, kept.models, kept.model_names.length, kept.model_names[0]], [true, 603, 500, 'm0']);
  assert.ok(!JSON.stringify([kept, tried]).includes(CANARY));
});

test('a failed test returns the problem, and never the credential', async () => {
  const { ask } = await open();
  answerWith = (credential) => ({ status: 401, body: { error: { message: `bad key ${credential}` } } });
  const { data } = await ask('tryProvider', { kind: 'custom', origin, credential: CANARY });
  assert.deepEqual([(data as { ok: boolean }).ok, (data as { status: number }).status], [false, 401]);
  assert.match((data as { problem: string }).problem, /rejected the credential/);
  assert.ok(!JSON.stringify(data).includes(CANARY));
  for (const body of [
    { kind: 'custom', origin, credential: `${CANARY} ${CANARY}` },
    { kind: 'custom', credential: CANARY },
    { kind: CANARY },
    { kind: 'custom', origin: `http://u:${CANARY}@127.0.0.1:1`, credential: CANARY },
  ])
    await assert.rejects(ask('tryProvider', body), (error: Error & { code?: string }) => {
      assert.ok(!error.message.includes(CANARY), error.message);
      return error.code === 'invalid_value';
    });
});

test('kinds that can be added list their requirements, without the built-in one', async () => {
  const { ask } = await open();
  const kinds = (await ask('listProviderKinds')).data as { kind: string; needs_credential: boolean }[];
  const needs = Object.fromEntries(kinds.map(({ kind, needs_credential }) => [kind, needs_credential]));
  assert.deepEqual([needs['openai'], needs['ollama'], needs['custom'], needs['demo']], [true, false, false, undefined]);
});

test('a kind requires an option only if no credential can supply it', async () => {
  const { ask } = await open();
  const kinds = (await ask('listProviderKinds')).data as {
    kind: string;
    options: { name: string; is_required: boolean }[];
  }[];
  const required = (name: string) =>
    kinds.find(({ kind }) => kind === name)?.options.flatMap((each) => (each.is_required ? each.name : []));
  // A service account names its project.
  assert.deepEqual([required('vertex'), required('bedrock'), required('azure')], [['location'], ['region'], []]);
});

test('an account sees the models it may use, with prices, and those without one as not usable', async () => {
  const asked: unknown[] = [];
  const { ask } = await open({
    stats: {
      async firstBytes(query) {
        asked.push(query);
        return new Map([['lab/small', { calls: 3, p50Ms: 42, p95Ms: 50 }]]);
      },
    },
  });
  await ask('createProvider', { ...made(), origin: 'https://example.com' });
  interface Row {
    readonly id: string;
    readonly is_usable: boolean;
    readonly pricing: Record<string, string | null>;
    readonly first_byte_p50_ms: number | null;
    readonly calls_7d: number;
    readonly providers: readonly string[];
  }
  const rows = (await ask('listCatalog')).data as Row[];
  const small = rows.find(({ id }) => id === 'lab/small');
  const { input_image, ...text } = small?.pricing ?? {};
  assert.deepEqual(text, { input: '0.15', output: '0.6', cache_read: '0.075', cache_write: null });
  assert.equal(input_image, '0.3');
  assert.deepEqual([small?.first_byte_p50_ms, small?.calls_7d, small?.providers], [42, 3, ['made']]);
  assert.equal(rows.find(({ id }) => id === 'made/own')?.pricing['input'], '0');
  const endHour = Date.UTC(2026, 10, 21) / 3_600_000 + 1;
  assert.deepEqual(asked, [{ accountId: 1, firstHour: endHour - 168, endHour }]);
  const seen = (await ask('listCatalog', {}, '', { modelsAllow: ['lab/*'] })).data as Row[];
  assert.ok(seen.length > 0 && seen.every(({ id }) => id.startsWith('lab/')));

  await ask('createProvider', {
    name: 'far',
    kind: 'custom',
    origin: 'https://example.org',
    model_settings: [{ upstream: 'x' }],
  });
  const unpriced = ((await ask('listCatalog')).data as Row[]).find(({ id }) => id === 'far/x');
  assert.deepEqual([unpriced?.is_usable, unpriced?.pricing['input']], [false, null]);
});
