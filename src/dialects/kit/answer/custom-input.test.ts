/**
 * Goal: the text of a custom tool's call arrives as the model wrote it, however the arguments are cut. Method: arguments of all kinds, cut
 * at every place and into random pieces.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CustomInputText, customInputOf } from './custom-input.ts';

/** Arguments → the text. */
const rows: readonly (readonly [string, string])[] = [
  ['{"input":"SELECT 1"}', 'SELECT 1'],
  ['{"input":""}', ''],
  [' {\n "input" : "a" } ', 'a'],
  ['{"input":"a\\n\\"b\\" \\\\ \\u00e9 \\ud83d\\ude00 \\/"}', 'a\n"b" \\ é 😀 /'],
  ['{"input":"\\\\ud83d"}', '\\ud83d'],
  ['{"_raw":"*** Begin Patch"}', '*** Begin Patch'],
  ['{"input":"a","more":1}', 'a'],
  // A line break that is not escaped is not JSON, but its meaning is clear.
  ['{"input":"a\nb\\tc"}', 'a\nb\tc'],
  // Not the one string: passed on as it is.
  ['{"more":1,"input":"a"}', 'a'],
  ['{"command":"ls"}', '{"command":"ls"}'],
  ['{"input":7}', '{"input":7}'],
  ['[1]', '[1]'],
  ['ls -l', 'ls -l'],
  ['', ''],
  // Cut off by the output cap.
  ['{"input":"ab', 'ab'],
  ['{"input":"ab\\u00', 'ab'],
];

test('the text is the same at every cut', () => {
  for (const [json, text] of rows) {
    for (let at = 0; at <= json.length; at += 1) assert.equal(read([json.slice(0, at), json.slice(at)]), text, json);
    assert.equal(read([...json]), text, json);
  }
});

test('any text in any pieces is given whole, and no piece ends within a pair of code units', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(9)), fc.boolean(), (text, lengths, ascii) => {
      const written = JSON.stringify({ input: text });
      const json = ascii ? written.replace(/[^\0-\x7f]/g, escaped) : written;
      const pieces: string[] = [];
      let at = 0;
      for (const length of lengths) {
        pieces.push(json.slice(at, at + length));
        at += length;
      }
      pieces.push(json.slice(at));
      assert.equal(read(pieces, ascii), text);
    }),
    { numRuns: 1000, seed: 20261123 },
  );
});

test('the text of whole arguments', () => {
  assert.equal(customInputOf({ input: 'a' }), 'a');
  assert.equal(customInputOf({ _raw: 'a' }), 'a');
  assert.equal(customInputOf({ command: 'a' }), '{"command":"a"}');
});

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function read(pieces: readonly string[], checksPairs = false): string {
  const reading = new CustomInputText();
  const parts = pieces.map((piece) => reading.add(piece));
  if (checksPairs) for (const part of parts) assert.ok(part.isWellFormed());
  return parts.join('') + reading.rest();
}
