/** Settings of a provider's models: as stored, and as the catalogue takes them. */
import { GatewayError } from '../core/errors.ts';
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

function readPrices({ input, output, cacheRead, cacheWrite }: PriceSetting): Prices {
  return {
    ...FREE,
    input: parsePricePerMillion(input),
    output: parsePricePerMillion(output),
    cacheRead: cacheRead === null ? null : parsePricePerMillion(cacheRead),
    cacheWrite: cacheWrite === null ? null : parsePricePerMillion(cacheWrite),
  };
}

function writePrices({ input, output, cacheRead, cacheWrite }: Prices): PriceSetting {
  return {
    input: formatPricePerMillion(input),
    output: formatPricePerMillion(output),
    cacheRead: cacheRead === null ? null : formatPricePerMillion(cacheRead),
    cacheWrite: cacheWrite === null ? null : formatPricePerMillion(cacheWrite),
  };
}

function wrong(param: string, what: string): GatewayError {
  return new GatewayError('invalid_value', { message: `${param}: ${what}.`, param });
}
