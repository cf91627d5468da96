/** Goal: a file with an alias that could not work is refused, with the place and the reason. Method: files, each with one fault. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from './fixture.ts';

const TARGETS = [{ model: 'acme/large' }];

for (const [what, aliases, message] of [
  ['a name twice', [rule({}), rule({})], 'aliases[1].name: an earlier alias has the same name'],
  ['the id of a model', [rule({ name: 'openai/gpt-5-mini' })], 'aliases[0].name: is the id of a model, which always'],
  ['an empty list', [rule({ targets: [] })], 'aliases[0].targets: an alias leads to at least one model'],
  [
    'another alias',
    [rule({}), rule({ name: 'b', targets: [{ model: 'fast' }] })],
    'aliases[1].targets[0].model: is an alias',
  ],
  ['no weight', [rule({ targets: [{ model: 'a/b', weight: 0 }] })], 'aliases[0].targets: at least one weight must'],
  [
    'a model twice',
    [rule({ targets: [...TARGETS, ...TARGETS] })],
    'aliases[0].targets: a model with the same provider is',
  ],
] as const)
  test(`refused: ${what}`, () => {
    const problems = problemsOf({ aliases });
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.ok(String(problems[0]).startsWith(message), String(problems[0]));
  });

test('a model that nobody serves yet is accepted: its provider may come later', () => {
  assert.deepEqual(problemsOf({ aliases: [rule({})] }), []);
});

function rule(changes: object): object {
  return { name: 'fast', targets: TARGETS, ...changes };
}
