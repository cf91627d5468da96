/** Goal: a stream of bytes passes as it arrived, and is never taken for events. Method: pieces of every kind, and frames of the other framings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteSplitter, isBytes } from './byte-splitter.ts';
import { encodeSse, SseSplitter } from './sse-splitter.ts';

test('every piece is one frame with the same bytes, and nothing is kept back', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
      const splitter = new ByteSplitter();
      const frames = pieces.flatMap((piece) => splitter.push(Buffer.from(piece)));
      assert.deepEqual(
        Buffer.concat(frames.map(({ bytes }) => bytes)),
        Buffer.concat(pieces.map((piece) => Buffer.from(piece))),
      );
      assert.ok(frames.every((frame) => isBytes(frame) && frame.data?.equals(frame.bytes)));
      assert.equal(splitter.end().length, 0);
      assert.equal(splitter.isBetweenFrames, false);
    }),
  );
});

test('an event of a stream of events is no piece of bytes', () => {
  for (const text of ['data:{}\n\n', ': comment\n\n', '\n', 'data: a\ndata: b\n\n', encodeSse('x', '1').toString()])
    for (const frame of new SseSplitter().push(Buffer.from(text))) assert.equal(isBytes(frame), false, text);
});
