/** What own credentials require of a storage. */
import type { AccountId, ProjectId } from '../core/ids.ts';
import type { ProviderOptions } from '../providers/provider-options.ts';

/** A random UUID: never used again, so a sealed secret fits one row only. */
export type OwnCredentialId = string & { readonly __type__: 'OwnCredentialId' };

/**
 * When it is used. `first`: before the operator's; `only`: instead of the operator's, for every model that it is for. See
 * `docs/how-to/own-credentials.md`.
 */
export type OwnUse = 'first' | 'only';

/** How its last use or test went. */
export type OwnStanding = 'untested' | 'good' | 'rejected' | 'limited' | 'unreachable';

/** A credential for a provider that an account, or one of its projects, brings itself. */
export interface StoredOwnCredential {
  readonly id: OwnCredentialId;
  readonly accountId: AccountId;
  /** Null: for all projects of the account. */
  readonly projectId: ProjectId | null;
  /** A kind of provider. */
  readonly kind: string;
  readonly name: string;
  /** Null: the kind's. Set by a member, so connections to it pass the egress policy. */
  readonly origin: string | null;
  readonly options: ProviderOptions;
  /** Patterns of models it is for, as in permissions; null: all that its kind serves. */
  readonly models: readonly string[] | null;
  readonly use: OwnUse;
  /** Whether the operator's credentials may serve a call after this one failed. Always false with `only`. */
  readonly fallback: boolean;
  readonly enabled: boolean;
  /** Its row cannot be read: it is listed, not used, and can be deleted. */
  readonly isUnreadable?: true;
  /** Among those of its scope and kind, the lowest first. */
  readonly position: number;
  /** Sealed. */
  readonly secret: Uint8Array;
  /** Its last four characters; null if it is too short to show any. */
  readonly hint: string | null;
  /** The secret before the last rotation, sealed; tried until `previousUntil` if the new one is refused. */
  readonly previous: Uint8Array | null;
  readonly previousUntil: number | null;
  readonly createdAt: number;
  /** `user:<id>`, `key:<id>` or `operator`. */
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly standing: OwnStanding;
  /** When `standing` was noted; null while untested. */
  readonly standingAt: number | null;
  /** The number of its last change in the feed. */
  readonly seq: number;
}

export type OwnCredentialChanges = Partial<
  Omit<StoredOwnCredential, 'id' | 'accountId' | 'projectId' | 'kind' | 'createdAt' | 'createdBy' | 'seq'>
>;

/** The feed's topic: one was created, changed or deleted (then without a row). */
export interface OwnCredentialTopics {
  readonly ownCredential: {
    readonly id: OwnCredentialId;
    readonly seq: number;
    readonly row: StoredOwnCredential | null;
  };
}

/** Each change is one transaction, or a part of the one it is made within. */
export interface OwnCredentialStore {
  /** All of the installation, in order of creation. */
  list(): Promise<readonly StoredOwnCredential[]>;
  /** Null if there is none. */
  find(id: OwnCredentialId): Promise<StoredOwnCredential | null>;
  countOf(account: AccountId): Promise<number>;
  create(credential: StoredOwnCredential): Promise<StoredOwnCredential>;
  /** Null if there is none. Absent fields stay as they are; so does a secret that was sealed again meanwhile. */
  update(id: OwnCredentialId, changes: OwnCredentialChanges): Promise<StoredOwnCredential | null>;
  /** Whether it existed. */
  delete(id: OwnCredentialId): Promise<boolean>;
}
