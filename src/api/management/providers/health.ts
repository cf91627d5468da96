/** Handlers for health: of a provider and its models for operators, of the models that an account uses for its members. */
import { mayUseModel } from '../../../accounts/limits.ts';
import type { Account } from '../../../accounts/ports.ts';
import type { Model } from '../../../catalog/model.ts';
import type { ProviderRegistry } from '../../../catalog/provider-registry.ts';
import type { Clock } from '../../../core/clock.ts';
import type { StatsReader } from '../../../stats/ports.ts';
import type { HealthFigures } from '../../../telemetry/call-health.ts';
import { isFailing } from '../../../telemetry/health-state.ts';
import type { healthRoutes } from '../../contract/health.ts';
import type { Handlers } from '../door/handler.ts';
import { describeHealth, type HealthReader, healthOf, type RestReader, restsUntil } from './describe-health.ts';

export interface HealthServices {
  readonly registry: Pick<ProviderRegistry, 'current' | 'find'>;
  readonly health: HealthReader;
  readonly breakers: RestReader;
  readonly stats: Pick<StatsReader, 'usage'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The name of this node; null without a database that several can share. */
  readonly node: string | null;
}

export function healthHandlers(services: HealthServices): Handlers<typeof healthRoutes> {
  const { registry, health, breakers } = services;
  return {
    readProviderHealth: (_context, { params }) => {
      const { isShadowed } = registry.find(params.provider);
      const provider = isShadowed ? undefined : registry.current.providers.get(params.provider);
      const models = provider === undefined ? [] : [...health.modelsOf(provider)];
      models.sort((one, other) => (one.model < other.model ? -1 : 1));
      return {
        node: services.node,
        data: {
          health: healthOf(health, provider),
          models: models.map(({ model, figures }) => ({
            model,
            ...describeHealth(health, figures),
            rests_until: provider === undefined ? null : restsUntil(health, breakers.readiness(provider, model)),
          })),
        },
      };
    },

    listFailingModels: async ({ account }) => ({ data: await failingModels(services, account) }),
  };
}

const DAY_MS = 86_400_000;
const USED_DAYS = 7;
const GROUPS_MAX = 100;

/** Usage is only read if a model is failing. */
async function failingModels(services: HealthServices, account: Pick<Account, 'id' | 'permissions'>) {
  const { registry, health, stats, clock } = services;
  const failing = registry.current.catalog.all().flatMap((model) => {
    const found = mayUseModel(account.permissions, model.id) ? failingEverywhere(services, model) : null;
    return found === null ? [] : [{ model: model.id, ...found }];
  });
  if (failing.length === 0) return [];
  const end = Math.floor(clock.now() / DAY_MS) + 1;
  const all = { projectId: null, keyId: null, model: null, provider: null, groups: GROUPS_MAX };
  const { groups } = await stats.usage({
    ...all,
    accountId: account.id,
    interval: 'day',
    first: end - USED_DAYS,
    end,
    groupBy: 'model',
  });
  const used = new Set(groups.map(({ id }) => id));
  return failing
    .filter(({ model }) => used.has(model))
    .map(({ model, isDead, since }) => ({
      model,
      state: isDead ? ('dead' as const) : ('failing' as const),
      since: since === null ? null : new Date(health.wallTime(since)).toISOString(),
    }));
}

/** Null if any provider of the model answers, or was not tried. */
function failingEverywhere({ registry, health }: HealthServices, { id, targets }: Model) {
  const priced = targets.filter(({ prices }) => prices !== null);
  let isDead = true;
  let since: number | null = null;
  for (const target of priced.length > 0 ? priced : targets) {
    const provider = registry.current.providers.get(target.provider);
    const figures = provider === undefined ? null : worseOf(health.ofModel(provider, id), health.of(provider));
    if (figures === null || !isFailing(figures.state)) return null;
    isDead &&= figures.state === 'dead';
    if (figures.since !== null) since = Math.max(since ?? 0, figures.since);
  }
  return { isDead, since };
}

/** If a provider is dead, so is the model there, unless its calls are good. */
function worseOf(model: HealthFigures | null, provider: HealthFigures | null): HealthFigures | null {
  return provider?.state === 'dead' && model?.state !== 'good' ? provider : model;
}
