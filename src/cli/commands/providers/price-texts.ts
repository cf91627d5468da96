/** The lines of a price list, as messages and tables of commands have them: `input 5`, `image 0.04`, `input above 200000 10`. */
import { isObject } from '../../../core/json-object.ts';

/** As the management API writes prices: a text by line, `units` by name, and `tiers`. Each line has its name, and its price. */
export function priceTexts(
  prices: Readonly<Record<string, unknown>>,
): readonly (readonly [line: string, price: string])[] {
  return Object.entries(prices).flatMap(([line, price]) => {
    if (line === 'units' && isObject(price)) return priceTexts(price);
    if (line === 'tiers' && Array.isArray(price)) return price.flatMap(tierTexts);
    return typeof price === 'string' ? [[line, price] as const] : [];
  });
}

function tierTexts(tier: unknown): readonly (readonly [string, string])[] {
  if (!isObject(tier)) return [];
  const { abovePromptTokens, ...lines } = tier;
  return priceTexts(lines).map(([line, price]) => [`${line} above ${String(abovePromptTokens)}`, price]);
}
