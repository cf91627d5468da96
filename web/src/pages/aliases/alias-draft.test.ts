import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Alias } from '../../api/types.ts';
import { aliasBody, draftOf, emptyTarget, shareText } from './alias-draft.ts';

const ALIAS: Alias = {
  id: 1,
  name: 'fast',
  scope: 'project',
  account: { id: 1, name: 'Acme' },
  project: { id: 7, name: 'Web' },
  choice: 'random',
  targets: [
    { model: 'lab/a', provider: null, weight: 95, is_served: true },
    { model: 'lab/b', provider: 'spare', weight: 5, is_served: false },
  ],
  source: 'stored',
  is_shadowed: false,
  created_at: null,
  updated_at: null,
};

test('an alias that is edited without a change is sent as it was', () => {
  const draft = draftOf(ALIAS);
  assert.equal(draft.scope, '7');
  assert.deepEqual(aliasBody(draft), {
    name: 'fast',
    choice: 'random',
    targets: [
      { model: 'lab/a', provider: null, weight: 95 },
      { model: 'lab/b', provider: 'spare', weight: 5 },
    ],
  });
});

test('rows without a model are not sent, and an empty weight is none', () => {
  const draft = draftOf(null);
  assert.deepEqual(aliasBody(draft).targets, []);
  const targets = [emptyTarget(0), { ...emptyTarget(1), model: 'lab/a', weight: null }];
  assert.deepEqual(aliasBody({ ...draft, name: ' fast ', targets }), {
    name: 'fast',
    choice: 'key',
    targets: [{ model: 'lab/a', provider: null, weight: 0 }],
  });
});

test('a share is rounded to one decimal, and what is not nothing never looks like it', () => {
  const of = (...weights: readonly (number | null)[]) =>
    weights.map((weight) =>
      shareText(
        weight,
        weights.map((each) => ({ weight: each })),
      ),
    );
  assert.deepEqual(of(95, 5), ['95 %', '5 %']);
  assert.deepEqual(of(1, 1, 1), ['33.3 %', '33.3 %', '33.3 %']);
  assert.deepEqual(of(1, 0, null), ['100 %', '0 %', '0 %']);
  assert.deepEqual(of(1, 99_999), ['< 0.1 %', '100 %']);
  assert.deepEqual(of(0), [null]);
});
