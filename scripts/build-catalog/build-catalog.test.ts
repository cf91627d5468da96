/** Goal: two price tables become one list by the rules of `build-catalog.ts`. Method: small tables written by hand. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseExact, picoPerUnit } from '../../src/catalog/price-tables/exact-json.ts';
import { catalogText } from './catalog-text.ts';
import { mergeOffers } from './merge-offers.ts';
import { readLitellm } from './read-litellm.ts';
import { readModelsDev } from './read-models-dev.ts';
import { writeCatalog } from './write-catalog.ts';

for (const [text, units, pico] of [
  ['3e-7', 1, 300_000n],
  ['0.00000125', 1, 1_250_000n],
  ['1.25E-7', 1, 125_000n],
  ['0.01', 1, 10_000_000_000n],
  ['0', 1, 0n],
  ['2.5', 1_000_000, 2_500_000n],
  ['0.083333', 1_000_000, 83_333n],
  ['0.0000001', 1_000_000, 1n],
  ['1e-13', 1, 1n],
] as const)
  test(`${text} USD per ${units} is ${pico} pico-USD`, () => {
    assert.equal(picoPerUnit(text, units), pico);
  });

test('what is no price is not taken for one', () => {
  for (const text of ['-1', '', 'x', '1.', '.5']) assert.throws(() => picoPerUnit(text, 1), RangeError);
});

test('a number keeps the digits it was written in', () => {
  assert.deepEqual(parseExact('{"a": 0.10000000000000001, "b": [1e-7], "c": "1"}'), {
    a: '0.10000000000000001',
    b: ['1e-7'],
    c: '1',
  });
});

const token = {
  litellm_provider: 'openai',
  mode: 'chat',
  input_cost_per_token: 0.000002,
  output_cost_per_token: 0.00001,
};
const cost = { input: 2, output: 10 };
/** What OpenAI's own tools cost, with every model. */
const toolFees = { webSearch: 10_000_000_000, fileSearch: 2_500_000_000, codeInterpreter: 30_000_000_000 };

test('tables that agree are joined line by line, with the dearer price in a line where they differ', () => {
  const [model] = merge(
    { 'gpt-a': { ...token, cache_read_input_token_cost: 6e-7, max_input_tokens: 100, supports_tool_choice: true } },
    {
      openai: { 'gpt-a': { cost: { ...cost, cache_read: 0.5, input_audio: 4 }, limit: { context: 120, output: 20 } } },
    },
  ).models;
  assert.equal(model?.id, 'openai/gpt-a');
  assert.equal(model?.targets[0]?.contextWindow, 120);
  assert.deepEqual(model?.targets[0]?.prices, {
    input: 2_000_000,
    output: 10_000_000,
    cacheRead: 600_000,
    inputAudio: 4_000_000,
    ...toolFees,
  });
  assert.deepEqual(model?.supportedParameters, ['max_tokens', 'tool_choice']);
});

test('where tables disagree the dearer one is taken whole, and somebody is told', () => {
  const { models, disagreements } = merge(
    { 'gpt-a': { ...token, cache_read_input_token_cost: 2e-7 } },
    { openai: { 'gpt-a': { cost: { input: 2, output: 12 } } } },
  );
  assert.deepEqual(models[0]?.targets[0]?.prices, { input: 2_000_000, output: 12_000_000, ...toolFees });
  assert.match(disagreements.join(), /^openai\/gpt-a: .*took 2000000\/12000000$/);
});

test('a tier changes what it names and keeps the rest', () => {
  const [model] = merge(
    { 'gpt-a': { ...token, cache_read_input_token_cost: 2e-7, input_cost_per_token_above_200k_tokens: 0.000004 } },
    {},
  ).models;
  assert.deepEqual(model?.targets[0]?.prices, {
    input: 2_000_000,
    output: 10_000_000,
    cacheRead: 200_000,
    ...toolFees,
    tiers: [{ abovePromptTokens: 200_000, input: 4_000_000, output: 10_000_000, cacheRead: 200_000, ...toolFees }],
  });
});

test('a search has no fee where it is not known what it adds to the prompt', () => {
  const { models } = merge({ 'gpt-4.1-mini': token, 'gpt-a-search-preview': token }, {});
  assert.deepEqual(
    models.map(({ targets: [target] }) => Object.keys(target?.prices ?? {}).filter((name) => name in toolFees)),
    [
      ['fileSearch', 'codeInterpreter'],
      ['fileSearch', 'codeInterpreter'],
    ],
  );
});

