/**
 * Goal: what is closest to a mistyped name is found, and calls run while many names are compared. Method: random names against every distance computed
 * whole; the steps among as many models as a large configuration has.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nearest, nearestInSteps } from './nearest.ts';

/** Without leaving anything out. */
function distance(left: string, right: string): number {
  const rows = Array.from({ length: left.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let column = 1; column <= right.length; column += 1) rows[0]?.push(column);
  for (let row = 1; row <= left.length; row += 1)
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          ...(isSwap ? [at(row - 2, column - 2) + 1] : []),
        ),
      );
    }
  return at(left.length, right.length);
}

test('the first of those with the fewest edits is found, if no more than a third of the name is wrong', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 8 }), (wanted, candidates) => {
      const most = Math.max(1, Math.floor(wanted.length / 3));
      const near = candidates.filter((each) => distance(wanted, each) <= most);
      const [best = null] = near.toSorted((one, other) => distance(wanted, one) - distance(wanted, other));
      assert.equal(nearest(wanted, candidates), best);
    }),
    { numRuns: 2_000 },
  );
});

test('many candidates are compared in steps', () => {
  const ids = Array.from({ length: 20_000 }, (_, at) => `lab-${at % 300}/model-${at}-instruct`);
  const steps = nearestInSteps('lab-77/model-77-intsruct', ids);
  let count = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      assert.equal(step.value, 'lab-77/model-77-instruct');
      break;
    }
    count += 1;
  }
  assert.ok(count >= ids.length / 200 - 1, `${count} steps`);
});
