/**
 * Goal: no text grows by more than the stated bound when it is normalised. Method: every Unicode character on its own, random texts of
 * characters that grow and of characters that interact, as they are and as escapes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GrowthCounter, normalisedGrowth, WORST_GROWTH } from './normalised-growth.ts';

const FORMS = ['NFC', 'NFKC'] as const;
const grownBytes = (text: string) => Math.max(...FORMS.map((form) => Buffer.byteLength(text.normalize(form))));
const escaped = (text: string) =>
  text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

test('every character, alone and after a letter, is within its bound', () => {
  let worst = 0;
  for (let code = 1; code < 0x110000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = String.fromCodePoint(code);
    const bytes = Buffer.from(text);
    const grown = grownBytes(text);
    if (grown <= bytes.length) continue;
    const growth = normalisedGrowth(bytes);
    assert.ok(grown <= bytes.length + growth, `U+${code.toString(16)}: ${grown} bytes of ${bytes.length}`);
    worst = Math.max(worst, grown / bytes.length);
  }
  assert.equal(worst, 1 + WORST_GROWTH);
});

const growing = [
  ...'\u00bd\u0149\u0344\u0385\u0958\u0f77\u1fee\u2057\u2a0c\u3300\u337f\ufb2c\ufdfa\ufdfb\u{1d160}\u{1f240}',
];
const composed = [...'é\u01d5ǖệ\u1f82ậ가각が\u1e69\u1edf\u0958\u0344'];
const marks = [
  ...'\u0300\u0301\u0304\u0308\u031b\u0323\u0324\u0327\u0328\u032d\u0330\u0331\u0345\u3099\u0f72\u0f74\u0f71\u05b0\u064b\u093c',
];
const plain = [...'ab 日本語한글ไทยРус😀'];

test('no text of characters that grow, or that interact, exceeds the bound', () => {
  const unit = fc.constantFrom(...growing, ...composed, ...composed, ...marks, ...marks, ...marks, ...plain);
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      const text = units.join('');
      for (const written of [text, escaped(text)]) {
        const bytes = Buffer.from(written);
        assert.ok(grownBytes(text) <= bytes.length + normalisedGrowth(bytes), JSON.stringify(escaped(text)));
      }
    }),
    { numRuns: Number(process.env['TURNPIKE_PROVE_RUNS'] ?? 20_000) },
  );
});

test('text that does not grow costs nothing', () => {
  for (const text of [
    '',
    'Ahoy',
    'Ärger, 日本語, 한국어, Русский, 😀',
    escaped('Ärger, 日本語, 😀'),
    'C:\\\\user',
    '\\\\ufdfa',
  ]) {
    assert.equal(normalisedGrowth(Buffer.from(text)), 0, text);
  }
});

test('a character that lies across two steps is counted once', () => {
  for (let lead = 65_530; lead <= 65_540; lead += 1) {
    for (const text of ['\ufdfa', '\\ufdfa']) {
      const bytes = Buffer.from(`${'x'.repeat(lead)}${text}${'x'.repeat(70_000)}`);
      assert.equal(normalisedGrowth(bytes), 30, `${lead} ${text}`);
    }
  }
});

test('text that is longer than any context window is assumed to be the worst case', () => {
  const bytes = Buffer.alloc(8 * 1024 * 1024, Buffer.from('é'));
  assert.equal(normalisedGrowth(bytes), 6 * 1024 * 1024 * WORST_GROWTH);
});

test('a body in pieces has the same bound as the whole, wherever it is cut', () => {
  const unit = fc.constantFrom('\\\\', '\\ufdfa', '\\\\ufdfa', '\\u0041', 'ﷺ', 'a', '日', '\\"', 'u', '\\n');
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 60 }), fc.array(fc.nat(200), { maxLength: 6 }), (units, cuts) => {
      const bytes = Buffer.from(units.join(''));
      const counter = new GrowthCounter();
      for (const cut of cuts.sort((left, right) => left - right)) counter.feed(bytes, Math.min(cut, bytes.length));
      assert.equal(counter.finish(bytes, bytes.length), normalisedGrowth(bytes));
    }),
    { numRuns: 5_000 },
  );
});

test('an escape is found where it begins, also after the end of a step and a run of backslashes', () => {
  for (let before = 65_530; before < 65_545; before += 1)
    for (const run of ['', '\\\\', '\\\\\\\\'])
      assert.equal(normalisedGrowth(Buffer.from(`${'a'.repeat(before)}${run}\\ufdfa`)), 30, `${before} ${run}`);
});
