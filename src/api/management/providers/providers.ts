/** The catalogue of an account, and the providers of the installation: listed, added, changed, tested. */
import { MODALITIES, type Modality } from '../../../catalog/model.ts';
import type { ModelSetting } from '../../../catalog/ports.ts';
import type { ListedProvider, ProviderInput, ProviderRegistry } from '../../../catalog/provider-registry.ts';
import { addableKinds, configure, findAddableKind } from '../../../catalog/stored-provider.ts';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { Secret } from '../../../core/secret.ts';
import { changedFields } from '../../../members/audit-log.ts';
import type { ConnectionReport, TestConnection } from '../../../probe/test-connection.ts';
import { ProviderConfigurationError } from '../../../providers/configure.ts';
import type { Provider, ProviderDeclaration } from '../../../providers/provider.ts';
import type { StatsReader } from '../../../stats/ports.ts';
import type { providerRoutes } from '../../contract/providers.ts';
import type { RouteInput } from '../../contract/route.ts';
import type { Handlers } from '../door/handler.ts';
import { type HealthReader, healthOf } from './describe-health.ts';
import { listAccountCatalog } from './list-catalog.ts';

export interface ProviderServices {
  readonly book: Pick<ProviderRegistry, 'current' | 'list' | 'callable' | 'create' | 'update' | 'delete'>;
  /** Asks a provider for its models; it need not be one of the book's. */
  readonly testConnection: TestConnection;
  readonly health: HealthReader;
  /** The address of the proxy an origin is reached through, never with its password; null where it is connected to directly. */
  proxyOf(origin: string): string | null;
  /** Whether a model must have a price to be served. */
  readonly paidInAdvance: boolean;
  /** Null where nobody measures. */
  readonly stats: Pick<StatsReader, 'firstBytes'> | null;
  readonly clock: Pick<Clock, 'now'>;
}

/** What a provider that is tried, and not kept, is called. */
const TRIED_NAME = '(new)';

export function providerHandlers(services: ProviderServices): Handlers<typeof providerRoutes> {
  const { book, testConnection, health } = services;
  const describe = (provider: ListedProvider) =>
    describeProvider(
      provider,
      URL.canParse(provider.origin) ? services.proxyOf(provider.origin) : null,
      healthOf(health, provider.isShadowed ? undefined : book.current.providers.get(provider.name)),
    );
  return {
    listCatalog: async ({ account }) => ({ data: await listAccountCatalog(services, account) }),

    listProviderKinds: () => ({ data: addableKinds().map(describeKind) }),

    listProviders: () => ({ data: book.list().map(describe) }),

    createProvider: async (context, { body }) => {
      const { name, kind, credential } = body;
      const created = await book.create(
        name,
        kind,
        {
          origin: body.origin ?? null,
          credential: secretOf(credential),
          dialects: body.dialects ?? null,
          enabled: body.is_enabled ?? true,
          models: (body.model_settings ?? []).map(readSetting),
        },
        () => context.checkStill(),
      );
      await context.audit({
        action: 'provider.create',
        subject: subjectOf(created),
        accountId: null,
        before: null,
        after: { kind, ...audited(created) },
      });
      return { data: describe(created) };
    },

    updateProvider: async (context, { params, body }) => {
      const { before, after } = await book.update(params.provider, changesOf(body), () => context.checkStill());
      const fields = changedFields(audited(before), audited(after));
      const isGivenAgain = body.credential !== undefined;
      if (fields.after !== null || isGivenAgain)
        await context.audit({
          action: 'provider.update',
          subject: subjectOf(after),
          accountId: null,
          before: fields.before,
          // Two credentials may end alike: that there is another one is told by itself.
          after: { ...fields.after, ...(isGivenAgain ? { access: 'changed' } : {}) },
        });
      return { data: describe(after) };
    },

    deleteProvider: async (context, { params }) => {
      const deleted = await book.delete(params.provider, () => context.checkStill());
      await context.audit({
        action: 'provider.delete',
        subject: subjectOf(deleted),
        accountId: null,
        before: { kind: deleted.kind, ...audited(deleted) },
        after: null,
      });
      return { data: { done: true } };
    },

    testProvider: async (_context, { params }) => ({
      data: describeReport(await testConnection(book.callable(params.provider), { endsTrouble: true })),
    }),

    readConnection: async (_context, { params }) => ({
      data: describeReport(await testConnection(book.callable(params.provider), { endsTrouble: false })),
    }),

    tryProvider: async (_context, { body }) => ({
      data: describeReport(await testConnection(tried(body), { endsTrouble: false })),
    }),
  };
}

type UpdateBody = RouteInput<typeof providerRoutes.updateProvider>['body'];
type TryBody = RouteInput<typeof providerRoutes.tryProvider>['body'];
type Setting = NonNullable<UpdateBody['model_settings']>[number];

