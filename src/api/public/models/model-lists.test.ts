/**
 * Goal: each client gets its own shape, and a key sees only models it may use. Method: a catalogue of four models, and the official
 * client's schema.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelsListResponseFromJSON } from '@openrouter/sdk/models/modelslistresponse.js';
import type { PinnedRates } from '../../../billing/rates.ts';
import type { AliasRule } from '../../../catalog/alias.ts';
import { indexModels } from '../../../catalog/index-models.ts';
import type { Modality, Model, Prices } from '../../../catalog/model.ts';
import { FREE } from '../../../catalog/prices.ts';
import { GatewayError } from '../../../core/errors.ts';
import { parsePrice, picoUsd } from '../../../core/money.ts';
import { LIST_RATE, markupRate } from '../../../core/rates/rate.ts';
import type { Permission } from '../../../operations/index.ts';
import type { Query } from '../query.ts';
import { alias, by, entry, listsOf, textOf } from './model-fixture.ts';
import { currentModelLists } from './model-lists.ts';
import type { AllOf, Reader } from './visible-models.ts';

const dear: Prices = {
  ...FREE,
  input: picoUsd(2_500_000n),
  output: picoUsd(15_000_001n),
  cacheRead: picoUsd(250_000n),
  webSearch: picoUsd(10_000_000_000n),
  tiers: [],
};
const tiered: Prices = { ...dear, tiers: [{ ...dear, input: picoUsd(5_000_000n), abovePromptTokens: 200_000 }] };

const models: readonly Model[] = [
  entry('acme/large', {
    prices: tiered,
    created: 1_759_104_000,
    supportedParameters: ['max_tokens', 'tools'],
    inputModalities: ['text', 'image'],
  }),
  entry('acme/small', { prices: dear }),
  entry('beta/audio', { prices: FREE, outputModalities: ['text', 'audio'] }),
  entry('beta/unpriced', { prices: null }),
];
const lists = listsOf(models, true);

test('OpenRouter’s own client can read the OpenRouter list', async () => {
  const read = modelsListResponseFromJSON(await textOf(lists.list('openrouter', by([{}]))));
  assert.ok(read.ok, String(read.ok || read.error));
  assert.deepEqual(
    read.value.data.map(({ id }) => id),
    ['acme/large', 'acme/small', 'beta/audio', 'beta/unpriced'],
  );
  assert.equal(read.value.totalCount, 4);
  assert.equal(read.value.links.next, null);
});

test('prices are exact decimal text per token, with overrides above a threshold', async () => {
  const { pricing } = (await openrouter())[0] ?? assert.fail();
  assert.deepEqual(pricing, {
    prompt: '0.0000025',
    completion: '0.000015000001',
    input_cache_read: '0.00000025',
    web_search: '0.01',
    overrides: [
      {
        min_prompt_tokens: 200_000,
        prompt: '0.000005',
        completion: '0.000015000001',
        input_cache_read: '0.00000025',
        web_search: '0.01',
      },
    ],
  });
  assert.deepEqual((await openrouter())[2]?.pricing, { prompt: '0', completion: '0' });
  assert.deepEqual((await openrouter())[3]?.pricing, { prompt: '-1', completion: '-1' });
});

test("Google's clients page through their list with a size and a token, and find every model once", async () => {
  const seen: string[] = [];
  let query: Query = { pageSize: '3' };
  for (;;) {
    const page = JSON.parse(await textOf(lists.list('google', by([{}]), query)));
    for (const { name } of page.models) seen.push(name);
    if (page.nextPageToken === undefined) break;
    query = { pageSize: '3', pageToken: page.nextPageToken };
  }
  assert.deepEqual(seen, ['models/acme/large', 'models/acme/small', 'models/beta/audio', 'models/beta/unpriced']);
  for (const whole of [{}, { pageSize: '0' }, { pageToken: '' }, { pageSize: '5000' }])
    assert.equal(JSON.parse(await textOf(lists.list('google', by([{}]), whole))).models.length, 4);
  for (const wrong of [{ pageSize: '-1' }, { pageSize: 'x' }, { pageToken: 'x' }, { pageToken: '9' }])
    await assert.rejects(lists.list('google', by([{}]), wrong), { code: 'invalid_value' });
});

test("a model in Google's shape has its limits and what it can be asked for", async () => {
  const model = JSON.parse(lists.one('google', by([{}]), 'acme/large'));
  assert.equal(model.name, 'models/acme/large');
  assert.deepEqual(model.supportedGenerationMethods, ['generateContent', 'streamGenerateContent', 'countTokens']);
  assert.deepEqual([model.inputTokenLimit, model.outputTokenLimit], [models[0]?.contextWindow, models[0]?.outputCap]);
});

test('limits and modalities are in the fields that OpenRouter’s clients read', async () => {
  const [large] = await openrouter();
  assert.deepEqual(large?.architecture, {
    modality: 'text+image->text',
    input_modalities: ['text', 'image'],
    output_modalities: ['text'],
    tokenizer: 'Other',
    instruct_type: null,
  });
  assert.deepEqual(large?.top_provider, { context_length: 200_000, max_completion_tokens: 8192, is_moderated: false });
  assert.equal(large?.per_request_limits, null);
});

for (const [query, ...ids] of [
  [{ q: 'LARGE' }, 'acme/large'],
  [{ q: 'acme' }, 'acme/large', 'acme/small'],
  [{ supported_parameters: 'tools' }, 'acme/large'],
  [{ supported_parameters: 'tools,seed' }],
  [{ supported_parameters: ['tools', 'max_tokens'] }, 'acme/large'],
  [{ input_modalities: 'image' }, 'acme/large'],
  [{ output_modalities: 'audio' }, 'beta/audio'],
  [{ output_modalities: 'all', q: 'beta' }, 'beta/audio', 'beta/unpriced'],
  [{ something_else: 'x' }, 'acme/large', 'acme/small', 'beta/audio', 'beta/unpriced'],
  [{ offset: '1', limit: '2' }, 'acme/small', 'beta/audio'],
  [{ offset: '9' }],
] as [Query, ...string[]][])
  test(`${JSON.stringify(query)} lists ${ids.join(', ') || 'nothing'}`, async () => {
    assert.deepEqual(
      (await openrouter(query)).map(({ id }) => id),
      ids,
    );
  });

test('a page has the total count and a link to the next one', async () => {
  const page = JSON.parse(await textOf(lists.list('openrouter', by([{}]), { q: 'a', limit: '1', offset: '1' })));
  assert.equal(page.total_count, 4);
  assert.equal(page.links.next, '/api/v1/models?q=a&limit=1&offset=2');
  assert.equal(JSON.parse(await textOf(lists.list('openrouter', by([{}]), { limit: '4' }))).links.next, null);
});

for (const query of [
  { limit: '0' },
  { limit: '-1' },
  { limit: 'x' },
  { offset: '1.5' },
  { limit: ['1', '2'] },
] as Query[])
  test(`${JSON.stringify(query)} is refused`, async () => {
    await assert.rejects(lists.list('openrouter', by([{}]), query), isInvalid(Object.keys(query)[0] ?? ''));
  });

test('the OpenAI list names the vendor as the owner', async () => {
  const list = JSON.parse(await textOf(lists.list('openai', by([{}]))));
  assert.equal(list.object, 'list');
  assert.deepEqual(list.data[0], { id: 'acme/large', object: 'model', created: 1_759_104_000, owned_by: 'acme' });
  assert.equal(list.data.length, 4);
});

test('the Anthropic list has its dates and limits, and the epoch for an unknown date', async () => {
  const list = JSON.parse(await textOf(lists.list('anthropic', by([{}]))));
  assert.deepEqual(list.data[0], {
    type: 'model',
    id: 'acme/large',
    display_name: 'acme/large',
    created_at: '2025-09-29T00:00:00Z',
    max_input_tokens: 200_000,
    max_tokens: 8192,
  });
  assert.equal(list.data[1].created_at, '1970-01-01T00:00:00Z');
  assert.deepEqual([list.has_more, list.first_id, list.last_id], [false, 'acme/large', 'beta/unpriced']);
});

for (const [query, page, hasMore] of [
  [{ limit: '2' }, 'acme/large acme/small', true],
  [{ limit: '2', after_id: 'acme/small' }, 'beta/audio beta/unpriced', false],
  [{ limit: '2', after_id: 'acme/large' }, 'acme/small beta/audio', true],
  [{ limit: '2', before_id: 'beta/unpriced' }, 'acme/small beta/audio', true],
  [{ limit: '2', before_id: 'acme/small' }, 'acme/large', false],
  [{ after_id: 'beta/unpriced' }, '', false],
] as [Query, string, boolean][])
  test(`the Anthropic page ${JSON.stringify(query)} is "${page}"`, async () => {
    const list = JSON.parse(await textOf(lists.list('anthropic', by([{}]), query)));
    const ids = list.data.map(({ id }: { id: string }) => id);
    assert.equal(ids.join(' '), page);
    assert.deepEqual([list.has_more, list.first_id, list.last_id], [hasMore, ids[0] ?? null, ids.at(-1) ?? null]);
  });

test('a cursor that is not a model in the list is refused, and so are two cursors', async () => {
  await assert.rejects(lists.list('anthropic', by([{}]), { after_id: 'nobody' }), isInvalid('after_id'));
  await assert.rejects(
    lists.list('anthropic', by([{ modelsAllow: ['acme/*'] }]), { after_id: 'beta/audio' }),
    isInvalid('after_id'),
  );
  await assert.rejects(
    lists.list('anthropic', by([{}]), { after_id: 'acme/large', before_id: 'acme/small' }),
    isInvalid('before_id'),
  );
  await assert.rejects(lists.list('anthropic', by([{}]), { limit: '1001' }), isInvalid('limit'));
});

test('a key sees only models it may use, in every shape', async () => {
  const permissions = [{ modelsAllow: ['acme/*'] }, {}, { modelsDeny: ['acme/small'] }];
  for (const text of [
    await textOf(lists.list('openrouter', by(permissions))),
    await textOf(lists.list('openrouter', by(permissions), { q: '' })),
    await textOf(lists.list('openai', by(permissions))),
    await textOf(lists.list('anthropic', by(permissions))),
  ])
    assert.deepEqual(
      JSON.parse(text).data.map(({ id }: { id: string }) => id),
      ['acme/large'],
    );
  assert.equal(JSON.parse(await textOf(lists.list('openrouter', by([{ modelsAllow: [] }])))).total_count, 0);
});

test('a key with a list of operations sees the models that it can call for them', async () => {
  const ids = async (...permissions: AllOf[number][]) =>
    JSON.parse(await textOf(purposes.list('openai', by(permissions))))
      .data.map(({ id }: { id: string }) => id.slice(5))
      .join(' ');
  const made = { prices: FREE };
  const purposes = listsOf(
    [
      entry('acme/any', { ...made, outputModalities: ['text'], assumesOutput: true }),
      entry('acme/draw', { ...made, outputModalities: ['image'] }),
      entry('acme/rank', { ...made, outputModalities: ['rerank'] }),
      entry('acme/vector', { ...made, outputModalities: ['embeddings'] }),
      entry('acme/write', { ...made, outputModalities: ['text'] }),
    ],
    true,
  );
  assert.equal(await ids({}), 'any draw rank vector write');
  assert.equal(await ids({ operations: ['embeddings'] }), 'any vector');
  assert.equal(await ids({ operations: ['images', 'rerank'] }), 'any draw rank');
  assert.equal(await ids({ operations: ['chat'] }), 'any draw write');
  assert.equal(await ids({ operations: ['embeddings', 'chat'] }, {}, { operations: ['embeddings'] }), 'any vector');
  assert.equal(await ids({ operations: ['chat'] }, { operations: ['embeddings'] }), '');
  const reader = by([{ operations: ['embeddings'] }]);
  assert.ok(purposes.one('openai', reader, 'acme/vector'));
  assert.throws(() => purposes.one('openai', reader, 'acme/write'), { code: 'model_not_found' });
});

test('a key with a list of operations sees no model whose prices say nothing of them', async () => {
  const units = (unit: string): Prices => ({ ...FREE, units: [{ unit, price: picoUsd(10_000n) }] });
  const priced: readonly (readonly [string, Modality, Prices | null])[] = [
    ['draw', 'image', units('image/1024x1024')],
    ['listen', 'transcription', units('second')],
    ['paint', 'image', { ...FREE, outputImage: picoUsd(40_000n) }],
    ['rank', 'rerank', units('search')],
    ['speak', 'audio', units('character')],
    ['talk', 'audio', dear],
    ['unknown', 'audio', null],
  ];
  const all = priced.map(([name, output, prices]) => entry(`acme/${name}`, { prices, outputModalities: [output] }));
  const seen = async (listUnpriced: boolean, ...operations: Permission[]) => {
    const reader = by([{ operations }]);
    const found = listsOf(all, listUnpriced);
    const ids = JSON.parse(await textOf(found.list('openai', reader))).data.map(({ id }: { id: string }) =>
      id.slice(5),
    );
    assert.equal(JSON.parse(await textOf(found.list('openrouter', reader))).total_count, ids.length);
    return ids.join(' ');
  };
  assert.equal(await seen(false, 'chat'), 'paint talk');
  assert.equal(await seen(false, 'chat', 'images'), 'draw paint talk');
  assert.equal(await seen(false, 'chat', 'speech'), 'paint speak talk');
  assert.equal(await seen(false, 'speech'), 'speak talk');
  assert.equal(await seen(false, 'rerank'), 'rank');
  assert.equal(await seen(false, 'transcriptions'), 'listen');
  assert.equal(await seen(true, 'speech'), 'speak talk unknown');
  assert.equal(await seen(true, 'chat'), 'paint talk unknown');
});

test('one set of permissions never gets the list of another', async () => {
  const ids = (text: string) =>
    JSON.parse(text)
      .data.map(({ id }: { id: string }) => id)
      .join(' ');
  for (let round = 0; round < 2; round += 1) {
    assert.equal(ids(await textOf(lists.list('openai', by([{ modelsAllow: ['beta/audio'] }])))), 'beta/audio');
    assert.equal(
      ids(await textOf(lists.list('openai', by([{ modelsDeny: ['beta/audio'] }])))),
      'acme/large acme/small beta/unpriced',
    );
    assert.equal(ids(await textOf(lists.list('openai', by([{}])))), 'acme/large acme/small beta/audio beta/unpriced');
  }
});

test('many sets of permissions are served although few lists are cached', async () => {
  for (let index = 0; index < 100; index += 1)
    assert.match(await textOf(lists.list('openai', by([{ modelsDeny: [`x/${index}`] }]))), /acme\/large/);
});

test('models without a known price are listed only on request', async () => {
  const prepaid = listsOf(models, false);
  assert.doesNotMatch(await textOf(prepaid.list('openai', by([{}]))), /beta\/unpriced/);
  assert.throws(() => prepaid.one('openrouter', by([{}]), 'beta/unpriced'), { code: 'model_not_found' });
});

test('one model is found by its id or another spelling, unless the key may not use it', async () => {
  assert.equal(JSON.parse(lists.one('openrouter', by([{}]), 'acme/large')).data.id, 'acme/large');
  assert.equal(JSON.parse(lists.one('openrouter', by([{}]), 'acme/large-alias')).data.id, 'acme/large');
  const denied = [{}, { modelsDeny: ['acme/*'] }];
  assert.throws(() => lists.one('openrouter', by(denied), 'acme/large-alias'), { code: 'model_not_found' });
  assert.equal(JSON.parse(lists.one('openai', by([{}]), 'acme/large')).object, 'model');
  assert.equal(JSON.parse(lists.one('anthropic', by([{}]), 'acme/large')).type, 'model');
  assert.throws(() => lists.one('openrouter', by([{}]), 'nobody/none'), { code: 'model_not_found', status: 404 });
});

interface Listed {
  readonly id: string;
  readonly pricing: unknown;
  readonly architecture: unknown;
  readonly top_provider: unknown;
  readonly per_request_limits: unknown;
}

const ALIASES: readonly AliasRule[] = [
  alias('fast', ['acme/small', 95], ['acme/large', 5], ['lab/gone', 50]),
  alias('team/sound', ['beta/audio', 1]),
  alias('unpriced', ['beta/unpriced', 1]),
];

test('aliases come first in every list, each with what holds for all of its models', async () => {
  const read = modelsListResponseFromJSON(await textOf(lists.list('openrouter', by([{}], ALIASES))));
  assert.ok(read.ok, String(read.ok || read.error));
  const [fast, sound] = read.value.data;
  assert.deepEqual(
    read.value.data.map(({ id }) => id),
    ['fast', 'team/sound', 'unpriced', 'acme/large', 'acme/small', 'beta/audio', 'beta/unpriced'],
  );
  assert.equal(fast?.description, 'An alias: leads to acme/small, acme/large.');
  assert.deepEqual(fast?.architecture.inputModalities, ['text']);
  assert.equal(fast?.pricing.completion, '0.000015000001');
  assert.deepEqual(sound?.architecture.outputModalities, ['text', 'audio']);
  for (const shape of ['openai', 'anthropic', 'google', 'codex'] as const)
    assert.match(await textOf(lists.list(shape, by([{}], ALIASES))), /"(models\/)?fast"/, shape);
  assert.deepEqual(JSON.parse(await textOf(lists.list('openai', by([{}], ALIASES)))).data[0].owned_by, 'turnpike');
  assert.equal(JSON.parse(await textOf(lists.list('openrouter', by([{}], ALIASES), { q: 'fast' }))).total_count, 1);
});

test('a key sees an alias if it may use one of its models, and the entry shows nothing of the others', async () => {
  const permissions = [{ modelsAllow: ['acme/small', 'fast'] }];
  const text = await textOf(lists.list('openrouter', by(permissions, ALIASES)));
  assert.deepEqual(
    JSON.parse(text).data.map(({ id }: { id: string }) => id),
    ['fast', 'acme/small'],
  );
  assert.doesNotMatch(text, /acme\/large/);
  assert.equal(JSON.parse(lists.one('openrouter', by(permissions, ALIASES), 'fast')).data.id, 'fast');
  for (const unseen of ['team/sound', 'unpriced', 'acme/large'])
    assert.throws(() => lists.one('openai', by(permissions, ALIASES), unseen), { code: 'model_not_found' });
});

test('without a price list, an alias of a model without a price is not listed; one with the id of a model never is', async () => {
  const prepaid = listsOf(models, false);
  const rules = [...ALIASES, alias('acme/small', ['acme/large', 1])];
  assert.deepEqual(
    JSON.parse(await textOf(prepaid.list('openai', by([{}], rules)))).data.map(({ id }: { id: string }) => id),
    ['fast', 'team/sound', 'acme/large', 'acme/small', 'beta/audio'],
  );
  assert.equal(JSON.parse(prepaid.one('openrouter', by([{}], rules), 'acme/small')).data.description, '');
});

test('an alias has the price of the model whose output costs most, at the rate that the reader is charged for it', async () => {
  const rates: PinnedRates = { rateOf: (model) => (model === 'acme/small' ? markupRate(100) : LIST_RATE) };
  const rules = [alias('fast', ['acme/small', 95], ['beta/audio', 5])];
  const { pricing } = JSON.parse(lists.one('openrouter', { permissions: [{}], rates, aliases: rules }, 'fast')).data;
  assert.equal(pricing.completion, '0.000030000002');
});

async function openrouter(query: Query = {}): Promise<readonly Listed[]> {
  return JSON.parse(await textOf(lists.list('openrouter', by([{}]), query))).data;
}

function isInvalid(param: string): (error: unknown) => boolean {
  return (error) => error instanceof GatewayError && error.code === 'invalid_value' && error.param === param;
}

test('lists are rebuilt for a new catalogue, and kept for the same one', async () => {
  const catalogOf = (count: number) => indexModels(models.slice(0, count).map((model) => ({ model, aliases: [] })));
  const source = { catalog: catalogOf(1), providers: new Map() };
  const lists = currentModelLists(source, { listUnpriced: true });
  const first = lists();
  assert.equal(lists(), first);
  assert.equal(JSON.parse(await textOf(first.list('openai', by([{}])))).data.length, 1);
  source.catalog = catalogOf(2);
  assert.equal(JSON.parse(await textOf(lists().list('openai', by([{}])))).data.length, 2);
});

test('prices are those that the reader is charged, tiers included; other shapes have none', async () => {
  const rates: PinnedRates = { rateOf: (model) => (model === 'acme/large' ? markupRate(10) : LIST_RATE) };
  const pricingOf = (reader: Reader, id: string) => JSON.parse(lists.one('openrouter', reader, id)).data.pricing;
  const listed = pricingOf(by([{}]), 'acme/large');
  const raised = pricingOf({ permissions: [{}], rates }, 'acme/large');
  assert.deepEqual(Object.keys(raised), Object.keys(listed));
  for (const line of ['prompt', 'completion'])
    assert.equal(parsePrice(raised[line]), (parsePrice(listed[line]) * 11n + 9n) / 10n, line);
  assert.deepEqual(pricingOf({ permissions: [{}], rates }, 'acme/small'), pricingOf(by([{}]), 'acme/small'));
  const all = async (reader: Reader) =>
    JSON.parse(await textOf(lists.list('openrouter', reader))).data as { pricing: object; id: string }[];
  const one = (await all({ permissions: [{}], rates })).find(({ id }) => id === 'acme/large');
  assert.deepEqual(one?.pricing, raised);
  assert.deepEqual((await all(by([{}]))).find(({ id }) => id === 'acme/large')?.pricing, listed);
});
