/**
 * Goal: the candidates of a call are kept and ordered as the caller states and the gateway knows, each with its reason. Method: tables of
 * candidates, without a gateway.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Model, PriceLines, Target } from '../catalog/model.ts';
import { FREE } from '../catalog/prices.ts';
import { picoUsd } from '../core/money.ts';
import { feeRate, LIST_RATE, markupRate, NO_CHARGE } from '../core/rates/rate.ts';
import type { MaxPrice, RoutePreferences, SortKey } from '../core/routing/route-preferences.ts';
import type { Provider } from '../providers/provider.ts';
import { type StatedFacts, serviceFacts } from '../providers/service-facts.ts';
import type { Candidate } from './candidate.ts';
import { keepStated } from './keep-stated.ts';
import { keepTerms } from './keep-terms.ts';
import { type PlanFacts, planCandidates } from './plan.ts';
import type { Pace, RatePort, Readiness } from './ports.ts';

const STATED: RoutePreferences = {
  models: [],
  order: [],
  only: [],
  ignore: [],
  allowFallbacks: true,
  sort: null,
  sortsModelsTogether: false,
  maxPrice: null,
  deniesCollection: false,
  deniesRetention: false,
  quantizations: [],
  requiredParameters: null,
  tokensPerSecondMin: null,
  firstTokenMsMax: null,
};
const NO_MAXIMUM = { input: null, output: null, image: null, inputAudio: null, request: null };
const big = { id: 'lab/big', supportedParameters: ['tools', 'temperature'] } as unknown as Model;
const small = { id: 'lab/small', supportedParameters: [] } as unknown as Model;
const STATED_FACTS: Readonly<Record<string, StatedFacts>> = {
  azure: { dataCollection: 'deny', zeroDataRetention: false, quantization: 'mxfp8' },
  vertex: { dataCollection: 'allow', quantization: 'int8' },
  bedrock: { zeroDataRetention: true },
  mine: { zeroDataRetention: true, quantization: 'fp8' },
};
const providers = new Map(
  (['openai', 'azure', 'bedrock', 'vertex', 'mine'] as const).map((name) => {
    const facts = serviceFacts(STATED_FACTS[name] ?? {});
    const provider = { name, kind: name === 'mine' ? 'custom' : name, facts } as Provider;
    return [name as string, provider] as const;
  }),
);

/** Prices in US dollars per million tokens, in and out. */
function at(provider: string, price: number | null = 1, model: Model = big, dialect = 'openai-chat'): Candidate {
  const lines = { input: picoUsd(BigInt(price ?? 0) * 1_000_000n), output: picoUsd(BigInt(price ?? 0) * 1_000_000n) };
  const prices = price === null ? null : ({ ...FREE, ...lines } as unknown as Target['prices']);
  return {
    model,
    target: { provider, upstreamModel: 'm', dialects: [dialect], prices } as unknown as Target,
    own: null,
  };
}

interface Facts {
  readonly resting?: readonly string[];
  /** Those of `resting` whose credentials were rejected. */
  readonly rejected?: readonly string[];
  readonly probing?: readonly string[];
  readonly rateOf?: RatePort['rateOf'];
  readonly paces?: Readonly<Record<string, Pace>>;
  readonly kept?: string;
  /** Those that read the conversation's thoughts. */
  readonly taking?: readonly string[];
  readonly sorts?: ReadonlyMap<Model, SortKey>;
}

/** What is left, in order, and why the others are not, or come later. */
function planned(candidates: readonly Candidate[], stated: Partial<RoutePreferences> = {}, facts: Facts = {}) {
  const notes: string[] = [];
  const note = ({ target, model }: Candidate, reason: string) =>
    void notes.push(`${target.provider}${model === small ? ' small' : ''}: ${reason}`);
  const preferences = Object.keys(stated).length === 0 ? null : { ...STATED, ...stated };
  const readiness = ({ name }: Provider): Readiness =>
    facts.resting?.includes(name) === true
      ? { until: 9 }
      : facts.probing?.includes(name) === true
        ? 'probing'
        : 'ready';
  const rates = { rateOf: facts.rateOf ?? ((_model: string, isOwn: boolean) => (isOwn ? NO_CHARGE : LIST_RATE)) };
  const about: PlanFacts = {
    providers,
    health: {
      readiness,
      isCredentialResting: ({ name }) => facts.rejected?.includes(name) === true,
      pace: ({ name }) => facts.paces?.[name] ?? null,
    },
    rates,
    isTranslated: ({ target }) => !(target.dialects as readonly string[]).includes('openai-chat'),
    kept: facts.kept === undefined ? null : { provider: facts.kept, upstreamModel: 'm', own: null, mark: null },
    takesThoughts: facts.taking === undefined ? null : ({ target }) => facts.taking?.includes(target.provider) === true,
  };
  const kept =
    preferences === null
      ? candidates
      : keepTerms(
          keepStated(candidates, preferences, providers, note),
          preferences,
          { providers, rates },
          { bodyBytes: 100 },
          note,
        );
  const wishes = preferences === null && facts.sorts === undefined ? null : { preferences, sorts: facts.sorts ?? null };
  const list = planCandidates(kept, wishes, about, note);
  return { order: list.map(({ target, model }) => target.provider + (model === small ? ' small' : '')), notes, list };
}

