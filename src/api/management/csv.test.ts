/** Goal: a table is read back as it was written, and no cell of it is a formula. Method: cells that are known to do harm. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCsv } from './csv.ts';

test('lines end with CR LF, cells with commas, quotes and line breaks are quoted', async () => {
  assert.equal(
    await writeCsv(
      ['a', 'b'],
      [
        ['one, two', 'say "hi"'],
        ['line\r\nbreak', null],
        [1.5, ''],
      ],
    ),
    'a,b\r\n"one, two","say ""hi"""\r\n"line\r\nbreak",\r\n1.5,\r\n',
  );
});

test('a text that a spreadsheet would take for a formula gets an apostrophe in front', async () => {
  for (const text of ['=1+1', '+1-1', '-2+3', '@SUM(A1)', '\t=1', '＝1'])
    assert.ok((await writeCsv(['a'], [[text]])).startsWith(`a\r\n'${text}`), text);
  assert.equal(await writeCsv(['a'], [['\r=1']]), 'a\r\n"\'\r=1"\r\n');
});

test('amounts stay numbers, negative ones too', async () => {
  assert.equal(await writeCsv(['a'], [['-0.000000001'], [-5]]), 'a\r\n-0.000000001\r\n-5\r\n');
});
