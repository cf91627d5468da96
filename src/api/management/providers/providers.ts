/** Handlers for the catalogue of an account, and for providers: list, add, change, test. */
import type { RateBook } from '../../../billing/rates.ts';
import type { ListedProvider } from '../../../catalog/listed-provider.ts';
import type { ProviderRegistry } from '../../../catalog/provider-registry.ts';
import type { ProviderChange, ProviderNews } from '../../../catalog/registry/provider-change.ts';
import { addableKinds } from '../../../catalog/stored-provider.ts';
import type { Clock } from '../../../core/clock.ts';
import { Secret } from '../../../core/secret.ts';
import { changedFields } from '../../../members/audit-log.ts';
import type { TestConnection } from '../../../probe/test-connection.ts';
import type { Outside } from '../../../providers/outside.ts';
import type { StatsReader } from '../../../stats/ports.ts';
import type { providerRoutes } from '../../contract/providers.ts';
import type { Change, Context, Handlers } from '../door/handler.ts';
import { type HealthReader, healthOf, type RestReader, restsUntil } from './describe-health.ts';
import { audited, describeKind, describeProvider, describeReport, subjectOf } from './describe-provider.ts';
import { listAccountCatalog } from './list-catalog.ts';
import { changesOf, optionsOf, readSetting, secretOf, tried } from './provider-input.ts';

export interface ProviderServices {
  readonly registry: Pick<
    ProviderRegistry,
    'current' | 'list' | 'callable' | 'create' | 'update' | 'delete' | 'addCredential' | 'removeCredential'
  >;
  /** Asks a provider for its models; it need not be in the registry. */
  readonly testConnection: TestConnection;
  readonly health: HealthReader;
  readonly breakers: RestReader;
  /** The address of the proxy for an origin, without its password; null for a direct connection. */
  proxyOf(origin: string): string | null;
  /** Whether a model must have a price to be served. */
  readonly paidInAdvance: boolean;
  readonly rates: Pick<RateBook, 'of'>;
  /** Null without measurements. */
  readonly stats: Pick<StatsReader, 'firstBytes'> | null;
  readonly clock: Pick<Clock, 'now'>;
  /** For providers that are tested before they are added. */
  readonly outside: Outside;
}

export function providerHandlers(services: ProviderServices): Handlers<typeof providerRoutes> {
  const { registry, testConnection, health, breakers } = services;
  const describe = (provider: ListedProvider) => {
    const inUse = provider.isShadowed ? undefined : registry.current.providers.get(provider.name);
    return describeProvider(provider, {
      proxy: URL.canParse(provider.origin) ? services.proxyOf(provider.origin) : null,
      health: healthOf(health, inUse),
      restOf(credential) {
        if (inUse === undefined) return { until: null, rejected: false, modelsRejected: [] };
        const { rests, ...rejections } = breakers.ofCredential(inUse, credential);
        return { until: restsUntil(health, rests), ...rejections };
      },
    });
  };
  return {
    listCatalog: async ({ account }) => ({ data: await listAccountCatalog(services, account) }),

    listProviderKinds: () => ({ data: addableKinds().map(describeKind) }),

    listProviders: () => ({ data: registry.list().map(describe) }),

    createProvider: async (context, { body }) => {
      const { name, kind, credential } = body;
      const created = await registry.create(
        name,
        kind,
        {
          origin: body.origin ?? null,
          options: optionsOf(body),
          credential: secretOf(credential),
          dialects: body.dialects ?? null,
          ownCredentialsOnly: body.own_credentials_only ?? false,
          enabled: body.is_enabled ?? true,
          models: (body.model_settings ?? []).map(readSetting),
        },
        changing(context, ({ after }) =>
          after === null
            ? null
            : {
                action: 'provider.create',
                subject: subjectOf(after),
                accountId: null,
                before: null,
                after: { kind, ...audited(after) },
              },
        ),
      );
      return { data: describe(created) };
    },

    updateProvider: async (context, { params, body }) => {
      const isGivenAgain = body.credential !== undefined;
      const how = changing(context, ({ before, after }) => {
        if (before === null || after === null) return null;
        const fields = changedFields(audited(before), audited(after));
        if (fields.after === null && !isGivenAgain) return null;
        return {
          action: 'provider.update',
          subject: subjectOf(after),
          accountId: null,
          before: fields.before,
          // Two credentials may have the same hint, so a new one is recorded separately.
          after: { ...fields.after, ...(isGivenAgain ? { access: 'changed' } : {}) },
        };
      });
      const { after } = await registry.update(params.provider, changesOf(body), how);
      return { data: describe(after) };
    },

    deleteProvider: async (context, { params }) => {
      const how = changing(context, ({ before }) =>
        before === null
          ? null
          : {
              action: 'provider.delete',
              subject: subjectOf(before),
              accountId: null,
              before: { kind: before.kind, ...audited(before) },
              after: null,
            },
      );
      await registry.delete(params.provider, how);
      return { data: { done: true } };
    },

    addProviderCredential: async (context, { params, body }) => {
      const how = changing(context, (news) => describeAccess(news));
      return { data: describe(await registry.addCredential(params.provider, new Secret(body.credential.trim()), how)) };
    },

    removeProviderCredential: async (context, { params }) => {
      const how = changing(context, (news) => describeAccess(news));
      return { data: describe(await registry.removeCredential(params.provider, params.credential, how)) };
    },

    testProvider: async (_context, { params }) => ({
      data: describeReport(await testConnection(registry.callable(params.provider), { endsTrouble: true })),
    }),

    readConnection: async (_context, { params }) => ({
      data: describeReport(await testConnection(registry.callable(params.provider), { endsTrouble: false })),
    }),

    tryProvider: async (_context, { body }) => ({
      data: describeReport(await testConnection(tried(body, services.outside), { endsTrouble: false })),
    }),
  };
}

/** A credential was added or removed. */
function describeAccess({ before, after }: ProviderNews): Change | null {
  if (before === null || after === null) return null;
  const fields = changedFields(audited(before), audited(after));
  return {
    action: 'provider.update',
    subject: subjectOf(after),
    accountId: null,
    before: fields.before,
    after: { ...fields.after, access: 'changed' },
  };
}

/** Checks rights again in the transaction, and writes the audit entry there. */
function changing(context: Context, describeChange: (news: ProviderNews) => Change | null): ProviderChange {
  return {
    checkStill: () => context.checkStill(),
    async note(news) {
      const change = describeChange(news);
      if (change !== null) await context.audit(change);
    },
  };
}