describe('without a word of the caller’s', () => {
  const all = [at('openai'), at('azure'), at('mine')];

  test('the catalogue’s order stays, as the same list', () => {
    assert.equal(planned(all).list, all);
    assert.deepEqual(planned(all).notes, []);
  });

  test('what rests comes last, and stays if nothing else is left', () => {
    assert.deepEqual(planned(all, {}, { resting: ['openai'] }).order, ['azure', 'mine', 'openai']);
    assert.deepEqual(planned(all, {}, { resting: ['openai'] }).notes, ['openai: resting']);
    assert.equal(planned(all, {}, { resting: ['openai', 'azure', 'mine'] }).list, all);
    assert.equal(planned([at('openai')], {}, { resting: ['openai'] }).order.length, 1);
  });

  test('one whose credentials were rejected says so', () => {
    const { notes } = planned(all, {}, { resting: ['openai', 'azure'], rejected: ['azure'] });
    assert.deepEqual(notes, ['openai: resting', 'azure: credential_resting']);
  });

  test('one that may be probed keeps its place', () => {
    assert.deepEqual(planned(all, {}, { probing: ['openai'] }).order, ['openai', 'azure', 'mine']);
  });

  test('the caller’s own format comes first, unless it rests', () => {
    const mixed = [at('bedrock', 1, big, 'anthropic-messages'), at('openai')];
    assert.deepEqual(planned(mixed).order, ['openai', 'bedrock']);
    assert.deepEqual(planned(mixed).notes, ['bedrock: other_format']);
    assert.deepEqual(planned(mixed, {}, { resting: ['openai'] }).order, ['bedrock', 'openai']);
  });

  test('another model’s candidates come after the requested one’s, unless those rest', () => {
    const two = [
      at('bedrock', 1, big, 'anthropic-messages'),
      at('openai'),
      at('azure', 1, small),
      at('openai', 1, small),
    ];
    assert.deepEqual(planned(two).order, ['openai', 'bedrock', 'azure small', 'openai small']);
    assert.deepEqual(planned(two, {}, { resting: ['openai', 'bedrock'] }).order, [
      'azure small',
      'openai',
      'bedrock',
      'openai small',
    ]);
  });

  test('a conversation with thoughts goes on with those that read them, unless these rest or the caller states an order', () => {
    assert.deepEqual(planned(all, {}, { taking: ['mine', 'azure'] }).order, ['azure', 'mine', 'openai']);
    assert.deepEqual(planned(all, {}, { taking: ['mine'] }).notes, ['openai: kept_elsewhere', 'azure: kept_elsewhere']);
    assert.deepEqual(planned(all, {}, { taking: ['mine'], resting: ['mine'] }).order, ['openai', 'azure', 'mine']);
    assert.deepEqual(planned(all, {}, { taking: ['mine'], kept: 'azure' }).order, ['mine', 'openai', 'azure']);
    assert.deepEqual(planned(all, {}, { taking: ['mine', 'azure'], kept: 'mine' }).order, ['mine', 'azure', 'openai']);
    assert.deepEqual(planned(all, { order: ['openai'] }, { taking: ['mine'] }).order[0], 'openai');
  });

  test('a conversation goes on where it was, unless that rests or serves only another model', () => {
    assert.deepEqual(planned(all, {}, { kept: 'mine' }).order, ['mine', 'openai', 'azure']);
    assert.deepEqual(planned(all, {}, { kept: 'mine' }).notes, ['openai: kept_elsewhere', 'azure: kept_elsewhere']);
    assert.equal(planned(all, {}, { kept: 'openai' }).list, all);
    assert.deepEqual(planned(all, {}, { kept: 'mine', resting: ['mine'] }).order, ['openai', 'azure', 'mine']);
    assert.deepEqual(planned([at('openai'), at('azure', 1, small)], {}, { kept: 'azure' }).order, [
      'openai',
      'azure small',
    ]);
  });
});

