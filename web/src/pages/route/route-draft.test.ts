// Goal: the form asks for the route of the request that it describes, and of no other. Method: drafts, and the bodies they make.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standingWords } from './reason-words.ts';
import { emptyDraft, planBody, preferencesText } from './route-draft.ts';

const CANDIDATE = {
  model: 'lab/big',
  provider: 'east',
  upstream_model: 'big',
  own_credential: false,
  translated: false,
  resting: false,
  max_cost: 1,
  later_because: [],
  warnings: [],
};

test('a form without preferences states none', () => {
  assert.deepEqual(planBody('lab/big', emptyDraft), {
    format: 'openai-chat',
    model: 'lab/big',
    models: [],
    provider: null,
    conversation: null,
    prompt_characters: 1000,
    output_cap: 1000,
  });
  assert.equal(preferencesText(emptyDraft), 'none');
});

test('preferences are stated as in a request, empty ones not at all', () => {
  const draft = {
    ...emptyDraft,
    only: ['east', 'west'],
    allowsFallbacks: false,
    outputPriceMax: '2.5',
    conversation: ' talk ',
    promptCharacters: null,
    outputCap: null,
  };
  const { provider, conversation, prompt_characters, output_cap } = planBody('lab/big', draft);
  assert.equal(
    JSON.stringify(provider),
    '{"only":["east","west"],"allow_fallbacks":false,"max_price":{"completion":2.5}}',
  );
  assert.deepEqual([conversation, prompt_characters, output_cap], ['talk', 0, null]);
  assert.equal(preferencesText(draft), 'only east, west; no fallbacks; maximum price');
});

test('facts that a request demands of its providers are stated, and summed up', () => {
  const draft = { ...emptyDraft, deniesDataCollection: true, needsZeroRetention: true, quantizations: ['fp16', 'fp8'] };
  const { provider } = planBody('lab/big', draft);
  assert.deepEqual(provider, { data_collection: 'deny', zdr: true, quantizations: ['fp8', 'fp16'] });
  assert.equal(preferencesText(draft), 'no data collection; zero data retention; only fp16, fp8');
});

test('a maximum price that is no number is sent as it was typed, for the server to refuse, and never left out', () => {
  for (const typed of ['abc', '1,5', '0.5 USD', '.', 'Infinity', '--1']) {
    const { provider } = planBody('lab/big', { ...emptyDraft, inputPriceMax: typed, outputPriceMax: typed });
    assert.equal(JSON.stringify(provider), JSON.stringify({ max_price: { prompt: typed, completion: typed } }));
  }
  assert.equal(planBody('lab/big', { ...emptyDraft, inputPriceMax: ' ' }).provider, null);
});

test('the words say what a candidate does at its position, and what moved it', () => {
  const words = (position: number, change: object) =>
    standingWords({ position, attemptsMax: 3, candidate: { ...CANDIDATE, ...change } });
  assert.deepEqual(words(0, {}), ['Tried first.']);
  assert.match(
    words(2, { resting: true, later_because: ['resting'] }).join(' '),
    /those before it fail.*failed lately/,
  );
  assert.equal(words(0, { resting: true }).length, 2);
  assert.match(words(3, {})[0] ?? '', /^Not tried.*3 times/);
});
