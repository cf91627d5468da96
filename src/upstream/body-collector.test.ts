/** Goal: an answer that is gathered has exactly one outcome. Method: all orders of events. */
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

test('the pieces are one body, up to the last byte allowed', () => {
  const { sink, outcomes } = collecting();
  for (const piece of ['one', 'two', 'four']) sink.chunk(Buffer.from(piece));
  sink.end();
  assert.deepEqual(outcomes, ['whole onetwofour']);
});

test('a single piece is handed on as it is, none is an empty body', () => {
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

test('one byte too many ends it, and nothing after that counts', () => {
  const { sink, outcomes } = collecting();
  sink.chunk(Buffer.alloc(10));
  sink.chunk(Buffer.alloc(1));
  sink.chunk(Buffer.alloc(1));
  sink.fail(new Error('late'));
  sink.end();
  assert.deepEqual(outcomes, ['too large']);
});

test('a connection that breaks is told once, and no whole body follows', () => {
  const { sink, outcomes } = collecting();
  sink.chunk(Buffer.from('a'));
  sink.fail('reset');
  sink.fail('again');
  sink.end();
  assert.deepEqual(outcomes, ['broken reset']);
});

test('what comes after the end changes nothing', () => {
  const { sink, outcomes } = collecting();
  sink.end();
  sink.fail('late');
  sink.chunk(Buffer.alloc(99));
  assert.deepEqual(outcomes, ['whole ']);
});