describe('what the caller states', () => {
  const all = [at('openai', 3), at('azure', 2), at('vertex', 1), at('mine', null)];
  const rows: readonly (readonly [Partial<RoutePreferences>, readonly string[], readonly string[]])[] = [
    [{ only: ['azure', 'googlevertex'] }, ['azure', 'vertex'], ['openai: not_in_only', 'mine: not_in_only']],
    [{ ignore: ['openai', 'googlevertex/useast5'] }, ['azure', 'mine'], ['openai: ignored', 'vertex: ignored']],
    [{ order: ['mine', 'azureopenai'] }, ['mine', 'azure', 'openai', 'vertex'], []],
    [
      { order: ['vertex', 'mine'], allowFallbacks: false },
      ['vertex', 'mine'],
      ['openai: no_fallback', 'azure: no_fallback'],
    ],
    [{ allowFallbacks: false }, ['openai'], ['azure: no_fallback', 'vertex: no_fallback', 'mine: no_fallback']],
    [{ sort: 'price' }, ['vertex', 'azure', 'openai', 'mine'], []],
    [{ sort: 'price', order: ['openai'] }, ['openai', 'vertex', 'azure', 'mine'], []],
    [
      { maxPrice: { ...NO_MAXIMUM, input: picoUsd(2_000_000n) } },
      ['azure', 'vertex'],
      ['openai: above_max_price', 'mine: unpriced'],
    ],
    [{ requiredParameters: ['tools', 'seed'] }, ['openai', 'azure', 'vertex', 'mine'], []],
  ];
  for (const [stated, order, notes] of rows)
    test(`${JSON.stringify(stated, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`, () => {
      const { order: found, notes: noted } = planned(all, stated);
      assert.deepEqual([found, noted], [order, notes]);
    });

  test('a maximum price is compared with what the account pays: the price at its rate, and with an own credential the fee as well', () => {
    const own = { ...at('azure', 2), own: {} as Candidate['own'] };
    const maxPrice = { ...NO_MAXIMUM, input: picoUsd(2_200_000n) };
    const paid = (markup: number, fee: number) =>
      planned(
        [own, at('openai', 2), at('vertex', 1)],
        { maxPrice },
        {
          rateOf: (_model, isOwn) => (isOwn ? feeRate(fee) : markupRate(markup)),
        },
      ).notes;
    assert.deepEqual(paid(10, 10), []);
    assert.deepEqual(paid(10.0001, 0), ['openai: above_max_price']);
    assert.deepEqual(paid(0, 10.0001), ['azure: above_max_price']);
    assert.deepEqual(paid(150, 0), ['openai: above_max_price', 'vertex: above_max_price']);
  });

  test('what is charged by the piece is not free: it comes last by price, and a limit of the price of tokens says nothing of it', () => {
    const piece = (unit: string): Candidate => {
      const candidate = at('vertex', 0);
      const prices = { ...candidate.target.prices, units: [{ unit, price: picoUsd(40_000_000_000n) }] };
      return { ...candidate, target: { ...candidate.target, prices: prices as Target['prices'] } };
    };
    const all = [piece('image/1024x1024'), at('openai', 3), at('azure', 2)];
    assert.deepEqual(planned(all, { sort: 'price' }).order, ['azure', 'openai', 'vertex']);
    const notes = (candidate: Candidate, maxPrice: Partial<MaxPrice>) =>
      planned([candidate, at('azure', 1)], { maxPrice: { ...NO_MAXIMUM, ...maxPrice } }).notes;
    assert.deepEqual(notes(piece('search'), { input: picoUsd(5_000_000n) }), ['vertex: unpriced']);
    assert.deepEqual(notes(piece('search'), { image: picoUsd(5_000_000n) }), ['vertex: unpriced']);
    assert.deepEqual(notes(piece('search'), { request: picoUsd(5_000_000n) }), []);
    assert.deepEqual(notes(piece('image'), { input: picoUsd(5_000_000n), image: picoUsd(40_000_000_000n) }), []);
    assert.deepEqual(notes(piece('image'), { image: picoUsd(39_000_000_000n) }), ['vertex: above_max_price']);
  });

  test('models are sorted by what the account pays', () => {
    const two = [at('openai', 2), at('mine', 3, small)];
    const rateOf = (model: string) => (model === big.id ? markupRate(60) : LIST_RATE);
    assert.deepEqual(planned(two, { sort: 'price', sortsModelsTogether: true }, { rateOf }).order, [
      'mine small',
      'openai',
    ]);
  });

  for (const [stated, order, notes] of [
    [
      { deniesCollection: true },
      ['azure', 'bedrock'],
      ['openai: collects_data_unknown', 'vertex: collects_data', 'mine: collects_data_unknown'],
    ],
    [
      { deniesRetention: true },
      ['bedrock'],
      [
        'openai: retains_data_unknown',
        'azure: retains_data',
        'vertex: retains_data_unknown',
        'mine: retains_data_unknown',
      ],
    ],
    [
      { quantizations: ['fp8', 'fp4'] },
      ['azure', 'bedrock'],
      ['openai: quantization_unknown', 'vertex: other_quantization', 'mine: quantization_unknown'],
    ],
    [
      { quantizations: ['unknown', 'mxfp8'] },
      ['mine', 'openai', 'azure'],
      ['vertex: other_quantization', 'bedrock: other_quantization'],
    ],
  ] as const)
    test(`${JSON.stringify(stated)} is judged by what the operator states, and of an own credential nothing is known`, () => {
      const { target, ...nvfp4 } = at('bedrock');
      const candidates = [
        at('openai'),
        at('azure'),
        at('vertex'),
        { ...nvfp4, target: { ...target, quantization: 'nvfp4' as const } },
        { ...at('mine'), own: {} as Candidate['own'] },
      ];
      const found = planned(candidates, stated);
      assert.deepEqual([found.order, found.notes], [order, notes]);
    });

  test('a parameter that a model is not known to support leaves its candidates out', () => {
    const { order, notes } = planned([at('openai'), at('azure', 1, small)], { requiredParameters: ['tools'] });
    assert.deepEqual([order, notes], [['openai'], ['azure small: lacks_parameter']]);
    assert.deepEqual(planned([at('openai')], { requiredParameters: ['top_k'] }).order, []);
  });

  test('a tier’s price counts only for a prompt that can reach it', () => {
    const tiered = (above: number) => {
      const candidate = at('openai', 1);
      const tier = { ...(candidate.target.prices as PriceLines), input: picoUsd(9_000_000n), abovePromptTokens: above };
      const prices = { ...candidate.target.prices, tiers: [tier] } as unknown as Target['prices'];
      return { ...candidate, target: { ...candidate.target, prices } };
    };
    const maxPrice = { ...NO_MAXIMUM, input: picoUsd(2_000_000n) };
    assert.deepEqual(planned([tiered(100)], { maxPrice }).order, ['openai']);
    assert.deepEqual(planned([tiered(99)], { maxPrice }).order, []);
  });

  const paces = {
    openai: { firstTokenMs: 100, tokensPerSecond: 10 },
    azure: { firstTokenMs: 300, tokensPerSecond: 90 },
    vertex: { firstTokenMs: 200, tokensPerSecond: 50 },
  };
  for (const [stated, order] of [
    [{ sort: 'throughput' }, ['azure', 'vertex', 'openai', 'mine']],
    [{ sort: 'latency' }, ['openai', 'vertex', 'azure', 'mine']],
    [{ tokensPerSecondMin: 40 }, ['azure', 'vertex', 'mine', 'openai']],
    [{ firstTokenMsMax: 150 }, ['openai', 'mine', 'azure', 'vertex']],
  ] as const)
    test(`${JSON.stringify(stated)} orders by what is known, and what is not comes last or counts as good`, () => {
      assert.deepEqual(planned(all, stated, { paces }).order, order);
    });

  test('each model is sorted for itself, or all together', () => {
    const two = [at('openai', 3), at('azure', 2), at('mine', 1, small)];
    assert.deepEqual(planned(two, { sort: 'price' }).order, ['azure', 'openai', 'mine small']);
    assert.deepEqual(planned(two, { sort: 'price', sortsModelsTogether: true }).order, [
      'mine small',
      'azure',
      'openai',
    ]);
  });

  test('a suffix sorts its own model only, and a field counts more', () => {
    const two = [at('openai', 3), at('azure', 2), at('openai', 3, small), at('mine', 1, small)];
    const sorts = new Map<Model, SortKey>([[small, 'price']]);
    assert.deepEqual(planned(two, {}, { sorts }).order, ['openai', 'azure', 'mine small', 'openai small']);
    assert.deepEqual(planned(two, { sort: 'throughput' }, { sorts }).order, [
      'openai',
      'azure',
      'openai small',
      'mine small',
    ]);
  });

  test('an order that is stated is stronger than the format and the conversation, but not than health', () => {
    const mixed = [at('openai', 2), at('bedrock', 1, big, 'anthropic-messages')];
    const stated = { sort: 'price' } as const;
    assert.deepEqual(planned(mixed, stated, { kept: 'openai' }).order, ['bedrock', 'openai']);
    assert.deepEqual(planned(mixed, stated, { resting: ['bedrock'] }).order, ['openai', 'bedrock']);
  });
});
