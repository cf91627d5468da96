/**
 * All providers of this installation: those of the configuration, which are fixed, and those of the dashboard, which
 * change while calls run. A change is made of a new snapshot, then in the store, then for new calls, in one synchronous step; calls
 * that run keep the snapshot they began with.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { Sealer } from '../core/sealer.ts';
import type { Secret } from '../core/secret.ts';
import type { DialectName, Provider } from '../providers/provider.ts';
import { checkModelSettings, configuredModels, describeConfigured } from './model-settings.ts';
import { type CatalogSources, type ConfiguredModel, openCatalog } from './open-catalog.ts';
import type { ModelSetting, ProviderStore, StoredProviderChanges } from './ports.ts';
import type { ServingSnapshot } from './serving-snapshot.ts';
import { changedProvider, checkNewProvider, openStored, readyStored, type StoredEntry } from './stored-provider.ts';

export type ProviderSource = 'file' | 'environment' | 'dashboard' | 'built-in';

/** A provider that only a restart changes, and the models that were configured with it. */
export interface FixedProvider {
  readonly provider: Provider;
  readonly source: Exclude<ProviderSource, 'dashboard'>;
  readonly models: readonly ConfiguredModel[];
}

export interface ProviderRegistryParts {
  /** In the order configured. */
  readonly fixed: readonly FixedProvider[];
  readonly wholeModels: CatalogSources['wholeModels'];
  readonly store: ProviderStore;
  readonly sealer: Sealer;
  readonly pin: CatalogSources['pin'];
  readonly clock: Pick<Clock, 'now'>;
}

/** What an operator may say of a provider; null takes what the kind declares. */
export interface ProviderInput {
  readonly origin: string | null;
  readonly credential: Secret | null;
  readonly dialects: readonly DialectName[] | null;
  readonly enabled: boolean;
  readonly models: readonly ModelSetting[];
}

/** A provider as operators see it: never its credential. */
export interface ListedProvider {
  readonly name: string;
  readonly kind: string;
  readonly displayName: string;
  /** As it was given, with its base path; of the configuration without. */
  readonly origin: string;
  readonly dialects: readonly string[];
  /** The address of a call in each of `dialects`; empty where none could be made. */
  readonly callsTo: readonly string[];
  readonly source: ProviderSource;
  readonly isEnabled: boolean;
  /** The configuration has a provider of this name, which is used instead. */
  readonly isShadowed: boolean;
  /** Why it serves nothing, and what to do; null when nothing is wrong. */
  readonly problem: string | null;
  /** Also where it is too short for a hint, or not kept here. */
  readonly hasCredential: boolean;
  readonly credentialHint: string | null;
  readonly createdAt: number | null;
  /** How many models it serves now. */
  readonly models: number;
  readonly settings: readonly ModelSetting[];
}

type Entries = ReadonlyMap<string, StoredEntry>;

