/**
 * Goal: the catalogue has what the configured providers serve, with pinned prices. Method: a small list of known models, then
 * the real one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceVersionId } from '../core/ids.ts';
import { picoUsd } from '../core/money.ts';
import { Secret } from '../core/secret.ts';
import { configureProvider } from '../providers/configure.ts';
import { findProviderKind } from '../providers/index.ts';
import type { Provider } from '../providers/provider.ts';
import type { PricedTarget } from './model.ts';
import type { KnownModel, KnownTarget } from './models.ts';
import { type ConfiguredModel, openCatalog } from './open-catalog.ts';
import { FREE } from './prices.ts';

const budget = { 'anthropic-messages': { thinking: 'budget' } } as const;
const known: readonly KnownModel[] = [
  model(
    'acme/large',
    [target('openai', 'large', 2_000_000), target('openrouter', 'acme/large', 3_000_000)],
    ['acme/l.arge'],
  ),
  {
    ...model('acme/small', [target('openrouter', 'acme/small', 1_000_000)]),
    efforts: ['low', 'max'],
    quirks: { 'anthropic-messages': { thinking: 'adaptive', systemAnywhere: true, prefill: false } },
  },
];

test('only targets of configured providers are kept, and only models that have one', async () => {
  const catalog = await open([provider('openai')]);
  assert.deepEqual(
    catalog.all().map(({ id }) => id),
    ['acme/large'],
  );
  assert.deepEqual(
    catalog.get('acme/large')?.targets.map(({ provider }) => provider),
    ['openai'],
  );
  assert.equal(catalog.get('acme/small'), undefined);
});

test('capabilities in the tables are kept, and missing ones stay unknown', async () => {
  const catalog = await open([provider('openai'), provider('openrouter')]);
  assert.partialDeepStrictEqual(catalog.get('acme/small'), {
    supportedParameters: ['max_tokens'],
    efforts: ['low', 'max'],
    quirks: { 'anthropic-messages': { thinking: 'adaptive', systemAnywhere: true, prefill: false } },
  });
  assert.partialDeepStrictEqual(catalog.get('acme/large'), {
    efforts: null,
    quirks: {},
  });
});

test('the parameters of a model that only the configuration has are unknown unless configured', async () => {
  const catalog = await open(
    [custom('http://10.0.0.5:8000')],
    [
      configured({ upstream: 'a' }),
      configured({ upstream: 'b', parameters: ['top_k'], efforts: ['none', 'high'], quirks: budget }),
    ],
  );
  assert.partialDeepStrictEqual(catalog.get('lab/a'), {
    supportedParameters: [],
    efforts: null,
    quirks: {},
  });
  assert.partialDeepStrictEqual(catalog.get('lab/b'), {
    supportedParameters: ['top_k'],
    listsAllParameters: true,
    efforts: ['none', 'high'],
    quirks: budget,
  });
});

test('configured capabilities of a known model override the tables’', async () => {
  const catalog = await open(
    [provider('openrouter')],
    [configured({ provider: 'openrouter', upstream: 'acme/small', parameters: ['seed'], quirks: budget })],
  );
  assert.partialDeepStrictEqual(catalog.get('acme/small'), {
    supportedParameters: ['seed'],
    listsAllParameters: true,
    efforts: ['low', 'max'],
    quirks: { 'anthropic-messages': { thinking: 'budget', systemAnywhere: true, prefill: false } },
  });
});

test('without configured parameters, a known model has the tables’ list, which is not complete', async () => {
  const catalog = await open(
    [provider('openrouter')],
    [configured({ provider: 'openrouter', upstream: 'acme/small' })],
  );
  assert.equal(catalog.get('acme/small')?.listsAllParameters, undefined);
});

test('with no provider there is no model, and nothing is pinned', async () => {
  const catalog = await open([], [], () => assert.fail('nothing to pin'));
  assert.deepEqual(catalog.all(), []);
});

test('targets keep the order of the known list, and two providers of a kind both serve', async () => {
  const catalog = await open([
    provider('openrouter'),
    provider('openai'),
    provider('openai', 'openai-eu', 'https://eu.example.com'),
  ]);
  assert.deepEqual(
    catalog.get('acme/large')?.targets.map(({ provider }) => provider),
    ['openai', 'openai-eu', 'openrouter'],
  );
});

test('a target carries the provider’s dialects and the version of its own price', async () => {
  const pinned: PricedTarget[] = [];
  const catalog = await open(
    [provider('openai'), provider('openrouter')],
    [],
    (targets) => void pinned.push(...targets),
  );
  const [first, second] = catalog.get('acme/large')?.targets ?? [];
  assert.deepEqual(first?.dialects, ['openai-responses', 'openai-chat']);
  assert.deepEqual(second?.dialects, ['openai-chat', 'anthropic-messages', 'openai-responses']);
  assert.equal(first?.prices?.input, 2_000_000n);
  for (const one of [first, second]) {
    const pin = pinned[Number(one?.priceVersion) - 1];
    assert.deepEqual(
      [pin?.model, pin?.provider, pin?.upstreamModel],
      ['acme/large', one?.provider, one?.upstreamModel],
    );
    assert.equal(pin?.prices, one?.prices);
  }
});

test('a model is found by its id, other spellings and every bare name', async () => {
  const catalog = await open(
    [provider('openai'), custom('http://127.0.0.1:1')],
    [configured({ upstream: 'meta/large' })],
  );
  const large = catalog.get('acme/large');
  assert.equal(catalog.get('acme/l.arge'), large);
  assert.deepEqual(catalog.named('l.arge'), [large]);
  assert.deepEqual(
    catalog
      .named('large')
      .map(({ id }) => id)
      .toSorted(),
    ['acme/large', 'lab/meta/large'],
  );
  assert.deepEqual(
    catalog.named('meta/large').map(({ id }) => id),
    ['lab/meta/large'],
  );
  assert.deepEqual(catalog.named('acme/large'), []);
});

test('a configured model is called <provider>/<upstream> unless it has an id', async () => {
  const catalog = await open(
    [custom('http://127.0.0.1:1')],
    [configured({}), configured({ upstream: 'b', id: 'mine/b', name: 'B', contextWindow: 8192, outputCap: 512 })],
  );
  assert.deepEqual(
    catalog.all().map(({ id, name, contextWindow, outputCap }) => [id, name, contextWindow, outputCap]),
    [
      ['lab/a', 'a', null, null],
      ['mine/b', 'B', 8192, 512],
    ],
  );
});

test('a model without a price is free at a private address and of unknown price elsewhere', async () => {
  const own = await open([custom('http://10.0.0.1')], [configured({})]);
  assert.deepEqual(own.get('lab/a')?.targets[0]?.prices, FREE);
  assert.notEqual(own.get('lab/a')?.targets[0]?.priceVersion, null);
  const elsewhere = await open([custom('https://llm.example.com')], [configured({})], () =>
    assert.fail('no price, no pin'),
  );
  assert.equal(elsewhere.get('lab/a')?.targets[0]?.prices, null);
  assert.equal(elsewhere.get('lab/a')?.targets[0]?.priceVersion, null);
  const said = await open([custom('https://llm.example.com')], [configured({ prices: 'free' })]);
  assert.deepEqual(said.get('lab/a')?.targets[0]?.prices, FREE);
});

test('a known target takes the configured price and limits, and keeps the rest', async () => {
  const prices = { ...FREE, input: picoUsd(7n) };
  const catalog = await open(
    [provider('openai'), provider('openrouter')],
    [configured({ provider: 'openai', upstream: 'large', prices, outputCap: 9 })],
  );
  const [first, second] = catalog.get('acme/large')?.targets ?? [];
  assert.equal(first?.prices, prices);
  assert.deepEqual([first?.contextWindow, first?.outputCap], [1000, 9]);
  assert.equal(second?.prices?.input, 3_000_000n);
  assert.equal(catalog.all().length, 2);
});

test('a target has the quantization that is stated of its model, whether that is known or only configured', async () => {
  const catalog = await open(
    [provider('openai'), custom('http://10.0.0.5:8000')],
    [
      configured({ provider: 'openai', upstream: 'large', quantization: 'fp8' }),
      configured({ upstream: 'a', quantization: 'bf16' }),
      configured({ upstream: 'b' }),
    ],
  );
  const stated = ['acme/large', 'lab/a', 'lab/b'].map((id) => catalog.get(id)?.targets[0]?.quantization);
  assert.deepEqual(stated, ['fp8', 'bf16', undefined]);
});

test('configured targets of a known model are tried first, in the order configured', async () => {
  const catalog = await open(
    [provider('openai'), custom('http://10.0.0.1')],
    [configured({ upstream: 'x', id: 'acme/large' }), configured({ upstream: 'y', id: 'acme/large' })],
  );
  const large = catalog.get('acme/large');
  assert.deepEqual(
    large?.targets.map(({ upstreamModel }) => upstreamModel),
    ['x', 'y', 'large'],
  );
  assert.deepEqual(large?.inputModalities, ['text', 'image']);
});

test('a known model on a custom server keeps the known facts, in any spelling', async () => {
  const lab = custom('http://10.0.0.5:8000');
  for (const [providers, id] of [
    [[lab], 'acme/large'],
    [[lab], 'acme/l.arge'],
    [[lab, provider('openai')], 'acme/l.arge'],
  ] as const) {
    const catalog = await open([...providers], [configured({ upstream: 'mine', id })]);
    assert.deepEqual(
      catalog.all().map((each) => each.id),
      ['acme/large'],
    );
    const [mine] = catalog.get('acme/large')?.targets ?? [];
    const vendors = target('openai', 'large', 2_000_000);
    assert.partialDeepStrictEqual(mine, {
      provider: 'lab',
      upstreamModel: 'mine',
      contextWindow: vendors.contextWindow,
      outputCap: vendors.outputCap,
    });
    assert.equal(mine?.prices?.input, picoUsd(2_000_000n), 'a known price does not become free');
  }
  const catalog = await open([lab], [configured({ upstream: 'acme/small', id: 'acme/small', prices: 'free' })]);
  assert.partialDeepStrictEqual(catalog.get('acme/small'), {
    efforts: ['low', 'max'],
    quirks: { 'anthropic-messages': { thinking: 'adaptive', prefill: false } },
  });
  assert.equal(catalog.get('acme/small')?.targets[0]?.prices, FREE);
});

test('what a tool costs that a provider runs is known at that kind of provider only', async () => {
  const fees = { webSearch: 10, fileSearch: 20, codeInterpreter: 30 };
  const at = target('openai', 'large', 2_000_000);
  const tiers = [{ ...at.prices, ...fees, abovePromptTokens: 100 }];
  const models = [model('acme/large', [{ ...at, prices: { ...at.prices, ...fees, tiers } }])];
  const feesOf = async (kind: string) => {
    const origin = kind === 'openai' ? null : 'https://lab.example';
    const mine = configured({ upstream: 'mine', id: 'acme/large' });
    const pin = async (targets: readonly PricedTarget[]) => targets.map(() => priceVersionId(1));
    const providers = [provider(kind, 'lab', origin)];
    const catalog = await openCatalog({ providers, configuredModels: [mine], known: models, pin });
    const prices = catalog.get('acme/large')?.targets[0]?.prices ?? assert.fail();
    assert.equal(prices.input, 2_000_000n);
    return [prices, prices.tiers[0]].map((lines) => [lines?.webSearch, lines?.fileSearch, lines?.codeInterpreter]);
  };
  assert.deepEqual(await feesOf('openai'), [
    [10n, 20n, 30n],
    [10n, 20n, 30n],
  ]);
  for (const kind of ['azure', 'openrouter', 'custom'])
    assert.deepEqual(await feesOf(kind), [
      [null, null, null],
      [null, null, null],
    ]);
});

test('a model that only the configuration has always thinks if its family does', async () => {
  const catalog = await open(
    [custom('http://10.0.0.5:8000')],
    [
      configured({ upstream: 'us.anthropic.claude-fable-5-1' }),
      configured({ upstream: 'my-claude-fabled' }),
      configured({ upstream: 'claude-mythos-5', quirks: { 'anthropic-messages': { thinking: 'adaptive' } } }),
    ],
  );
  const thinking = ['us.anthropic.claude-fable-5-1', 'my-claude-fabled', 'claude-mythos-5'].map(
    (name) => catalog.get(`lab/${name}`)?.quirks['anthropic-messages']?.thinking,
  );
  assert.deepEqual(thinking, ['always', undefined, 'adaptive']);
});

test('a complete model is kept as it is, its price pinned and the original unchanged', async () => {
  const [large] = (await open([provider('openai')])).all();
  assert.ok(large !== undefined);
  const whole = { ...large, id: 'demo/whole', targets: large.targets.map((one) => ({ ...one, priceVersion: null })) };
  const pin = async (targets: readonly PricedTarget[]) => targets.map((_, index) => priceVersionId(index + 41));
  const catalog = await openCatalog({ providers: [], configuredModels: [], wholeModels: [whole], known, pin });
  assert.deepEqual(catalog.all(), [{ ...whole, targets: [{ ...whole.targets[0], priceVersion: 41 }] }]);
  assert.equal(whole.targets[0]?.priceVersion, null);
});

test('a model of a provider that is not configured stops the start', async () => {
  await assert.rejects(
    open([], [configured({ provider: 'nobody' })]),
    /refers to the provider nobody, which is not configured/,
  );
});

test('a store that returns too few price versions stops the start', async () => {
  await assert.rejects(
    openCatalog({ providers: [provider('openai')], configuredModels: [], known, pin: async () => [] }),
    /price version is missing/,
  );
});

test('all known models open in a fraction of the start', async () => {
  const providers = ['openai', 'anthropic', 'google', 'openrouter', 'groq', 'mistral', 'deepseek', 'xai'].map((kind) =>
    provider(kind),
  );
  const pin = async (targets: readonly PricedTarget[]) => targets.map((_, index) => priceVersionId(index + 1));
  const startedMs = performance.now();
  const catalog = await openCatalog({ providers, configuredModels: [], pin });
  const tookMs = performance.now() - startedMs;
  assert.ok(catalog.all().length >= 300);
  // It takes about 10 ms; the limit allows for a busy machine.
  assert.ok(tookMs < 1_000, `${tookMs} ms`);
});

function open(
  providers: readonly Provider[],
  configuredModels: readonly ConfiguredModel[] = [],
  see: (targets: readonly PricedTarget[]) => void = () => {},
) {
  const pin = async (targets: readonly PricedTarget[]) => {
    see(targets);
    return targets.map((_, index) => priceVersionId(index + 1));
  };
  return openCatalog({ providers, configuredModels, known, pin });
}

function provider(kind: string, name = kind, origin: string | null = null): Provider {
  const declaration = findProviderKind(kind);
  assert.ok(declaration !== null);
  return configureProvider(declaration, { name, origin, credential: new Secret('k') });
}

function custom(origin: string): Provider {
  return provider('custom', 'lab', origin);
}

function configured(fields: Partial<ConfiguredModel>): ConfiguredModel {
  return {
    provider: 'lab',
    upstream: 'a',
    id: null,
    name: null,
    contextWindow: null,
    outputCap: null,
    prices: null,
    parameters: null,
    efforts: null,
    quirks: {},
    ...fields,
  };
}

function model(id: string, targets: readonly KnownTarget[], aliases: readonly string[] = []): KnownModel {
  return {
    id,
    name: id,
    aliases,
    created: 0,
    knowledgeCutoff: null,
    inputModalities: ['text', 'image'],
    outputModalities: ['text'],
    supportedParameters: ['max_tokens'],
    targets,
  };
}

function target(kind: string, upstreamModel: string, input: number): KnownTarget {
  return { provider: kind, upstreamModel, contextWindow: 1000, outputCap: 100, prices: { input, output: 2 * input } };
}
