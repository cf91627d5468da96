/** Goal: of what a caller says of itself little is kept, and nothing that is secret. Method: requests written by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundOf } from '../dialects/contract.ts';
import { dialects } from '../dialects/index.ts';
import { callLabels } from './call-labels.ts';

const SECRET = 'sk-proj-Zq81kXw0PlantedSecret77Zq81kXw0PlantedSecret77';

function labelsOf(fields: object, headers: Record<string, string> = {}) {
  const dialect = dialects['openai-chat'];
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'the prompt' }], ...fields });
  return callLabels(dialect, inboundOf(dialect, body, headers));
}

test('who says nothing of itself has no labels', () => {
  assert.equal(labelsOf({}), null);
  assert.equal(labelsOf({ user: null, metadata: {} }, { 'x-title': '', referer: 'https://page.example/' }), null);
  assert.equal(labelsOf({ user: '  ', metadata: [] }), null);
});

test('user, metadata, title and address are kept, under any of their names', () => {
  const app = {
    'http-referer': 'https://app.example/desk?session=1#top',
    'x-openrouter-title': 'My App',
    'x-title': 'Other',
  };
  assert.deepEqual(labelsOf({ user: 'u1', metadata: { team: 'a', count: 7, on: true, deep: {}, none: null } }, app), {
    user: 'u1',
    app: 'My App',
    referer: 'https://app.example/desk',
    metadata: { team: 'a', count: '7', on: 'true' },
  });
  assert.equal(labelsOf({ safety_identifier: 's1' })?.user, 's1');
  assert.equal(labelsOf({}, { 'x-title': 'liteLLM' })?.app, 'liteLLM');
  assert.equal(labelsOf({}, { 'http-referer': 'https://name:pass@app.example' })?.referer, 'https://app.example/');
  assert.equal(labelsOf({}, { 'http-referer': 'no address' }), null);
  assert.equal(labelsOf({}, { 'x-title': Buffer.from('Prüfung 灯').toString('latin1') })?.app, 'Prüfung 灯');
});

test('what is long is cut, and what a terminal could obey is left out', () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`${index}-${'n'.repeat(99)}`, 'v'.repeat(600)]),
  );
  const labels = labelsOf({ user: 'u'.repeat(3000), metadata: many }, { 'x-title': 't'.repeat(9000) });
  assert.equal(labels?.user?.length, 256);
  assert.equal(labels?.app?.length, 128);
  const pairs = Object.entries(labels?.metadata ?? {});
  assert.equal(pairs.length, 16);
  assert.ok(pairs.every(([name, value]) => name.length === 64 && value.length === 512));
  assert.equal(labelsOf({ user: 'a\u001b[2Jb\u202ec\n' })?.user, 'a[2Jbc');
  assert.equal(labelsOf({ user: 'u'.repeat(9000), metadata: { a: 'x'.repeat(99_999) } }), null);
});

test('no key is kept, wherever it stands', () => {
  const labels = labelsOf(
    { user: `me ${SECRET}`, metadata: { note: `use ${SECRET}`, api_key: 'a1b2c3d4e5f6a7b8c9d0', [SECRET]: 'x' } },
    { 'x-title': SECRET, 'http-referer': `https://app.example/${SECRET}` },
  );
  assert.ok(labels !== null);
  const said = JSON.stringify(labels);
  assert.ok(!said.includes('PlantedSecret') && !said.includes('a1b2c3d4'), said);
  assert.equal(labels.user, 'me [key]');
});
