/**
 * Goal: a tool call's arguments reach the other format with their meaning, or as the original text, and never throw. Method: texts as
 * models write them, and broken ones.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolInput } from './tool-input.ts';

test('an object is itself, and no text is an object without fields', () => {
  assert.deepEqual(toolInput('{"a":[1,true]}'), { a: [1, true] });
  assert.deepEqual(toolInput(' \n'), {});
});

test('numbers keep their digits', () => {
  const text = '{"id":12345678901234567890,"far":1e400}';
  assert.equal(JSON.stringify(toolInput(text)), text);
});

test('what is not an object stays text', () => {
  for (const text of ['[1]', 'null', '"a"', '12345678901234567890', '{"a":', 'ls -la']) {
    assert.deepEqual(toolInput(text), { _raw: text });
  }
});

test('arguments nested deeper than a request may be stay text', () => {
  const nested = (levels: number, inner = '1') => `{"a":${'['.repeat(levels)}${inner}${']'.repeat(levels)}}`;
  assert.deepEqual(Object.keys(toolInput(nested(127))), ['a']);
  for (const levels of [128, 8_000, 100_000]) {
    assert.deepEqual(toolInput(nested(levels)), { _raw: nested(levels) });
    assert.deepEqual(toolInput(nested(levels, '1e400')), { _raw: nested(levels, '1e400') });
  }
});

test('arguments with more long numbers than can be kept stay text as well', () => {
  const text = `{"a":[${'1e400,'.repeat(10_000)}1e400]}`;
  assert.deepEqual(toolInput(text), { _raw: text });
});
