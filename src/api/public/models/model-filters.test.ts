/**
 * Goal: each filter of OpenRouter's list leaves exactly the models it names, each order is the one asked for, and what cannot be answered is
 * refused. Method: six models with known facts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PinnedRates } from '../../../billing/rates.ts';
import type { Prices } from '../../../catalog/model.ts';
import { FREE } from '../../../catalog/prices.ts';
import { GatewayError } from '../../../core/errors.ts';
import { picoUsd } from '../../../core/money.ts';
import { LIST_RATE, markupRate } from '../../../core/rates/rate.ts';
import type { Provider } from '../../../providers/provider.ts';
import type { Query } from '../query.ts';
import { alias, by, entry, listsOf, textOf } from './model-fixture.ts';

const models = [
  entry('acme/large', {
    name: 'Zebra',
    prices: priced(10, 30),
    created: 300,
    contextWindow: 1_000_000,
    inputModalities: ['text', 'image'],
    supportedParameters: ['tools', 'max_tokens', 'home_made'],
  }),
  at('kept', entry('acme/small', { name: 'ant', prices: priced(1, 2), created: 100 })),
  entry('beta/free', { name: 'Bee', prices: FREE, created: 200, contextWindow: 8_000 }),
  entry('beta/fee', { name: 'Fee', prices: { ...FREE, request: picoUsd(1n) }, created: 50, contextWindow: null }),
  entry('gamma/sound', { prices: priced(0, 0.5), outputModalities: ['text', 'audio'] }),
  entry('gamma/unpriced', { prices: null, created: 400 }),
];
const providers = [
  { name: 'demo', kind: 'demo', facts: { retainsData: null } },
  { name: 'kept', kind: 'custom', facts: { retainsData: false } },
] as unknown as Provider[];
const lists = listsOf(models, true, providers);

for (const [query, ids] of [
  [{ max_price: '1' }, 'acme/small beta/fee beta/free gamma/sound'],
  [{ max_price: '0.999999' }, 'beta/fee beta/free gamma/sound'],
  [{ min_price: '1', max_price: '10' }, 'acme/large acme/small'],
  [{ max_output_price: '2', min_output_price: '0.5' }, 'acme/small gamma/sound'],
  [{ max_price: '0' }, 'beta/fee beta/free gamma/sound'],
  [{ free: 'true' }, 'beta/free'],
  [{ free: 'false' }, 'acme/large acme/small beta/fee gamma/sound gamma/unpriced'],
  [{ context: '200000' }, 'acme/large acme/small gamma/sound gamma/unpriced'],
  [{ context: '200001' }, 'acme/large'],
  [{ providers: 'KEPT' }, 'acme/small'],
  [{ providers: 'Demo,kept', free: 'true' }, 'beta/free'],
  [{ model_authors: 'beta,gamma' }, 'beta/fee beta/free gamma/sound gamma/unpriced'],
  [{ model_authors: 'bet' }, ''],
  [{ zdr: 'true' }, 'acme/small'],
  [{ zdr: 'false', model_authors: 'acme' }, 'acme/large acme/small'],
  [{ supported_parameters: 'tools' }, 'acme/large'],
  [{ supported_parameters: 'home_made' }, 'acme/large'],
  [{ output_modalities: 'audio,text' }, 'gamma/sound'],
  [{ input_modalities: 'image', q: 'ZEBRA' }, 'acme/large'],
  [{ sort: 'pricing-low-to-high' }, 'beta/fee beta/free gamma/sound acme/small acme/large gamma/unpriced'],
  [{ sort: 'pricing-high-to-low' }, 'acme/large acme/small gamma/sound beta/fee beta/free gamma/unpriced'],
  [{ sort: 'context-high-to-low', model_authors: 'acme,beta' }, 'acme/large acme/small beta/free beta/fee'],
  [{ sort: 'newest' }, 'gamma/unpriced acme/large beta/free acme/small beta/fee gamma/sound'],
  [{ sort: 'name', limit: '3' }, 'acme/small beta/free beta/fee'],
  [{ sort: 'name', limit: '3', offset: '3' }, 'gamma/sound gamma/unpriced acme/large'],
] as [Query, string][])
  test(`${JSON.stringify(query)} lists ${ids || 'nothing'}`, async () => {
    assert.equal((await listed(query)).join(' '), ids);
    if (query['limit'] === undefined) {
      const counted = JSON.parse(await lists.count(by([{}]), query));
      assert.deepEqual(counted, { data: { count: ids === '' ? 0 : ids.split(' ').length } });
    }
  });

test('what is charged by the piece alone matches no price by the token, is not free, and comes last', async () => {
  const painter = entry('acme/painter', { prices: byPiece(10_000_000_000n, FREE) });
  const mixed = entry('acme/mixed', { prices: byPiece(10_000_000_000n, priced(5, 40)) });
  const gift = entry('acme/gift', { prices: byPiece(0n, FREE) });
  const pieces = listsOf([painter, mixed, gift], true, providers);
  for (const [query, ids] of [
    [{ max_price: '0', max_output_price: '0' }, 'acme/gift'],
    [{ max_price: '1000' }, 'acme/gift acme/mixed'],
    [{ min_output_price: '0' }, 'acme/gift acme/mixed'],
    [{ free: 'true' }, 'acme/gift'],
    [{ sort: 'pricing-low-to-high' }, 'acme/gift acme/mixed acme/painter'],
    [{ sort: 'pricing-high-to-low' }, 'acme/mixed acme/gift acme/painter'],
  ] as [Query, string][]) {
    const { data } = JSON.parse(await textOf(pieces.list('openrouter', by([{}]), query)));
    assert.equal(data.map(({ id }: { id: string }) => id).join(' '), ids, JSON.stringify(query));
  }
});

test('prices are compared at the rate that the reader is charged', async () => {
  const rates: PinnedRates = { rateOf: (model) => (model === 'acme/small' ? markupRate(2_000) : LIST_RATE) };
  const read = async (query: Query) =>
    JSON.parse(await textOf(lists.list('openrouter', { permissions: [{}], rates }, query))).data.map(
      ({ id }: { id: string }) => id,
    );
  assert.deepEqual(await read({ min_price: '20' }), ['acme/small']);
  assert.deepEqual(await read({ sort: 'pricing-high-to-low', limit: '2' }), ['acme/small', 'acme/large']);
});

test('an alias is filtered and sorted by what its entry shows', async () => {
  const reader = by([{}], [alias('both', ['acme/large', 1], ['acme/small', 1])]);
  const page = async (query: Query) => JSON.parse(await textOf(lists.list('openrouter', reader, query))).data;
  assert.deepEqual(
    (await page({ sort: 'pricing-high-to-low', limit: '1' })).map(({ id }: { id: string }) => id),
    ['both'],
  );
  assert.equal(
    (await page({ max_price: '5' })).some(({ id }: { id: string }) => id === 'both'),
    false,
  );
});

for (const [query, message] of [
  [{ sort: 'cheapest' }, /pricing-low-to-high, .*name/],
  [{ sort: 'toString' }, /sort must be one of/],
  [{ sort: ['name', 'newest'] }, /more than once/],
  [{ input_modalities: 'text,smell' }, /"smell", not one of text, image/],
  [{ output_modalities: 'smell' }, /not one of/],
  [{ supported_parameters: 'tool' }, /"tool", not one of temperature/],
  [{ providers: 'nobody' }, /"nobody", which is no provider/],
  [{ max_price: 'free' }, /plain decimal/],
  [{ max_price: '1e3' }, /plain decimal/],
  [{ min_output_price: '-1' }, /plain decimal/],
  [{ free: 'yes' }, /true or false/],
  [{ zdr: '1' }, /true or false/],
  [{ context: '0' }, /whole number/],
  [{ q: 'x'.repeat(201) }, /at most 200 characters/],
  [{ model_authors: 'x,'.repeat(51) }, /at most 50 values/],
] as [Query, RegExp][])
  test(`${JSON.stringify(query).slice(0, 60)} is refused, and the error names the field`, async () => {
    await assert.rejects(
      lists.list('openrouter', by([{}]), query),
      (error) =>
        error instanceof GatewayError &&
        error.code === 'invalid_value' &&
        error.param === Object.keys(query)[0] &&
        message.test(error.message),
    );
  });

test('a filter of OpenRouter that cannot be applied is refused instead of ignored', async () => {
  await assert.rejects(lists.list('openrouter', by([{}]), { category: 'legal' }), {
    code: 'field_not_allowed',
    param: 'category',
    message: /cannot filter by category\. It can filter by q, supported_parameters/,
  });
});

async function listed(query: Query): Promise<readonly string[]> {
  const { data } = JSON.parse(await textOf(lists.list('openrouter', by([{}]), query)));
  return data.map(({ id }: { id: string }) => id);
}

/** `price` of an image, in pico-USD. */
function byPiece(price: bigint, prices: Prices): Prices {
  return { ...prices, units: [{ unit: 'image', price: picoUsd(price) }] };
}

/** USD per million tokens. */
function priced(input: number, output: number): Prices {
  return { ...FREE, input: picoUsd(BigInt(input * 1e6)), output: picoUsd(BigInt(output * 1e6)) };
}

function at(provider: string, model: ReturnType<typeof entry>): ReturnType<typeof entry> {
  return { ...model, targets: model.targets.map((target) => ({ ...target, provider })) };
}
