/** Goal: a model name as callers write it finds its model, or an error that helps and reveals nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexModels } from '../catalog/index-models.ts';
import type { Model } from '../catalog/model.ts';
import { GatewayError } from '../core/errors.ts';
import { accountId, keyId, projectId } from '../core/ids.ts';
import { type Candidate, candidatesOf } from './candidate.ts';
import { chooseCandidates } from './choose-candidates.ts';
import { type Caller, PLAIN_ROUTING } from './ports.ts';
import type { Note } from './reason.ts';

const catalog = indexModels([
  entry('anthropic/claude-sonnet-4-5', ['anthropic/claude-sonnet-4.5']),
  entry('anthropic/claude-haiku-4-5'),
  entry('openai/gpt-5'),
  entry('openai/gpt-5-mini'),
  entry('openai/gpt-4o'),
  entry('lab/gpt-4o'),
  entry('ollama/llama3:8b'),
  entry('acme/fast:nitro'),
  entry('secret/project-x'),
]);
const CALLER: Caller = { id: keyId(1), rootId: keyId(1), accountId: accountId(1), projectId: projectId(1) };
const all = () => true;
const noSecrets = (id: string) => !id.startsWith('secret/');

for (const [wanted, id] of [
  ['openai/gpt-5', 'openai/gpt-5'],
  ['anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
  ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
  ['claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
  ['claude-sonnet-4-5[1m]', 'anthropic/claude-sonnet-4-5'],
  ['anthropic/claude-sonnet-4-5[1m]', 'anthropic/claude-sonnet-4-5'],
  ['openai/gpt-5:nitro', 'openai/gpt-5'],
  ['gpt-5:floor', 'openai/gpt-5'],
  ['gpt-5:floor[1m]', 'openai/gpt-5'],
  ['ollama/llama3:8b', 'ollama/llama3:8b'],
  ['llama3:8b', 'ollama/llama3:8b'],
  ['acme/fast:nitro', 'acme/fast:nitro'],
] as const)
  test(`${wanted} is ${id}`, () => {
    const { model, candidates } = choose(wanted);
    assert.equal(model.id, id);
    assert.equal(candidates, candidatesOf(model));
    assert.deepEqual(
      candidates.map(({ target }) => target),
      model.targets,
    );
  });

test('a suffix sorts the candidates of its model', () => {
  const gpt = choose('openai/gpt-5').model;
  assert.deepEqual([...(choose('gpt-5:nitro').sorts ?? [])], [[gpt, 'throughput']]);
  assert.deepEqual([...(choose('openai/gpt-5:floor[1m]').sorts ?? [])], [[gpt, 'price']]);
  for (const plain of ['gpt-5', 'gpt-5:exacto', 'acme/fast:nitro', 'gpt-5[1m]'])
    assert.equal(choose(plain).sorts, null);
});

test('more models come after the requested one, each once, each with its suffix', () => {
  const { model, candidates, sorts } = several([
    'gpt-5',
    'openai/gpt-5',
    'claude-haiku-4-5:floor',
    'openai/gpt-5:nitro',
  ]);
  assert.equal(model.id, 'openai/gpt-5');
  assert.deepEqual(idsOf(candidates), ['openai/gpt-5', 'anthropic/claude-haiku-4-5']);
  assert.deepEqual([...(sorts?.values() ?? [])], ['price']);
});

test('of several models those that the key may not use are left out; if it may use none, that is the error', () => {
  const notes: string[] = [];
  const note = (candidate: Candidate, reason: string) => void notes.push(`${candidate.model.id}: ${reason}`);
  const left = several(['secret/project-x', 'openai/gpt-5'], noSecrets, note);
  assert.deepEqual(idsOf(left.candidates), ['openai/gpt-5']);
  assert.deepEqual(notes, ['secret/project-x: not_allowed']);
  assert.throws(() => several(['secret/project-x', 'openai/gpt-5'], () => false), { code: 'model_not_allowed' });
});

test('an unknown name among several models is an error, because nobody would notice it otherwise', () => {
  assert.throws(() => several(['openai/gpt-5', 'openai/gtp-5-mini']), { code: 'model_not_found' });
});

test('an alias leads to the models that it names, after exact ids and before bare names', () => {
  const targets = [
    { model: 'openai/gpt-5-mini', provider: null, weight: 1 },
    { model: 'secret/project-x', provider: null, weight: 0 },
    { model: 'openai/gpt-5', provider: null, weight: 0 },
  ];
  const find = (name: string) =>
    ['fast', 'gpt-4o', 'openai/gpt-5'].includes(name) ? ({ name, choice: 'key', targets } as const) : undefined;
  const facts = {
    catalog,
    mayUse: noSecrets,
    aliases: { find, inForce: () => [], random: Math.random },
    caller: CALLER,
  };
  const notes: string[] = [];
  const note: Note = ({ model }, reason) => notes.push(`${model.id}: ${reason}`);
  for (const name of ['fast', 'gpt-4o']) {
    const { model, named, candidates, sorts } = chooseCandidates({ model: name }, facts, note);
    assert.deepEqual([model.id, named, sorts], ['openai/gpt-5-mini', null, null]);
    assert.deepEqual(idsOf(candidates), ['openai/gpt-5-mini', 'openai/gpt-5']);
  }
  assert.deepEqual(notes, Array(2).fill('secret/project-x: not_allowed'));
  assert.equal(chooseCandidates({ model: 'openai/gpt-5' }, facts, null).named?.id, 'openai/gpt-5');
  const sorted = chooseCandidates({ model: 'fast:floor' }, facts, null);
  assert.deepEqual(
    [...(sorted.sorts ?? [])].map(([model, sort]) => [model.id, sort]),
    [
      ['openai/gpt-5-mini', 'price'],
      ['openai/gpt-5', 'price'],
    ],
  );
  const after = chooseCandidates({ model: 'lab/gpt-4o', preferences: { models: ['fast'] } }, facts, null);
  assert.deepEqual(idsOf(after.candidates), ['lab/gpt-4o', 'openai/gpt-5-mini', 'openai/gpt-5']);
  assert.equal(after.named?.id, 'lab/gpt-4o');
});

test('an unknown name is compared with aliases too, but only with those that lead to a model which the key may use', () => {
  const rule = (name: string, ...models: readonly string[]) => ({
    name,
    choice: 'key' as const,
    targets: models.map((model) => ({ model, provider: null, weight: 1 })),
  });
  const rules = [
    rule('team/default', 'openai/gpt-5'),
    rule('team/defaults', 'secret/project-x'),
    rule('team/defautl', 'nobody/serves'),
    rule('fast', 'secret/project-x', 'openai/gpt-5-mini'),
    ...Array.from({ length: 1_000 }, (_, index) => rule(`zzz-${index}`, 'openai/gpt-5')),
  ];
  const aliases = { find: () => undefined, inForce: () => rules, random: Math.random };
  const facts = { catalog, mayUse: noSecrets, aliases, caller: CALLER };
  const hintsOf = (model: string) => {
    try {
      chooseCandidates({ model }, facts, null);
    } catch (error) {
      assert.ok(error instanceof GatewayError);
      return [error.message, error.facts?.['nearest_models']];
    }
    return assert.fail('found');
  };
  assert.deepEqual(hintsOf('team/defult'), [
    'The model "team/defult" does not exist. Did you mean team/default?',
    ['team/default'],
  ]);
  assert.deepEqual(hintsOf('fats')[1], ['fast']);
  assert.deepEqual(hintsOf('zzz-99x')[1], ['zzz-99', 'zzz-9', 'zzz-19']);
  assert.ok(!String(hintsOf('zzz-900')[1]).includes('zzz-900'), 'only so many are compared');
});

test('a bare name that two models have is refused with both, and resolves for a key that may use one', () => {
  const error = missed('gpt-4o');
  assert.equal(error.code, 'model_not_found');
  assert.equal(error.message, 'Several models are named "gpt-4o": use openai/gpt-4o or lab/gpt-4o.');
  assert.equal(choose('gpt-4o', (id) => id.startsWith('lab/')).model.id, 'lab/gpt-4o');
});

for (const wanted of [
  'openai/gpt-5:free',
  'openai/gpt-5:online',
  'ollama/llama3:70b',
  'ollama/llama3',
  'openai/',
  '',
  '/',
  '[1m]',
  ':nitro',
  'x[1m][1m]',
  '__proto__',
  'constructor',
])
  test(`"${wanted}" is a different or unknown model, and is never guessed`, () => {
    assert.equal(missed(wanted).code, 'model_not_found');
    assert.equal(missed(wanted).param, 'model');
  });

for (const [wanted, ...nearest] of [
  ['openai/gtp-5', 'openai/gpt-5'],
  ['claude-sonet-4-5', 'anthropic/claude-sonnet-4-5'],
  ['claude/claude-haiku-4-5', 'anthropic/claude-haiku-4-5'],
  ['sonnet', 'anthropic/claude-sonnet-4-5'],
  ['GPT5-mini', 'openai/gpt-5-mini'],
] as const)
  test(`${wanted} is answered with the nearest name, ${nearest[0]}`, () => {
    const error = missed(wanted);
    assert.equal(hintsOf(error)[0], nearest[0]);
    assert.match(error.message, new RegExp(`^The model ".+" does not exist\\. Did you mean ${nearest[0]}.*\\?$`));
  });

test('a variant is not another name for a served model: the error names the suffix to leave out', () => {
  for (const wanted of ['openai/gpt-5:free', 'gpt-5:free', 'openai/gpt-5:online']) {
    const suffix = wanted.slice(wanted.indexOf(':'));
    const error = missed(wanted);
    assert.equal(error.param, 'model');
    assert.deepEqual(hintsOf(error), ['openai/gpt-5']);
    assert.ok(error.message.includes(`Leave out "${suffix}" to use openai/gpt-5 at its price.`), error.message);
  }
});

test('a name like no other gets no hint, and at most three models are named', () => {
  assert.equal(missed('zzzzzzzz').message, 'The model "zzzzzzzz" does not exist.');
  for (const wanted of ['gpt', 'claude', 'openai/gpt-5-m']) assert.ok(hintsOf(missed(wanted)).length <= 3);
});

test('a model the key may not use is refused by its exact id and unknown by every other name', () => {
  assert.equal(missed('secret/project-x', noSecrets).code, 'model_not_allowed');
  assert.equal(missed('secret/project-x', noSecrets).status, 403);
  for (const wanted of ['project-x', 'secret/project-y', 'secret/projectx', 'project']) {
    const error = missed(wanted, noSecrets);
    assert.equal(error.code, 'model_not_found');
    assert.ok(
      !JSON.stringify([error.message.replace(JSON.stringify(wanted), ''), error.facts]).includes('project-x'),
      error.message,
    );
  }
});

test('another spelling of a model is judged by the model’s id', () => {
  const deny = (id: string) => id !== 'anthropic/claude-sonnet-4-5';
  assert.equal(missed('anthropic/claude-sonnet-4.5', deny).code, 'model_not_allowed');
});

test('a name of a megabyte gets a short error', () => {
  for (const wanted of ['x'.repeat(1_000_000), '[1m]'.repeat(250_000), `openai/gpt-5${':nitro'.repeat(100_000)}`]) {
    const error = missed(wanted);
    assert.equal(error.code, 'model_not_found');
    assert.ok(error.message.length < 200);
  }
});

test('hints over 500 models take a moment', () => {
  const many = indexModels(
    Array.from({ length: 500 }, (_, index) => entry(`vendor-${index % 50}/model-${index}-instruct-turbo`)),
  );
  const look = () => missedIn(many, 'vendor-7/modell-77-instruct-trubo');
  for (let round = 0; round < 20; round += 1) look();
  const tookMs = Array.from({ length: 9 }, () => {
    const startedMs = performance.now();
    look();
    return performance.now() - startedMs;
  });
  // It takes about 1 ms. The shortest round counts, because other programs may use the machine too.
  assert.ok(Math.min(...tookMs) < 100, `${tookMs.join(', ')} ms`);
});

function idsOf(candidates: readonly Candidate[]): readonly string[] {
  return candidates.map(({ model }) => model.id);
}

/** The first is the requested one. */
function several(
  [model = '', ...models]: readonly string[],
  mayUse = all as (id: string) => boolean,
  note: Note | null = null,
) {
  const facts = { catalog, mayUse, aliases: PLAIN_ROUTING.aliases, caller: CALLER };
  return chooseCandidates({ model, preferences: { models } }, facts, note);
}

