/** What is wrong with prices that a table has, by themselves. */
import { formatPrice, type PicoUsd } from '../../core/money.ts';
import type { PriceLines, Prices } from '../model.ts';
import { formatPricePerMillion } from '../prices.ts';

/** USD 10,000 per million tokens, a multiple of what any model costs: more is a price in the wrong unit. */
const TOKEN_PRICE_MAX = 10_000_000_000n;
/** USD 100 for a call, a search, a container or a unit. */
const FEE_MAX = 100_000_000_000_000n;
const FEES: ReadonlySet<string> = new Set(['request', 'webSearch', 'fileSearch', 'codeInterpreter', 'image']);
/** A price that changes by more than this is a mistake more often than not. */
const FACTOR_MAX = 10n;

/** A sentence without its subject, or null. */
export function complaintOf({ tiers, units, ...lines }: Prices): string | null {
  const wrong = complaintOfLines(lines);
  if (wrong !== null) return wrong;
  for (const { unit, price } of units) {
    if (price < 0n) return `has a negative price for ${unit}`;
    if (price > FEE_MAX) return `has an absurd price for ${unit}: $${formatPrice(price)}`;
  }
  let above = 0;
  for (const { abovePromptTokens, ...tier } of tiers) {
    if (!Number.isSafeInteger(abovePromptTokens) || abovePromptTokens <= above)
      return `has a tier above ${abovePromptTokens} prompt tokens, and tiers must ascend`;
    above = abovePromptTokens;
    const inTier = complaintOfLines(tier);
    if (inTier !== null) return `${inTier} (above ${abovePromptTokens} prompt tokens)`;
  }
  return null;
}

/** Why a person should check a change of prices first, as a sentence without its subject; null if it is an ordinary one. */
export function suspicionOf(before: Prices | null, after: Prices): string | null {
  if (before === null) return null;
  for (const name of ['input', 'output'] as const) {
    const wrong = suspicionOfLine(name, before[name], after[name], formatPricePerMillion);
    if (wrong !== null) return wrong;
  }
  for (const { unit, price } of before.units) {
    const now = after.units.find((each) => each.unit === unit)?.price ?? (0n as PicoUsd);
    const wrong = suspicionOfLine(unit, price, now, formatPrice);
    if (wrong !== null) return wrong;
  }
  return null;
}

function suspicionOfLine(name: string, old: PicoUsd, now: PicoUsd, format: (price: PicoUsd) => string): string | null {
  if (old > 0n && now === 0n) return `would be free: ${name} costs ${format(old)} now`;
  if (old > 0n && (now > old * FACTOR_MAX || now * FACTOR_MAX < old))
    return `changes by more than ${FACTOR_MAX} times: ${name} from ${format(old)} to ${format(now)}`;
  return null;
}

function complaintOfLines(lines: PriceLines): string | null {
  for (const [name, price] of Object.entries(lines) as [string, PicoUsd | null][]) {
    if (price === null) continue;
    if (price < 0n) return `has a negative price for ${name}`;
    if (FEES.has(name) ? price > FEE_MAX : price > TOKEN_PRICE_MAX)
      return `has an absurd price for ${name}: $${FEES.has(name) ? formatPrice(price) : `${formatPricePerMillion(price)} per million tokens`}`;
  }
  return null;
}
