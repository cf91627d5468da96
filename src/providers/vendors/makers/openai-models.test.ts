/** Goal: a model is called in a format in which it is served. Method: names from OpenAI's list of models, and their routes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../../core/secret.ts';
import { configureProvider } from '../../configure.ts';
import { openai } from './openai.ts';

const provider = configureProvider(openai, { name: 'openai', origin: null, credential: new Secret('sk-x') });

test('sound and search are served in chat completions only', () => {
  for (const model of [
    'gpt-audio',
    'gpt-audio-mini',
    'gpt-4o-audio-preview',
    'gpt-4o-mini-search-preview',
    'gpt-5-search-api',
  ])
    assert.deepEqual(provider.dialectsOf(model), ['openai-chat'], model);
});

test('models for coding and research, and those that think longest, are served in Responses only', () => {
  for (const model of [
    'gpt-5-codex',
    'gpt-5.1-codex-max',
    'codex-mini-latest',
    'o3-pro',
    'gpt-5-pro',
    'gpt-5.4-pro',
    'o3-deep-research',
  ])
    assert.deepEqual(provider.dialectsOf(model), ['openai-responses'], model);
});

test('every other model is served in both, and translated calls go to Responses', () => {
  for (const model of [
    'gpt-5',
    'gpt-5.6-sol',
    'gpt-4o',
    'o4-mini',
    'gpt-4.1-nano',
    'my-fine-tune',
    'chatgpt-4o-latest',
  ])
    assert.deepEqual(provider.dialectsOf(model), ['openai-responses', 'openai-chat'], model);
});

test('tokens are counted next to the calls', () => {
  const route = provider.route('openai-responses', { operation: 'count_tokens', model: 'gpt-5', stream: false });
  assert.equal(route?.path, '/v1/responses/input_tokens');
});

test('at another address, the paths are below it', () => {
  for (const [origin, path] of [
    ['https://eu.host.example', '/v1/responses'],
    ['https://host.example/proxy/v1', '/proxy/v1/responses'],
    ['https://host.example/api/chat/completions', '/api/responses'],
  ] as const) {
    const other = configureProvider(openai, { name: 'other', origin, credential: null });
    assert.equal(other.route('openai-responses', { operation: 'chat', model: 'm', stream: false })?.path, path);
  }
});
