/**
 * Choosing takes no time that anybody notices. All steps of a call without wishes, and with an order by price, run in rounds, and each round
 * takes turns with parsing a request of 4 KiB, so that a slow or busy machine makes both slower. The fastest rounds count.
 */
import assert from 'node:assert/strict';
import { indexModels } from '../../../src/catalog/index-models.ts';
import type { Model, Target } from '../../../src/catalog/model.ts';
import { accountId, keyId, projectId } from '../../../src/core/ids.ts';
import { picoUsd } from '../../../src/core/money.ts';
import { LIST_RATE } from '../../../src/core/rates/rate.ts';
import type { RoutePreferences } from '../../../src/core/routing/route-preferences.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { chooseCandidates } from '../../../src/routing/choose-candidates.ts';
import { keepStated } from '../../../src/routing/keep-stated.ts';
import { keepTerms } from '../../../src/routing/keep-terms.ts';
import { planCandidates } from '../../../src/routing/plan.ts';
import { PLAIN_ROUTING } from '../../../src/routing/ports.ts';

const CALLER = { id: keyId(1), rootId: keyId(1), accountId: accountId(1), projectId: projectId(1) };
const PREFERENCES: RoutePreferences = {
  models: [],
  order: [],
  only: [],
  ignore: ['nobody'],
  allowFallbacks: true,
  sort: 'price',
  sortsModelsTogether: false,
  maxPrice: null,
  deniesCollection: false,
  deniesRetention: false,
  quantizations: [],
  requiredParameters: null,
  tokensPerSecondMin: null,
  firstTokenMsMax: null,
};
/** `atMost`: times what it takes to parse the request. */
const BOUNDS = [
  { count: 3, atMost: 0.2 },
  { count: 50, atMost: 2.5 },
];
const REQUEST = JSON.stringify({
  model: 'lab/big',
  messages: Array.from({ length: 32 }, () => ({ role: 'user', content: 'word '.repeat(18) })),
});
const ROUNDS = 30;
const CALLS = 2_000;

function chooser(count: number, preferences: RoutePreferences | null): () => number {
  const providers = new Map<string, Provider>();
  const targets = Array.from({ length: count }, (_, index) => {
    const name = `provider-${index}`;
    providers.set(name, { name, kind: 'custom' } as Provider);
    const price = picoUsd(BigInt(1 + ((index * 7) % count)));
    return {
      provider: name,
      upstreamModel: 'm',
      dialects: ['openai-chat'],
      prices: { input: price, output: price, tiers: [] },
    } as unknown as Target;
  });
  const model = { id: 'lab/big', supportedParameters: [], targets } as unknown as Model;
  const catalog = indexModels([{ model, aliases: [] }]);
  const facts = { catalog, mayUse: () => true, aliases: PLAIN_ROUTING.aliases, caller: CALLER };
  const rates = { rateOf: () => LIST_RATE };
  const about = {
    providers,
    health: PLAIN_ROUTING.health,
    rates,
    isTranslated: () => false,
    kept: null,
    takesThoughts: null,
  };
  const wishes = preferences === null ? null : { preferences, sorts: null };
  return () => {
    const { candidates } = chooseCandidates({ model: 'lab/big' }, facts, null);
    if (preferences === null) return planCandidates(candidates, wishes, about, null).length;
    const stated = keepStated(candidates, preferences, providers, null);
    const kept = keepTerms(stated, preferences, about, { bodyBytes: 100 }, null);
    return planCandidates(kept, wishes, about, null).length;
  };
}

/** Returns the fastest rounds; throws at the first that is too slow. */
export function choosing(): string {
  const figures: string[] = [];
  for (const { count, atMost } of BOUNDS)
    for (const [what, preferences] of [
      ['without wishes', null],
      ['by price', PREFERENCES],
    ] as const) {
      const { choosingUs, parsingUs } = fastestRounds(chooser(count, preferences), count);
      const ratio = choosingUs / parsingUs;
      assert.ok(ratio <= atMost, `${count} candidates ${what}: ${ratio} of parsing, at most ${atMost}`);
      figures.push(`${count} ${what} ${choosingUs.toFixed(2)} µs (${ratio.toFixed(2)} of parsing)`);
    }
  return figures.join(', ');
}

function fastestRounds(choose: () => number, count: number): { choosingUs: number; parsingUs: number } {
  let choosingUs = Number.POSITIVE_INFINITY;
  let parsingUs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    choosingUs = Math.min(choosingUs, roundUs(choose, count));
    parsingUs = Math.min(
      parsingUs,
      roundUs(() => JSON.parse(REQUEST).messages.length, 32),
    );
  }
  return { choosingUs, parsingUs };
}

function roundUs(work: () => number, expected: number): number {
  const startedMs = performance.now();
  let sum = 0;
  for (let call = 0; call < CALLS; call += 1) sum += work();
  const tookMs = performance.now() - startedMs;
  assert.equal(sum, CALLS * expected);
  return (tookMs * 1000) / CALLS;
}
