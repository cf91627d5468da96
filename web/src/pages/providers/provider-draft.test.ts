/** Goal: the form sends the options of the chosen kind, and only what changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, changesOf, fetchesKeys, type Kind } from './provider-draft.ts';

const option = (name: string, isRequired: boolean) => ({ name, is_required: isRequired, example: 'x', values: null });
const BEDROCK: Kind = {
  kind: 'bedrock',
  display_name: 'Amazon Bedrock',
  origin: 'https://bedrock-runtime.{region}.amazonaws.com',
  origin_example: null,
  needs_credential: true,
  options: [option('region', true), option('credential_from', false)],
  documentation: 'https://docs.aws.amazon.com',
  dialects: ['bedrock-converse'],
};
const draft = {
  kind: BEDROCK,
  name: 'bedrock',
  origin: '',
  credential: '',
  isOwnOnly: false,
  options: {},
  dialect: 'openai-chat',
} as const;

test('options are trimmed; empty ones, and those of another kind, are not sent', () => {
  const options = { region: ' eu-west-1 ', credential_from: '', project: 'left over' };
  assert.deepEqual(bodyOf({ ...draft, options }), { region: 'eu-west-1' });
});

test('keys that are fetched need no credential', () => {
  assert.equal(fetchesKeys(draft), false);
  assert.equal(fetchesKeys({ options: { credential_from: 'instance' } }), true);
});

test('a change sends what differs, and null for what was emptied', () => {
  const before = { region: 'eu-west-1', credential_from: 'instance' };
  assert.deepEqual(changesOf(before, { region: 'us-east-1 ', credential_from: '' }), {
    region: 'us-east-1',
    credential_from: null,
  });
  assert.deepEqual(changesOf(before, before), {});
});
