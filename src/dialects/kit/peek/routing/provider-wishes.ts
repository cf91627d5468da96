/**
 * OpenRouter's `provider`: which providers may serve a call, and which rather. What this gateway can judge is read, what it cannot is
 * refused, because a condition must not be violated silently.
 *
 * https://openrouter.ai/docs/features/provider-routing
 */
import { asArray, asObject, type JsonObject } from '../../../../core/json-object.ts';
import { type PicoUsd, parsePrice } from '../../../../core/money.ts';
import { QUANTIZATIONS, type Quantization } from '../../../../core/routing/quantization.ts';
import { foldProvider, type MaxPrice, type SortKey } from '../../../../core/routing/route-preferences.ts';
import { isAbsent, isEmpty } from '../../request/request-values.ts';
import type { Objection } from '../looked-field.ts';

export interface ProviderWishes {
  readonly order: readonly string[];
  readonly only: readonly string[];
  readonly ignore: readonly string[];
  readonly allowFallbacks: boolean;
  readonly sort: SortKey | null;
  readonly sortsModelsTogether: boolean;
  readonly maxPrice: MaxPrice | null;
  readonly deniesCollection: boolean;
  readonly deniesRetention: boolean;
  readonly quantizations: readonly Quantization[];
  readonly requiresParameters: boolean;
  readonly tokensPerSecondMin: number | null;
  readonly firstTokenMsMax: number | null;
}

/** Null if all of it is understood, and can be judged here. */
export function objectionToProvider(value: unknown): Objection | null {
  if (isEmpty(value)) return null;
  const wishes = asObject(value);
  if (wishes === null) return { path: 'provider', reason: 'it must be an object' };
  for (const [name, wanted] of Object.entries(wishes)) {
    if (isEmpty(wanted)) continue;
    const path = `provider.${name.slice(0, SHOWN_CHARACTERS)}`;
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
    if (check === undefined) return { path, reason: 'it is unknown' };
    const objection = check(wanted);
    if (objection !== null) return { path, ...objection };
  }
  return null;
}

/** Of a value without objection. */
export function readProviderWishes(value: unknown): ProviderWishes {
  const wishes = asObject(value) ?? {};
  const sort = wishes['sort'];
  const sortObject = asObject(sort);
  const by = sortObject === null ? sort : sortObject['by'];
  return {
    order: foldedNames(wishes['order']),
    only: foldedNames(wishes['only']),
    ignore: foldedNames(wishes['ignore']),
    allowFallbacks: wishes['allow_fallbacks'] !== false,
    sort: isSortKey(by) ? by : null,
    sortsModelsTogether: sortObject?.['partition'] === 'none',
    maxPrice: readMaxPrice(asObject(wishes['max_price'])),
    deniesCollection: wishes['data_collection'] === 'deny',
    deniesRetention: wishes['zdr'] === true,
    quantizations: asArray(wishes['quantizations']).filter(isQuantization),
    requiresParameters: wishes['require_parameters'] === true,
    tokensPerSecondMin: medianOf(wishes['preferred_min_throughput']),
    firstTokenMsMax: inMs(medianOf(wishes['preferred_max_latency'])),
  };
}

type Check = (wanted: unknown) => Omit<Objection, 'path'> | null;