export class ProviderRegistry {
  readonly #parts: ProviderRegistryParts;
  /** Unix seconds: since when the fixed ones are known to be configured. */
  readonly #openedAt: number;
  readonly #listeners: ((snapshot: ServingSnapshot) => void)[] = [];
  #entries: Entries;
  #snapshot: ServingSnapshot;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(parts: ProviderRegistryParts, entries: Entries, openedAt: number, snapshot: ServingSnapshot) {
    this.#parts = parts;
    this.#openedAt = openedAt;
    this.#entries = entries;
    this.#snapshot = snapshot;
  }

  /** Reads the store. What cannot be served is listed with its problem; it stops nothing else. */
  static async open(parts: ProviderRegistryParts): Promise<ProviderRegistry> {
    const stored = await parts.store.list();
    const entries = new Map(stored.map((each) => [each.name, openStored(each, parts.sealer)]));
    const openedAt = secondsOf(parts.clock.now());
    return new ProviderRegistry(parts, entries, openedAt, await makeSnapshot(parts, entries, openedAt));
  }

  /** What new calls find. */
  get current(): ServingSnapshot {
    return this.#snapshot;
  }

  /** `listener` is told of every new snapshot, after it counts; it must not throw. */
  onChange(listener: (snapshot: ServingSnapshot) => void): void {
    this.#listeners.push(listener);
  }

  /** Those of the configuration, then those of the dashboard. */
  list(): readonly ListedProvider[] {
    const served = countModels(this.#snapshot);
    return [
      ...this.#parts.fixed.map((fixed) => describeFixed(fixed, served)),
      ...[...this.#entries.values()].map((entry) => this.#describe(entry, served)),
    ];
  }

  /** One of the dashboard, or of the configuration. Throws `GatewayError` `not_found`. */
  find(name: string): ListedProvider {
    const found = this.list().find((each) => each.name === name);
    if (found === undefined) throw this.#notFound(name);
    return found;
  }

  /**
   * To be tested; one that is disabled, too. Throws `GatewayError` `not_found`, and `conflict` with what is wrong where it
   * cannot be called at all.
   */
  callable(name: string): Provider {
    const fixed = this.#fixed(name);
    if (fixed !== null) return fixed.provider;
    const entry = this.#entries.get(name);
    if (entry === undefined) throw this.#notFound(name);
    const { provider, problem } = entry;
    if (provider === null) throw new GatewayError('conflict', problem === null ? {} : { message: problem });
    return provider;
  }

  /**
   * Throws `GatewayError` `invalid_value` for what could not serve a call, `conflict` where the name is taken, and, as every change,
   * what `checkStill` throws, which is asked just before something is written.
   */
  create(name: string, kind: string, input: ProviderInput, checkStill?: CheckStill): Promise<ListedProvider> {
    return this.#inTurn(async () => {
      this.#refuseFixed(name);
      if (this.#entries.has(name))
        throw new GatewayError('conflict', { message: `There is a provider ${name} already.`, param: 'name' });
      checkNewProvider(name, kind);
      checkModelSettings(name, input.models);
      const entry = readyStored(name, kind, input, this.#parts.sealer, this.#parts.clock.now());
      await this.#commit(
        withEntry(this.#entries, name, entry),
        async () => {
          // Somebody beside this process has made it: the next start finds it.
          if (!(await this.#parts.store.create(entry.stored)))
            throw new GatewayError('conflict', { message: `There is a provider ${name} already.`, param: 'name' });
        },
        checkStill,
      );
      return this.find(name);
    });
  }

  /**
   * What is absent stays. Throws as `create` does, `not_found`, and `conflict` for a provider of the configuration. A
   * credential is not sent to an origin it was not given for: with another origin it must be given again.
   */
  update(
    name: string,
    changes: Partial<ProviderInput>,
    checkStill?: CheckStill,
  ): Promise<{ before: ListedProvider; after: ListedProvider }> {
    return this.#inTurn(async () => {
      const entry = this.#mine(name);
      const before = this.find(name);
      if (changes.models !== undefined) checkModelSettings(name, changes.models);
      const changed = changedProvider(entry, changes, this.#parts.sealer, this.#parts.clock.now());
      const { credential, ...rest } = changed.stored;
      const columns: StoredProviderChanges = changes.credential === undefined ? rest : { ...rest, credential };
      await this.#commit(
        withEntry(this.#entries, name, changed),
        async () => {
          if (!(await this.#parts.store.update(name, columns))) throw this.#notFound(name);
        },
        checkStill,
      );
      return { before, after: this.find(name) };
    });
  }

  /** Throws `GatewayError` `not_found`, and `conflict` for a provider of the configuration. */
  delete(name: string, checkStill?: CheckStill): Promise<ListedProvider> {
    return this.#inTurn(async () => {
      this.#mine(name);
      const before = this.find(name);
      const entries = new Map(this.#entries);
      entries.delete(name);
      await this.#commit(
        entries,
        async () => {
          await this.#parts.store.delete(name);
        },
        checkStill,
      );
      return before;
    });
  }

  /** The new snapshot is complete before anything is written: what cannot be served changes nothing. */
  async #commit(entries: Entries, write: () => Promise<void>, checkStill?: CheckStill): Promise<void> {
    const snapshot = await makeSnapshot(this.#parts, entries, this.#openedAt);
    await checkStill?.();
    await write();
    this.#entries = entries;
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener(snapshot);
  }

  #fixed(name: string): FixedProvider | null {
    return this.#parts.fixed.find(({ provider }) => provider.name === name) ?? null;
  }

  #refuseFixed(name: string): void {
    const fixed = this.#fixed(name);
    if (fixed === null) return;
    throw new GatewayError('conflict', {
      message: `The provider ${name} comes from ${PLACES[fixed.source]}; change it there.`,
      facts: { source: fixed.source },
    });
  }

  #mine(name: string): StoredEntry {
    this.#refuseFixed(name);
    const entry = this.#entries.get(name);
    if (entry === undefined) throw this.#notFound(name);
    return entry;
  }

  #notFound(name: string): GatewayError {
    return new GatewayError('not_found', { message: `There is no provider ${name}.` });
  }

  #describe({ stored, provider, problem }: StoredEntry, served: ReadonlyMap<string, number>): ListedProvider {
    const fixed = this.#fixed(stored.name);
    const isShadowed = fixed !== null;
    return {
      name: stored.name,
      kind: stored.kind,
      displayName: provider?.displayName ?? stored.name,
      origin: stored.origin ?? provider?.origin ?? '',
      dialects: provider?.dialects ?? stored.dialects ?? [],
      callsTo: provider === null ? [] : callAddresses(provider),
      source: 'dashboard',
      isEnabled: stored.enabled,
      isShadowed,
      problem: isShadowed
        ? `A provider of this name comes from ${PLACES[fixed.source]}, and is used instead.`
        : problem,
      hasCredential: stored.credential !== null,
      credentialHint: stored.credentialHint,
      createdAt: stored.createdAt,
      models: isShadowed ? 0 : (served.get(stored.name) ?? 0),
      settings: stored.models,
    };
  }

  /** One change after the other: two at once could reach memory in another order than the store. */
  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(change);
    // The error is told to who asked for the change.
    this.#last = result.catch(() => undefined);
    return result;
  }
}

