/** Goal: a link leads to the same thing in the repository and on the site, below any base path. Method: pairs of addresses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relativeHref, rootFrom, targetOf } from './links.ts';

const pages = ['README.md', 'docs/guide/limits.md', 'docs/decisions/README.md'];
const target = (href: string, file = 'docs/guide/limits.md') => targetOf(href, file, (each) => pages.includes(each));

test('links of Markdown are understood from where they stand', () => {
  assert.deepEqual(target('../../README.md#start'), { kind: 'page', file: 'README.md', anchor: 'start' });
  assert.deepEqual(target('#one'), { kind: 'page', file: 'docs/guide/limits.md', anchor: 'one' });
  assert.deepEqual(target('../decisions/'), { kind: 'page', file: 'docs/decisions/README.md', anchor: '' });
  assert.deepEqual(target('docs/dashboard.png', 'README.md'), { kind: 'file', file: 'docs/dashboard.png' });
  assert.deepEqual(target('../../src/core/errors.ts'), { kind: 'repository', file: 'src/core/errors.ts' });
  assert.deepEqual(target('https://example.com/a.md'), { kind: 'outside', href: 'https://example.com/a.md' });
});

test('addresses are resolved by a browser as they were meant, at the root and below a path', () => {
  const paths = [
    '.',
    'docs',
    'docs/readme',
    'docs/decisions',
    'docs/decisions/0001-a',
    'docs/guide/limits',
    'README.md',
    'assets/a.json',
  ];
  for (const base of ['https://example.com/', 'https://example.com/llm/'])
    for (const from of paths.filter((path) => path.startsWith('docs')))
      for (const to of paths) {
        const expected = new URL(to === '.' ? '' : to, base).href;
        assert.equal(new URL(relativeHref(from, to), `${base}${from}`).href, expected, `${from} → ${to}`);
        assert.equal(new URL(`${rootFrom(from)}/`, `${base}${from}`).href, base, from);
      }
});
