/** Goal: the best result comes first. Method: a small index with known answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markWords } from './excerpt.ts';
import { type SearchIndex, search, wordsOf } from './search.ts';

const index: SearchIndex = {
  pages: [
    ['Limits and permissions', 'docs/guide/limits', 'Guides'],
    ['Errors', 'docs/reference/errors', 'Reference'],
    ['0022: Restrictions remember their level', 'docs/decisions/0022-x', 'Project'],
    ['Providers', 'docs/guide/providers', 'Guides'],
  ],
  sections: [
    [0, 'Limits and permissions', '', 'A key may have limits.'],
    [
      0,
      'The life of a key',
      'the-life-of-a-key',
      `Rotate it, revoke it. ${'More words. '.repeat(40)} A budget of a key ends here.`,
    ],
    [1, 'Errors', '', 'Every error has a code.'],
    [1, 'rate_limit_exceeded', 'rate_limit_exceeded', 'Too many requests in a minute.'],
    [2, '0022: Restrictions remember their level', '', 'A limit on limits of limits.'],
    [3, 'Providers', '', 'Who is called. The limit of a provider is its own.'],
    [3, 'Health', 'health', 'What calls say.'],
  ],
};
const paths = (question: string): readonly string[] => search(index, question).map(({ path }) => path);

test('a title counts most, then a heading, then text; pages about the past come last', () => {
  assert.deepEqual(paths('limits'), [
    'docs/guide/limits',
    'docs/reference/errors#rate_limit_exceeded',
    'docs/guide/providers',
    'docs/decisions/0022-x',
  ]);
});

test('all words have to be there; a page’s title helps its sections', () => {
  assert.deepEqual(paths('errors minute'), ['docs/reference/errors#rate_limit_exceeded']);
  assert.deepEqual(paths('limits revoke'), ['docs/guide/limits#the-life-of-a-key']);
  assert.deepEqual(paths('limits zebra'), []);
});

test('a code is found whole and in part, in any case', () => {
  for (const question of ['rate_limit_exceeded', 'RATE_LIMIT', 'limit_exceeded'])
    assert.equal(paths(question)[0], 'docs/reference/errors#rate_limit_exceeded', question);
});

test('one and many are the same word', () => {
  assert.equal(paths('provider')[0], 'docs/guide/providers');
  assert.equal(paths('keys budget')[0], 'docs/guide/limits#the-life-of-a-key');
});

test('an empty query has no results', () => {
  for (const question of ['', '  ', '—', '?!']) assert.deepEqual(search(index, question), []);
  assert.equal(wordsOf('k1 k2 k3 k4 k5 k6 k7 k8 k9').length, 8);
});

test('an excerpt shows where most of the words are, and marks them', () => {
  const [result] = search(index, 'budget key');
  assert.match(result?.excerpt ?? '', /^… .*A budget of a key ends here\.$/);
  assert.deepEqual(
    markWords('A Key, keys and monkeys: <b>', ['key'])
      .filter(({ isMatch }) => isMatch)
      .map(({ text }) => text),
    ['Key', 'key'],
  );
  assert.equal(
    markWords('A Key, keys', ['key'])
      .map(({ text }) => text)
      .join(''),
    'A Key, keys',
  );
});

test('a question in a sentence is understood, and finds what has most of its words', () => {
  assert.deepEqual(wordsOf('How do I revoke a key?'), ['revoke', 'key']);
  assert.deepEqual(wordsOf('how to'), ['how', 'to']);
  assert.equal(paths('how can I revoke the key')[0], 'docs/guide/limits#the-life-of-a-key');
  assert.equal(paths('revoke zebra key')[0], 'docs/guide/limits#the-life-of-a-key');
});

test('a synonym finds what the words do not, but the words count more', () => {
  const places: SearchIndex = {
    pages: [
      ['A', 'a', ''],
      ['B', 'b', ''],
    ],
    sections: [
      [0, 'A', '', 'Runs in a container.'],
      [1, 'B', '', 'Runs with Docker.'],
    ],
  };
  assert.deepEqual(
    search(places, 'docker').map(({ path }) => path),
    ['b', 'a'],
  );
  assert.deepEqual(
    search(places, 'container').map(({ path }) => path),
    ['a'],
  );
  assert.deepEqual(
    search(places, 'runs docker').map(({ path }) => path),
    ['b', 'a'],
  );
});

test('a word that is typed in part finds what begins with it, but not much longer words', () => {
  assert.equal(paths('provid')[0], 'docs/guide/providers');
  const addresses: SearchIndex = {
    pages: [['A', 'a', '']],
    sections: [[0, 'A', '', 'Addresses of the gateway.']],
  };
  assert.equal(search(addresses, 'add').length, 0);
  assert.equal(search(addresses, 'addre').length, 1);
});
