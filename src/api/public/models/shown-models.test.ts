/**
 * Goal: visitors see models, prices at the installation's rate and figures of calls, and nothing else; whatever comes, it is written once in
 * half a minute. Method: two models, made-up calls, a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { LIST_PRICES, type PinnedRates } from '../../../billing/rates.ts';
import { FREE } from '../../../catalog/prices.ts';
import { ManualClock } from '../../../core/clock.ts';
import { picoUsd } from '../../../core/money.ts';
import { markupRate } from '../../../core/rates/rate.ts';
import type { Provider } from '../../../providers/provider.ts';
import { ProviderHealth } from '../../../telemetry/provider-health.ts';
import { entry, listsOf } from './model-fixture.ts';
import { FRESH_MS, ShownModels, type ShownText } from './shown-models.ts';

const demo = { name: 'demo', displayName: 'Secret house provider' } as Provider;
const dear = { ...FREE, input: picoUsd(2_500_000n), output: picoUsd(10_000_000n), cacheRead: picoUsd(250_000n) };
const seeing = {
  ...dear,
  ...{ inputImage: picoUsd(8_000_000n), outputImage: picoUsd(30_000_000n), outputAudio: picoUsd(64_000_000n) },
};
const painted = { ...FREE, units: [{ unit: 'image', price: picoUsd(10_000_000_000n) }] };

function open(rates: PinnedRates = LIST_PRICES, listUnpriced = true) {
  const clock = new ManualClock();
  const health = new ProviderHealth(clock, () => undefined);
  health.watch([demo]);
  let lists = listsOf([entry('acme/large', { prices: dear }), entry('acme/unpriced', { prices: null })], listUnpriced, [
    demo,
  ]);
  let written = 0;
  const shown = new ShownModels({
    clock,
    health,
    rates: () => {
      written += 1;
      return rates;
    },
    lists: () => lists,
  });
  const read = async () => JSON.parse(gunzipSync((await shown.text()).gzip).toString());
  return {
    clock,
    health,
    shown,
    read,
    written: () => written,
    replace: (next: typeof lists) => {
      lists = next;
    },
  };
}

test('a visitor sees ids, limits, abilities and prices, and nothing of providers', async () => {
  const { shown, read } = open();
  const { data, abilities, total_count } = await read();
  assert.deepEqual(data[0], {
    id: 'acme/large',
    name: 'acme/large',
    created: 0,
    context_length: 200_000,
    max_completion_tokens: 8192,
    abilities: 0,
    pricing: { input: '2.5', output: '10', cache_read: '0.25', cache_write: null },
    first_token_p50_ms: null,
    tokens_per_second: null,
    uptime_last_1d: null,
  });
  assert.deepEqual(data[1].pricing, { input: null, output: null, cache_read: null, cache_write: null });
  assert.deepEqual(abilities, [
    { input_modalities: ['text'], output_modalities: ['text'], supported_parameters: ['max_tokens'] },
  ]);
  assert.equal(total_count, 2);
  assert.doesNotMatch(gunzipSync((await shown.text()).gzip).toString(), /demo|house/);
});

test('a visitor sees prices by the piece, at the rate of the installation', async () => {
  const { read, replace } = open({ rateOf: () => markupRate(20) });
  replace(listsOf([entry('acme/painter', { prices: painted })], true, [demo]));
  const { data } = await read();
  assert.deepEqual(data[0].pricing, {
    input: '0',
    output: '0',
    cache_read: null,
    cache_write: null,
    units: { image: '0.012' },
  });
});

test('a visitor sees what images and sound cost, where that is no price of text', async () => {
  const { read, replace } = open({ rateOf: () => markupRate(20) });
  replace(listsOf([entry('acme/eye', { prices: seeing })], true, [demo]));
  const { data } = await read();
  const { input_image, output_image, output_audio } = data[0].pricing;
  assert.deepEqual([input_image, output_image, output_audio], ['9.6', '36', '76.8']);
});

test('prices are at the rate of the installation; with prepaid billing a model without a price is not shown', async () => {
  const { data } = await open({ rateOf: () => markupRate(20) }, false).read();
  assert.deepEqual(
    data.map(({ id, pricing }: { id: string; pricing: { input: string } }) => [id, pricing.input]),
    [['acme/large', '3']],
  );
});

test('figures are those of calls, at most half a minute late', async () => {
  const { clock, health, shown, read } = open();
  const first = await shown.text();
  health.good(demo, 'acme/large', 100);
  health.streamed(demo, 'acme/large', 250, 40);
  assert.equal((await read()).data[0].first_token_p50_ms, null);
  clock.advance(FRESH_MS);
  // Somebody still gets the earlier text, and has the new one written.
  assert.equal(await shown.text(), first);
  await next(shown, first);
  const [large, unpriced] = (await read()).data;
  assert.deepEqual([large.first_token_p50_ms, large.tokens_per_second, large.uptime_last_1d], [250, 40, 100]);
  assert.deepEqual([unpriced.first_token_p50_ms, unpriced.uptime_last_1d], [null, null]);
});

test('a thousand visitors are written one text, and it keeps its tag while nothing is new', async () => {
  const { clock, shown, written } = open();
  const texts = await Promise.all(Array.from({ length: 1_000 }, () => shown.text()));
  assert.equal(written(), 1);
  assert.equal(new Set(texts.map(({ gzip }) => gzip)).size, 1);
  clock.advance(FRESH_MS);
  await Promise.all(Array.from({ length: 1_000 }, () => shown.text()));
  const second = await next(shown, texts[0] ?? assert.fail());
  assert.equal(written(), 2);
  assert.equal(second.etag, texts[0]?.etag);
});

test('a changed catalogue is shown, with another tag', async () => {
  const { clock, shown, read, replace } = open();
  const first = await shown.text();
  replace(listsOf([entry('acme/new', { prices: FREE })], true, [demo]));
  clock.advance(FRESH_MS);
  const second = await next(shown, first);
  assert.equal((await read()).data[0].id, 'acme/new');
  assert.notEqual(second.etag, first.etag);
});

test('thousands of models are written in turns, and each set of abilities once', async () => {
  const { read, replace } = open();
  const many = Array.from({ length: 5_000 }, (_, index) =>
    entry(`lab/m${index}`, { prices: FREE, supportedParameters: index % 2 === 0 ? ['tools'] : [] }),
  );
  replace(listsOf(many, true, [demo]));
  let [turns, isCounting] = [0, true];
  const count = () => {
    turns += 1;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const { data, abilities } = await read();
  isCounting = false;
  assert.deepEqual([data.length, abilities.length], [5_000, 2]);
  assert.ok(turns >= 5_000 / 200, `${turns} turns`);
});

/** Another text than this: it is compressed on another thread. */
async function next(shown: ShownModels, before: ShownText): Promise<ShownText> {
  for (;;) {
    const text = await shown.text();
    if (text !== before) return text;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
