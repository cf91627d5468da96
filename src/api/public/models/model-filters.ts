/**
 * Reads the filters of a request for OpenRouter's list of models: https://openrouter.ai/docs/api/api-reference/models/get-models. A value
 * that can match nothing is refused, because an empty list would look like an answer; so is a filter that this gateway cannot apply.
 */
import type { PinnedRates } from '../../../billing/rates.ts';
import { type Catalog, MODALITIES, type Modality, type Model } from '../../../catalog/model.ts';
import { isFree, parsePricePerMillion } from '../../../catalog/prices.ts';
import { isChargedByPiece } from '../../../catalog/unit-prices.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { PicoUsd } from '../../../core/money.ts';
import { priceAtRate } from '../../../core/rates/rate.ts';
import { foldProvider } from '../../../core/routing/route-preferences.ts';
import type { Provider } from '../../../providers/provider.ts';
import { isNamed } from '../../../routing/provider-names.ts';
import { oneOf, type Query } from '../query.ts';
import { pricedModel } from './alias-model.ts';
import { readCount } from './page-query.ts';
import { PARAMETERS } from './parameter-names.ts';

export type ModelTest = (model: Model) => boolean;

export interface FilterFacts {
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
}

type Reading = (query: Query, facts: FilterFacts, rates: PinnedRates) => ModelTest | null;

/** Characters of a search; a longer one matches no name. */
const SEARCH_CHARACTERS_MAX = 200;
/** Values of one filter. */
const VALUES_MAX = 50;
/** OpenRouter's filters by what is not known here. */
// biome-ignore format: one line
const UNKNOWN_HERE = ['category', 'arch', 'distillable', 'region', 'min_age_days', 'max_age_days', 'min_intelligence_index', 'max_intelligence_index', 'min_coding_index', 'max_coding_index', 'min_agentic_index', 'max_agentic_index', 'min_tool_success_rate', 'max_tool_success_rate', 'use_rss', 'use_rss_chat_links'];

/** Whether a model matches every filter; null without one. Throws `GatewayError` `invalid_value`, and `field_not_allowed`. */
export function readFilter(query: Query, facts: FilterFacts, rates: PinnedRates): ModelTest | null {
  const unknown = UNKNOWN_HERE.find((name) => query[name] !== undefined);
  if (unknown !== undefined)
    throw new GatewayError('field_not_allowed', {
      message: `This gateway cannot filter by ${unknown}. It can filter by ${FILTERS.join(', ')}.`,
      param: unknown,
    });
  const tests = Object.values(READINGS).flatMap((read) => read(query, facts, rates) ?? []);
  return tests.length === 0 ? null : (model) => tests.every((test) => test(model));
}

const READINGS: Readonly<Record<string, Reading>> = {
  q: readSearch,
  supported_parameters: readParameters,
  input_modalities: (query) => readModalities(query, 'input_modalities', ({ inputModalities }) => inputModalities),
  output_modalities: (query) => readModalities(query, 'output_modalities', ({ outputModalities }) => outputModalities),
  context: readContext,
  min_price: (query, _facts, rates) => readPrice(query, 'min_price', rates, ({ input }, least) => input >= least),
  max_price: (query, _facts, rates) => readPrice(query, 'max_price', rates, ({ input }, most) => input <= most),
  min_output_price: (query, _facts, rates) =>
    readPrice(query, 'min_output_price', rates, ({ output }, least) => output >= least),
  max_output_price: (query, _facts, rates) =>
    readPrice(query, 'max_output_price', rates, ({ output }, most) => output <= most),
  free: readFree,
  providers: readProviders,
  model_authors: readAuthors,
  zdr: readRetention,
};

const FILTERS = Object.keys(READINGS);

function readSearch(query: Query): ModelTest | null {
  const text = valuesOf(query, 'q').join(' ').toLowerCase();
  if (text === '') return null;
  if (text.length > SEARCH_CHARACTERS_MAX) throw invalid('q', `must have at most ${SEARCH_CHARACTERS_MAX} characters`);
  return ({ id, name }) => id.toLowerCase().includes(text) || name.toLowerCase().includes(text);
}

function readParameters(query: Query, { catalog }: FilterFacts): ModelTest | null {
  const names = valuesOf(query, 'supported_parameters');
  const unknown = names.find((name) => !PARAMETERS.includes(name) && !isListed(name, catalog));
  if (unknown !== undefined)
    throw invalid('supported_parameters', `has ${shown(unknown)}, not one of ${PARAMETERS.join(', ')}`);
  return names.length === 0 ? null : (model) => names.every((name) => model.supportedParameters.includes(name));
}

