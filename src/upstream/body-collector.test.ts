/** Goal: a collected answer has exactly one outcome. Method: all orders of events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyCollector } from './body-collector.ts';

function collecting(bytesMax = 10) {
  const outcomes: string[] = [];
  const sink = new BodyCollector(bytesMax, {
    whole: (body) => outcomes.push(`whole ${body}`),
    tooLarge: () => outcomes.push('too large'),
    broken: (error) => outcomes.push(`broken ${error}`),
  });
  return { sink, outcomes };
}

test('the pieces become one body, up to the last byte allowed', () => {
  const { sink, outcomes } = collecting();
  for (const piece of ['one', 'two', 'four']) sink.chunk(Buffer.from(piece));
  sink.end();
  assert.deepEqual(outcomes, ['whole onetwofour']);
});

test('a single piece is passed on as it is, and no piece is an empty body', () => {
  const piece = Buffer.from('one');
  const bodies: Buffer[] = [];
  const outcome = { whole: (body: Buffer) => void bodies.push(body), tooLarge: () => {}, broken: () => {} };
  const one = new BodyCollector(10, outcome);
  one.chunk(piece);
  one.end();
  assert.equal(bodies[0], piece);
  new BodyCollector(10, outcome).end();
  assert.equal(bodies[1]?.length, 0);
});

test('one byte too many ends the collection, and later events are ignored', () => {
  const { sink, outcomes } = collecting();
  sink.chunk(Buffer.alloc(10));
  sink.chunk(Buffer.alloc(1));
  sink.chunk(Buffer.alloc(1));
  sink.fail(new Error('late'));
  sink.end();
  assert.deepEqual(outcomes, ['too large']);
});

test('a broken connection is reported once, and no whole body follows', () => {
  const { sink, outcomes } = collecting();
  sink.chunk(Buffer.from('a'));
  sink.fail('reset');
  sink.fail('again');
  sink.end();
  assert.deepEqual(outcomes, ['broken reset']);
});

test('events after the end change nothing', () => {
  const { sink, outcomes } = collecting();
  sink.end();
  sink.fail('late');
  sink.chunk(Buffer.alloc(99));
  assert.deepEqual(outcomes, ['whole ']);
});
