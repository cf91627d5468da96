/** Goal: no account and no key can use up a shared resource. Method: amounts taken and given back, by hand and at random. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FairShares } from './fair-shares.ts';

test('a key gets a quarter of an empty gateway, its account half', () => {
  const shares = new FairShares(1000);
  assert.equal(shares.keyMax, 250);
  assert.equal(shares.of(1, 1).take(251), 'never');
  assert.equal(shares.of(1, 1).take(250), null);
  assert.equal(shares.of(1, 1).take(1), 'full');
  // The account's other key gets half of what is left of the account's half.
  assert.equal(shares.of(1, 2).take(126), 'full');
  assert.equal(shares.of(1, 2).take(125), null);
  assert.equal(shares.used, 375);
});

test('another account still gets its share after one has taken all it can', () => {
  const shares = new FairShares(1000);
  for (let key = 1; key <= 50; key += 1) while (shares.of(1, key).take(1) === null);
  assert.ok(shares.used <= 500);
  assert.equal(shares.of(2, 100).take(125), null);
});

test('a refusal says whose share is used up', () => {
  const shares = new FairShares(1000);
  const own = shares.of(1, 1);
  own.take(200);
  assert.equal(own.take(100), 'full');
  assert.equal(own.blockedBy(100), 'key');
  const sister = shares.of(1, 2);
  assert.equal(sister.take(200), 'full');
  assert.equal(sister.blockedBy(200), 'account');
  own.give(200);
  shares.of(2, 3).take(250);
  shares.of(3, 4).take(150);
  assert.equal(sister.take(200), 'full');
  assert.equal(sister.blockedBy(200), 'installation');
  own.take(100);
  assert.equal(sister.takeOfAccount(250), false);
  assert.equal(sister.accountBlockedBy(250), 'account');
  assert.equal(sister.accountBlockedBy(350), 'installation');
});

test('an amount that is given back is free again', () => {
  const shares = new FairShares(8);
  assert.equal(shares.of(1, 1).take(2), null);
  assert.equal(shares.of(1, 1).take(1), 'full');
  shares.of(1, 1).give(2);
  assert.equal(shares.used, 0);
  assert.equal(shares.of(1, 1).take(2), null);
});

test('when there are very many keys, only those that hold nothing are forgotten', () => {
  const shares = new FairShares(10_000);
  shares.of(1, 1).take(5);
  for (let key = 2; key < 5_000; key += 1) {
    shares.of(key, key).take(1);
    shares.of(key, key).give(1);
  }
  assert.equal(shares.used, 5);
  assert.equal(shares.of(1, 1).used, 5);
  shares.of(1, 1).give(5);
  assert.equal(shares.used, 0);
});

test('the smallest totals serve one request at a time', () => {
  for (const total of [1, 2, 3]) {
    const shares = new FairShares(total);
    assert.equal(shares.of(1, 1).take(1), null);
    assert.equal(shares.of(1, 1).take(1), 'full');
  }
});

test('a key may have all of its account’s share, and no more, if asked for', () => {
  const shares = new FairShares(100);
  assert.equal(shares.of(1, 1).takeOfAccount(50), true);
  assert.equal(shares.of(1, 1).takeOfAccount(1), false);
  assert.equal(shares.of(2, 2).take(12), null);
});

test('whatever is taken and given back, usage never exceeds the total and ends at zero', () => {
  const step = fc.record({
    account: fc.integer({ min: 1, max: 4 }),
    key: fc.integer({ min: 1, max: 3 }),
    amount: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 500 }), (steps, total) => {
      const shares = new FairShares(total);
      const taken: { account: number; key: number; amount: number }[] = [];
      for (const { account, key: number, amount } of steps) {
        // A key belongs to one account.
        const key = 10 * account + number;
        if (shares.of(account, key).take(amount) === null) taken.push({ account, key, amount });
        else if (amount % 2 === 0) {
          const back = taken.pop();
          if (back !== undefined) shares.of(back.account, back.key).give(back.amount);
        }
        assert.ok(shares.used <= total);
        assert.equal(
          shares.used,
          taken.reduce((sum, each) => sum + each.amount, 0),
        );
      }
      for (const back of taken) shares.of(back.account, back.key).give(back.amount);
      assert.equal(shares.used, 0);
    }),
  );
});
