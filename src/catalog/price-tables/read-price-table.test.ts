/** Goal: every format of a price table is read to the pico-dollar, and what is no price is refused with its place. Method: tables by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { complaintOf } from './check-prices.ts';
import { writeOwnPrices } from './own-prices.ts';
import { readPriceTable } from './read-price-table.ts';

const read = (table: unknown) => readPriceTable(typeof table === 'string' ? table : JSON.stringify(table));
const rowsOf = (table: unknown) =>
  read(table).rows.map(({ provider, upstreamModel, prices, retiresAt }) => [
    provider,
    upstreamModel,
    writeOwnPrices(prices),
    retiresAt === null ? null : new Date(retiresAt).toISOString().slice(0, 10),
  ]);

test("LiteLLM's shape: USD per token, tiers above a threshold, a date, the fees of OpenAI's tools", () => {
  const table = `{
    "sample_spec": {"litellm_provider": "one of many", "deprecation_date": "some date", "input_cost_per_token": 0},
    "gemini/gemini-9-pro": {"litellm_provider": "gemini", "input_cost_per_token": 1.25e-06, "output_cost_per_token": 1e-05,
      "cache_read_input_token_cost": 1.25e-07, "input_cost_per_token_above_200k_tokens": 2.5e-06, "deprecation_date": "2027-03-31"},
    "gpt-9": {"litellm_provider": "openai", "input_cost_per_token": 0.000002, "output_cost_per_token": 8e-6},
    "somewhere/else": {"litellm_provider": "unheard_of", "input_cost_per_token": 1, "output_cost_per_token": 1},
    "gpt-9-image": {"litellm_provider": "openai", "mode": "chat", "output_cost_per_image": 0.04}
  }`;
  assert.equal(read(table).format, 'litellm');
  assert.deepEqual(rowsOf(table), [
    [
      'google',
      'gemini-9-pro',
      {
        ...{ input: '1.25', output: '10', cacheRead: '0.125' },
        tiers: [{ abovePromptTokens: 200_000, input: '2.5', output: '10', cacheRead: '0.125' }],
      },
      '2027-03-31',
    ],
    [
      'openai',
      'gpt-9',
      { input: '2', output: '8', webSearch: '0.01', fileSearch: '0.0025', codeInterpreter: '0.03' },
      null,
    ],
  ]);
});

test("LiteLLM's shape: prices by the piece, exactly, and by tokens where it has both", () => {
  const openai = { litellm_provider: 'openai' };
  const image = { ...openai, mode: 'image_generation' };
  const table = {
    'draw-9': { ...image, input_cost_per_image: 0.04 },
    // Seven digits of a price per pixel, and a class whose price is stated.
    '1024-x-1024/draw-9': { ...image, input_cost_per_pixel: 3.81469e-8, output_cost_per_pixel: 0 },
    'hd/1024-x-1792/draw-9': { ...image, input_cost_per_pixel: 6.539e-8, output_cost_per_pixel: 0 },
    'high/1024-x-1024/draw-9': { ...image, input_cost_per_image: 0.167, input_cost_per_pixel: 1.59263611e-7 },
    'high/512-x-512/draw-9': { ...image, input_cost_per_image: 'much' },
    'max-x-max/50-steps/draw-9': { ...image, output_cost_per_image: 0.036 },
    'draw-10': {
      ...image,
      ...{ input_cost_per_token: 5e-6, input_cost_per_image_token: 1e-5, output_cost_per_image_token: 4e-5 },
    },
    'low/1024-x-1024/draw-10': { ...image, input_cost_per_image: 0.011 },
    'gemini/draw-11': {
      ...{ litellm_provider: 'gemini', mode: 'image_generation', output_cost_per_image: 0.039 },
      ...{ input_cost_per_token: 3e-7, output_cost_per_token: 2.5e-6, output_cost_per_image_token: 3e-5 },
    },
    'speak-9': { ...openai, mode: 'audio_speech', input_cost_per_character: 1.5e-5, output_cost_per_second: 0.00025 },
    'listen-9': {
      ...openai,
      mode: 'audio_transcription',
      input_cost_per_second: 0.0001,
      output_cost_per_second: 0.0001,
    },
    'groq/listen-10': {
      litellm_provider: 'groq',
      mode: 'audio_transcription',
      input_cost_per_second: 3.083e-5,
      output_cost_per_second: 0,
    },
    'rank-9': {
      ...{ litellm_provider: 'cohere', mode: 'rerank', input_cost_per_query: 0.002 },
      ...{ input_cost_per_token: 0, output_cost_per_token: 0 },
    },
    'voyage/rank-10': {
      litellm_provider: 'voyage',
      mode: 'rerank',
      input_cost_per_token: 5e-8,
      output_cost_per_token: 0,
    },
    'speak-10': { ...openai, mode: 'audio_speech', input_cost_per_character: -1 },
  };
  const rows = rowsOf(table).map(([provider, model, prices]) => [provider, model, prices]);
  const byPiece = (units: object) => ({ input: '0', output: '0', units });
  assert.deepEqual(
    rows.filter(([, model]) => model !== 'draw-10'),
    [
      [
        'openai',
        'draw-9',
        byPiece({
          image: '0.04',
          'image/1024x1024': '0.04',
          'image/1024x1024/high': '0.167',
          'image/1024x1792/hd': '0.12',
        }),
      ],
      ['google', 'draw-11', { input: '0.3', output: '2.5', outputImage: '30', webSearch: undefined }],
      ['openai', 'speak-9', byPiece({ character: '0.000015' })],
      ['openai', 'listen-9', byPiece({ second: '0.0001' })],
      ['groq', 'listen-10', byPiece({ second: '0.00003083' })],
      ['cohere', 'rank-9', byPiece({ search: '0.002' })],
      ['voyage', 'rank-10', { input: '0.05', output: '0' }],
    ].map(([provider, model, prices]) => [provider, model, JSON.parse(JSON.stringify(prices))]),
  );
  const [, , tokens] = rows.find(([, model]) => model === 'draw-10') ?? [];
  const { input, inputImage, output, outputImage, units } = tokens as Record<string, unknown>;
  assert.deepEqual([input, inputImage, output, outputImage, units], ['5', '10', '40', '40', undefined]);
  assert.deepEqual(
    read(table).faults.map((fault) => fault.slice(0, 8)),
    ['speak-10'],
  );
});

test('classes of images of a model that has no entry of its own are the prices of that model', () => {
  const image = { litellm_provider: 'openai', mode: 'image_generation' };
  const table = {
    'hd/1024-x-1024/draw-12': { ...image, input_cost_per_image: 0.08 },
    '512-x-512/draw-12': { ...image, input_cost_per_image: 0.016 },
    '512-x-512/draw-13': { ...image, input_cost_per_image: 0.016 },
    // Of another provider, so that the classes have no entry of their own either.
    'draw-13': { litellm_provider: 'groq', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 },
  };
  assert.deepEqual(
    rowsOf(table).map(([provider, model, prices]) => [provider, model, (prices as { units?: object }).units]),
    [
      ['openai', 'draw-12', { 'image/1024x1024/hd': '0.08', 'image/512x512': '0.016' }],
      ['openai', 'draw-13', { 'image/512x512': '0.016' }],
      ['groq', 'draw-13', undefined],
    ],
  );
});

test('a model with more classes of images than a price list has is a fault, however many there are', () => {
  const image = { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_image: 0.04 };
  const table = Object.fromEntries([
    ['draw-9', image],
    ...Array.from({ length: 20_000 }, (_, at) => [`${at + 10}-x-10/draw-9`, image]),
  ]);
  const { rows, faults } = read(table);
  assert.deepEqual([rows, faults], [[], ['draw-9 has more than 64 prices of images']]);
});

test("models.dev's shape: USD per million tokens", () => {
  const table = { anthropic: { models: { 'claude-9': { cost: { input: 3, output: 15, cache_write: 3.75 } } } } };
  assert.equal(read(table).format, 'models.dev');
  // Writing into the cache for an hour costs twice the input, which the table does not have.
  assert.deepEqual(rowsOf(table), [
    ['anthropic', 'claude-9', { input: '3', output: '15', cacheWrite: '3.75', cacheWrite1h: '6' }, null],
  ]);
});

test("OpenRouter's shape: text per token; zeros of other lines are none; a price of -1 is none", () => {
  const table = {
    data: [
      {
        id: 'acme/large',
        pricing: {
          prompt: '0.0000003',
          completion: '0.0000025',
          request: '0',
          internal_reasoning: '0',
          web_search: '0.01',
        },
        expiration_date: '2026-12-31',
      },
      { id: 'acme/auto', pricing: { prompt: '-1', completion: '-1' } },
      {
        id: 'acme/tiers',
        pricing: {
          prompt: '0.000001',
          completion: '0.000002',
          overrides: [{ min_prompt_tokens: 1000, prompt: '0.000002', completion: '0.000003' }],
        },
      },
    ],
  };
  assert.equal(read(table).format, 'openrouter');
  assert.deepEqual(rowsOf(table), [
    ['openrouter', 'acme/large', { input: '0.3', output: '2.5', webSearch: '0.01' }, '2026-12-31'],
    [
      'openrouter',
      'acme/tiers',
      { input: '1', output: '2', tiers: [{ abovePromptTokens: 1000, input: '2', output: '3' }] },
      null,
    ],
  ]);
});

test('the own shape is read as it is written', () => {
  const row = {
    provider: 'lab',
    model: 'large',
    input: '0.15',
    output: '0.6',
    request: '0.001',
    retires: '2027-01-31',
  };
  const table = { prices: [{ ...row, tiers: [{ abovePromptTokens: 5, input: '1', output: '2' }] }] };
  assert.equal(read(table).format, 'turnpike');
  assert.deepEqual(rowsOf(table), [
    [
      'lab',
      'large',
      {
        ...{ input: '0.15', output: '0.6', request: '0.001' },
        // A fee that a tier does not have is that below it.
        tiers: [{ abovePromptTokens: 5, input: '1', output: '2', request: '0.001' }],
      },
      '2027-01-31',
    ],
  ]);
  assert.deepEqual(rowsOf('{"prices":[{"provider":"lab","model":"m","input":0.1,"output":0.30}]}'), [
    ['lab', 'm', { input: '0.1', output: '0.3' }, null],
  ]);
});

test('prices by the piece are read and written in order of name, and then tokens need none', () => {
  const units = { 'image/1024x1024/hd': '0.08', image: '0.04' };
  assert.deepEqual(rowsOf({ prices: [{ provider: 'lab', model: 'm', units }] }), [
    ['lab', 'm', { input: '0', output: '0', units: { image: '0.04', 'image/1024x1024/hd': '0.08' } }, null],
  ]);
});

test('what is no table is refused as a whole', () => {
  for (const text of ['', 'not JSON', '[]', '1', 'null', '{}', '{"a":{"b":1}}'])
    assert.throws(() => readPriceTable(text), RangeError, text);
});

test('what is no price, or an absurd one, is a fault with its place, and the other rows are read', () => {
  const own = (row: object) => ({ prices: [{ provider: 'lab', model: 'm', input: '1', output: '2', ...row }] });
  const wrong: readonly [unknown, RegExp][] = [
    [own({ input: '-1' }), /^prices\[0\] has no price for input: "-1"$/],
    [own({ input: 'much' }), /^prices\[0\] has no price for input/],
    [own({ output: undefined }), /^prices\[0\] has no price for input and output$/],
    [own({ input: '10000.01' }), /^prices\[0\] has an absurd price for input: \$10000\.01 per million tokens$/],
    [own({ units: { image: '-1' } }), /^prices\[0\] has no price for image: "-1"$/],
    [own({ units: { image: '101' } }), /^prices\[0\] has an absurd price for image: \$101$/],
    [own({ units: { token: '1' } }), /^prices\[0\] has an unknown unit: token$/],
    [own({ units: ['image'] }), /^prices\[0\] has no object of prices in units$/],
    [own({ request: '101' }), /^prices\[0\] has an absurd price for request: \$101$/],
    [own({ retires: 'soon' }), /something else than a date/],
    [own({ retires: '2027-02-30' }), /something else than a date/],
    [own({ inputs: '1' }), /^prices\[0\] has an unknown field: inputs$/],
    [own({ provider: '' }), /has no provider/],
    [
      own({
        tiers: [
          { abovePromptTokens: 9, input: '1', output: '1' },
          { abovePromptTokens: 9, input: '1', output: '1' },
        ],
      }),
      /tiers must ascend/,
    ],
    [
      own({ tiers: [{ abovePromptTokens: 9, input: '20000', output: '1' }] }),
      /absurd price for input: .* \(above 9 prompt tokens\)$/,
    ],
    [{ prices: [7] }, /^prices\[0\] is not an object$/],
    [
      { 'gpt-9': { litellm_provider: 'openai', input_cost_per_token: -1, output_cost_per_token: 1e-6 } },
      /^gpt-9 has something that is no price: -1$/,
    ],
    [
      { 'gpt-9': { litellm_provider: 'openai', input_cost_per_token: 1.25, output_cost_per_token: 1e-6 } },
      /^gpt-9 has an absurd price for input/,
    ],
    [
      { data: [{ id: 'acme/a', pricing: { prompt: 'free', completion: '0' } }] },
      /^acme\/a has something that is no price: free$/,
    ],
  ];
  for (const [table, expected] of wrong) {
    const { rows, faults } = read(table);
    assert.equal(rows.length, 0);
    assert.equal(faults.length, 1, String(expected));
    assert.match(faults[0] as string, expected);
  }
  const { rows, faults } = read({ prices: [...own({}).prices, ...own({}).prices, ...own({ model: 'n' }).prices] });
  assert.deepEqual([rows.length, faults], [2, ['prices[1] is listed twice']]);
});

/** One row with this text as its price for input, in each of the formats. */
const inEachFormat: Readonly<Record<string, (price: string) => string>> = {
  turnpike: (price) => `{"prices":[{"provider":"lab","model":"m","input":${price},"output":"1"}]}`,
  litellm: (price) =>
    `{"gpt-9":{"litellm_provider":"openai","input_cost_per_token":${price},"output_cost_per_token":1e-6}}`,
  'models.dev': (price) => `{"openai":{"models":{"gpt-9":{"cost":{"input":${price},"output":1}}}}}`,
  openrouter: (price) => `{"data":[{"id":"acme/a","pricing":{"prompt":${price},"completion":"0.000001"}}]}`,
};
const NO_PRICES = [
  ...['-0.1', '"-0.1"', '1e9', '"1e9"', '"NaN"', '"Infinity"', '"0x10"', '""', '" 1"', '"1,5"', '"1_000"', '"١"'],
  // Powers of ten that a bigint could not hold, or only after minutes.
  ...['1e999999999', '1e-999999999', '"1e999999999"', `"${'9'.repeat(1_000_000)}"`, `0.${'0'.repeat(1_000_000)}1`],
];

