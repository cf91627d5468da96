/** Providers as operators see them. */
import type { Provider } from '../providers/provider.ts';
import type { ProviderOptions } from '../providers/provider-options.ts';
import { describeConfigured } from './model-settings.ts';
import type { ConfiguredModel } from './open-catalog.ts';
import type { ModelSetting } from './ports.ts';
import type { ServingSnapshot } from './serving-snapshot.ts';
import type { StoredEntry } from './stored-provider.ts';

export type ProviderSource = 'file' | 'environment' | 'dashboard' | 'built-in';

/** A provider that only a restart changes, and the models that were configured with it. */
export interface FixedProvider {
  readonly provider: Provider;
  readonly source: Exclude<ProviderSource, 'dashboard'>;
  readonly models: readonly ConfiguredModel[];
}

export interface ListedCredential {
  /** Null: it is not removed by itself, but changed with its provider. */
  readonly id: string | null;
  /** Its last characters; null if it is too short to show any, or fetched from elsewhere. */
  readonly hint: string | null;
  /** Null if unknown. */
  readonly createdAt: number | null;
}

/** A provider as operators see it: never its credential. */
export interface ListedProvider {
  readonly name: string;
  readonly kind: string;
  readonly displayName: string;
  /** As entered, with its base path; without it for providers of the configuration. */
  readonly origin: string;
  /** Those that are set. */
  readonly options: ProviderOptions;
  readonly dialects: readonly string[];
  /** The address of a call in each of `dialects`; empty if it cannot be called. */
  readonly callsTo: readonly string[];
  readonly source: ProviderSource;
  readonly isEnabled: boolean;
  /** The configuration has a provider of this name, which is used instead. */
  readonly isShadowed: boolean;
  /** Why it serves nothing, and what to do; null if nothing is wrong. */
  readonly problem: string | null;
  /** Also true if the credential is too short for a hint, or not stored here. */
  readonly hasCredential: boolean;
  /** It is only called with own credentials of accounts and projects. */
  readonly isOwnOnly: boolean;
  readonly credentialHint: string | null;
  /** All of them, in the order of their numbers; empty if it has none, or cannot be called. */
  readonly credentials: readonly ListedCredential[];
  readonly createdAt: number | null;
  /** How many models it serves now. */
  readonly models: number;
  readonly settings: readonly ModelSetting[];
}

export const PLACES: Readonly<Record<FixedProvider['source'], string>> = {
  file: 'the configuration file',
  environment: 'an environment variable',
  'built-in': 'the program itself (see the option demo)',
};

export function describeFixed(
  { provider, source, models }: FixedProvider,
  served: ReadonlyMap<string, number>,
): ListedProvider {
  return {
    name: provider.name,
    kind: provider.kind,
    displayName: provider.displayName,
    origin: provider.origin,
    options: provider.options,
    dialects: provider.dialects,
    callsTo: callAddresses(provider),
    source,
    isEnabled: true,
    isShadowed: false,
    problem: null,
    hasCredential: provider.hasCredential,
    isOwnOnly: provider.isOwnOnly,
    credentialHint: null,
    credentials: provider.credentialHints.map((hint) => ({ id: null, hint, createdAt: null })),
    createdAt: null,
    models: served.get(provider.name) ?? 0,
    settings: models.map(describeConfigured),
  };
}

export function describeStored(
  { stored, provider, problem, further }: StoredEntry,
  served: ReadonlyMap<string, number>,
  fixed: FixedProvider | null,
): ListedProvider {
  const isShadowed = fixed !== null;
  return {
    name: stored.name,
    kind: stored.kind,
    displayName: provider?.displayName ?? stored.name,
    origin: stored.origin ?? provider?.origin ?? '',
    options: provider?.options ?? stored.options,
    dialects: provider?.dialects ?? stored.dialects ?? [],
    callsTo: provider === null ? [] : callAddresses(provider),
    source: 'dashboard',
    isEnabled: stored.enabled,
    isShadowed,
    problem: isShadowed
      ? `A provider with this name is defined by ${PLACES[fixed.source]} and is used instead.`
      : problem,
    hasCredential: stored.credential !== null || further.length > 0,
    isOwnOnly: stored.ownCredentialsOnly ?? false,
    credentialHint: stored.credentialHint,
    credentials: (provider?.credentialHints ?? []).map((hint, index, { length }) => {
      const of = further[index - (length - further.length)];
      return { id: of?.id ?? null, hint, createdAt: of?.createdAt ?? null };
    }),
    createdAt: stored.createdAt,
    models: isShadowed ? 0 : (served.get(stored.name) ?? 0),
    settings: stored.models,
  };
}

export function describeIn(
  entry: StoredEntry | undefined,
  snapshot: ServingSnapshot,
  fixed: readonly FixedProvider[],
): ListedProvider | null {
  if (entry === undefined) return null;
  const shadowing = fixed.find(({ provider }) => provider.name === entry.stored.name) ?? null;
  return describeStored(entry, countModels(snapshot), shadowing);
}

export function countModels({ catalog }: ServingSnapshot): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { targets } of catalog.all())
    for (const name of new Set(targets.map(({ provider }) => provider))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function callAddresses(provider: Provider): string[] {
  return provider.dialects.map((dialect) => provider.origin + provider.exampleTarget(dialect));
}
