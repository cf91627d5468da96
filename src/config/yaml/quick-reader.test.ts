/**
 * Goal: a file means the same whichever reader reads it. Method: what the quick reader takes is compared with the complete one, value by
 * value and line by line: notations where readers of YAML differ, the example file, and made-up files with random damage.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { runAtOnce } from '../../core/turns/steps.ts';
import { readCompletely } from './complete-reader.ts';
import { lineCounter } from './line-of.ts';
import { readQuickly } from './quick-reader.ts';
import type { YamlNode } from './yaml-node.ts';

/** Names and values with their lines, and plain text as written. */
function shown(node: YamlNode, lineAt: (offset: number) => number): unknown {
  if (node.kind === 'scalar') return node.isPlain ? [node.value, node.source] : [node.value];
  const lines = node.offsets.map((offset) => offset !== null && lineAt(offset));
  const values = node.values.map((value) => shown(value, lineAt));
  return node.kind === 'map' ? { names: node.names, lines, values } : { lines, values };
}

/** Whether the quick reader takes it; fails if it reads anything else than the complete one. */
function takes(text: string): boolean {
  const quick = runAtOnce(readQuickly(text));
  if (quick === null) return false;
  const complete = readCompletely(text);
  assert.ok('kind' in complete, `a mistake was accepted: ${JSON.stringify({ text, complete })}`);
  const lineAt = lineCounter(text);
  assert.deepEqual(shown(quick, lineAt), shown(complete, lineAt), JSON.stringify(text));
  return true;
}

const PLAIN = [
  ...[
    'yes',
    'No',
    'on',
    'OFF',
    'y',
    'true',
    'True',
    'TRUE',
    'tRUE',
    'false',
    'null',
    'Null',
    'NULL',
    'nULL',
    '~',
    '~x',
  ],
  ...[
    '0',
    '-0',
    '+1',
    '00',
    '010',
    '0o17',
    '0o8',
    '0x1F',
    '0xg',
    '0b11',
    '1_000',
    '1e3',
    '1E-7',
    '1.',
    '.5',
    '-.5',
    '1.e3',
  ],
  ...[
    '+.inf',
    '-.INF',
    '.iNF',
    '.nan',
    '-.nan',
    '.NaN',
    '190:20:30',
    '1.50',
    '12345678901234567890',
    '1e400',
    '0.1e',
    '--1',
  ],
  ...[
    '2026-01-02',
    '2026-01-02T03:04:05Z',
    '=',
    '<<',
    '-',
    '--',
    '---',
    '-x',
    '.',
    '...',
    '.x',
    '1x',
    'a b',
    'a:b',
    'a#b',
    'a #b',
  ],
  ...[
    'a: b',
    'a:',
    ':a',
    '?a',
    '? a',
    '@a',
    '`a',
    '%a',
    '!a',
    '!!str 1',
    '&a b',
    '*a',
    '|',
    '>',
    '>-',
    'a\\nb',
    'a"b',
    "a'b",
    'é',
    '\u{1f600}',
  ],
  ...[
    'http://x:1/y?z=1#a',
    '$' + '{A:-b}',
    '{',
    '}',
    '[',
    ']',
    ',',
    'a, b',
    'a]',
    'a\u00a0',
    '\u00a0',
    'a\u2028b',
    'a\tb',
    '"',
    "'",
  ],
  ...[
    '"a"',
    '"a" b',
    '"a\\tb"',
    '"\\x41"',
    '"\\ud83d\\ude00"',
    '"\\/"',
    '"\\q"',
    '"\\\\"',
    '"\\""',
    "'it''s'",
    "'a",
    '"a',
    '""',
    "''",
  ],
  ...[
    "'a' #b",
    '"a"#b',
    '{a: 1}',
    '{a:1}',
    '{a: 1, a: 2}',
    '{"a":1}',
    '{"a": {}}',
    '[]',
    '[ ]',
    '[a, b]',
    '[a,b]',
    '[a, b,]',
    '[a b]',
  ],
  ...[
    '[1, 1e3, 0x1F, true, ~]',
    '[a: b]',
    '{a}',
    '[[1], {b: [2]}]',
    '[-1, -a, .5, +1]',
    '[a]b',
    '[a] #b',
    '[a]#b',
    '{true: 1}',
    "{'a':1}",
  ],
];

