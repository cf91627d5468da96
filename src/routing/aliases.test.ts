/**
 * Goal: an alias leads to the models that it names, in the proportions stated, and to nothing that the key may not use. Method: thousands of
 * keys and calls, compared with what chance allows; and changes of weights, after which only as many keys may have moved as had to.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AliasRule, AliasTarget } from '../catalog/alias.ts';
import { indexModels } from '../catalog/index-models.ts';
import type { Model, Target } from '../catalog/model.ts';
import { GatewayError } from '../core/errors.ts';
import { keyId } from '../core/ids.ts';
import { type AliasCaller, chosenOf, resolveAlias } from './aliases.ts';

const KEYS = 8_000;
const catalog = indexModels([
  entry('lab/steady', ['main', 'spare']),
  entry('lab/new', ['main']),
  entry('lab/third', ['spare'], ['lab/third-1']),
]);

test('the chosen model is first, and the others follow as listed', () => {
  const rule = alias('random', { 'lab/steady': 1, 'lab/new': 1, 'lab/third': 1 });
  const idsAt = (fraction: number) => idsOf(rule, { random: () => fraction });
  assert.deepEqual(idsAt(0), ['lab/steady', 'lab/new', 'lab/third']);
  assert.deepEqual(idsAt(0.4), ['lab/new', 'lab/steady', 'lab/third']);
  assert.deepEqual(idsAt(0.999_999), ['lab/third', 'lab/steady', 'lab/new']);
});

test('a target of weight 0 is only tried after the others', () => {
  for (const choice of ['key', 'random'] as const) {
    const rule = alias(choice, { 'lab/new': 0, 'lab/steady': 3, 'lab/third': 0 });
    for (const fraction of [0, 0.5, 0.999_999])
      for (const rootId of [1, 2, 3].map(keyId))
        assert.deepEqual(idsOf(rule, { rootId, random: () => fraction }), ['lab/steady', 'lab/new', 'lab/third']);
  }
});

test('a model is found by any spelling of its id, with the provider that is named for it', () => {
  const targets = [target('lab/third-1', 1, 'spare'), target('lab/steady', 0)];
  assert.deepEqual(
    resolveAlias({ ...alias('key', {}), targets }, catalog, caller()).map(({ model, provider }) => [
      model.id,
      provider,
    ]),
    [
      ['lab/third', 'spare'],
      ['lab/steady', null],
    ],
  );
});

test('an alias gives no right: models that the key may not use are left out, and their calls go to the others', () => {
  const rule = alias('key', { 'lab/steady': 95, 'lab/new': 5 });
  for (let id = 1; id <= 200; id += 1)
    assert.deepEqual(idsOf(rule, { rootId: keyId(id), mayUse: (model) => model !== 'lab/steady' }), ['lab/new']);
  assert.equal(codeOf(rule, { mayUse: () => false }), 'model_not_allowed');
  // The name of the alias is no model: a permission for it permits nothing.
  assert.equal(codeOf(rule, { mayUse: (model) => model === rule.name }), 'model_not_allowed');
});

test('what is not served is left out, and an alias never leads to another alias or a bare name', () => {
  const served = [target('lab/gone', 90), target('lab/new', 5, 'spare'), target('steady', 5), target('fast', 1)];
  assert.equal(codeOf({ ...alias('key', {}), targets: served }), 'model_not_found');
  const targets = [...served, target('lab/steady', 1)];
  assert.deepEqual(idsOf({ ...alias('key', {}), targets }), ['lab/steady']);
});

for (const choice of ['key', 'random'] as const)
  for (const weights of [
    { 'lab/steady': 95, 'lab/new': 5 },
    { 'lab/new': 5, 'lab/steady': 95 },
    { 'lab/steady': 1, 'lab/new': 1, 'lab/third': 1 },
    { 'lab/steady': 700_000, 'lab/new': 200_000, 'lab/third': 100_000 },
    { 'lab/steady': 999, 'lab/new': 1 },
  ])
    test(`by ${choice}, ${Object.values(weights).join('/')} is what it says, within what chance allows`, () => {
      for (const name of ['fast', 'team/default', 'a']) {
        const rule = { ...alias(choice, weights), name };
        const counts = countsOf(rule);
        const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
        for (const [id, weight] of Object.entries(weights)) {
          const share = weight / total;
          const expected = KEYS * share;
          // Six standard deviations of a binomial distribution, and a little for small numbers.
          const allowed = 6 * Math.sqrt(KEYS * share * (1 - share)) + 1;
          const found = counts.get(id) ?? 0;
          assert.ok(Math.abs(found - expected) <= allowed, `${name}: ${id} was chosen ${found} times, not ${expected}`);
        }
      }
    });

test('by key, a key always gets the same model, whatever else is called and in which order the models are listed', () => {
  const rule = alias('key', { 'lab/steady': 60, 'lab/new': 30, 'lab/third': 10 });
  const before = chosenByKeys(rule);
  assert.deepEqual(chosenByKeys(alias('key', { 'lab/steady': 60, 'lab/new': 30, 'lab/third': 10 })), before);
  assert.deepEqual(chosenByKeys(alias('key', { 'lab/third': 10, 'lab/new': 30, 'lab/steady': 60 })), before);
  assert.deepEqual(chosenByKeys(alias('key', { 'lab/third': 20, 'lab/new': 60, 'lab/steady': 120 })), before);
});

test('when a canary grows, its keys stay with it, and no key moves between the others', () => {
  let before = chosenByKeys(alias('key', { 'lab/steady': 95, 'lab/third': 50, 'lab/new': 0 }));
  for (const weight of [1, 5, 10, 50, 500]) {
    const after = chosenByKeys(alias('key', { 'lab/steady': 95, 'lab/third': 50, 'lab/new': weight }));
    for (const [index, id] of after.entries())
      assert.ok(id === before[index] || id === 'lab/new', `key ${index + 1} moved from ${before[index]} to ${id}`);
    before = after;
  }
});

test('two aliases choose independently: a key in one canary is not more likely to be in another', () => {
  const chosen = ['fast', 'strong'].map((name) =>
    chosenByKeys({ ...alias('key', { 'lab/steady': 1, 'lab/new': 1 }), name }),
  );
  const same = chosen[0]?.filter((id, index) => id === chosen[1]?.[index]).length ?? 0;
  assert.ok(Math.abs(same - KEYS / 2) < 6 * Math.sqrt(KEYS / 4), `${same} of ${KEYS} agree`);
});

test('the choice of a key is the same at every start: these were made once', () => {
  const rule = alias('key', { 'lab/steady': 1, 'lab/new': 1 });
  const random = () => assert.fail();
  const chosen = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) =>
    chosenOf(rule, rule.targets, { rootId: keyId(id), random }),
  );
  assert.deepEqual(chosen, [0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
});

function countsOf(rule: AliasRule): Map<string, number> {
  // Evenly spread, so that the test cannot fail by chance.
  const random = evenly();
  const counts = new Map<string, number>();
  for (let id = 1; id <= KEYS; id += 1) {
    const [first = ''] = idsOf(rule, { rootId: keyId(id), random });
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return counts;
}

function chosenByKeys(rule: AliasRule): string[] {
  return Array.from({ length: KEYS }, (_, index) => idsOf(rule, { rootId: keyId(index + 1) })[0] ?? '');
}

function evenly(): () => number {
  let at = 0;
  return () => {
    at = (at + 0.618_033_988_749_895) % 1;
    return at;
  };
}

function idsOf(rule: AliasRule, who: Partial<AliasCaller> = {}): string[] {
  return resolveAlias(rule, catalog, caller(who)).map(({ model }) => model.id);
}

function codeOf(rule: AliasRule, who: Partial<AliasCaller> = {}): string {
  try {
    resolveAlias(rule, catalog, caller(who));
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    assert.ok(!/lab\//.test(error.message), 'the error names no model');
    return error.code;
  }
  return 'none';
}

function caller(who: Partial<AliasCaller> = {}): AliasCaller {
  return { rootId: keyId(1), mayUse: () => true, random: () => assert.fail('nothing is left to chance'), ...who };
}

function alias(choice: AliasRule['choice'], weights: Readonly<Record<string, number>>): AliasRule {
  return { name: 'fast', choice, targets: Object.entries(weights).map(([id, weight]) => target(id, weight)) };
}

function target(model: string, weight: number, provider: string | null = null): AliasTarget {
  return { model, provider, weight };
}

function entry(id: string, providers: readonly string[], aliases: readonly string[] = []) {
  const targets = providers.map((provider) => ({ provider, upstreamModel: id }) as Target);
  return { model: { id, targets } as unknown as Model, aliases };
}