for (const [format, tableOf] of Object.entries(inEachFormat)) {
  test(`${format}: an invalid price gives no row, at once, and a short fault`, () => {
    assert.equal(read(tableOf('0.000001')).rows.length, 1);
    for (const price of NO_PRICES) {
      const started = performance.now();
      const { rows, faults } = read(tableOf(price));
      assert.ok(performance.now() - started < 1_000, price.slice(0, 20));
      assert.equal(rows.length, 0, price.slice(0, 20));
      assert.equal(faults.length, 1, price.slice(0, 20));
      assert.ok((faults[0] as string).length < 200, (faults[0] as string).slice(0, 300));
    }
  });

  test(`${format}: whatever is in the place of a price, there is a row with valid prices, a fault, or no row`, () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 2 }), (value) => {
        const { rows, faults } = read(tableOf(value));
        assert.ok(rows.length + faults.length <= 1);
        for (const { prices } of rows) assert.equal(complaintOf(prices), null);
      }),
    );
  });
}

test('a table with anything anywhere is read, or refused as one', () => {
  const tables = Object.values(inEachFormat).map((tableOf) => JSON.parse(tableOf('"0.000001"')) as unknown);
  fc.assert(
    fc.property(fc.constantFrom(...tables), fc.nat(40), fc.jsonValue({ maxDepth: 2 }), (table, at, value) => {
      let place = 0;
      const changed = JSON.stringify(table, (_name, inner: unknown) => (place++ === at ? value : inner)) ?? 'null';
      try {
        for (const { prices } of read(changed).rows) assert.equal(complaintOf(prices), null);
      } catch (error) {
        assert.ok(error instanceof RangeError, `${changed}: ${(error as Error).stack}`);
      }
    }),
    { numRuns: 2_000 },
  );
});