test('a reseller’s model joins the vendor’s, brings its spelling as an alias, and borrows lines at the same price', () => {
  const claude = { ...token, litellm_provider: 'anthropic', cache_creation_input_token_cost_above_1hr: 0.000004 };
  const [undated, dated] = merge(
    { 'claude-a-1-5': claude, 'claude-a-1-5-20260101': claude },
    { openrouter: { 'anthropic/claude-a-1.5': { cost, base_model: 'anthropic/claude-a-1-5' } } },
  ).models;
  assert.deepEqual([undated?.id, undated?.aliases], ['anthropic/claude-a-1-5', ['anthropic/claude-a-1.5']]);
  assert.deepEqual(
    undated?.targets.map(({ provider }) => provider),
    ['anthropic', 'openrouter'],
  );
  assert.equal(undated?.targets[1]?.prices.cacheWrite1h, 4_000_000);
  assert.deepEqual(
    [dated?.id, dated?.aliases, dated?.created],
    ['anthropic/claude-a-1-5-20260101', undefined, 1_767_225_600],
  );
  assert.deepEqual(
    dated?.targets.map(({ upstreamModel }) => upstreamModel),
    ['claude-a-1-5-20260101', 'anthropic/claude-a-1.5'],
  );
});

test('a variant of a reseller’s is a model of its own', () => {
  const { models } = merge(
    { 'gpt-a': token },
    { openrouter: { 'openai/gpt-a:free': { cost: { input: 0, output: 0 }, base_model: 'openai/gpt-a' } } },
  );
  assert.deepEqual(
    models.map(({ id }) => id),
    ['openai/gpt-a', 'openai/gpt-a:free'],
  );
});

test('Google’s cache writes at the reseller cost the input besides the storage', () => {
  const [model] = merge({}, { openrouter: { 'google/g': { cost: { ...cost, cache_write: 0.083333 } } } }).models;
  assert.equal(model?.targets[0]?.prices.cacheWrite, 2_083_333);
});

test('a vendor’s models get its name in ids, others that name no vendor their provider’s', () => {
  const of = (litellm_provider: string) => ({ ...token, litellm_provider });
  const { models } = merge(
    { 'mistral/m': of('mistral'), 'xai/g': of('xai'), 'groq/l': of('groq'), 'groq/openai/o': of('groq') },
    {},
  );
  assert.deepEqual(
    models.map(({ id }) => id),
    ['groq/l', 'mistralai/m', 'openai/o', 'x-ai/g'],
  );
});

test('a model that OpenAI serves in Responses alone says so', () => {
  const responses = { ...token, mode: 'responses', supported_endpoints: ['/v1/responses', '/v1/batch'] };
  const [codex, pro] = merge(
    { 'gpt-a-codex': responses, 'gpt-5-pro': { ...responses, cache_read_input_token_cost: 2e-7 } },
    {},
  ).models;
  assert.deepEqual(codex?.targets[0]?.dialects, ['openai-responses']);
  // Its cached tokens cost what others do.
  assert.equal(pro?.targets[0]?.prices['cacheRead'], undefined);
  assert.deepEqual(merge({ 'o3-deep-research': responses }, {}).models, []);
});

test('models for vectors are known where a format for them is: Google’s own, otherwise OpenAI’s', () => {
  const vectors = { ...token, mode: 'embedding', output_cost_per_token: 0, max_input_tokens: 2048 };
  const google = { ...vectors, litellm_provider: 'gemini' };
  const vertex = { ...vectors, litellm_provider: 'vertex_ai-embedding-models' };
  const { models } = merge(
    {
      'gemini/e-1': google,
      'e-1': vertex,
      'gemini/gemini-e-2': google,
      'gemini-e-2': { ...vertex, uses_embed_content: true },
      'text-embedding-a': vectors,
      'groq/e-3': { ...vectors, litellm_provider: 'groq' },
    },
    { google: { 'e-1': { cost: { input: 2, output: 0 }, limit: { context: 2048, output: 1 } } } },
  );
  assert.deepEqual(
    models.map(({ id, targets }) => [id, targets.map(({ provider }) => provider)]),
    [
      ['google/e-1', ['google']],
      ['google/gemini-e-2', ['google', 'vertex']],
      ['openai/text-embedding-a', ['openai']],
    ],
  );
  assert.ok(!('dialects' in (models[2]?.targets[0] ?? {})), 'the provider decides');
  assert.partialDeepStrictEqual(models[0], { inputModalities: ['text'], outputModalities: ['embeddings'] });
  assert.partialDeepStrictEqual(models[0]?.targets[0], { dialects: ['gemini'], outputCap: null });
});

