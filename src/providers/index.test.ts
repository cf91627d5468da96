/** Goal: every member of the table keeps the family's promises. Method: the contract over the table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerContract } from './contract.ts';
import { findProviderKind, providerKinds } from './index.ts';

for (const [key, declaration] of Object.entries(providerKinds)) providerContract(key, declaration);

test('each environment variable enables one kind', () => {
  const variables = Object.values(providerKinds).flatMap(({ environmentVariable }) => environmentVariable ?? []);
  assert.deepEqual(variables.toSorted(), [
    'ANTHROPIC_API_KEY',
    'DEEPSEEK_API_KEY',
    'GEMINI_API_KEY',
    'GROQ_API_KEY',
    'MISTRAL_API_KEY',
    'OLLAMA_HOST',
    'OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'XAI_API_KEY',
  ]);
});

test('an inherited property is no kind', () => {
  assert.equal(findProviderKind('constructor'), null);
  assert.equal(findProviderKind('openai'), providerKinds.openai);
});
