/** The contract of every storage for price versions. */
import assert from 'node:assert/strict';
import { priceVersionId } from '../../core/ids.ts';
import { readPrices, writePrices } from '../sql/prices.ts';
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

  promise('prices without units have the text, and so the version, that they had before there were units', async () => {
    const { units, ...prices } = pricedTarget(10n).prices;
    const before = writePrices({ ...prices, units: [] });
    assert.ok(!before.includes('unit'));
    assert.deepEqual(readPrices(before), { ...prices, units: [] });
    assert.deepEqual(readPrices(writePrices({ ...prices, units })), { ...prices, units });
    return undefined;
  });

  promise('the versions of a model are listed, newest first', async ({ storage: { prices } }) => {
    const ids = await prices.pin([pricedTarget(10n), pricedTarget(11n), pricedTarget(10n, 'acme/small')]);
    const history = await prices.history(pricedTarget(10n).model);
    assert.deepEqual(
      history.map(({ id, prices: found }) => [id, found.input]),
      [
        [ids[1], 11n],
        [ids[0], 10n],
      ],
    );
    assert.deepEqual(await prices.history('acme/unknown'), []);
    return undefined;
  });

  promise('imported and pinned prices outlive the process, one row for a model of a provider', async (subject) => {
    const row = {
      ...{ provider: 'acme', upstreamModel: 'large', prices: pricedTarget(10n).prices, retiresAt: 1_800_000_000_000 },
      ...{ source: 'litellm', isPinned: false, changedAt: 5 },
    };
    const bare = { ...row, upstreamModel: 'small', prices: null, retiresAt: null };
    assert.deepEqual(await subject.storage.listedPrices.list(), []);
    await subject.storage.listedPrices.put([bare, row]);
    const changed = { ...row, prices: pricedTarget(12n).prices, source: 'pin', isPinned: true, changedAt: 6 };
    await subject.storage.listedPrices.put([changed]);
    await subject.storage.listedPrices.put([]);
    const again = await subject.reopen();
    assert.deepEqual(await again.storage.listedPrices.list(), [changed, bare]);
    return again;
  });

  promise('any number of imported prices are listed, each once, in order of provider and model', async (subject) => {
    const { listedPrices } = subject.storage;
    const rows = Array.from({ length: 1_201 }, (_, index) => ({
      ...{ provider: `lab-${index % 3}`, upstreamModel: `model-${String(index).padStart(4, '0')}` },
      ...{ prices: pricedTarget(BigInt(index)).prices, retiresAt: null },
      ...{ source: 'turnpike', isPinned: false, changedAt: 5 },
    }));
    await listedPrices.put(rows);
    const inOrder = rows.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    assert.deepEqual(await listedPrices.list(), inOrder);
    return undefined;
  });

  promise('any number of targets can be pinned together, in the given order', async ({ storage: { prices } }) => {
    const targets = Array.from({ length: 1_201 }, (_, index) => pricedTarget(BigInt(index)));
    const ids = await prices.pin(targets);
    assert.equal(new Set(ids).size, targets.length);
    assert.deepEqual(await prices.pin(targets.toReversed()), ids.toReversed());
    return undefined;
  });
}

function nameOf({ provider, upstreamModel }: { readonly provider: string; readonly upstreamModel: string }): string {
  return `${provider} ${upstreamModel}`;
}
