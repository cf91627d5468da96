/** Goal: exactly the bytes of `JSON.stringify`, whatever the large text contains and wherever it is. Method: compare both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateScratch, writeJson } from './json-write.ts';

const LARGE = 300 * 1024;
const base64 = 'iVBORw0KGgo+/AAAANSUhEUgAA'.repeat(20_000).slice(0, LARGE + 1);

function check(value: unknown): void {
  assert.ok(writeJson(value, LARGE * 2).equals(Buffer.from(JSON.stringify(value))));
}

test('large texts are in the right position, one or several, at any offset', () => {
  for (let shift = 0; shift < 9; shift += 1) {
    const pad = 'x'.repeat(shift);
    check({ pad, image: base64, after: [1, base64.slice(shift), 'é'], 'ключ "с кавычками"': null });
  }
  check(base64);
  check({ small: 'only' });
});

test('what must be escaped is, at every position in a word and at both ends', () => {
  for (const special of ['"', '\\', '\n', '\u0000', '\u001f', 'é', '€', '\u{1f600}', '\ud800']) {
    for (const place of [0, 1, 2, 3, 4, LARGE - 2, LARGE - 1, LARGE]) {
      check({ text: base64.slice(0, place) + special + base64.slice(place), next: special });
    }
  }
});

test('every plain character passes', () => {
  const all = Array.from({ length: 0x60 }, (_, code) => String.fromCharCode(0x20 + code)).join('');
  check({ text: all.repeat(5_000) });
});

test('small values are written by `JSON.stringify`', () => {
  assert.equal(writeJson({ a: 'b"' }, 10).toString(), '{"a":"b\\""}');
});

test('writes into the scratch memory, or into new memory if that is too small', () => {
  const value = { before: 1, image: base64, after: 'é' };
  const expected = Buffer.from(JSON.stringify(value));
  assert.equal(allocateScratch(base64.length, 1000), null);
  const scratch = allocateScratch(base64.length, LARGE);
  assert.ok(scratch !== null);
  const inside = writeJson(value, LARGE, scratch);
  assert.ok(inside.equals(expected));
  assert.equal(inside.buffer, scratch.buffer);
  const separate = writeJson(value, LARGE, Buffer.alloc(expected.length - 1));
  assert.ok(separate.equals(expected));
});
