/** Goal: own credentials come before the operator's within their model, and nothing else moves. Method: lists of names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Model, Target } from '../catalog/model.ts';
import type { Candidate } from './candidate.ts';
import type { OwnCredential } from './own-credential.ts';
import { ownFirst } from './own-first.ts';

const models = new Map<string, Model>();

/** `a1` is of model a; `A1` is the same with an own credential. */
function list(names: string): Candidate[] {
  return names.split(' ').map((name) => {
    const id = name.charAt(0).toLowerCase();
    const model = models.get(id) ?? ({ id } as Model);
    models.set(id, model);
    const own = name.charAt(0) === id ? null : ({ id: name } as OwnCredential);
    return { model, target: { provider: name } as Target, own };
  });
}

const cases: [before: string, after: string][] = [
  ['a1 a2 b1', 'a1 a2 b1'],
  ['a1 A2 a3 A4', 'A2 A4 a1 a3'],
  ['A1 A2 a1', 'A1 A2 a1'],
  ['a1 b1 B2 A2', 'A2 a1 B2 b1'],
  ['a1 b1 a2 B1', 'a1 B1 b1 a2'],
];

for (const [before, after] of cases)
  test(`${before} becomes ${after}`, () => {
    assert.equal(
      ownFirst(list(before))
        .map(({ target }) => target.provider)
        .join(' '),
      after,
    );
  });

test('a list without own credentials is not copied', () => {
  const candidates = list('a1 a2 b1');
  assert.equal(ownFirst(candidates), candidates);
});