function choose(wanted: string, mayUse: (id: string) => boolean = all, models: typeof catalog = catalog) {
  return chooseCandidates(
    { model: wanted },
    { catalog: models, mayUse, aliases: PLAIN_ROUTING.aliases, caller: CALLER },
    null,
  );
}

function hintsOf(error: GatewayError): readonly unknown[] {
  const hints = error.facts?.['nearest_models'];
  assert.ok(Array.isArray(hints));
  return hints;
}

function missed(wanted: string, mayUse: (id: string) => boolean = all): GatewayError {
  return missedIn(catalog, wanted, mayUse);
}

function missedIn(models: typeof catalog, wanted: string, mayUse: (id: string) => boolean = all): GatewayError {
  try {
    choose(wanted, mayUse, models);
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    return error;
  }
  assert.fail(`${wanted} was found`);
}

function entry(id: string, aliases: readonly string[] = []): { model: Model; aliases: readonly string[] } {
  const model: Model = {
    id,
    name: id,
    description: '',
    created: 0,
    contextWindow: null,
    outputCap: null,
    inputModalities: ['text'],
    outputModalities: ['text'],
    supportedParameters: [],
    efforts: null,
    quirks: {},
    knowledgeCutoff: null,
    targets: [
      {
        provider: 'demo',
        upstreamModel: id,
        dialects: ['openai-chat'],
        contextWindow: null,
        outputCap: null,
        prices: null,
        priceVersion: null,
      },
    ],
  };
  return { model, aliases };
}

