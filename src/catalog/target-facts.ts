/** What a price list says of a model at a provider. */
import { alwaysSearches } from './always-searches.ts';
import type { PriceOrigin, Prices, Target } from './model.ts';
import type { KnownTarget } from './models.ts';
import type { ListedPrice } from './ports.ts';
import { dayStart } from './price-tables/table-row.ts';
import { FREE } from './prices.ts';

/** The source of prices that an operator pinned, also after they were unpinned. */
export const PIN = 'pin';

export function originOf(row: ListedPrice | null, otherwise: PriceOrigin): { priceOrigin: PriceOrigin } {
  if (row === null || row.prices === null) return { priceOrigin: otherwise };
  if (row.isPinned) return { priceOrigin: 'pinned' };
  return { priceOrigin: row.source === PIN ? 'unpinned' : 'imported' };
}

export function retirement(
  row: ListedPrice | null,
  known: Pick<KnownTarget, 'retires'> | null,
): Pick<Target, 'retiresAt'> {
  const retiresAt = row?.retiresAt ?? dayStart(known?.retires);
  return retiresAt === null ? {} : { retiresAt };
}

/** For a model that searches with every call, a price list without a fee per call is incomplete and not used. */
export function pricedAs(upstreamModel: string, prices: Prices | null): Pick<Target, 'prices' | 'searchesAlways'> {
  if (!alwaysSearches(upstreamModel)) return { prices };
  const isWhole = prices === FREE || (prices !== null && prices.request !== null);
  return { prices: isWhole ? prices : null, searchesAlways: true };
}
