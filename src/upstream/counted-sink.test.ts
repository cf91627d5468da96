/** Goal: what arrives is counted before it is kept, and a limit ends the answer once. Method: a sink that notes what it gets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountedSink } from './counted-sink.ts';

function noting() {
  const noted: string[] = [];
  const sink = {
    chunk: (bytes: Buffer) => void noted.push(`chunk ${bytes}`),
    end: () => void noted.push('end'),
    fail: (error: unknown) => void noted.push(`fail ${(error as Error).message}`),
  };
  return { noted, sink };
}

test('says how many bytes have arrived before it passes them on', () => {
  const { noted, sink } = noting();
  const counted = new CountedSink(sink, (bytes) => void noted.push(String(bytes)));
  counted.chunk(Buffer.from('ab'));
  counted.chunk(Buffer.from('c'));
  counted.end();
  assert.deepEqual(noted, ['2', 'chunk ab', '3', 'chunk c', 'end']);
});

test('ends the answer once with what is thrown, and passes on nothing more', () => {
  const { noted, sink } = noting();
  const counted = new CountedSink(sink, (bytes) => {
    if (bytes > 2) throw new Error('enough');
  });
  for (const text of ['ab', 'c', 'd']) counted.chunk(Buffer.from(text));
  counted.end();
  counted.fail(new Error('late'));
  assert.deepEqual(noted, ['chunk ab', 'fail enough']);
});