test('the error for a known model that is not served here names the providers that have it', () => {
  for (const wanted of ['openai/gpt-4o-mini', 'gpt-4o-mini', 'gpt-4o-mini:nitro', 'gpt-4o-mini[1m]']) {
    const error = missed(wanted);
    assert.equal(error.code, 'model_not_found');
    const said = `: openai/gpt-4o-mini needs a provider that is not configured, OpenAI (OPENAI_API_KEY) or OpenRouter (OPENROUTER_API_KEY).`;
    assert.ok(error.message.startsWith(`The model ${JSON.stringify(wanted)} does not exist${said}`), error.message);
    assert.deepEqual(error.facts?.['needs'], ['OPENAI_API_KEY', 'OPENROUTER_API_KEY']);
  }
});

test('of many providers that have a model, the error names a few', () => {
  const { message, facts } = missed('openai/gpt-oss-120b');
  assert.match(message, /OpenRouter \(OPENROUTER_API_KEY\), Groq \(GROQ_API_KEY\), .* or one of \d more\./);
  const needs = facts?.['needs'] as readonly string[];
  assert.ok(needs.length > 6 && needs.includes('BASETEN_API_KEY'), 'a program gets all of them');
});

test('neither a key without permission nor an unknown model gets such a hint', () => {
  const hidden = missed('openai/gpt-4o-mini', (id) => !id.startsWith('openai/'));
  assert.doesNotMatch(hidden.message, /provider|API_KEY/);
  assert.doesNotMatch(missed('lab/no-such-thing').message, /provider|API_KEY/);
});