/** An operator may list parameters of its own. */
function isListed(name: string, catalog: Catalog): boolean {
  let listed = listedParameters.get(catalog);
  if (listed === undefined) {
    listed = new Set(catalog.all().flatMap(({ supportedParameters }) => supportedParameters));
    listedParameters.set(catalog, listed);
  }
  return listed.has(name);
}

const listedParameters = new WeakMap<Catalog, ReadonlySet<string>>();

function readModalities(query: Query, name: string, read: (model: Model) => readonly Modality[]): ModelTest | null {
  const known: readonly string[] = MODALITIES;
  const values = valuesOf(query, name).filter((value) => value !== 'all');
  const unknown = values.find((value) => !known.includes(value));
  if (unknown !== undefined) throw invalid(name, `has ${shown(unknown)}, not one of ${known.join(', ')}`);
  return values.length === 0 ? null : (model) => values.every((value) => read(model).includes(value as Modality));
}

/** The least context window; an unknown one is left out. */
function readContext(query: Query): ModelTest | null {
  const least = readCount(query, 'context', 1, Number.MAX_SAFE_INTEGER);
  return least === null ? null : ({ contextWindow }) => contextWindow !== null && contextWindow >= least;
}

/** USD per million tokens, of what the list shows: the price of the preferred target at the caller's rate. An unknown one is left out. */
function readPrice(
  query: Query,
  name: string,
  rates: PinnedRates,
  fits: (lines: ChargedLines, limit: PicoUsd) => boolean,
): ModelTest | null {
  const text = oneOf(query, name);
  if (text === null) return null;
  const limit = parsedPrice(name, text);
  return (model) => {
    const lines = chargedLines(model, rates);
    return lines !== null && fits(lines, limit);
  };
}

interface ChargedLines {
  readonly input: PicoUsd;
  readonly output: PicoUsd;
}

/** Null without a price by the token: what is charged by the piece alone is not comparable, and not free. */
export function chargedLines(model: Model, rates: PinnedRates): ChargedLines | null {
  const prices = model.targets[0]?.prices ?? null;
  if (prices === null || isChargedByPiece(prices)) return null;
  const rate = rates.rateOf(pricedModel(model).id, false);
  return { input: priceAtRate(prices.input, rate), output: priceAtRate(prices.output, rate) };
}

function parsedPrice(name: string, text: string): PicoUsd {
  try {
    return parsePricePerMillion(text);
  } catch {
    throw invalid(name, 'must be USD per million tokens as a plain decimal like 0.15');
  }
}

function readFree(query: Query): ModelTest | null {
  const isWanted = readYesOrNo(query, 'free');
  if (isWanted === null) return null;
  return ({ targets: [first] }) => (first !== undefined && first.prices !== null && isFree(first.prices)) === isWanted;
}

function readProviders(query: Query, { providers }: FilterFacts): ModelTest | null {
  const names = valuesOf(query, 'providers');
  if (names.length === 0) return null;
  const meant = new Set<string>();
  for (const name of names) {
    const found = [...providers.values()].filter((provider) => isNamed(provider, [foldProvider(name)]));
    if (found.length === 0) throw invalid('providers', `has ${shown(name)}, which is no provider of this gateway`);
    for (const provider of found) meant.add(provider.name);
  }
  return ({ targets }) => targets.some(({ provider }) => meant.has(provider));
}

function readAuthors(query: Query): ModelTest | null {
  const authors = valuesOf(query, 'model_authors');
  return authors.length === 0 ? null : ({ id }) => authors.some((author) => id.startsWith(`${author}/`));
}

/** Models with a provider of which the operator states that it keeps nothing. */
function readRetention(query: Query, { providers }: FilterFacts): ModelTest | null {
  const isWanted = readYesOrNo(query, 'zdr');
  if (isWanted !== true) return null;
  return ({ targets }) => targets.some(({ provider }) => providers.get(provider)?.facts.retainsData === false);
}

function readYesOrNo(query: Query, name: string): boolean | null {
  const text = oneOf(query, name);
  if (text === null) return null;
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalid(name, 'must be true or false');
}

/** Values are separated by commas, or the parameter is repeated. */
function valuesOf(query: Query, name: string): string[] {
  const value = query[name] ?? [];
  const texts = typeof value === 'string' ? [value] : value;
  const values = texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (values.length > VALUES_MAX) throw invalid(name, `can have at most ${VALUES_MAX} values`);
  return values;
}

const SHOWN_CHARACTERS_MAX = 100;

function shown(value: string): string {
  return JSON.stringify(value.length > SHOWN_CHARACTERS_MAX ? `${value.slice(0, SHOWN_CHARACTERS_MAX)}…` : value);
}

function invalid(name: string, reason: string): GatewayError {
  return new GatewayError('invalid_value', { message: `${name} ${reason}.`, param: name });
}
