/**
 * Goal: a request is written for what is known of its target, and unknown does not mean unsupported. Method: one model, varied.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Model, Target } from '../../catalog/model.ts';
import { Secret } from '../../core/secret.ts';
import { configureProvider } from '../../providers/configure.ts';
import { providerKinds } from '../../providers/index.ts';
import { writeTargetOf } from './write-target.ts';

const provider = configureProvider(providerKinds.openai, {
  name: 'openai',
  origin: null,
  credential: new Secret('k'),
});

const target: Target = {
  provider: 'openai',
  upstreamModel: 'large-1',
  dialects: ['openai-chat'],
  contextWindow: null,
  outputCap: 100,
  prices: null,
  priceVersion: null,
};

function model(fields: Partial<Model> = {}): Model {
  return {
    id: 'acme/large',
    name: 'Large',
    description: '',
    created: 0,
    contextWindow: null,
    outputCap: 200,
    inputModalities: ['text'],
    outputModalities: ['text'],
    supportedParameters: ['max_tokens', 'tools', 'temperature', 'reasoning'],
    efforts: ['low', 'high'],
    quirks: { 'anthropic-messages': { thinking: 'budget', systemAnywhere: true, prefill: false } },
    knowledgeCutoff: null,
    targets: [target],
    ...fields,
  };
}

test('the facts of model, target and provider are combined', () => {
  assert.deepEqual(writeTargetOf(model(), target, provider, 'openai-chat'), {
    upstreamModel: 'large-1',
    outputCap: 100,
    parameters: new Set([
      ...['max_tokens', 'tools', 'temperature', 'reasoning'],
      ...['seed', 'verbosity', 'parallel_tool_calls', 'frequency_penalty', 'presence_penalty', 'stop'],
    ]),
    efforts: ['low', 'high'],
    sampling: ['temperature'],
    quirks: provider.quirksOf('openai-chat'),
  });
});

test('a model’s own quirks override its provider’s, in their own dialect', () => {
  const both = configureProvider(providerKinds.custom, {
    name: 'lab',
    origin: 'http://127.0.0.1:9',
    credential: null,
    dialects: ['anthropic-messages', 'openai-chat'],
  });
  assert.deepEqual(writeTargetOf(model(), target, both, 'anthropic-messages').quirks, {
    thinking: 'budget',
    systemAnywhere: true,
    prefill: false,
  });
  const own = model({ quirks: { 'openai-chat': { systemRole: 'developer' } }, sampling: ['top_k'] });
  const written = writeTargetOf(own, target, both, 'openai-chat');
  assert.deepEqual(written.quirks, { ...both.quirksOf('openai-chat'), systemRole: 'developer' });
  assert.deepEqual(written.sampling, ['top_k']);
});

test('an empty list of parameters means unknown, not none', () => {
  assert.equal(writeTargetOf(model({ supportedParameters: [] }), target, provider, 'openai-chat').parameters, null);
});

test('a reasoning model that lists no sampling gets none, nor stops and penalties', () => {
  const { parameters } = writeTargetOf(
    model({ supportedParameters: ['reasoning', 'tools'] }),
    target,
    provider,
    'openai-chat',
  );
  for (const name of ['temperature', 'top_p', 'stop', 'frequency_penalty']) assert.equal(parameters?.has(name), false);
  assert.equal(parameters?.has('seed'), true);
});

test('for a model without reasoning, a list without sampling is taken as incomplete', () => {
  const { parameters } = writeTargetOf(model({ supportedParameters: ['max_tokens'] }), target, provider, 'openai-chat');
  for (const name of ['temperature', 'top_p', 'stop']) assert.equal(parameters?.has(name), true);
  assert.equal(parameters?.has('top_k'), false);
});

test('a list from the operator is complete: nothing is added to it', () => {
  for (const list of [['max_tokens', 'tools'], ['reasoning'], ['temperature', 'reasoning']]) {
    const listed = model({ supportedParameters: list, listsAllParameters: true });
    assert.deepEqual(writeTargetOf(listed, target, provider, 'openai-chat').parameters, new Set(list));
  }
});

test('the output cap is that of the target, not of the model, as for the hold', () => {
  assert.equal(writeTargetOf(model(), { ...target, outputCap: null }, provider, 'openai-chat').outputCap, null);
});

test('the set of parameters is created once per model', () => {
  const one = model();
  assert.equal(
    writeTargetOf(one, target, provider, 'openai-chat').parameters,
    writeTargetOf(one, target, provider, 'openai-chat').parameters,
  );
  assert.notEqual(
    writeTargetOf(model(), target, provider, 'openai-chat').parameters,
    writeTargetOf(model(), target, provider, 'openai-chat').parameters,
  );
});
