/** Goal: what a frame carries is read as JSON once, and what is none is told apart from every value JSON has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Frame } from './frame.ts';

test('a value is read once, whoever asks', () => {
  const frame = frameOf('{"a":[1]}');
  assert.deepEqual(frame.json(), { a: [1] });
  assert.equal(frame.json(), frame.json());
});

test('no data and no JSON are undefined, also when asked again; null is a value', () => {
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
