/** The providers and aliases in the database: those of the dashboard. */
import type { AccountId, AliasId } from '../core/ids.ts';
import type { ProviderDialectName } from '../dialects/index.ts';
import type { ProviderOptions } from '../providers/provider-options.ts';
import type { Alias, AliasScope } from './alias.ts';
import type { Modality, Prices } from './model.ts';

export type { Alias, AliasScope } from './alias.ts';

/** USD per million tokens, or for one unit, as plain decimal text. */
export interface PriceSetting {
  readonly input: string;
  readonly output: string;
  /** Null: billed as input. */
  readonly cacheRead: string | null;
  readonly cacheWrite: string | null;
  /** Of images that are read. Null, or absent in rows of earlier versions: billed as input. */
  readonly inputImage?: string | null;
  /** By name; absent if nothing is charged by the piece, as in rows of earlier versions. */
  readonly units?: Readonly<Record<string, string>>;
}

/** A model of a provider: a new one, or different facts for a known one. */
export interface ModelSetting {
  /** What the provider calls it. */
  readonly upstream: string;
  /** `<vendor>/<name>`; null: the known ones of that name, else `<provider>/<upstream>`. */
  readonly id: string | null;
  readonly name: string | null;
  readonly contextWindow: number | null;
  readonly outputCap: number | null;
  /** Null: as known, otherwise none. */
  readonly price: 'free' | PriceSetting | null;
  /** What it reads and writes. Null, or absent in rows of earlier versions: as known, otherwise text. */
  readonly inputModalities?: readonly Modality[] | null;
  readonly outputModalities?: readonly Modality[] | null;
}

export interface StoredProvider {
  readonly name: string;
  readonly kind: string;
  /** Null: the kind's. */
  readonly origin: string | null;
  /** Options of its kind; empty in rows of earlier versions. */
  readonly options: ProviderOptions;
  /** Null: the kind's. */
  readonly dialects: readonly ProviderDialectName[] | null;
  /** Whether it is only called with own credentials of accounts and projects; false if absent. */
  readonly ownCredentialsOnly?: boolean;
  readonly models: readonly ModelSetting[];
  readonly enabled: boolean;
  /** Its row cannot be read: it is listed, not called, and can be deleted. */
  readonly isUnreadable?: true;
  /** Sealed for `provider:<name>`; null if there is none. */
  readonly credential: Uint8Array | null;
  /** Its last four characters; null if it is too short to show any. */
  readonly credentialHint: string | null;
  /** Further ones, sealed together for `provider-credentials:<name>`; null if there are none. See `further-credentials.ts`. */
  readonly moreCredentials: Uint8Array | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The number of its last change in the feed; ignored when a provider is created. */
  readonly seq: number;
}

export type StoredProviderChanges = Partial<Omit<StoredProvider, 'name' | 'kind' | 'createdAt' | 'seq'>>;

/** The feed's topic for providers: one was created, changed or deleted. */
export interface ProviderTopics {
  readonly provider: { readonly name: string; readonly seq: number };
}

export interface ProviderStore {
  /** In order of creation. */
  list(): Promise<readonly StoredProvider[]>;
  /** The number of the change; null if the name is taken. */
  create(provider: StoredProvider): Promise<number | null>;
  /** The number of the change; null if there is no such provider. Absent fields stay as they are. */
  update(name: string, changes: StoredProviderChanges): Promise<number | null>;
  delete(name: string): Promise<number | null>;
}

export type NewAlias = Omit<Alias, 'id' | 'seq' | 'updatedAt'>;

export type AliasChanges = Partial<Pick<Alias, 'name' | 'choice' | 'targets' | 'updatedAt'>>;

/** The feed's topic for aliases, with the row after the change; `alias` is null once it is deleted. */
export interface AliasTopics {
  readonly alias: { readonly id: AliasId; readonly seq: number; readonly alias: Alias | null };
}

export interface AliasStore {
  /** All of them, in order of id. */
  list(): Promise<readonly Alias[]>;
  find(id: AliasId): Promise<Alias | null>;
  /** The alias of exactly this scope with the name. */
  named(scope: AliasScope, name: string): Promise<Alias | null>;
  /** How many an account and its projects have; null counts those of the installation. */
  count(account: AccountId | null): Promise<number>;
  /** Null if the scope has an alias of this name. */
  create(alias: NewAlias): Promise<Alias | null>;
  /** Null if there is no such alias. Absent fields stay as they are. A name must be free in its scope. */
  update(id: AliasId, changes: AliasChanges): Promise<Alias | null>;
  /** Whether there was one. */
  delete(id: AliasId): Promise<boolean>;
}

/** Prices of a provider's model that were imported or pinned. */
export interface ListedPrice {
  /** Its row cannot be read: the model has no price until it is set again. */
  readonly isUnreadable?: true;
  /** A kind of provider, or the name of a configured one. */
  readonly provider: string;
  readonly upstreamModel: string;
  /** Null: as known. */
  readonly prices: Prices | null;
  /** Wall time, ms; null: as known. */
  readonly retiresAt: number | null;
  /** Where it is from: the format of a table, or `pin`. */
  readonly source: string;
  /** Whether imports leave it. */
  readonly isPinned: boolean;
  readonly changedAt: number;
}

/** The feed's topic for prices: some were written. */
export interface ListedPriceTopics {
  readonly listedPrice: { readonly seq: number };
}

export interface ListedPriceStore {
  list(): Promise<readonly ListedPrice[]>;
  /** Writes rows, in place of those of the same provider and model. One transaction, or part of the current one. */
  put(prices: readonly ListedPrice[]): Promise<void>;
}