type CheckStill = () => Promise<void>;

const PLACES: Readonly<Record<FixedProvider['source'], string>> = {
  file: 'the configuration file',
  environment: 'an environment variable',
  'built-in': 'the program itself (the option demo switches it)',
};

async function makeSnapshot(
  { fixed, wholeModels, pin }: ProviderRegistryParts,
  entries: Entries,
  openedAt: number,
): Promise<ServingSnapshot> {
  const configured = fixed.filter(({ source }) => source !== 'built-in');
  const names = new Set(fixed.map(({ provider }) => provider.name));
  const stored = [...entries.values()].flatMap(({ stored, provider }) =>
    provider === null || !stored.enabled || names.has(stored.name) ? [] : [{ provider, models: stored.models }],
  );
  const builtIn = fixed.filter(({ source }) => source === 'built-in');
  const providers = [...configured, ...stored, ...builtIn].map(({ provider }) => provider);
  const catalog = await openCatalog({
    providers,
    configuredModels: [
      ...configured.flatMap(({ models }) => models),
      ...stored.flatMap(({ provider, models }) => configuredModels(provider.name, models)),
    ],
    wholeModels: wholeModels ?? [],
    configuredAt: (name) => {
      const createdAt = names.has(name) ? undefined : entries.get(name)?.stored.createdAt;
      return createdAt === undefined ? openedAt : secondsOf(createdAt);
    },
    pin,
  });
  return { providers: new Map(providers.map((provider) => [provider.name, provider])), catalog };
}

function callAddresses(provider: Provider): string[] {
  return provider.dialects.map(
    (dialect) =>
      provider.origin + (provider.route(dialect, { operation: 'chat', model: '<model>', stream: false })?.target ?? ''),
  );
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}

function countModels({ catalog }: ServingSnapshot): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { targets } of catalog.all())
    for (const name of new Set(targets.map(({ provider }) => provider))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function describeFixed(
  { provider, source, models }: FixedProvider,
  served: ReadonlyMap<string, number>,
): ListedProvider {
  return {
    name: provider.name,
    kind: provider.kind,
    displayName: provider.displayName,
    origin: provider.origin,
    dialects: provider.dialects,
    callsTo: callAddresses(provider),
    source,
    isEnabled: true,
    isShadowed: false,
    problem: null,
    hasCredential: provider.hasCredential,
    credentialHint: null,
    createdAt: null,
    models: served.get(provider.name) ?? 0,
    settings: models.map(describeConfigured),
  };
}

function withEntry(entries: Entries, name: string, entry: StoredEntry): Entries {
  return new Map(entries).set(name, entry);
}