test('at a cloud, an hour in the cache costs twice the input in each tier, and Gemini’s own writes nothing', () => {
  const claude = {
    litellm_provider: 'anthropic',
    mode: 'chat',
    input_cost_per_token: 3e-6,
    output_cost_per_token: 1e-5,
  };
  const cached = { cache_creation_input_token_cost: 4e-6, cache_creation_input_token_cost_above_1hr: 6e-6 };
  const above = { input_cost_per_token_above_200k_tokens: 6e-6 };
  const { models } = merge(
    {
      'claude-a': claude,
      'vertex_ai/claude-a': { ...claude, ...cached, ...above, litellm_provider: 'vertex_ai-anthropic_models' },
      'gemini/gemini-a': { ...token, litellm_provider: 'gemini' },
      'gemini-a': { ...token, ...cached, litellm_provider: 'vertex_ai-language-models' },
    },
    {},
  );
  const at = (id: string, provider: string) =>
    models.find((model) => model.id === id)?.targets.find((target) => target.provider === provider)?.prices;
  assert.partialDeepStrictEqual(at('anthropic/claude-a', 'vertex'), {
    cacheWrite1h: 6_000_000,
    tiers: [{ cacheWrite1h: 12_000_000 }],
  });
  assert.deepEqual(at('google/gemini-a', 'vertex'), { input: 2_000_000, output: 10_000_000 });
  const heard = {
    ...token,
    litellm_provider: 'gemini',
    input_cost_per_audio_token: 7e-6,
    cache_read_input_token_cost: 2e-7,
  };
  assert.equal(merge({ 'gemini/gemini-b': heard }, {}).models[0]?.targets[0]?.prices['cacheReadAudio'], 700_000);
});

for (const [why, entry] of [
  ['other endpoints only', { ...token, supported_endpoints: ['/v1/responses'] }],
  ['no price', { ...token, output_cost_per_token: undefined }],
  ['a date that is past', { ...token, deprecation_date: '2026-01-31' }],
  ['pictures for an answer', { ...token, supported_output_modalities: ['text', 'image'] }],
  ['sound without a price', { ...token, supports_audio_output: true }],
  ['a gift within limits', { ...token, input_cost_per_token: 0, output_cost_per_token: 0 }],
] as const)
  test(`a model with ${why} is left out`, () => {
    assert.deepEqual(merge({ 'gpt-a': entry }, {}).models, []);
  });

test('a moving alias, a withdrawn model and a fine-tuned one are left out', () => {
  const { models } = merge(
    {
      'gemini/gemini-flash-latest': { ...token, litellm_provider: 'gemini' },
      'ft:gpt-a': token,
      'xai/grok-3': { ...token, litellm_provider: 'xai' },
    },
    { openrouter: { '~openai/gpt-latest': { cost } }, mistral: { m: { cost, status: 'deprecated' } } },
  );
  assert.deepEqual(models, []);
});

const claude = { ...token, litellm_provider: 'anthropic', supports_reasoning: true };

test('one flag of an effort makes the usual three known, but for those that are denied', () => {
  const reasoning = { ...token, supports_reasoning: true };
  const { models } = merge(
    {
      'gpt-a': { ...reasoning, supports_none_reasoning_effort: true, supports_minimal_reasoning_effort: false },
      'gpt-b': { ...reasoning, supports_max_reasoning_effort: true, supports_low_reasoning_effort: false },
      'gpt-c': reasoning,
      'gpt-d': { ...token, supports_xhigh_reasoning_effort: false },
    },
    {},
  );
  assert.deepEqual(
    models.map(({ efforts }) => efforts),
    [['none', 'low', 'medium', 'high'], ['medium', 'high', 'max'], undefined, undefined],
  );
});

test('a Claude that reasons thinks by a budget unless it is said to adapt; others are said nothing of', () => {
  const { models } = merge(
    {
      'claude-a': { ...claude, supports_adaptive_thinking: true },
      'claude-b': claude,
      'claude-c': { ...claude, supports_reasoning: false },
      'gpt-a': { ...token, supports_reasoning: true },
    },
    {},
  );
  assert.deepEqual(
    models.map(({ quirks }) => quirks?.['anthropic-messages'].thinking),
    ['adaptive', 'budget', undefined, undefined],
  );
});

