/** Goal: the rest of a stream is an event only if nothing but its blank line is missing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameOfRest } from './sse-rest.ts';

test('an event without its blank line is read, one that was cut off is not', () => {
  for (const rest of ['data: {"a":1}', 'data: {"a":1}\n', 'event: e\ndata: {"a":1}\r\n', ': c\ndata: {"a":1}']) {
    assert.deepEqual(frameOfRest(Buffer.from(rest))?.data?.toString(), '{"a":1}', rest);
  }
  for (const rest of ['{"a":1}', '{\n "a":1\n}\n']) {
    const frame = frameOfRest(Buffer.from(rest));
    assert.deepEqual([frame?.json(), frame?.bytes.toString()], [{ a: 1 }, `${rest}\n\n`]);
  }
  for (const rest of ['{"a"', '[1]', '7', '', ': c', 'data: {"a"', 'data: [DONE]', 'event: e', 'dat', '\r'])
    assert.equal(frameOfRest(Buffer.from(rest)), null, rest);
});
