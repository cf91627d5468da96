/**
 * Prices that a table still has although their vendor lowered them, and the other table and the vendor's page say so: they are left out, so that
 * the other table's counts. An entry may leave this list when its table is corrected.
 */
import type { ModelsDevCost } from '../../src/catalog/price-tables/models-dev-prices.ts';

interface OutdatedPrice {
  readonly provider: string;
  readonly upstreamModel: string;
  /** models.dev's name of the line, and the price that it has. */
  readonly line: string;
  readonly price: string;
}

const OUTDATED: readonly OutdatedPrice[] = [
  // A quarter of the input's price; it is a tenth: https://cloud.google.com/vertex-ai/generative-ai/pricing
  { provider: 'vertex', upstreamModel: 'gemini-2.5-flash', line: 'cache_read', price: '0.075' },
];

export function withoutOutdated(
  provider: string,
  upstreamModel: string,
  cost: ModelsDevCost | undefined,
): ModelsDevCost | undefined {
  if (cost === undefined) return cost;
  const outdated = OUTDATED.filter((each) => each.provider === provider && each.upstreamModel === upstreamModel);
  return Object.fromEntries(
    Object.entries(cost).filter(
      ([line, price]) => !outdated.some((each) => each.line === line && each.price === price),
    ),
  );
}
