/** What of a model's prices stays when a table with other ones is imported. */
import type { ToolFee } from '../../core/server-tools.ts';
import type { PriceLines, Prices } from '../model.ts';
import { hasTokenPrices } from '../prices.ts';
import { TOKEN_LINES } from './own-prices.ts';

const TOOL_FEES = ['webSearch', 'fileSearch', 'codeInterpreter'] as const satisfies readonly ToolFee[];

/** Lines that are charged as another one without a price of their own: a cached read as a prompt, ten times dearer. */
const OWN_LINES = TOKEN_LINES.filter((name) => name !== 'input' && name !== 'output');

export interface KeptPrices {
  readonly prices: Prices;
  /** The names of what stayed. */
  readonly kept: readonly string[];
}

/**
 * The prices of a table, with what it lacks of those before. Most tables say nothing of fees for tools, and one of prices by the token nothing of
 * units. Some leave out lines of tokens, such as `cacheRead`: these stay where the table has prices of tokens, in a tier those of the same tier. Units stay if they were charged with tokens, or if an operator set them (`isOwn`); otherwise the model is charged by its tokens now.
 */
export function withKept(table: Prices, before: Prices | null, isOwn: boolean): KeptPrices {
  if (before === null) return { prices: table, kept: [] };
  const fees = TOOL_FEES.filter((name) => table[name] === null && before[name] !== null);
  const lines = hasTokenPrices(table) ? OWN_LINES.filter((name) => table[name] === null && before[name] !== null) : [];
  const keepsUnits =
    table.units.length === 0 && before.units.length > 0 && hasTokenPrices(table) && (isOwn || hasTokenPrices(before));
  const withFees = <Lines extends PriceLines>(lines: Lines): Lines => ({
    ...lines,
    ...Object.fromEntries(fees.map((name) => [name, lines[name] ?? before[name]])),
  });
  const withLines = <Lines extends PriceLines>(own: Lines, old: PriceLines | undefined): Lines => ({
    ...own,
    ...(old !== undefined && Object.fromEntries(lines.map((name) => [name, own[name] ?? old[name]]))),
  });
  const tierBefore = (above: number) => before.tiers.find(({ abovePromptTokens }) => abovePromptTokens === above);
  return {
    prices: {
      ...withLines(withFees(table), before),
      units: keepsUnits ? before.units : table.units,
      tiers: table.tiers.map((tier) => withLines(withFees(tier), tierBefore(tier.abovePromptTokens))),
    },
    kept: [...lines, ...fees, ...(keepsUnits ? before.units.map(({ unit }) => unit) : [])],
  };
}
