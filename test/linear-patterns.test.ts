/**
 * Goal: no text makes a regular expression take longer than in proportion to its length. Method: every one in `src/` and
 * `web/src/` is read as an automaton and judged (`patterns/growth.ts`); the judge itself by patterns whose growth is known.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findPatterns } from './patterns/find-patterns.ts';
import { type Growth, growthOf } from './patterns/growth.ts';

const root = join(import.meta.dirname, '..');
const files = globSync(['src/**/*.ts', 'web/src/**/*.{ts,tsx}'], { cwd: root }).filter(
  (file) => !/\.test\.ts/.test(file),
);

/** Patterns that are built while the program runs, and why: they are not judged here. */
const DYNAMIC: Readonly<Record<string, string>> = {
  'src/capture/find-keys.ts': 'alternatives that are patterns, each judged where it is written',
  'src/capture/known-keys.ts': 'alternatives that are plain texts',
};

test('every pattern is linear', () => {
  const found = files.map((file) => ({ file, ...findPatterns(file, readFileSync(join(root, file), 'utf8')) }));
  const bad = found.flatMap(({ file, literals }) =>
    literals
      .map((pattern) => ({ ...pattern, file, growth: growthOf(pattern.source, pattern.flags) }))
      .filter(({ growth }) => growth !== 'linear')
      .map(({ line, source, flags, growth }) => `${file}:${line} /${source}/${flags} is ${growth}`),
  );
  assert.deepEqual(bad, []);
  const dynamic = found.filter((one) => one.dynamic.length > 0).map(({ file }) => file);
  assert.deepEqual(dynamic, Object.keys(DYNAMIC), 'a pattern built from a string needs a reason here');
  assert.ok(found.flatMap(({ literals }) => literals).length > 150, 'patterns are found at all');
});

const KNOWN: readonly [pattern: RegExp, growth: Growth][] = [
  // A search starts again at every character it has just read.
  [/0+$/, 'polynomial'],
  [/\s+$/m, 'polynomial'],
  [/\w+@/, 'polynomial'],
  [/<[^>]*>/g, 'polynomial'],
  [/(?=\d+)x/, 'polynomial'],
  [/\B(?=(\d{3})+$)/g, 'polynomial'],
  [/(?:a+b)?/g, 'polynomial'],
  [/a+b|a/g, 'polynomial'],
  [/\bsk[\w.-]*\d/, 'polynomial'],
  [/-{1,5000}>/, 'polynomial'],
  // Two loops share the characters between them.
  [/^a*a*$/, 'polynomial'],
  [/^\s*,?\s*$/, 'polynomial'],
  [/^(\d*)\.?(\d*)$/, 'polynomial'],
  // A loop in a loop, and alternatives that begin alike.
  [/^(a*)*$/, 'exponential'],
  [/^(?:a|aa)+$/, 'exponential'],
  [/^(?:x?y?)*z/, 'exponential'],
  [/(?:(?:a+)+b)?/, 'exponential'],
  [/^(?:[\w-]+\.?)+$/, 'exponential'],
  [/\{(?:\s*"[^"]*"\s*:\s*"[^"]*"\s*,?)*\s*\}/y, 'exponential'],
  // What precedes a run lets a search start at its first character only.
  [/(?<!0)0+$/, 'linear'],
  [/\b\w+@/, 'linear'],
  [/(?:^|\n)x*$/, 'linear'],
  [/^x*$/m, 'linear'],
  [/^0+$/, 'linear'],
  // It matches wherever it starts, so it does not start again.
  [/\d+/g, 'linear'],
  [/[a-z]+\d?/i, 'linear'],
  [/^\s*\S*\s*$/, 'polynomial'],
  [/^(?:"(?:[^"\\]|\\.)*"|[^"])*$/s, 'linear'],
  [/-{1,50}>/, 'linear'],
  // Two sets that contain no character.
  [/^[\p{Lu}]*[\p{Ll}]*$/u, 'linear'],
  [/^[\p{Lu}]*[\p{Ll}]*$/iu, 'polynomial'],
  [/(a)\1+/, 'unknown: a back reference'],
  [/(?<=a+)b/, 'unknown: a look behind at more than characters'],
];

for (const [pattern, growth] of KNOWN)
  test(`${pattern} is ${growth}`, () => assert.equal(growthOf(pattern.source, pattern.flags), growth));

test('patterns are found in the syntax, wherever they are', () => {
  const text = [
    'const a = /x+/g, b = 4 / 2 / 1;',
    `const c = 'no /pattern/', d = \`\${/in a template/u}\`; // /nor here/`,
    "new RegExp(a); RegExp('x'); text.match('x'); text.match(/y/); globalThis.RegExp(c);",
  ].join('\n');
  const { literals, dynamic } = findPatterns('a.ts', text);
  assert.deepEqual(
    literals.map(({ source, flags, line }) => `${line} ${source} ${flags}`),
    ['1 x+ g', '2 in a template u', '3 y '],
  );
  assert.deepEqual(dynamic, [3, 3, 3, 3]);
  assert.equal(findPatterns('b.tsx', 'const e = <p title={/z/.source}>/not this/</p>;').literals.length, 1);
});
