/**
 * Goal: an overload sheds new calls, those of whoever offers the most first, and nothing is shed without one. Method: figures that
 * the test sets, a clock that it moves, and callers that offer calls between two looks.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { CallShares } from './call-shares.ts';
import { LoadGuard } from './load-guard.ts';

const WINDOW_MS = 500;

function subject() {
  const clock = new ManualClock();
  const shares = new CallShares(64);
  const figures = { loopDelayMs: 0, memoryUse: 0.1 };
  const measures = { loopDelayMs: () => figures.loopDelayMs, memoryUse: () => figures.memoryUse };
  const guard = new LoadGuard(clock, measures, () => ({ loopDelayMs: 100 }), shares);
  /** Calls of one key, at once; how many are let in. */
  const offer = (account: number, key: number, calls: number): number => {
    let admitted = 0;
    for (let call = 0; call < calls; call += 1) if (guard.judge(shares.of(account, key)) === null) admitted += 1;
    return admitted;
  };
  const next = () => clock.advance(WINDOW_MS);
  /** Two windows with these figures and some calls, after which they are taken for an overload. */
  const suffer = (figure: Partial<typeof figures>, calls: () => void): void => {
    Object.assign(figures, figure);
    for (let window = 0; window < 2; window += 1) {
      calls();
      next();
    }
  };
  return { clock, guard, shares, figures, offer, next, suffer };
}

test('without an overload everything is let in', () => {
  const { offer, next, guard } = subject();
  for (let window = 0; window < 5; window += 1) {
    assert.equal(offer(1, 11, 1000), 1000);
    next();
  }
  assert.equal(guard.view.shortage, null);
});

describe('a late event loop', () => {
  test('for a second: half of new calls are shed, then half of the rest; afterwards all are let in again', () => {
    const { offer, next, suffer, figures, guard } = subject();
    suffer({ loopDelayMs: 150 }, () => offer(1, 11, 1000));
    assert.equal(guard.view.shortage, 'loop_delay');
    assert.equal(offer(1, 11, 1000), 500);
    next();
    assert.equal(offer(1, 11, 1000), 250);
    figures.loopDelayMs = 5;
    const admitted: number[] = [];
    for (let window = 0; window < 6; window += 1) {
      next();
      admitted.push(offer(1, 11, 1000));
    }
    assert.deepEqual(admitted, [375, 563, 844, 1000, 1000, 1000]);
    assert.equal(guard.view.shortage, null);
  });

  test('for half a second, such as in one long turn, sheds nothing', () => {
    const { offer, next, figures } = subject();
    for (let window = 0; window < 6; window += 1) {
      figures.loopDelayMs = window % 2 === 0 ? 900 : 10;
      assert.equal(offer(1, 11, 1000), 1000);
      next();
    }
  });

  test('five times as long sheds every call, and afterwards begins with half of them', () => {
    const { offer, next, suffer, figures } = subject();
    suffer({ loopDelayMs: 600 }, () => offer(1, 11, 100));
    assert.equal(offer(1, 11, 100), 0);
    figures.loopDelayMs = 5;
    next();
    assert.equal(offer(1, 11, 100), 50);
  });

  test('sheds nothing of the few calls that come', () => {
    const { offer, suffer } = subject();
    suffer({ loopDelayMs: 150 }, () => offer(1, 11, 7));
    assert.equal(offer(1, 11, 7), 7);
  });
});

test('memory that is nearly used up sheds half, and above 92 % all', () => {
  const { offer, next, suffer, figures, guard } = subject();
  suffer({ memoryUse: 0.9 }, () => offer(1, 11, 100));
  assert.equal(guard.view.shortage, 'memory');
  assert.equal(offer(1, 11, 100), 50);
  figures.memoryUse = 0.95;
  next();
  offer(1, 11, 100);
  next();
  assert.equal(offer(1, 11, 100), 0);
});

test('an account that offers little loses nothing, and a key that offers little within one that offers much', () => {
  const { offer, suffer, next } = subject();
  const all = () => [offer(1, 11, 700), offer(1, 12, 100), offer(2, 21, 200)];
  suffer({ loopDelayMs: 150 }, all);
  assert.deepEqual(all(), [200, 100, 200], 'half of a thousand: 300 and 200 for the accounts');
  next();
  assert.deepEqual(all(), [63, 62, 125], 'a quarter: 125 for each account');
});

test('an account that comes while others are shed gets what each of these gets', () => {
  const { offer, suffer } = subject();
  suffer({ loopDelayMs: 150 }, () => offer(1, 11, 1000));
  assert.equal(offer(2, 21, 20), 20);
  assert.ok(offer(3, 31, 10_000) <= 500);
});

test('while there are too many connections every call is shed', () => {
  const { offer, guard } = subject();
  guard.crowded = true;
  assert.equal(offer(1, 11, 10), 0);
  assert.deepEqual([guard.view.shortage, guard.view.admittedPart], ['descriptors', 0]);
  guard.crowded = false;
  assert.equal(offer(1, 11, 10), 10);
});

test('it stops looking when no calls come, and what happened meanwhile counts for nothing', () => {
  const { offer, next, figures, clock, guard } = subject();
  offer(1, 11, 10);
  next();
  next();
  let looks = 0;
  Object.defineProperty(figures, 'loopDelayMs', {
    get: () => {
      looks += 1;
      return 900;
    },
  });
  clock.advance(3_600_000);
  assert.equal(looks, 0);
  assert.equal(offer(1, 11, 1000), 1000);
  assert.equal(guard.view.loopDelayMs, 0);
});
