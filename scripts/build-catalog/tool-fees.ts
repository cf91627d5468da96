/** What the tools cost that OpenAI runs itself, which no table says. https://platform.openai.com/docs/pricing#built-in-tools */
import { alwaysSearches } from '../../src/catalog/always-searches.ts';
import { picoPerUnit } from './exact-json.ts';
import type { OfferPrices } from './offer.ts';

/** Adds them to each line of the list. */
export function withToolFees(provider: string, upstreamModel: string, prices: OfferPrices): OfferPrices {
  if (provider !== 'openai') return prices;
  const fees = {
    webSearch: searchFee(upstreamModel),
    fileSearch: picoPerUnit('0.0025', 1),
    // Of the smallest container; larger ones are refused where calls are paid in advance.
    codeInterpreter: picoPerUnit('0.03', 1),
  };
  return { ...prices, ...fees, tiers: prices.tiers.map((tier) => ({ ...tier, ...fees })) };
}

/**
 * Of the tool `web_search`; what it finds is billed as input. For the models in `FIXED_CONTENT` that is 8,000 tokens per search, and it is
 * not documented whether usage includes them, so the fee is left open. LiteLLM's table has the fee of `web_search_preview`.
 */
function searchFee(upstreamModel: string): bigint | null {
  return alwaysSearches(upstreamModel) || FIXED_CONTENT.test(upstreamModel) ? null : picoPerUnit('0.01', 1);
}

const FIXED_CONTENT = /^gpt-(4o|4\.1)-mini/;
