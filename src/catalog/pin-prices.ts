/** Pins prices to stored versions, so that a call's record always shows its prices. */
import { assert } from '../core/assert.ts';
import type { PriceVersionId } from '../core/ids.ts';
import type { PricedTarget, Target } from './model.ts';

type PinnableTarget = Pick<Target, 'provider' | 'upstreamModel' | 'prices'> & { priceVersion: PriceVersionId | null };

/** Sets the version of each target's prices; those without a price have none. All are pinned at once. */
export async function pinPrices(
  models: readonly { readonly id: string; readonly targets: readonly PinnableTarget[] }[],
  pin: (targets: readonly PricedTarget[]) => Promise<readonly PriceVersionId[]>,
): Promise<void> {
  const targets: PinnableTarget[] = [];
  const priced: PricedTarget[] = [];
  for (const { id, targets: all } of models) {
    for (const target of all) {
      if (target.prices === null) continue;
      targets.push(target);
      priced.push({ model: id, provider: target.provider, upstreamModel: target.upstreamModel, prices: target.prices });
    }
  }
  if (priced.length === 0) return;
  const versions = await pin(priced);
  assert(versions.length === priced.length, 'a price version is missing for a price that was to be pinned');
  for (const [index, target] of targets.entries()) target.priceVersion = versions[index] ?? null;
}
