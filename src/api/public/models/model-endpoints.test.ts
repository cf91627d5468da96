/**
 * Goal: the endpoints of a model show where it is served and what calls have shown, and nothing that a key may not see. Method: two providers
 * whose calls are made up, and the official client's schema.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listEndpointsResponseFromJSON } from '@openrouter/sdk/models/operations/listendpoints.js';
import type { AliasRule } from '../../../catalog/alias.ts';
import { indexModels } from '../../../catalog/index-models.ts';
import type { Model } from '../../../catalog/model.ts';
import { FREE } from '../../../catalog/prices.ts';
import { ManualClock } from '../../../core/clock.ts';
import { picoUsd } from '../../../core/money.ts';
import { markupRate } from '../../../core/rates/rate.ts';
import type { Provider } from '../../../providers/provider.ts';
import { ProviderHealth } from '../../../telemetry/provider-health.ts';
import { type EndpointFacts, listEndpoints } from './model-endpoints.ts';
import { alias, by, entry } from './model-fixture.ts';
import { VisibleModels } from './visible-models.ts';

const near = { name: 'near', displayName: 'Near', kind: 'custom', isOwnOnly: false, facts: { quantization: 'fp8' } };
const far = { name: 'far', displayName: 'far', kind: 'custom', isOwnOnly: true, facts: { quantization: null } };
const dear = { ...FREE, input: picoUsd(2_000_000n), output: picoUsd(4_000_000n) };
const [target] = entry('x/x', { prices: dear }).targets;
const models: readonly Model[] = [
  entry('acme/large', {
    prices: dear,
    supportedParameters: ['tools', 'tool_choice'],
    targets: [
      { ...target, provider: 'near', upstreamModel: 'large-1', prices: { ...dear, cacheRead: picoUsd(1n) } },
      { ...target, provider: 'far', upstreamModel: 'large-x', prices: dear, contextWindow: null, outputCap: null },
      { ...target, provider: 'far', upstreamModel: 'large-y', prices: null, quantization: 'int4' },
    ] as Model['targets'],
  }),
  entry('acme/small', {
    prices: FREE,
    targets: [{ ...target, provider: 'near', upstreamModel: 'small', prices: FREE }] as Model['targets'],
  }),
];

function open(servesUnpriced = true) {
  const clock = new ManualClock();
  const health = new ProviderHealth(clock, () => undefined);
  health.watch([near, far]);
  const facts: EndpointFacts = {
    visible: new VisibleModels(indexModels(models.map((model) => ({ model, aliases: [] }))), servesUnpriced),
    providers: new Map([near, far].map((each) => [each.name, each as unknown as Provider])),
    health,
    breakers: { readiness: ({ name }) => (name === 'far' ? { until: 5 } : 'ready') },
    servesUnpriced,
  };
  const read = (id: string, reader = by([{}])) => {
    const text = listEndpoints(facts, reader, id);
    return text === null ? null : JSON.parse(text).data;
  };
  return { clock, health, facts, read };
}

test("OpenRouter's own client can read the endpoints, with figures and without", () => {
  const { health, facts } = open();
  for (const isMeasured of [false, true]) {
    if (isMeasured) health.good(near, 'acme/large', 100);
    if (isMeasured) health.streamed(near, 'acme/large', 200, 40);
    const read = listEndpointsResponseFromJSON(listEndpoints(facts, by([{}]), 'acme/large') ?? '');
    assert.ok(read.ok, String(read.ok || read.error));
    assert.equal(read.value.data.endpoints.length, 3);
    assert.equal(read.value.data.endpoints[0]?.uptimeLast30m, isMeasured ? 100 : null);
    assert.equal(read.value.data.endpoints[0]?.latencyLast30m?.p50, isMeasured ? 200 : undefined);
  }
});

test('each endpoint has its own limits, prices and quantization, in the order in which they are tried', () => {
  const [first, second, third] = open().read('acme/large').endpoints;
  assert.deepEqual(
    [first, second, third].map(({ name, tag, quantization }) => [name, tag, quantization]),
    [
      ['Near | large-1', 'near', 'fp8'],
      ['far | large-x', 'far', null],
      ['far | large-y', 'far', 'int4'],
    ],
  );
  assert.deepEqual(first.pricing, { prompt: '0.000002', completion: '0.000004', input_cache_read: '0.000000000001' });
  assert.deepEqual([first.supports_implicit_caching, second.supports_implicit_caching], [true, false]);
  assert.deepEqual([first.context_length, first.context_length_assumed], [200_000, false]);
  assert.deepEqual([second.context_length_assumed, second.max_completion_tokens], [true, null]);
  assert.equal(third.pricing.prompt, '-1');
  assert.deepEqual(first.supports_tool_choice, { auto: true, function: true, none: true, required: true });
});

test('figures are those of calls: none before the first, and failures show', () => {
  const { clock, health, read } = open();
  const [before] = read('acme/large').endpoints;
  assert.deepEqual(
    [before.status, before.health, before.uptime_last_5m, before.uptime_last_1d, before.latency_last_30m],
    [0, 'unknown', null, null, null],
  );
  for (let each = 1; each <= 4; each += 1) {
    health.good(near, 'acme/large', 10);
    health.streamed(near, 'acme/large', each * 100, each * 10);
  }
  const failure = { code: 'bad_gateway', status: 500, connectionError: null, neverAsked: false } as const;
  health.failed(near, 'acme/large', failure);
  const [after, other] = read('acme/large').endpoints;
  assert.deepEqual([after.uptime_last_5m, after.uptime_last_30m, after.uptime_last_1d], [80, 80, 80]);
  assert.deepEqual(after.latency_last_30m, { p50: 200, p75: 300, p90: 400, p99: 400 });
  assert.deepEqual(after.throughput_last_30m, { p50: 20, p75: 10, p90: 10, p99: 10 });
  assert.deepEqual([other.uptime_last_5m, other.resting, other.own_credential_only], [null, true, true]);
  for (let each = 0; each < 5; each += 1) health.failed(near, 'acme/large', failure);
  assert.deepEqual([read('acme/large').endpoints[0].status, read('acme/large').endpoints[0].health], [-5, 'dead']);
  clock.advance(31 * 60_000);
  const [later] = read('acme/large').endpoints;
  assert.deepEqual([later.uptime_last_30m, later.uptime_last_1d, later.latency_last_30m], [null, 40, null]);
});

test('prices are at the rate that the reader is charged; an own credential is billed by the provider at its list price', () => {
  const rates = { rateOf: () => markupRate(100) };
  const [first, second] = open().read('acme/large', { ...by([{}]), rates }).endpoints;
  assert.deepEqual([first.pricing.prompt, second.pricing.prompt], ['0.000004', '0.000002']);
});

test('a key sees the endpoints of models it may use, and of aliases those of the models it may use', () => {
  const aliases: AliasRule[] = [
    alias('fast', ['acme/small', 1], ['acme/large', 1], ['gone/gone', 1]),
    { name: 'pinned', choice: 'key', targets: [{ model: 'acme/large', provider: 'far', weight: 1 }] },
  ];
  const { read } = open();
  const reader = by([{ modelsDeny: ['acme/large'] }], aliases);
  assert.equal(read('acme/large', reader), null);
  assert.equal(read('nobody', reader), null);
  assert.equal(read('pinned', reader), null);
  assert.deepEqual(
    read('fast', reader).endpoints.map(({ model_id: id }: { model_id: string }) => id),
    ['acme/small'],
  );
  const pinned = read('pinned', by([{}], aliases));
  assert.deepEqual([pinned.id, pinned.endpoints.map(({ tag }: { tag: string }) => tag)], ['pinned', ['far', 'far']]);
});

test('with prepaid billing, an endpoint without a price is left out', () => {
  assert.equal(open(false).read('acme/large').endpoints.length, 2);
});
