/** Goal: a model is asked only for what it is for. Method: the check over models and requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Modality, Prices } from '../../catalog/model.ts';
import { FREE } from '../../catalog/prices.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ProviderDialectName } from '../../dialects/index.ts';
import type { OperationName } from '../../dialects/interface/caller-path.ts';
import { checkPurpose } from './check-purpose.ts';

const TEXT = { media: { images: 0, audioTokens: 0, bytes: 0 }, promptUnbounded: false };
const IMAGE = { ...TEXT, media: { images: 1, audioTokens: 0, bytes: 80 } };
const FILE = { ...TEXT, promptUnbounded: true };

interface Judged {
  readonly dialects?: readonly ProviderDialectName[];
  readonly peek?: typeof TEXT;
  readonly inputModalities?: readonly Modality[];
  readonly assumesOutput?: true;
  readonly prices?: Prices | null;
}

function check(name: OperationName, outputModalities: readonly Modality[], judged: Judged = {}): string {
  const error = refusal(name, outputModalities, judged);
  if (error === null) return 'served';
  assert.match(error.message, /acme\/model/);
  return `${error.code} ${error.param}`;
}

function refusal(name: OperationName, outputModalities: readonly Modality[], judged: Judged): GatewayError | null {
  const { peek = TEXT, inputModalities = ['text'], dialects = ['openai-chat'], prices = null, ...assumed } = judged;
  const targets = [{ provider: 'pics', dialects, prices }];
  const model = { id: 'acme/model', inputModalities, outputModalities, targets, ...assumed };
  try {
    checkPurpose(model, { name }, peek as never);
    return null;
  } catch (error) {
    assert(error instanceof GatewayError);
    return error;
  }
}

const SPECIAL = [
  ['embeddings', 'embeddings', 'content'],
  ['rerank', 'rerank', 'documents'],
  ['moderations', 'moderation', 'input'],
] as const;
const WRITING = ['chat', 'compact', 'completions'] as const;

test('a model that writes no text answers no conversation, and the error says where to call it', () => {
  for (const [operation, modality] of SPECIAL) {
    for (const name of WRITING) assert.equal(check(name, [modality]), 'unsupported_value model');
    assert.equal(check(operation, [modality]), 'served');
  }
});

test('the error names the paths of formats that its providers speak, and no other', () => {
  const said = (...dialects: ProviderDialectName[]) => refusal('chat', ['embeddings'], { dialects })?.message ?? '';
  const [openai, google] = ['POST /api/v1/embeddings', 'POST /v1beta/models/acme/model:embedContent'];
  assert.match(said('openai-chat'), new RegExp(`Call it at ${openai}, or use another model\\.$`));
  assert.match(said('gemini'), new RegExp(`Call it at ${google}, or use another model\\.$`));
  assert.match(said('gemini', 'openai-chat'), new RegExp(`Call it at ${openai} or ${google}, or use`));
  assert.match(said('anthropic-messages'), /writes no text\. Use another model\.$/);
});

test('a model that is known to write, or to do something else, does nothing else', () => {
  for (const [operation, modality] of SPECIAL) {
    assert.equal(check(operation, ['text']), 'unsupported_value model');
    for (const [, other] of SPECIAL)
      if (other !== modality) assert.equal(check(operation, [other]), 'unsupported_value model');
  }
});

test('a model that does both is asked for either, and one of which nothing is known for anything', () => {
  for (const [operation, modality] of SPECIAL)
    for (const name of [operation, ...WRITING]) {
      assert.equal(check(name, ['text', modality]), 'served');
      assert.equal(check(name, ['text'], { assumesOutput: true }), 'served');
    }
});

test('what is not text is refused where its price is unknown, unless the model is configured to read it', () => {
  for (const [operation, modality, param] of SPECIAL)
    for (const peek of [IMAGE, FILE]) {
      assert.equal(check(operation, [modality], { peek }), `unsupported_value ${param}`);
      assert.equal(check(operation, [modality], { peek, inputModalities: ['text', 'image'] }), 'served');
      assert.equal(check('chat', ['text'], { peek }), 'served');
    }
});

test('the error for an image says how the model is made to read it, and of a free one nothing about what that costs', () => {
  const said = (prices: Prices | null) => refusal('image_edits', ['image'], { peek: IMAGE, prices })?.message ?? '';
  for (const prices of [null, FREE, { ...FREE }]) {
    assert.match(said(prices), /inputModalities: \[text, image\]/);
    assert.match(said(prices), /turnpike providers update pics --models … --input-modalities text,image/);
  }
  assert.match(said(null), /what they cost there/);
  for (const free of [FREE, { ...FREE }]) assert.doesNotMatch(said(free), /cost/);
});
