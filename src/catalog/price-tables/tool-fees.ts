/**
 * What the tools cost that OpenAI runs itself: https://developers.openai.com/api/docs/pricing#built-in-tools, compared on 23 November 2026. Of the
 * tables only LiteLLM's has one of these fees, that of a container, and it is the same.
 */
import { alwaysSearches } from '../always-searches.ts';
import { picoPerUnit } from './exact-json.ts';
import type { TablePrices } from './table-prices.ts';

/** Adds them to each line of the list. */
export function withToolFees(provider: string, upstreamModel: string, prices: TablePrices): TablePrices {
  if (provider !== 'openai') return prices;
  const fees = {
    webSearch: searchFee(upstreamModel),
    fileSearch: picoPerUnit('0.0025', 1),
    // For 20 minutes of the smallest container; larger ones are refused where calls are paid in advance. Since 2 June 2026 a shorter session is
    // billed by the minute, which no answer reports: https://developers.openai.com/api/docs/changelog
    codeInterpreter: picoPerUnit('0.03', 1),
  };
  return { ...prices, ...fees, tiers: prices.tiers.map((tier) => ({ ...tier, ...fees })) };
}

/**
 * Of the tool `web_search`, for each action of type `search` (https://developers.openai.com/api/docs/guides/tools-web-search); what it finds is billed as input. For the models in `FIXED_CONTENT` that is 8,000 tokens per search, and it is
 * not documented whether usage includes them, so the fee is left open. LiteLLM's table has the fee of `web_search_preview`.
 */
function searchFee(upstreamModel: string): bigint | null {
  return alwaysSearches(upstreamModel) || FIXED_CONTENT.test(upstreamModel) ? null : picoPerUnit('0.01', 1);
}

const FIXED_CONTENT = /^gpt-(4o|4\.1)-mini/;
