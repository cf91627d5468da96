/**
 * Step: keeps the candidates to whose terms the caller agrees: what it pays at most, what may be done with its data, how exactly the model
 * is kept. It comes after own credentials: those are another contract, at another rate.
 */
import type { PriceLines, Prices } from '../catalog/model.ts';
import { isChargedByPiece } from '../catalog/unit-prices.ts';
import { LIST_RATE, priceAtRate, type Rate, rate } from '../core/rates/rate.ts';
import { isQuantizedAs } from '../core/routing/quantization.ts';
import type { MaxPrice, RoutePreferences } from '../core/routing/route-preferences.ts';
import type { UnitPrice } from '../core/units/units.ts';
import type { Provider } from '../providers/provider.ts';
import type { Candidate } from './candidate.ts';
import type { RatePort } from './ports.ts';
import { keepWithout, type Note, type Reason } from './reason.ts';

/** What a request is, as far as prices depend on it. */
export interface RequestSize {
  /** Its bytes: a prompt has at most about as many tokens. */
  readonly bodyBytes: number;
}

export interface TermFacts {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly rates: RatePort;
}

export function keepTerms(
  candidates: readonly Candidate[],
  preferences: RoutePreferences,
  { providers, rates }: TermFacts,
  request: RequestSize,
  note: Note | null,
): readonly Candidate[] {
  const { maxPrice, deniesCollection, deniesRetention, quantizations } = preferences;
  if (maxPrice === null && !deniesCollection && !deniesRetention && quantizations.length === 0) return candidates;
  return keepWithout(
    candidates,
    (candidate) =>
      (maxPrice === null ? null : objectionToPrice(candidate, maxPrice, rates, request)) ??
      objectionToData(candidate, preferences, providers) ??
      objectionToQuantization(candidate, preferences, providers),
    note,
  );
}

/**
 * What the caller pays for one unit of a candidate, in parts of the list price: the account's rate. With an own credential, the provider
 * bills the account itself, and the fee is added.
 */
export function paidRate({ model, own }: Candidate, rates: RatePort): Rate {
  const charged = rates.rateOf(model.id, own !== null);
  return own === null ? charged : rate(LIST_RATE + charged);
}

function objectionToPrice(candidate: Candidate, max: MaxPrice, rates: RatePort, request: RequestSize): Reason | null {
  const { prices } = candidate.target;
  if (prices === null || isIncomparable(prices, max)) return 'unpriced';
  return isAbove(prices, max, paidRate(candidate, rates), request) ? 'above_max_price' : null;
}

/** Whether it is charged by the piece where only the price of tokens is limited: it is not free. */
function isIncomparable(prices: Prices, { input, output, image, inputAudio }: MaxPrice): boolean {
  if (!isChargedByPiece(prices)) return false;
  const isCompared = image !== null && prices.units.every(isImage);
  return !isCompared && (input ?? output ?? inputAudio ?? image) !== null;
}

function isImage({ unit }: UnitPrice): boolean {
  return unit === 'image' || unit.startsWith('image/');
}

/** By the prices that the call may have: those of the tier above a prompt of this size are none of them. */
function isAbove(prices: Prices, max: MaxPrice, paid: Rate, { bodyBytes }: RequestSize): boolean {
  if (areAbove(prices, max, paid)) return true;
  const { image } = max;
  if (image !== null && prices.units.some((each) => isImage(each) && priceAtRate(each.price, paid) > image))
    return true;
  return prices.tiers.some((tier) => tier.abovePromptTokens < bodyBytes && areAbove(tier, max, paid));
}

function areAbove(lines: PriceLines, { input, output, image, inputAudio, request }: MaxPrice, paid: Rate): boolean {
  const isMore = (price: bigint | null, most: bigint | null) =>
    most !== null && price !== null && priceAtRate(price as PriceLines['input'], paid) > most;
  return (
    isMore(lines.input, input) ||
    isMore(lines.output, output) ||
    isMore(lines.inputImage, input) ||
    isMore(lines.image, image) ||
    isMore(lines.inputAudio ?? lines.input, inputAudio) ||
    isMore(lines.request, request)
  );
}

/** What the operator states of a provider is about the operator's contract: of an own credential's nothing is known. */
function objectionToData(
  { target, own }: Candidate,
  { deniesCollection, deniesRetention }: RoutePreferences,
  providers: TermFacts['providers'],
): Reason | null {
  if (!deniesCollection && !deniesRetention) return null;
  const facts = own === null ? providers.get(target.provider)?.facts : undefined;
  if (deniesCollection && facts?.collectsData !== false)
    return facts?.collectsData === true ? 'collects_data' : 'collects_data_unknown';
  if (deniesRetention && facts?.retainsData !== false)
    return facts?.retainsData === true ? 'retains_data' : 'retains_data_unknown';
  return null;
}

function objectionToQuantization(
  { target, own }: Candidate,
  { quantizations }: RoutePreferences,
  providers: TermFacts['providers'],
): Reason | null {
  if (quantizations.length === 0) return null;
  const stated = own === null ? (target.quantization ?? providers.get(target.provider)?.facts.quantization) : null;
  const kept = stated ?? 'unknown';
  if (quantizations.some((asked) => isQuantizedAs(kept, asked))) return null;
  return kept === 'unknown' ? 'quantization_unknown' : 'other_quantization';
}