test('prefill is kept as said, either way, and instructions anywhere as said of another house’s copy', () => {
  const { models } = merge(
    {
      'claude-a': { ...claude, supports_assistant_prefill: false },
      'claude-b': { ...claude, supports_assistant_prefill: true },
      'claude-c': claude,
      'vertex_ai/claude-a': { litellm_provider: 'vertex_ai', supports_mid_conversation_system: true },
    },
    {},
  );
  assert.deepEqual(
    models.map(({ quirks }) => [quirks?.['anthropic-messages'].prefill, quirks?.['anthropic-messages'].systemAnywhere]),
    [
      [false, true],
      [true, undefined],
      [undefined, undefined],
    ],
  );
});

test('a model that takes no sampling is not said to, whatever the other table says; other Claudes take top_k too', () => {
  const { models } = merge(
    {
      'claude-a': { ...claude, supports_sampling_params: false },
      'claude-b': claude,
    },
    {
      anthropic: { 'claude-a': { cost, temperature: true }, 'claude-b': { cost, temperature: true } },
      openai: {},
    },
  );
  assert.deepEqual(models[0]?.supportedParameters, ['include_reasoning', 'max_tokens', 'reasoning']);
  assert.deepEqual(models[1]?.supportedParameters, [
    'include_reasoning',
    'max_tokens',
    'reasoning',
    'temperature',
    'top_k',
    'top_p',
  ]);
});

test('what a withdrawn model could do is still known of the reseller’s copy of it', () => {
  const [model] = merge(
    { 'claude-a': { ...claude, deprecation_date: '2026-01-31', supports_assistant_prefill: true } },
    { openrouter: { 'anthropic/claude.a': { cost, base_model: 'anthropic/claude-a' } } },
  ).models;
  assert.equal(model?.id, 'anthropic/claude.a');
  assert.deepEqual(model?.quirks?.['anthropic-messages'], { thinking: 'budget', prefill: true });
});

interface WrittenModel {
  readonly outputModalities: readonly string[];
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly created: number;
  readonly supportedParameters: readonly string[];
  readonly efforts?: readonly string[];
  readonly quirks?: {
    readonly 'anthropic-messages': {
      readonly thinking?: string;
      readonly systemAnywhere?: boolean;
      readonly prefill?: boolean;
    };
  };
  readonly targets: readonly {
    readonly provider: string;
    readonly upstreamModel: string;
    readonly dialects?: readonly string[];
    readonly outputCap: number | null;
    readonly contextWindow: number | null;
    readonly prices: Readonly<Record<string, unknown>>;
  }[];
}

/** The tables go through their texts, the list through its file. */
test('of a later maker or host, an offer joins the model of its name, whose facts and other prices stay', () => {
  const sold = { cost, limit: { context: 100, output: 10 }, temperature: true };
  const dear = { cost: { input: 3, output: 12 }, limit: { context: 50, output: 5 }, tool_call: true };
  const listed = { openrouter: { 'z-ai/glm-1.5': { ...sold, name: 'GLM' }, 'openai/gpt-o': { ...sold, name: 'O' } } };
  const before = merge({}, listed).models;
  const { models } = merge(
    {},
    {
      ...listed,
      zai: { 'glm-1.5': dear },
      together: {},
      togetherai: { 'zai-org/GLM-1.5': dear, 'Qwen/New-1': dear },
      'fireworks-ai': { 'accounts/fireworks/models/glm-1p5': dear, 'accounts/fireworks/routers/glm-1p5-fast': dear },
      cerebras: { 'gpt-o': dear },
      'cloudflare-workers-ai': { '@cf/qwen/new-1': dear },
    },
  );
  assert.deepEqual(
    models.map(({ id, targets }) => [id, targets.map(({ provider }) => provider)]),
    [
      ['fireworks/glm-1.5-fast', ['fireworks']],
      ['openai/gpt-o', ['openrouter', 'cerebras']],
      ['qwen/new-1', ['together', 'cloudflare']],
      ['z-ai/glm-1.5', ['zai', 'openrouter', 'together', 'fireworks']],
    ],
  );
  for (const known of before) {
    const now = models.find(({ id }) => id === known.id);
    const { targets: sellers, ...facts } = now ?? { targets: [] };
    const { targets, ...factsBefore } = known;
    assert.deepEqual(facts, factsBefore);
    for (const target of targets)
      assert.deepEqual(
        sellers.find(({ provider }) => provider === target.provider),
        target,
      );
  }
});

