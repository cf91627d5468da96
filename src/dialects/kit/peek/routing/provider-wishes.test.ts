/** Goal: OpenRouter's `provider` is read as its clients send it, and what cannot be judged is refused by name. Method: a table of values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectionToProvider, type ProviderWishes, readProviderWishes } from './provider-wishes.ts';

const read: readonly (readonly [value: unknown, wishes: Partial<ProviderWishes>])[] = [
  [{ order: ['Amazon Bedrock', 'openai'] }, { order: ['amazonbedrock', 'openai'] }],
  [{ only: ['google-vertex/us-east5'] }, { only: ['googlevertex/useast5'] }],
  [
    { ignore: ['OpenAI'], only: null },
    { ignore: ['openai'], only: [] },
  ],
  [{ allow_fallbacks: false }, { allowFallbacks: false }],
  [{ allow_fallbacks: null }, { allowFallbacks: true }],
  [{ sort: 'latency' }, { sort: 'latency', sortsModelsTogether: false }],
  [{ sort: { by: 'price', partition: 'none' } }, { sort: 'price', sortsModelsTogether: true }],
  [{ sort: { by: null, partition: 'model' } }, { sort: null }],
  [{ require_parameters: true }, { requiresParameters: true }],
  [{ preferred_min_throughput: 40 }, { tokensPerSecondMin: 40 }],
  [{ preferred_max_latency: { p50: 1.5, p99: 9 } }, { firstTokenMsMax: 1500 }],
  [{ preferred_max_latency: { p90: 9 } }, { firstTokenMsMax: null }],
  [
    { data_collection: 'allow', zdr: false, enforce_distillable_text: false, quantizations: [] },
    { deniesCollection: false, deniesRetention: false, quantizations: [] },
  ],
  [
    { data_collection: 'deny', zdr: true, quantizations: ['fp8', 'unknown'] },
    { deniesCollection: true, deniesRetention: true, quantizations: ['fp8', 'unknown'] },
  ],
];
for (const [value, wishes] of read)
  test(`${JSON.stringify(value)} is read`, () => {
    assert.equal(objectionToProvider(value), null);
    const all = readProviderWishes(value);
    for (const [name, wanted] of Object.entries(wishes))
      assert.deepEqual(all[name as keyof ProviderWishes], wanted, name);
  });

test('the highest prices are US dollars per million tokens, per image and per request, as a number or a string', () => {
  const none = { input: null, output: null, image: null, inputAudio: null, request: null };
  for (const [max, price] of [
    [
      { prompt: 1, completion: '2.5' },
      { ...none, input: 1_000_000n, output: 2_500_000n },
    ],
    [{ prompt: '0.000001' }, { ...none, input: 1n }],
    [{ prompt: 1e-7 }, { ...none, input: 0n }],
    [
      { image: '0.01', request: 0 },
      { ...none, image: 10_000_000_000n, request: 0n },
    ],
    [{ audio: 3 }, { ...none, inputAudio: 3_000_000n }],
  ] as const) {
    assert.equal(objectionToProvider({ max_price: max }), null);
    assert.deepEqual(readProviderWishes({ max_price: max }).maxPrice, price);
  }
});

for (const [value, path] of [
  ['anthropic', 'provider'],
  [{ order: 'anthropic' }, 'provider.order'],
  [{ only: [1] }, 'provider.only'],
  [{ allow_fallbacks: 'no' }, 'provider.allow_fallbacks'],
  [{ sort: 'cheapest' }, 'provider.sort'],
  [{ sort: { by: 'price', partition: 'all' } }, 'provider.sort'],
  [{ sort: { by: 'speed' } }, 'provider.sort'],
  [{ max_price: 1 }, 'provider.max_price'],
  [{ max_price: { prompt: '1e3' } }, 'provider.max_price'],
  [{ max_price: { prompt: -1 } }, 'provider.max_price'],
  [{ max_price: { video: 1 } }, 'provider.max_price'],
  [{ preferred_min_throughput: 'fast' }, 'provider.preferred_min_throughput'],
  [{ preferred_max_latency: { p42: 1 } }, 'provider.preferred_max_latency'],
  [{ data_collection: 'never' }, 'provider.data_collection'],
  [{ zdr: 'yes' }, 'provider.zdr'],
  [{ enforce_distillable_text: true }, 'provider.enforce_distillable_text'],
  [{ quantizations: ['fp9'] }, 'provider.quantizations'],
  [{ quantizations: 'fp8' }, 'provider.quantizations'],
  [{ experimental: { x: 1 } }, 'provider.experimental'],
  [{ constructor: 1 }, 'provider.constructor'],
] as const)
  test(`${JSON.stringify(value)} is refused by name`, () => {
    assert.equal(objectionToProvider(value)?.path, path);
  });
