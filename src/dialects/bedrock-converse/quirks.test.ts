/** Goal: what a model takes is known from its name as Bedrock writes it, also after a region and inside an ARN. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claudeVersion, familyOf, type ModelFamily } from './model-family.ts';
import { quirksOfModel, readQuirkOptions, usualQuirks } from './quirks.ts';

const claudes: readonly (readonly [name: string, version: number | null])[] = [
  ['anthropic.claude-v2:1', 200],
  ['anthropic.claude-instant-v1', 100],
  ['anthropic.claude-3-haiku-20240307-v1:0', 300],
  ['us.anthropic.claude-3-5-haiku-20241022-v1:0', 305],
  ['anthropic.claude-3-5-sonnet-20240620-v1:0', 305],
  ['eu.anthropic.claude-3-7-sonnet-20250219-v1:0', 307],
  ['apac.anthropic.claude-sonnet-4-20250514-v1:0', 400],
  ['us.anthropic.claude-opus-4-1-20250805-v1:0', 401],
  ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 405],
  ['anthropic.claude-opus-4-6-v1', 406],
  ['anthropic.claude-opus-4-7', 407],
  ['global.anthropic.claude-sonnet-5', 500],
  ['anthropic.claude-fable-5-1', 501],
  ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 405],
  ['anthropic.claude-next', null],
];

const families: readonly (readonly [name: string, family: ModelFamily])[] = [
  ...claudes.map(([name]) => [name, 'claude'] as const),
  ['us.amazon.nova-micro-v1:0', 'nova'],
  ['amazon.titan-text-premier-v1:0', 'titan'],
  ['mistral.mistral-large-2407-v1:0', 'mistral'],
  ['openai.gpt-oss-120b-1:0', 'gpt-oss'],
  ['us.meta.llama4-scout-17b-instruct-v1:0', 'other'],
  ['us.deepseek.r1-v1:0', 'other'],
  ['qwen.qwen3-32b-v1:0', 'other'],
  ['arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcdefghijkl', 'unknown'],
  ['my-claude', 'unknown'],
];

test('a name says whose model it is', () => {
  for (const [name, family] of families) assert.equal(familyOf(name), family, name);
  for (const [name, version] of claudes) assert.equal(claudeVersion(name), version, name);
});

test('Claude thinks by budget from 3.7, adapts from 4.6, and has no sampling from 4.7', () => {
  const of = (name: string) => {
    const { thinking, sampling, prefill, cachePoints, cacheHour } = { ...usualQuirks, ...quirksOfModel(name) };
    return [thinking, sampling, prefill, cachePoints, cacheHour];
  };
  assert.deepEqual(of('anthropic.claude-3-haiku-20240307-v1:0'), [null, 'both', true, 'none', false]);
  assert.deepEqual(of('anthropic.claude-3-5-haiku-20241022-v1:0'), [null, 'both', true, 'everywhere', false]);
  assert.deepEqual(of('anthropic.claude-3-7-sonnet-20250219-v1:0'), ['budget', 'both', true, 'everywhere', false]);
  assert.deepEqual(of('anthropic.claude-sonnet-4-5-20250929-v1:0'), ['budget', 'one', true, 'everywhere', true]);
  assert.deepEqual(of('anthropic.claude-opus-4-6-v1'), ['adaptive', 'one', false, 'everywhere', true]);
  assert.deepEqual(of('anthropic.claude-opus-4-7'), ['adaptive', 'none', false, 'everywhere', true]);
  assert.deepEqual(of('anthropic.claude-fable-5'), ['always', 'none', false, 'everywhere', true]);
  assert.deepEqual(of('anthropic.claude-next'), ['adaptive', 'none', false, 'everywhere', true]);
});

test('a model whose name says nothing is taken for Claude if the operator says how it thinks', () => {
  assert.deepEqual(quirksOfModel('arn:aws:bedrock:us-east-1:123456789012:provisioned-model/abcdefghijkl'), {});
  assert.deepEqual(readQuirkOptions({ thinking: 'budget' }), { family: 'claude', thinking: 'budget' });
  assert.deepEqual(readQuirkOptions({}), {});
});
