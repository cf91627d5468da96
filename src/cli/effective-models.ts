/** What holds of the models that a configuration names, once what is known of them is added: their prices and their limits. */
import { capToSend, defaultCapOf } from '../billing/default-cap.ts';
import type { Prices, Target } from '../catalog/model.ts';
import { openCatalog } from '../catalog/open-catalog.ts';
import { formatPricePerMillion } from '../catalog/prices.ts';
import type { Config } from '../config.ts';
import { ASSUMED_WINDOW } from '../core/assumed-limits.ts';
import { priceVersionId } from '../core/ids.ts';
import { fixedProvider } from '../open-providers.ts';

/** `providers.<name>.models` → id and description of each model. Nothing is written and nobody is called. */
export async function effectiveModels(
  config: Config,
): Promise<ReadonlyMap<string, readonly (readonly [id: string, description: string])[]>> {
  const providers = config.providers.map(fixedProvider);
  const catalog = await openCatalog({
    providers: providers.map(({ provider }) => provider),
    configuredModels: providers.flatMap(({ models }) => models),
    pin: (targets) => Promise.resolve(targets.map(() => UNPINNED)),
  });
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

const UNPINNED = priceVersionId(0);

function describe(target: Target): string {
  const { contextWindow, outputCap, prices } = target;
  const window = contextWindow === null ? `window ${ASSUMED_WINDOW} (assumed)` : `window ${contextWindow}`;
  // What costs nothing is not capped.
  const isCapped = outputCap !== null || capToSend(target, null) !== null;
  const cap = isCapped ? `cap ${defaultCapOf(target)}${outputCap === null ? ' (assumed)' : ''}` : 'no cap';
  return `${describePrices(prices)}; ${window}, ${cap}`;
}

function describePrices(prices: Prices | null): string {
  if (prices === null) return 'no price: not served where calls are prepaid';
  if (isFree(prices)) return 'free';
  return `$${formatPricePerMillion(prices.input)} in, $${formatPricePerMillion(prices.output)} out`;
}

function isFree({ tiers, ...lines }: Prices): boolean {
  return tiers.length === 0 && Object.values(lines).every((line) => line === null || line === 0n);
}