test('the base of a model is not the model', () => {
  const { models } = merge(
    {},
    {
      moonshotai: {
        'kimi-1': { cost },
        'kimi-1-highspeed': { cost: { input: 4, output: 20 }, base_model: 'moonshotai/kimi-1' },
      },
    },
  );
  assert.deepEqual(
    models.map(({ id, targets }) => [id, targets.length]),
    [
      ['moonshotai/kimi-1', 1],
      ['moonshotai/kimi-1-highspeed', 1],
    ],
  );
});

test('a host has what models.dev lists, Alibaba what both do, and neither what is no model to talk to', () => {
  const of = (provider: string) => ({ ...token, litellm_provider: provider });
  const { models } = merge(
    {
      'together_ai/acme/gone': of('together_ai'),
      'together_ai/acme/here': of('together_ai'),
      'dashscope/qwen-a': of('dashscope'),
      'dashscope/qwen-a-latest': of('dashscope'),
      'perplexity/sonar': of('perplexity'),
    },
    {
      togetherai: {
        'acme/here': { cost },
        'acme/Whisper-1': { cost },
        'acme/embed-1': { cost: { input: 1, output: 0 } },
      },
      alibaba: { 'qwen-a': { cost }, 'qwen-b': { cost } },
    },
  );
  assert.deepEqual(
    models.map(({ id, outputModalities }) => [id, outputModalities]),
    [
      ['acme/embed-1', ['embeddings']],
      ['acme/here', ['text']],
      ['qwen/qwen-a', ['text']],
    ],
  );
});

test('Alibaba’s prices rise with the prompt, and a whole answer costs what thoughts do', () => {
  const ranges = [
    {
      range: [0, 32_000],
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
      output_cost_per_reasoning_token: 4e-6,
    },
    { range: [32_000, 128_000], input_cost_per_token: 3e-6, output_cost_per_token: 6e-6 },
  ];
  const entry = { ...token, litellm_provider: 'dashscope', input_cost_per_token: undefined, tiered_pricing: ranges };
  const prices = (listed: object) =>
    merge({ 'dashscope/qwen-a': entry }, { alibaba: { 'qwen-a': listed } }).models[0]?.targets[0]?.prices;
  const rising = {
    input: 1_000_000,
    output: 4_000_000,
    tiers: [{ abovePromptTokens: 32_000, input: 3_000_000, output: 6_000_000 }],
  };
  assert.deepEqual(prices({ cost: { input: 1, output: 2, reasoning: 4 } }), rising);
  // The dearer table has no steps: no step is below its price.
  assert.deepEqual(prices({ cost: { input: 2, output: 8 } }), {
    ...{ input: 2_000_000, output: 8_000_000 },
    tiers: [{ abovePromptTokens: 32_000, input: 3_000_000, output: 8_000_000 }],
  });
});

function merge(
  litellm: object,
  modelsDev: Record<string, Record<string, object>>,
): { models: WrittenModel[]; disagreements: readonly string[] } {
  const providers = Object.entries(modelsDev).map(([provider, models]) => [
    provider,
    { models: Object.fromEntries(Object.entries(models).map(([key, model]) => [key, { name: key, ...model }])) },
  ]);
  const merged = mergeOffers(
    readLitellm(JSON.stringify(litellm), '2026-06-30'),
    readModelsDev(JSON.stringify(Object.fromEntries(providers))),
  );
  const { models } = JSON.parse(writeCatalog([], merged.models)) as { models: WrittenModel[] };
  return { models, disagreements: merged.disagreements };
}

const recordings = process.env['TURNPIKE_RECORDINGS'];
/** The tables lie next to the recordings. */
const tables = recordings === undefined ? null : join(recordings, '..', 'prices');
test('the tables give the list that is in the program, to the byte', {
  skip: tables !== null && existsSync(tables) ? false : 'TURNPIKE_RECORDINGS is not set, or has no prices next to it',
}, () => {
  const { text } = catalogText(tables ?? '');
  const committed = readFileSync(join(import.meta.dirname, '../../src/catalog/models.json'), 'utf8');
  const [made, kept] = [text.split('\n'), committed.split('\n')];
  assert.deepEqual(
    made.filter((line, index) => line !== kept[index]),
    [],
  );
  assert.equal(text, committed);
});