test('a value means the same wherever it stands', () => {
  const places = [
    (value: string) => `a: ${value}\n`,
    (value: string) => `a:   ${value}   \nb: 1\n`,
    (value: string) => `a:\n  b: ${value} # why\n  c: ${value}`,
    (value: string) => `- ${value}\n- b: ${value}\n  c: 1\n`,
    (value: string) => `${value}: 1\nb: 2\n`,
    (value: string) => `${value}\n`,
    (value: string) => `a:\n  ${value}\n`,
    (value: string) => `a: [${value}, {b: ${value}}]\n`,
    (value: string) => `{"a": ${value},\n"b" : [\n${value}]}\n`,
    (value: string) => `a: ${value}\n  more\n`,
  ];
  const taken = PLAIN.flatMap((value) => places.map((place) => takes(place(value)))).filter(Boolean);
  assert.ok(taken.length > 400, `${taken.length}`);
});

test('lines mean the same however they are indented', () => {
  const texts = [
    ...[
      'a:\n- 1\n- b: 2\n  c:\n  - 3\nd: 4\n',
      'a:\n  - - 1\n',
      '- a\n-\n  b: 1\n',
      '- a: 1\n   b: 2\n',
      '- a: 1\n b: 2\n',
      'a: 1\n b: 2\n',
    ],
    ...[
      'a:\nb:\n',
      'a:\n  # only\n\nb: # none\n',
      '  a: 1\n  b: 2\n',
      '  a: 1\nb: 2\n',
      'a:\n    b: 1\n  c: 2\n',
      'a: 1\n- b\n',
      '- a\nb: 1\n',
    ],
    ...[
      'a: 1\n...\n',
      '---\na: 1\n',
      'a: 1\n---\nb: 2\n',
      '%YAML 1.2\n---\na: 1\n',
      'a: 1\r\nb: 2\r\n',
      '\ufeffa: 1\n',
      'a:\n\t- b\n',
      '',
    ],
    ...[
      '#\n',
      ' # x\na: 1\n',
      'a: [1,\n2]\n',
      'a: [1,\n  2\n]\n',
      'a: [1,\n  2\n  ]\n',
      'a: {\n  b: 1 # c\n  }\n',
      '- [1,\n  2]\n- 3\n',
      '{}\na: 1\n',
    ],
    ...[
      'a: &x 1\nb: *x\n',
      'a: "b\n  c"\n',
      'a: |\n  b\n',
      '<<: {a: 1}\nb: 2\n',
      'a: 1\na: 2\n',
      '? a\n: b\n',
      '- a: 1\n- a: 2\n',
      '{"a":\n1}',
      '[\n]\n',
    ],
  ];
  assert.equal(texts.filter(takes).length, 10);
});

test('the example file and files like JSON are read quickly', () => {
  assert.ok(
    takes(
      readFileSync(join(import.meta.dirname, '../../../turnpike.example.yaml'), 'utf8').replace(/^# ?(?=\w+:)/gm, ''),
    ),
  );
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 }),
      (value) => {
        const text = JSON.stringify(value);
        takes(text);
        takes(JSON.stringify(value, null, 2));
      },
    ),
    { seed: 1, numRuns: 100 },
  );
});

test('damage never changes what a file means', () => {
  const whole = [
    'port: 1 # here\nlog: { level: debug, format: "json" }\nproviders:\n  - name: lab\n    origin: http://10.0.0.5:8000/v1\n',
    "    models:\n    - id: 'lab/it''s'\n      upstream: m-1\n      prices: {input: 1.50, output: 2e3}\n      inputModalities: [text,\n        image]\n",
    '  - name: two\n    kind:\n    credential: "$' + '{KEY}\\u00e9"\naliases: []\n',
  ].join('');
  assert.ok(takes(whole));
  const marks = [...' \n:-#"\'{}[],&*!|>?%~\t\\0a.'];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length), fc.nat(3), fc.constantFrom(...marks)), { minLength: 1, maxLength: 3 }),
      (edits) => {
        let text = whole;
        for (const [at, drop, mark] of edits) text = text.slice(0, at) + mark + text.slice(at + drop);
        takes(text);
      },
    ),
    { seed: 2, numRuns: 2_000 },
  );
});
