/** Lists the models that an account may use, with their prices and their time to first byte. */

import { mayUseModel } from '../../../accounts/limits.ts';
import type { Account } from '../../../accounts/ports.ts';
import type { RateBook } from '../../../billing/rates.ts';
import type { Model, Target } from '../../../catalog/model.ts';
import { formatPricePerMillion } from '../../../catalog/prices.ts';
import type { ServingSnapshot } from '../../../catalog/serving-snapshot.ts';
import { unitPriceTexts } from '../../../catalog/unit-prices.ts';
import type { Clock } from '../../../core/clock.ts';
import { reportedMsOrNull } from '../../../core/clock.ts';
import type { PicoUsd } from '../../../core/money.ts';
import { priceAtRate, type Rate } from '../../../core/rates/rate.ts';
import type { FirstBytes, StatsReader } from '../../../stats/ports.ts';
import { partPriceTexts } from '../../part-prices.ts';
import { describePace, type HealthReader } from './describe-health.ts';

export interface CatalogServices {
  readonly registry: { readonly current: ServingSnapshot };
  readonly paidInAdvance: boolean;
  readonly rates: Pick<RateBook, 'of'>;
  readonly stats: Pick<StatsReader, 'firstBytes'> | null;
  readonly health: Pick<HealthReader, 'pace'>;
  readonly clock: Pick<Clock, 'now'>;
}

const HOUR_MS = 3_600_000;
const MEASURED_HOURS = 7 * 24;

/** In order of id, including models that cannot be used because they have no price; prices are what the account is charged. */
export async function listAccountCatalog(
  services: CatalogServices,
  account: Pick<Account, 'id' | 'permissions' | 'rates'>,
) {
  const { registry, stats, clock } = services;
  const endHour = Math.floor(clock.now() / HOUR_MS) + 1;
  const measured =
    (await stats?.firstBytes({ accountId: account.id, firstHour: endHour - MEASURED_HOURS, endHour })) ??
    new Map<string, FirstBytes>();
  const rates = services.rates.of(account);
  return registry.current.catalog
    .all()
    .filter(({ id }) => mayUseModel(account.permissions, id))
    .map((model) => describe(services, model, rates.rateOf(model.id, false), measured.get(model.id)));
}

function describe(
  { registry, health, paidInAdvance }: CatalogServices,
  model: Model,
  rate: Rate,
  measured: FirstBytes | undefined,
) {
  const priced = model.targets.filter(({ prices }) => prices !== null);
  const usable = paidInAdvance ? priced : model.targets;
  const shown = usable.length > 0 ? usable : model.targets;
  const first = registry.current.providers.get(shown[0]?.provider ?? '');
  const pace = describePace(first === undefined ? null : health.pace(first, model.id));
  return {
    id: model.id,
    name: model.name,
    created: model.created,
    context_length: model.contextWindow,
    output_cap: model.outputCap,
    input_modalities: [...model.inputModalities],
    output_modalities: [...model.outputModalities],
    supported_parameters: [...model.supportedParameters],
    providers: [...new Set(shown.map(({ provider }) => provider))],
    pricing: describePricing(shown[0], rate),
    retires: retiresOf(shown[0]),
    is_usable: usable.length > 0,
    first_byte_p50_ms: reportedMsOrNull(measured?.p50Ms ?? null),
    calls_7d: measured?.calls ?? 0,
    first_token_p50_ms: pace.first_token_p50_ms,
    tokens_per_second: pace.tokens_per_second,
  };
}

function retiresOf(target: Target | undefined): string | null {
  return target?.retiresAt === undefined ? null : new Date(target.retiresAt).toISOString().slice(0, 10);
}

function describePricing(target: Target | undefined, rate: Rate) {
  const prices = target?.prices ?? null;
  const units = unitPriceTexts(prices?.units ?? [], rate);
  const perMillion = (price: PicoUsd | null | undefined) =>
    price === null || price === undefined ? null : formatPricePerMillion(priceAtRate(price, rate));
  return {
    input: perMillion(prices?.input),
    output: perMillion(prices?.output),
    cache_read: perMillion(prices?.cacheRead),
    cache_write: perMillion(prices?.cacheWrite),
    ...partPriceTexts(prices, rate),
    ...(units !== null && { units }),
  };
}
