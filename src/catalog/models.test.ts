/** Goal: the file of known models satisfies what other code relies on. Method: every entry is checked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EFFORTS } from '../chat/request.ts';
import { isUnitName } from '../core/units/units.ts';
import { findProviderKind } from '../providers/index.ts';
import { type KnownLines, knownModels } from './models.ts';

const models = knownModels();

test('more than 300 models of more than 15 vendors are known', () => {
  assert.ok(models.length >= 300, `${models.length} models`);
  const vendors = new Set(models.map(({ id }) => id.split('/')[0]));
  assert.ok(vendors.size >= 15, `${vendors.size} vendors`);
});

test('ids are <vendor>/<name>, in order, and no spelling belongs to two models', () => {
  const ids = models.map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted());
  for (const id of ids) assert.match(id, /^[a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9._:-]*$/);
  const spellings = models.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
  assert.equal(new Set(spellings).size, spellings.length);
});

test('every target is of a provider this program knows, and priced in whole pico-USD', () => {
  for (const { id, targets } of models) {
    assert.ok(targets.length > 0, id);
    assert.equal(
      new Set(targets.map(({ provider, upstreamModel }) => `${provider} ${upstreamModel}`)).size,
      targets.length,
      id,
    );
    for (const { provider, contextWindow, outputCap, prices } of targets) {
      assert.ok(findProviderKind(provider) !== null, `${id}: ${provider}`);
      for (const limit of [contextWindow, outputCap])
        assert.ok(limit === null || (Number.isSafeInteger(limit) && limit > 0), id);
      const { units = {}, ...lines } = prices;
      checkLines(id, lines);
      for (const [unit, price] of Object.entries(units))
        assert.ok(isUnitName(unit) && Number.isSafeInteger(price) && price > 0, `${id}: ${unit}`);
      let threshold = 0;
      for (const tier of prices.tiers ?? []) {
        assert.ok(tier.abovePromptTokens > threshold, `${id}: tiers ascend`);
        threshold = tier.abovePromptTokens;
        checkLines(id, tier);
      }
    }
  }
});

test('prices are in a plausible range, so no table was read in the wrong unit', () => {
  // One cent to six thousand dollars per million tokens; nothing cheaper or more expensive is sold, except for free, and vectors.
  for (const { id, targets, outputModalities } of models)
    for (const { prices } of targets)
      for (const price of [prices.input, prices.output])
        assert.ok(
          price === 0 || (price >= (outputModalities.includes('embeddings') ? 1000 : 10_000) && price <= 6_000_000_000),
          `${id}: ${price}`,
        );
});

test('every model reads and writes text, or is for one thing, and those that write audio have a price for it', () => {
  const single = new Set(['embeddings', 'image', 'audio', 'transcription', 'rerank', 'moderation']);
  for (const { id, inputModalities, outputModalities, targets } of models) {
    assert.ok(inputModalities.includes('text') || outputModalities.join() === 'transcription', id);
    assert.ok(outputModalities.includes('text') || single.has(outputModalities.join()), id);
    assert.ok(!outputModalities.includes('video'), id);
    if (outputModalities.includes('image')) {
      assert.equal(outputModalities.length, 1, id);
      for (const { prices } of targets)
        assert.ok(prices.outputImage !== undefined && prices.inputImage !== undefined, id);
    }
    if (outputModalities.join() === 'audio') {
      for (const { prices } of targets) assert.ok(prices.units?.['character'] !== undefined, id);
    } else if (outputModalities.includes('audio'))
      for (const { prices } of targets) assert.ok(prices.outputAudio !== undefined, id);
  }
});

test('no price is missing or too low where another price of the same target shows what it must be at least', () => {
  for (const { id, outputModalities, targets } of models)
    for (const { provider, upstreamModel, prices } of targets) {
      const name = `${id} at ${provider} as ${upstreamModel}`;
      for (const lines of [prices, ...(prices.tiers ?? [])]) {
        const { input, cacheRead, cacheWrite, cacheWrite1h, inputAudio } = lines;
        // A zero in a table is a missing price.
        if (input > 0) assert.ok(cacheRead !== 0 && cacheWrite !== 0 && cacheWrite1h !== 0 && inputAudio !== 0, name);
        if (outputModalities.some((each) => each === 'text' || each === 'image') && input > 0)
          assert.ok(lines.output >= input, name);
        if (id.startsWith('google/') && inputAudio !== undefined) assert.ok(inputAudio >= input, name);
        // https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching#pricing
        if (id.startsWith('anthropic/claude-') && cacheWrite !== undefined)
          assert.ok(cacheWrite >= 1.2 * input && (cacheWrite1h ?? 0) >= 2 * input, name);
      }
      for (const tier of prices.tiers ?? [])
        for (const [line, price] of Object.entries(prices))
          if (typeof price === 'number')
            assert.ok(
              (tier[line as keyof KnownLines] ?? 0) >= price,
              `${name}: ${line} above ${tier.abovePromptTokens}`,
            );
    }
});

test('OpenAI’s models for coding and those that think longest are known, and served in Responses alone', () => {
  const only = (name: string) =>
    models.find(({ id }) => id === `openai/${name}`)?.targets.find(({ provider }) => provider === 'openai')?.dialects;
  for (const name of [
    'gpt-5-codex',
    'gpt-5.1-codex-max',
    'gpt-5.3-codex',
    'o1-pro',
    'o3-pro',
    'gpt-5-pro',
    'gpt-5.5-pro',
  ])
    assert.deepEqual(only(name), ['openai-responses'], name);
  for (const name of ['gpt-5', 'gpt-5.6', 'o3']) assert.equal(only(name), undefined, name);
});

test('a vendor’s own API comes before a reseller’s', () => {
  const sonnet = models.find(({ id }) => id === 'anthropic/claude-sonnet-4-5');
  assert.deepEqual(
    [...new Set(sonnet?.targets.map(({ provider }) => provider))],
    ['anthropic', 'openrouter', 'bedrock', 'vertex'],
  );
  assert.deepEqual(sonnet?.aliases, ['anthropic/claude-sonnet-4.5']);
  const oss = models.find(({ id }) => id === 'openai/gpt-oss-120b');
  assert.deepEqual(oss?.targets.map(({ provider }) => provider).slice(0, 2), ['openrouter', 'groq']);
});

test('Gemini’s tokens cost the same at Google AI and at Vertex, and cached ones a tenth', () => {
  let compared = 0;
  for (const { id, targets } of models) {
    const [google, vertex] = ['google', 'vertex'].map(
      (name) => targets.find(({ provider }) => provider === name)?.prices,
    );
    if (google === undefined || vertex === undefined) continue;
    const { webSearch: _google, tiers: googleTiers = [], ...atGoogle } = google;
    const { webSearch: _vertex, tiers: vertexTiers = [], ...atVertex } = vertex;
    assert.deepEqual([atVertex, vertexTiers], [atGoogle, googleTiers], id);
    compared += 1;
    // https://ai.google.dev/gemini-api/docs/pricing, https://cloud.google.com/vertex-ai/generative-ai/pricing
    if (!id.startsWith('google/gemini-') || google.cacheRead === undefined) continue;
    assert.equal(google.cacheRead * 10, google.input, id);
  }
  assert.ok(compared >= 8, `${compared} models`);
});

function checkLines(
  id: string,
  { input, output, ...lines }: KnownLines & { tiers?: unknown; abovePromptTokens?: number },
): void {
  const { tiers: _tiers, abovePromptTokens: _above, ...others } = lines;
  for (const price of [input, output, ...Object.values(others)])
    assert.ok(Number.isSafeInteger(price) && price >= 0, `${id}: ${price}`);
}

test('efforts are in order, and only models that reason have efforts or thinking', () => {
  for (const { id, efforts = null, quirks = {}, supportedParameters } of models) {
    const thinking = quirks['anthropic-messages']?.thinking ?? null;
    if (efforts !== null)
      assert.deepEqual(
        efforts,
        EFFORTS.filter((effort) => efforts.includes(effort)),
        id,
      );
    if (efforts !== null || thinking !== null) assert.ok(supportedParameters.includes('reasoning'), id);
    if (thinking !== null) assert.match(id, /^anthropic\/claude-/);
  }
});

test('Claude’s generations differ in how they think, sample and are instructed', () => {
  const find = (id: string) => models.find((model) => model.id === `anthropic/claude-${id}`);
  assert.partialDeepStrictEqual(find('opus-5'), {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    quirks: { 'anthropic-messages': { thinking: 'adaptive', systemAnywhere: true, prefill: false } },
  });
  assert.partialDeepStrictEqual(find('sonnet-4-5'), {
    quirks: { 'anthropic-messages': { thinking: 'budget', prefill: true } },
  });
  for (const name of ['temperature', 'top_p', 'top_k']) {
    assert.equal(find('opus-5')?.supportedParameters.includes(name), false, name);
    assert.equal(find('sonnet-4-5')?.supportedParameters.includes(name), true, name);
  }
});