const CHECKS: Readonly<Record<string, Check>> = {
  order: names,
  only: names,
  ignore: names,
  allow_fallbacks: flag,
  require_parameters: flag,
  sort: (wanted) => {
    const object = asObject(wanted);
    if (object === null) return isSortKey(wanted) ? null : { reason: SORT_KEYS_REASON };
    const { by, partition } = object;
    if (!isAbsent(by) && !isSortKey(by)) return { reason: SORT_KEYS_REASON };
    const isKnown = isAbsent(partition) || partition === 'model' || partition === 'none';
    return isKnown ? null : { reason: 'its "partition" must be "model" or "none"' };
  },
  max_price: (wanted) => {
    const object = asObject(wanted);
    if (object === null) return { reason: 'it must be an object' };
    for (const [unit, price] of Object.entries(object)) {
      if (isAbsent(price)) continue;
      if (!PRICED_UNITS.has(unit))
        return { reason: 'it may only have "prompt", "completion", "image", "audio", "request"' };
      if (readPrice(price, 0n) === null) return { reason: 'a price must be a decimal number of US dollars' };
    }
    return null;
  },
  preferred_min_throughput: pace,
  preferred_max_latency: pace,
  data_collection: (wanted) =>
    wanted === 'allow' || wanted === 'deny' ? null : { reason: 'it must be "allow" or "deny"' },
  zdr: flag,
  enforce_distillable_text: (wanted) =>
    wanted === false ? null : { reason: "this gateway does not know which models' answers may be distilled" },
  quantizations: (wanted) =>
    Array.isArray(wanted) && wanted.every(isQuantization)
      ? null
      : { reason: `it must be a list of ${QUANTIZATIONS.join(', ')}` },
};

const SORT_KEYS: ReadonlySet<unknown> = new Set<SortKey>(['price', 'throughput', 'latency']);
const SORT_KEYS_REASON = 'it must be "price", "throughput" or "latency"';
const PRICED_UNITS: ReadonlySet<string> = new Set(['prompt', 'completion', 'image', 'audio', 'request']);
/** How much of a name an error shows. */
const SHOWN_CHARACTERS = 64;
const TOKENS_PER_PRICE = 1_000_000n;
const PERCENTILES: ReadonlySet<string> = new Set(['p50', 'p75', 'p90', 'p99']);

function isQuantization(value: unknown): value is Quantization {
  return (QUANTIZATIONS as readonly unknown[]).includes(value);
}

function isSortKey(value: unknown): value is SortKey {
  return SORT_KEYS.has(value);
}

function names(wanted: unknown): Omit<Objection, 'path'> | null {
  const isList = Array.isArray(wanted) && wanted.every((each) => typeof each === 'string');
  return isList ? null : { reason: 'it must be a list of names of providers' };
}

function flag(wanted: unknown): Omit<Objection, 'path'> | null {
  return typeof wanted === 'boolean' ? null : { reason: 'it must be true or false' };
}

/** A preference, so only what is known of a provider counts: the median. */
function pace(wanted: unknown): Omit<Objection, 'path'> | null {
  const values = typeof wanted === 'number' ? [wanted] : Object.values(asObject(wanted) ?? { wrong: wanted });
  const areNumbers = values.every((each) => isAbsent(each) || (typeof each === 'number' && each >= 0));
  const areKnown = Object.keys(asObject(wanted) ?? {}).every((each) => PERCENTILES.has(each));
  return areNumbers && areKnown
    ? null
    : { reason: 'it must be a number, or an object with numbers as p50, p75, p90, p99' };
}

function medianOf(wanted: unknown): number | null {
  const value = typeof wanted === 'number' ? wanted : asObject(wanted)?.['p50'];
  return typeof value === 'number' ? value : null;
}

function inMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}

function foldedNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string').map(foldProvider) : [];
}

/** Tokens have their price per million, images and calls each their own. */
function readMaxPrice(wanted: JsonObject | null): MaxPrice | null {
  if (wanted === null || isEmpty(wanted)) return null;
  return {
    input: readPrice(wanted['prompt'], TOKENS_PER_PRICE),
    output: readPrice(wanted['completion'], TOKENS_PER_PRICE),
    image: readPrice(wanted['image'], 1n),
    inputAudio: readPrice(wanted['audio'], TOKENS_PER_PRICE),
    request: readPrice(wanted['request'], 1n),
  };
}

/** US dollars for `units`, as a number or a string. Null if it is absent, or no price. A `units` of 0 only checks it. */
function readPrice(value: unknown, units: bigint): PicoUsd | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const text = typeof value === 'number' ? decimalOf(value) : value.trim();
  if (!/^\d{1,9}(?:\.\d{0,12})?$/.test(text)) return null;
  const price = parsePrice(text.endsWith('.') ? text.slice(0, -1) : text);
  return (units === 0n ? price : price / units) as PicoUsd;
}

/** Without an exponent. */
function decimalOf(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(12) : text;
}
