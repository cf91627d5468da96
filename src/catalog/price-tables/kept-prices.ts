/** What of a model's prices stays when a table with other ones is imported. */
import type { ToolFee } from '../../core/server-tools.ts';
import type { PriceLines, Prices } from '../model.ts';
import { hasTokenPrices } from '../prices.ts';

const TOOL_FEES = ['webSearch', 'fileSearch', 'codeInterpreter'] as const satisfies readonly ToolFee[];

export interface KeptPrices {
  readonly prices: Prices;
  /** The names of what stayed. */
  readonly kept: readonly string[];
}

/**
 * The prices of a table, with what it lacks of those before. Most tables say nothing of fees for tools, and one of prices by the token nothing of
 * units. Units stay if they were charged with tokens, or if an operator set them (`isOwn`); otherwise the model is charged by its tokens now.
 */
export function withKept(table: Prices, before: Prices | null, isOwn: boolean): KeptPrices {
  if (before === null) return { prices: table, kept: [] };
  const fees = TOOL_FEES.filter((name) => table[name] === null && before[name] !== null);
  const keepsUnits =
    table.units.length === 0 && before.units.length > 0 && hasTokenPrices(table) && (isOwn || hasTokenPrices(before));
  const withFees = <Lines extends PriceLines>(lines: Lines): Lines => ({
    ...lines,
    ...Object.fromEntries(fees.map((name) => [name, lines[name] ?? before[name]])),
  });
  return {
    prices: {
      ...withFees(table),
      units: keepsUnits ? before.units : table.units,
      tiers: fees.length === 0 ? table.tiers : table.tiers.map(withFees),
    },
    kept: [...fees, ...(keepsUnits ? before.units.map(({ unit }) => unit) : [])],
  };
}
