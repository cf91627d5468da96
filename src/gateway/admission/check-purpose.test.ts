/** Goal: a model for vectors is asked for vectors of texts only. Method: the check over models and requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Modality } from '../../catalog/model.ts';
import { GatewayError } from '../../core/errors.ts';
import { checkPurpose } from './check-purpose.ts';

const TEXT = { media: { images: 0, audioTokens: 0, bytes: 0 }, promptUnbounded: false };
const IMAGE = { ...TEXT, media: { images: 1, audioTokens: 0, bytes: 80 } };
const FILE = { ...TEXT, promptUnbounded: true };

function check(
  name: 'chat' | 'embeddings' | 'compact',
  outputModalities: readonly Modality[],
  peek: typeof TEXT,
  inputModalities: readonly Modality[] = ['text'],
): string {
  try {
    checkPurpose({ id: 'acme/model', inputModalities, outputModalities }, { name }, peek as never);
    return 'served';
  } catch (error) {
    assert(error instanceof GatewayError);
    return `${error.code} ${error.param}`;
  }
}

test('a model for vectors answers no conversation, and the error says where to call it', () => {
  assert.equal(check('chat', ['embeddings'], TEXT), 'unsupported_value model');
  assert.equal(check('compact', ['embeddings'], TEXT), 'unsupported_value model');
  assert.equal(check('embeddings', ['embeddings'], TEXT), 'served');
});

test('a model that writes text, and one that writes both, are asked for either', () => {
  for (const outputs of [['text'], ['text', 'embeddings']] as const)
    for (const name of ['chat', 'embeddings'] as const) assert.equal(check(name, outputs, TEXT), 'served');
});

test('vectors of images and files are refused, unless the model is configured to read them', () => {
  for (const peek of [IMAGE, FILE]) {
    assert.equal(check('embeddings', ['embeddings'], peek), 'unsupported_value content');
    assert.equal(check('embeddings', ['embeddings'], peek, ['text', 'image']), 'served');
    assert.equal(check('chat', ['text'], peek), 'served');
  }
});