/** Throws `GatewayError` `invalid_value`, in words that never hold the credential. */
function tried({ kind, origin = null, credential, dialects }: TryBody): Provider {
  try {
    const settings = { name: TRIED_NAME, origin, dialects: dialects ?? null };
    return configure(findAddableKind(kind), settings, secretOf(credential));
  } catch (error) {
    if (!(error instanceof ProviderConfigurationError)) throw error;
    throw new GatewayError('invalid_value', { message: error.message });
  }
}

function changesOf(body: UpdateBody): Partial<ProviderInput> {
  return {
    ...(body.origin === undefined ? {} : { origin: body.origin }),
    ...(body.credential === undefined ? {} : { credential: secretOf(body.credential) }),
    ...(body.dialects === undefined ? {} : { dialects: body.dialects }),
    ...(body.is_enabled === undefined ? {} : { enabled: body.is_enabled }),
    ...(body.model_settings === undefined ? {} : { models: body.model_settings.map(readSetting) }),
  };
}

/** Pasted ones come with a line break. */
function secretOf(credential: string | null | undefined): Secret | null {
  return credential === undefined || credential === null ? null : new Secret(credential.trim());
}

function readSetting(setting: Setting): ModelSetting {
  const { upstream, id, name, context_length, output_cap, price, input_modalities, output_modalities } = setting;
  return {
    upstream,
    id: id ?? null,
    name: name ?? null,
    contextWindow: context_length ?? null,
    outputCap: output_cap ?? null,
    price:
      price === undefined || price === null || price === 'free'
        ? (price ?? null)
        : {
            input: price.input,
            output: price.output,
            cacheRead: price.cache_read ?? null,
            cacheWrite: price.cache_write ?? null,
          },
    inputModalities: inOrder(input_modalities),
    outputModalities: inOrder(output_modalities),
  };
}

/** Text comes first, as everybody lists it. */
function inOrder(names: readonly Modality[] | null | undefined): readonly Modality[] | null {
  return names === null || names === undefined ? null : MODALITIES.filter((name) => names.includes(name));
}

function describeSetting(setting: ModelSetting) {
  const { upstream, id, name, contextWindow, outputCap, price, inputModalities, outputModalities } = setting;
  return {
    upstream,
    id,
    name,
    context_length: contextWindow,
    output_cap: outputCap,
    price: price === null || price === 'free' ? price : describePrice(price),
    input_modalities: listOrNull(inputModalities),
    output_modalities: listOrNull(outputModalities),
  };
}

function listOrNull(names: readonly Modality[] | null | undefined): Modality[] | null {
  return names === null || names === undefined ? null : [...names];
}

function describePrice({ input, output, cacheRead, cacheWrite }: Exclude<ModelSetting['price'], 'free' | null>) {
  return {
    input,
    output,
    ...(cacheRead === null ? {} : { cache_read: cacheRead }),
    ...(cacheWrite === null ? {} : { cache_write: cacheWrite }),
  };
}

function describeProvider(provider: ListedProvider, proxy: string | null, health: ReturnType<typeof healthOf>) {
  return {
    name: provider.name,
    kind: provider.kind,
    display_name: provider.displayName,
    origin: provider.origin,
    calls_to: [...provider.callsTo],
    proxy,
    dialects: [...provider.dialects],
    models: provider.models,
    source: provider.source,
    is_enabled: provider.isEnabled,
    is_shadowed: provider.isShadowed,
    problem: provider.problem,
    has_credential: provider.hasCredential,
    credential_hint: provider.credentialHint,
    created_at: provider.createdAt === null ? null : new Date(provider.createdAt).toISOString(),
    model_settings: provider.settings.map(describeSetting),
    health,
  };
}

/** The audit log hides what is called a credential; its last characters are none. */
function audited({ origin, dialects, isEnabled, credentialHint, settings }: ListedProvider) {
  return {
    origin,
    dialects,
    is_enabled: isEnabled,
    hint: credentialHint,
    model_settings: settings.map(describeSetting),
  };
}

function subjectOf({ name, displayName }: ListedProvider) {
  return { kind: 'provider', id: name, name: displayName };
}

function describeKind(kind: ProviderDeclaration) {
  return {
    kind: kind.name,
    display_name: kind.displayName,
    origin: kind.origin,
    // The vendor itself serves nobody without one; a server of one's own may.
    needs_credential: kind.environmentGives === 'credential' && kind.origin !== null,
    documentation: kind.documentation,
    dialects: Object.keys(kind.routes),
  };
}

function describeReport(report: ConnectionReport) {
  return {
    ok: report.ok,
    status: report.status,
    models: report.models,
    model_names: [...report.modelNames],
    duration_ms: Math.round(report.durationMs),
    problem: report.problem,
  };
}
