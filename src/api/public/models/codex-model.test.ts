/** Goal: Codex can read the list of models. Method: the fields that its type requires, by name and kind, for each model of a catalogue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Model } from '../../../catalog/model.ts';
import { codexModel } from './codex-model.ts';

const PLAIN: Model = {
  id: 'acme/plain',
  name: 'Plain',
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
  targets: [],
};

/** The fields without a default in some version of `ModelInfo`. */
const REQUIRED: Readonly<Record<string, (value: unknown) => boolean>> = {
  slug: isText,
  display_name: isText,
  supported_reasoning_levels: Array.isArray,
  shell_type: (value) => value === 'shell_command',
  visibility: (value) => value === 'list' || value === 'hide',
  supported_in_api: isBoolean,
  priority: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  base_instructions: (value) => isText(value) && value !== '',
  supports_reasoning_summaries: isBoolean,
  support_verbosity: isBoolean,
  truncation_policy: (value) => JSON.stringify(value) === '{"mode":"tokens","limit":10000}',
  supports_parallel_tool_calls: isBoolean,
  experimental_supported_tools: Array.isArray,
};

test('a model has every field that Codex requires, however little is known of it', () => {
  for (const model of [PLAIN, thinking(), { ...PLAIN, created: 4_000_000_000 }]) {
    const read = codex(model);
    for (const [name, isRight] of Object.entries(REQUIRED)) assert.ok(isRight(read[name]), name);
  }
});

test('efforts are levels of reasoning, without those that some versions of Codex cannot read', () => {
  const read = codex(thinking());
  assert.deepEqual(
    (read['supported_reasoning_levels'] as { effort: string }[]).map(({ effort }) => effort),
    ['low', 'medium', 'high'],
  );
  assert.equal(read['default_reasoning_level'], 'medium');
  assert.equal(read['supports_reasoning_summaries'], true);
  assert.equal(codex(PLAIN)['supports_reasoning_summaries'], false);
});

test('newer models come first, and a model that cannot work with tools or write text is hidden', () => {
  const newer = codex({ ...PLAIN, created: 1_790_000_000 });
  const older = codex({ ...PLAIN, created: 1_750_000_000 });
  assert.ok((newer['priority'] as number) < (older['priority'] as number));
  assert.equal(newer['visibility'], 'list');
  assert.equal(codex({ ...PLAIN, supportedParameters: ['temperature'] })['visibility'], 'hide');
  assert.equal(codex({ ...PLAIN, supportedParameters: ['tools'] })['visibility'], 'list');
  assert.equal(codex({ ...PLAIN, outputModalities: ['image'] })['visibility'], 'hide');
});

test('the window and what it reads are those of the model', () => {
  const read = codex({ ...PLAIN, contextWindow: 200_000, inputModalities: ['text', 'image', 'audio'] });
  assert.equal(read['context_window'], 200_000);
  assert.deepEqual(read['input_modalities'], ['text', 'image']);
});

function codex(model: Model): Record<string, unknown> {
  return JSON.parse(codexModel(model));
}

function thinking(): Model {
  return { ...PLAIN, efforts: ['low', 'medium', 'high', 'max'], supportedParameters: ['tools', 'verbosity'] };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}
