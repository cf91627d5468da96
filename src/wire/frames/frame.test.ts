/** Goal: a frame's data is parsed as JSON once, and data that is not JSON differs from every JSON value. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Frame } from './frame.ts';

test('a value is parsed once, however often it is read', () => {
  const frame = frameOf('{"a":[1]}');
  assert.deepEqual(frame.json(), { a: [1] });
  assert.equal(frame.json(), frame.json());
});

test('without data, or without JSON, the value is undefined each time; null is a value', () => {
  for (const data of [null, '', '{"a"', '[DONE]', '\ufeff{}']) {
    const frame = frameOf(data);
    assert.deepEqual([frame.json(), frame.json()], [undefined, undefined], String(data));
  }
  assert.equal(frameOf('null').json(), null);
});

function frameOf(data: string | null): Frame {
  const bytes = Buffer.from(data ?? '');
  return new Frame(bytes, null, data === null ? null : bytes, 0);
}
