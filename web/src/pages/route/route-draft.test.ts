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
