/** Settings of a provider's models: as stored, and as the catalogue takes them. */
import { GatewayError } from '../core/errors.ts';
import { formatPrice, type PicoUsd, parsePrice } from '../core/money.ts';
import { isUnitName, UNIT_PRICES_MAX, unitPrices } from '../core/units/units.ts';
import { alwaysSearches } from './always-searches.ts';
import type { Prices } from './model.ts';
import type { ConfiguredModel } from './open-catalog.ts';
import type { ModelSetting, PriceSetting } from './ports.ts';
import { FREE, formatPricePerMillion, parsePricePerMillion } from './prices.ts';

const MODEL_ID = /^[^\s/]+\/\S+$/;
const FIELD = 'model_settings';

/** Throws `GatewayError` `invalid_value` for an invalid or duplicate id, and an invalid price. */
export function checkModelSettings(provider: string, models: readonly ModelSetting[]): void {
  const seen = new Set<string>();
  for (const [index, model] of models.entries()) {
    const where = `${FIELD}.${index}`;
    if (model.id !== null && !MODEL_ID.test(model.id))
      throw wrong(`${where}.id`, 'it must have the form <vendor>/<name>');
    const id = model.id ?? `${provider}/${model.upstream}`;
    if (seen.has(id)) throw wrong(where, 'an earlier model has the same id');
    seen.add(id);
    if (model.price === null || model.price === 'free') continue;
    if (alwaysSearches(model.upstream)) {
      throw wrong(
        `${where}.price`,
        'this model searches on every call, and the fee per call can only be set in turnpike.yaml',
      );
    }
    try {
      readPrices(model.price);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw wrong(`${where}.price`, `it ${error.message}`);
    }
  }
}

export function configuredModels(provider: string, models: readonly ModelSetting[]): readonly ConfiguredModel[] {
  return models.map(({ upstream, id, name, contextWindow, outputCap, price, inputModalities, outputModalities }) => ({
    provider,
    upstream,
    id,
    name,
    contextWindow,
    outputCap,
    prices: price === null || price === 'free' ? price : readPrices(price),
    parameters: null,
    efforts: null,
    quirks: {},
    inputModalities: inputModalities ?? null,
    outputModalities: outputModalities ?? null,
  }));
}

/** A configured model as the dashboard shows it; settings that it does not have are left out. */
export function describeConfigured(model: ConfiguredModel): ModelSetting {
  const {
    upstream,
    id,
    name,
    contextWindow,
    outputCap,
    prices,
    inputModalities = null,
    outputModalities = null,
  } = model;
  const price = prices === null || prices === 'free' ? prices : writePrices(prices);
  return { upstream, id, name, contextWindow, outputCap, price, inputModalities, outputModalities };
}

function readPrices({ input, output, cacheRead, cacheWrite, inputImage = null, units = {} }: PriceSetting): Prices {
  return {
    ...FREE,
    input: parsePricePerMillion(input),
    output: parsePricePerMillion(output),
    cacheRead: cacheRead === null ? null : parsePricePerMillion(cacheRead),
    cacheWrite: cacheWrite === null ? null : parsePricePerMillion(cacheWrite),
    inputImage: inputImage === null ? null : parsePricePerMillion(inputImage),
    units: readUnits(units),
  };
}

function readUnits(units: Readonly<Record<string, string>>): Prices['units'] {
  const names = Object.keys(units);
  const unknown = names.find((name) => !isUnitName(name));
  if (unknown !== undefined) throw new RangeError(`has an unknown unit: ${unknown.slice(0, 40)}`);
  if (names.length > UNIT_PRICES_MAX) throw new RangeError(`has more than ${UNIT_PRICES_MAX} units`);
  return unitPrices(names.map((name) => [name, parseUnitPrice(units[name] as string)]));
}

function parseUnitPrice(text: string): PicoUsd {
  const price = parsePrice(text);
  if (price < 0n) throw new RangeError('a price cannot be negative');
  return price;
}

function writePrices({ input, output, cacheRead, cacheWrite, inputImage, units }: Prices): PriceSetting {
  return {
    input: formatPricePerMillion(input),
    output: formatPricePerMillion(output),
    cacheRead: cacheRead === null ? null : formatPricePerMillion(cacheRead),
    cacheWrite: cacheWrite === null ? null : formatPricePerMillion(cacheWrite),
    ...(inputImage !== null && { inputImage: formatPricePerMillion(inputImage) }),
    ...(units.length > 0 && {
      units: Object.fromEntries(units.map(({ unit, price }) => [unit, formatPrice(price)])),
    }),
  };
}

function wrong(param: string, what: string): GatewayError {
  return new GatewayError('invalid_value', { message: `${param}: ${what}.`, param });
}
