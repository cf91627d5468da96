/** The effective prices and limits of the models in a configuration, including those from the catalogue. */

import { configuredCatalog } from '../../../app/configured-catalog.ts';
import { limitsInEffect } from '../../../billing/limits-in-effect.ts';
import type { Prices, Target } from '../../../catalog/model.ts';
import { formatPricePerMillion, isFree } from '../../../catalog/prices.ts';
import type { Config } from '../../../config/config.ts';
import { formatPrice } from '../../../core/money.ts';

/** `providers.<name>.models` → id and description of each model. Writes nothing and calls no provider. */
export async function effectiveModels(
  config: Config,
): Promise<ReadonlyMap<string, readonly (readonly [id: string, description: string])[]>> {
  const { catalog, providers } = await configuredCatalog(config);
  const described = new Map<string, (readonly [string, string])[]>();
  for (const { provider, models } of providers) {
    const upstreams = new Set(models.map(({ upstream }) => upstream));
    const rows = catalog
      .all()
      .flatMap(({ id, targets }) =>
        targets
          .filter((target) => target.provider === provider.name && upstreams.has(target.upstreamModel))
          .map((target): readonly [string, string] => [id, describe(target)]),
      );
    if (rows.length > 0) described.set(`providers.${provider.name}.models`, rows);
  }
  return described;
}

function describe(target: Target): string {
  const { contextWindow, isWindowAssumed, outputCap, isCapAssumed } = limitsInEffect(target);
  const window = `window ${contextWindow}${isWindowAssumed ? ' (assumed)' : ''}`;
  const cap = outputCap === null ? 'no cap' : `cap ${outputCap}${isCapAssumed ? ' (assumed)' : ''}`;
  return `${describePrices(target.prices)}; ${window}, ${cap}`;
}

function describePrices(prices: Prices | null): string {
  if (prices === null) return 'no price: not served in prepaid mode';
  if (isFree(prices)) return 'free';
  const tokens = `$${formatPricePerMillion(prices.input)} input, $${formatPricePerMillion(prices.output)} output`;
  return [tokens, ...prices.units.map(({ unit, price }) => `$${formatPrice(price)} ${unit}`)].join(', ');
}
