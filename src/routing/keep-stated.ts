/** Step: keeps the candidates that meet what the caller states. */
import type { PriceLines, Prices } from '../catalog/model.ts';
import { parametersOf } from '../catalog/parameters-of.ts';
import type { MaxPrice, RoutePreferences } from '../core/routing/route-preferences.ts';
import type { Provider } from '../providers/provider.ts';
import type { Candidate } from './candidate.ts';
import { isNamed, mayBeNamed } from './provider-names.ts';
import { keepWithout, type Note, type Reason } from './reason.ts';

/** What a request is, as far as prices depend on it. */
export interface RequestSize {
  /** Its bytes: a prompt has at most about as many tokens. */
  readonly bodyBytes: number;
}

export function keepStated(
  candidates: readonly Candidate[],
  preferences: RoutePreferences,
  providers: ReadonlyMap<string, Provider>,
  request: RequestSize,
  note: Note | null,
): readonly Candidate[] {
  const { only, ignore, maxPrice, requiredParameters } = preferences;
  if (only.length + ignore.length === 0 && maxPrice === null && requiredParameters === null) return candidates;
  return keepWithout(
    candidates,
    ({ model, target }): Reason | null => {
      const provider = providers.get(target.provider);
      if (provider === undefined) return 'not_in_only';
      if (only.length > 0 && !isNamed(provider, only)) return 'not_in_only';
      if (ignore.length > 0 && mayBeNamed(provider, ignore)) return 'ignored';
      if (maxPrice !== null) {
        if (target.prices === null) return 'unpriced';
        if (isAbove(target.prices, maxPrice, request)) return 'above_max_price';
      }
      if (requiredParameters === null) return null;
      const supported = parametersOf(model);
      return requiredParameters.every((each) => supported?.has(each) === true) ? null : 'lacks_parameter';
    },
    note,
  );
}

/** By the prices that the call may have: those of the tier above a prompt of this size are none of them. */
function isAbove(prices: Prices, max: MaxPrice, { bodyBytes }: RequestSize): boolean {
  if (areAbove(prices, max)) return true;
  return prices.tiers.some((tier) => tier.abovePromptTokens < bodyBytes && areAbove(tier, max));
}

function areAbove(lines: PriceLines, { input, output, image, inputAudio, request }: MaxPrice): boolean {
  return (
    isMore(lines.input, input) ||
    isMore(lines.output, output) ||
    isMore(lines.image, image) ||
    isMore(lines.inputAudio ?? lines.input, inputAudio) ||
    isMore(lines.request, request)
  );
}

function isMore(price: bigint | null, max: bigint | null): boolean {
  return max !== null && price !== null && price > max;
}
