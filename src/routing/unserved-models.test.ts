/**
 * Goal: a known model without a provider is distinguished from an unknown one. Method: a catalogue of one model, and a short
 * list of known ones.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Catalog, Model } from '../catalog/model.ts';
import type { KnownModel } from '../catalog/models.ts';
import { unservedAs, unservedModels } from './unserved-models.ts';

const known = [
  model('lab/tool', ['nobody-knows-this-kind']),
  model('mistral/tiny', ['mistral']),
  model('openai/large', ['openai', 'openrouter', 'openai'], ['openai/large-2026']),
  model('other/large', ['groq']),
];
const catalog: Pick<Catalog, 'get' | 'all'> = {
  get: (id) => catalog.all().find((each) => each.id === id),
  all: () => [{ id: 'mistral/tiny' } as Model],
};
const all = () => true;

test('models that are served, or that no variable would add, are not listed', () => {
  assert.deepEqual(
    unservedModels(catalog, known).map(({ model: { id }, providers }) => [id, providers.map((each) => each.variable)]),
    [
      ['openai/large', ['OPENAI_API_KEY', 'OPENROUTER_API_KEY']],
      ['other/large', ['GROQ_API_KEY']],
    ],
  );
});

test('unserved models are found by id, by another spelling, and by bare name', () => {
  assert.deepEqual(found('openai/large'), ['openai/large']);
  assert.deepEqual(found('openai/large-2026'), ['openai/large']);
  assert.deepEqual(found('large-2026'), ['openai/large']);
  assert.deepEqual(found('large'), ['openai/large', 'other/large']);
  for (const none of ['', '/', 'arge', 'tiny', 'mistral/tiny', 'tool', 'lab/tool']) assert.deepEqual(found(none), []);
});

test('models that the key may not use are never returned', () => {
  assert.deepEqual(
    found('large', (id) => id.startsWith('other/')),
    ['other/large'],
  );
});

test('the built-in list names a variable for every model of the vendors', () => {
  const empty = { all: () => [] };
  const gpt = unservedModels(empty).find(({ model: { id } }) => id === 'openai/gpt-4o-mini');
  assert.deepEqual(
    gpt?.providers.map(({ displayName }) => displayName),
    ['OpenAI', 'OpenRouter'],
  );
});

function found(spelling: string, mayUse: (id: string) => boolean = all): string[] {
  return unservedAs(catalog, spelling, mayUse, known).map((each) => each.model.id);
}

function model(id: string, kinds: readonly string[], aliases: readonly string[] = []): KnownModel {
  const targets = kinds.map((provider) => ({
    provider,
    upstreamModel: id,
    contextWindow: null,
    outputCap: null,
    prices: { input: 1, output: 1 },
  }));
  return {
    id,
    name: id,
    aliases,
    created: 0,
    knowledgeCutoff: null,
    inputModalities: ['text'],
    outputModalities: ['text'],
    supportedParameters: [],
    targets,
  };
}
