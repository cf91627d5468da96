/** Models that search the web with every call. A search has a fee in addition to the tokens, and no usage counts it. */

/**
 * Decided by name, because the tables that the catalogue is made from do not say it:
 * https://platform.openai.com/docs/guides/tools-web-search (search models, deep research),
 * https://docs.perplexity.ai/getting-started/pricing, https://console.groq.com/docs/compound,
 * https://openrouter.ai/docs/features/web-search (`:online`)
 */
export function alwaysSearches(upstreamModel: string): boolean {
  return FAMILIES.test(upstreamModel);
}

const FAMILIES = /-search-(preview|api)\b|(^|\/)(sonar|compound)\b|-deep-research\b|:online$/;
