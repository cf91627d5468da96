/** Goal: no line is lost or out of order, with few writes. Method: a destination that records its writes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineBuffer } from './line-buffer.ts';

function gathered() {
  const sent: string[] = [];
  const asked: (() => void)[] = [];
  const lines = new LineBuffer(
    (text) => sent.push(text),
    (flush) => asked.push(flush),
  );
  return { sent, asked, lines };
}

test('lines wait for the flush, and are written in order in one piece', () => {
  const { sent, lines } = gathered();
  for (const word of ['one', 'two', 'three']) lines.write(`${word}\n`);
  assert.deepEqual(sent, []);
  lines.flush();
  assert.deepEqual(sent, ['one\ntwo\nthree\n']);
});

test('many lines are written without a flush, thousands in a few writes', () => {
  const { sent, lines } = gathered();
  const written = Array.from({ length: 5_000 }, (_, index) => `line ${index} ${'x'.repeat(100)}\n`);
  for (const line of written) lines.write(line);
  assert.ok(sent.length > 10 && sent.length < 30, `${sent.length} writes`);
  lines.flush();
  assert.equal(sent.join(''), written.join(''));
});

test('a flush without lines writes nothing', () => {
  const { sent, lines } = gathered();
  lines.flush();
  lines.write('one\n');
  lines.flush();
  lines.flush();
  assert.deepEqual(sent, ['one\n']);
});

test('one flush is scheduled for the lines of a moment, and none while there are no lines', () => {
  const { sent, asked, lines } = gathered();
  assert.equal(asked.length, 0);
  for (const word of ['one', 'two', 'three']) lines.write(`${word}\n`);
  assert.equal(asked.length, 1);
  asked[0]?.();
  assert.deepEqual(sent, ['one\ntwo\nthree\n']);
  lines.write('four\n');
  assert.equal(asked.length, 2);
});
