/** Goal: an outage does not flood the log, and no failure goes uncounted. Method: a manual clock, lines as they are written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { FailureLog } from './failure-log.ts';

interface Line {
  readonly kind: string;
  readonly count?: number;
}

function open() {
  const clock = new ManualClock();
  const lines: Line[] = [];
  const log = { error: (facts: object) => void lines.push(facts as Line) };
  const failures = new FailureLog({ log: log as never, clock });
  const fail = (kind: string, times = 1) => {
    for (let time = 0; time < times; time += 1) failures.note({ kind, facts: { kind, time } });
  };
  return { clock, lines, fail };
}

test('the first three of a kind have a line each, and the rest of the minute has one, with their number', () => {
  const { clock, lines, fail } = open();
  fail('outage', 5_000);
  fail('other');
  assert.deepEqual(
    lines.map(({ kind }) => kind),
    ['outage', 'outage', 'outage', 'other'],
  );
  clock.advance(60_000);
  assert.deepEqual(lines.slice(4), [{ kind: 'outage', time: 4_999, count: 4_997 }]);
});

test('an outage that goes on has a line a minute; one that begins again has its first lines', () => {
  const { clock, lines, fail } = open();
  fail('outage', 10);
  clock.advance(60_000);
  fail('outage', 10);
  clock.advance(60_000);
  assert.deepEqual(
    lines.map(({ count }) => count ?? 1),
    [1, 1, 1, 7, 10],
  );
  clock.advance(60_000);
  fail('outage');
  assert.deepEqual(lines.at(-1), { kind: 'outage', time: 0 });
  assert.equal(lines.length, 6);
});

test('kinds without number do not fill the memory: those beyond a hundred count as one', () => {
  const { clock, lines, fail } = open();
  for (let kind = 0; kind < 1_000; kind += 1) fail(`kind ${kind}`);
  assert.equal(lines.length, 103);
  clock.advance(60_000);
  assert.equal(lines.at(-1)?.count, 897);
});
