/** Models that search the web with every call, asked or not: a search has a fee beside the tokens, and no usage counts it. */

/**
 * By name, since none of the tables that the catalogue is made from says it:
 * https://platform.openai.com/docs/guides/tools-web-search (search models, deep research),
 * https://docs.perplexity.ai/getting-started/pricing, https://console.groq.com/docs/compound,
 * https://openrouter.ai/docs/features/web-search (`:online`)
 */
export function alwaysSearches(upstreamModel: string): boolean {
  return FAMILIES.test(upstreamModel);
}

const FAMILIES = /-search-(preview|api)\b|(^|\/)(sonar|compound)\b|-deep-research\b|:online$/;
