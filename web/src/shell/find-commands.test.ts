// Goal: the intended command comes first. Method: texts against a few commands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIdIn, findCommands } from './find-commands.ts';

const COMMANDS = [
  { group: 'Build', kind: 'page', label: 'Keys', words: 'rotate revoke' },
  { group: 'Account', kind: 'page', label: 'Members', words: 'invite' },
  { group: 'Actions', kind: 'action', label: 'Create key' },
  { group: 'API keys', kind: 'other', label: 'prod backup', detail: 'sk-tp-1…a' },
  { group: 'API keys', kind: 'other', label: 'my prod', detail: 'sk-tp-1…b' },
  { group: 'API keys', kind: 'other', label: 'Prod', detail: 'sk-tp-1…c' },
] as const;

function labels(text: string): readonly string[] {
  return findCommands(COMMANDS, text).map(({ label }) => label);
}

test('an exact name comes before names that begin with the text, and those before names that contain it', () => {
  assert.deepEqual(labels('prod'), ['Prod', 'prod backup', 'my prod']);
});

test('an action finds its page', () => {
  assert.equal(labels('rotate')[0], 'Keys');
  assert.equal(labels('revoke')[0], 'Keys');
  assert.equal(labels('invite')[0], 'Members');
});

test('without a text there are pages and actions', () => {
  assert.deepEqual(labels(' '), ['Keys', 'Members', 'Create key']);
});

test('the id of a call is found in pasted text', () => {
  assert.equal(callIdIn(' gen-01ABC_x-9 '), 'gen-01ABC_x-9');
  assert.equal(callIdIn('http://h/calls/gen-5?x=1'), 'gen-5');
  assert.equal(callIdIn('generate'), null);
});
