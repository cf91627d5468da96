/** The contract of every storage for price versions. */
import assert from 'node:assert/strict';
import { priceVersionId } from '../../core/ids.ts';
import { pricedTarget } from './sample-rows.ts';
import type { Promising } from './storage-under-test.ts';

export function pricePromises(promise: Promising): void {
  promise('the same prices of the same target are one version, even after reopening', async (subject) => {
    const [first, other, changed] = await subject.storage.prices.pin([
      pricedTarget(10n),
      pricedTarget(10n, 'acme/small'),
      pricedTarget(11n),
    ]);
    assert.equal(new Set([first, other, changed]).size, 3);
    const again = await subject.reopen();
    assert.deepEqual(await again.storage.prices.pin([pricedTarget(11n), pricedTarget(10n)]), [changed, first]);
    assert.deepEqual(
      await again.storage.prices.pin([pricedTarget(12n), pricedTarget(12n)]).then((ids) => ids[0] === ids[1]),
      true,
    );
    assert.deepEqual(await again.storage.prices.pin([]), []);
    assert.deepEqual(await again.storage.prices.read(changed ?? priceVersionId(0)), pricedTarget(11n).prices);
    assert.equal(await again.storage.prices.read(priceVersionId(999)), null);
    return again;
  });

  promise('any number of targets can be pinned together, in the given order', async ({ storage: { prices } }) => {
    const targets = Array.from({ length: 1_201 }, (_, index) => pricedTarget(BigInt(index)));
    const ids = await prices.pin(targets);
    assert.equal(new Set(ids).size, targets.length);
    assert.deepEqual(await prices.pin(targets.toReversed()), ids.toReversed());
    return undefined;
  });
}
