/**
 * Goal: a table is read back as it was written, and no cell is read as a formula, whatever the separator of the reader. Method: known
 * malicious cells, parsed as spreadsheets do with several separators.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine, csvLines } from './csv.ts';

test('lines end with CR LF, cells with commas, quotes and line breaks are quoted', () => {
  assert.equal(
    csvLines([
      ['a', 'b'],
      ['one, two', 'say "hi"'],
      ['line\r\nbreak', null],
      [1.5, ''],
    ]),
    'a,b\r\n"one, two","say ""hi"""\r\n"line\r\nbreak",\r\n1.5,\r\n',
  );
});

const FORMULAS = [
  '=1+1',
  '+1-1',
  '-2+3',
  '@SUM(A1)',
  '＝1',
  '＋1',
  '－1',
  '＠1',
  ' =1',
  '"=1"',
  '\u00a0=1',
  '\t=1',
  '\r=1',
  '\n=1',
  'a;=cmd()',
  'a; =cmd()',
  'a;"=cmd()"',
  'a;＝cmd()',
  'a;\t=cmd()',
  'a\t=cmd()',
  'a\r=cmd()',
  'a\n+cmd()',
  'a;;-1+cmd()',
  ';=cmd()',
  "a;'=cmd()",
];

/** The cells as a reader with this separator sees them: quotes count only at the start of a cell. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === separator || character === '\r' || character === '\n') {
      cells.push(cell);
      cell = '';
    } else if (character === '"' && cell === '') isQuoted = true;
    else cell += character;
  }
  return [...cells, cell];
}

for (const separator of [',', ';', '\t'])
  test(`with the separator ${JSON.stringify(separator)} no cell is a formula`, () => {
    for (const formula of FORMULAS)
      for (const row of [[formula], ['x', formula, 'y'], [formula, formula], ['say "x"', formula]])
        for (const cell of cellsOf(csvLine(row), separator))
          assert.doesNotMatch(
            cell,
            /^[\s"]*[=+\-@＝＋－＠]/,
            `${JSON.stringify(row)} → ${JSON.stringify(csvLine(row))}`,
          );
  });

test('text that is not a formula stays unchanged', () => {
  for (const text of ['a=b', 'gpt-4.1', 'me@example.com', 'a; b', 'one\ttwo', "it's", 'a - b', '1+1'])
    assert.deepEqual(cellsOf(csvLine([text]), ','), [text]);
});

test('amounts stay numbers, including negative ones', () => {
  assert.equal(csvLines([['-0.000000001'], [-5]]), '-0.000000001\r\n-5\r\n');
});

test('a megabyte of separators takes linear time', () => {
  const text = ';"'.repeat(500_000);
  const startedAt = performance.now();
  csvLine([text]);
  assert.ok(performance.now() - startedAt < 2_000);
});
