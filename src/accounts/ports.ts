/** What accounts require of a storage. Asynchronous, one call per change, so that a database across a network fits. */

import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import type { AccountRates } from '../core/rates/account-rates.ts';
import type { KeyCounts } from './key-counts.ts';
import type { Key } from './keys.ts';
import type { Limits, Permissions } from './limits.ts';
import type { Restrictions } from './restrictions.ts';

export type { KeyCounts } from './key-counts.ts';
export type { Key } from './keys.ts';
export type { Limits, Permissions } from './limits.ts';
export type { Restrictions } from './restrictions.ts';

/** Whether the bodies of an account's calls are kept, and how. */
export interface CaptureSettings {
  readonly on: boolean;
  readonly retentionDays: number;
  /** Whether what looks like an email address, a card number or a key is redacted before it is kept. */
  readonly redact: boolean;
}

/** The default: nothing is kept. */
export const NO_CAPTURE: CaptureSettings = Object.freeze({ on: false, retentionDays: 7, redact: true });

export interface Account {
  readonly id: AccountId;
  readonly name: string;
  readonly createdAt: number;
  /** Closed for good: its keys are revoked. */
  readonly closedAt: number | null;
  readonly capture: CaptureSettings;
  readonly limits: Limits;
  readonly permissions: Permissions;
  /** What it is charged above or below the list price. */
  readonly rates: AccountRates;
  /** In memory: its row, which changed, cannot be read. Its keys are refused until the row is corrected. */
  readonly isUnreadable?: true | undefined;
  /** The number of its last change in the feed; a row in memory is replaced by one with a higher number. */
  readonly seq: number;
}

export interface Project {
  readonly id: ProjectId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly createdAt: number;
  readonly archivedAt: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
  /** What people above restricted; absent if nobody did. */
  readonly restrictions?: Restrictions | undefined;
  /** In memory: its row, which changed, cannot be read. Its keys are refused until the row is corrected. */
  readonly isUnreadable?: true | undefined;
  /** The number of its last change in the feed; a row in memory is replaced by one with a higher number. */
  readonly seq: number;
}

export interface NewKey {
  readonly projectId: ProjectId;
  /** Set by a rotation: the chain's first key. */
  readonly rootId: KeyId | null;
  /** Null for the name `Key <n>`. */
  readonly name: string | null;
  readonly kind: Key['kind'];
  /** HMAC-SHA-256 of the secret, 32 bytes. */
  readonly digest: Buffer;
  /** The id of the pepper that made the digest. */
  readonly pepperId: string;
  /** The secret's prefix and last four characters, for display: `sk-tp-…wXyZ`. */
  readonly label: string;
  readonly createdAt: number;
  readonly createdBy: string | null;
  readonly expiresAt: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
  readonly restrictions?: Restrictions | undefined;
  readonly cacheSeconds?: number | undefined;
  readonly origins?: readonly string[] | undefined;
}

/** Fields that are present replace the current values; limits and permissions as a whole. */
export interface KeyChanges {
  readonly name?: string;
  readonly disabled?: boolean;
  readonly expiresAt?: number | null;
  readonly revokedAt?: number;
  readonly retiringAt?: number | null;
  readonly updatedAt?: number;
  readonly limits?: Limits;
  readonly permissions?: Permissions;
  readonly restrictions?: Restrictions;
  /** Null turns the response cache off for calls that do not ask for it. */
  readonly cacheSeconds?: number | null;
  /** Null removes the list. */
  readonly origins?: readonly string[] | null;
}

export interface ProjectChanges {
  readonly name?: string;
  readonly archivedAt?: number | null;
  readonly limits?: Limits;
  readonly permissions?: Permissions;
  readonly restrictions?: Restrictions;
}

export type AccountChanges = Omit<ProjectChanges, 'archivedAt' | 'restrictions'> & {
  readonly closedAt?: number;
  readonly capture?: CaptureSettings;
  readonly rates?: AccountRates;
};

/** The changes of a row; a function receives the row as it is in the transaction, and may be called twice. */
export type ChangesOf<Thing, Changes> = Changes | ((thing: Thing) => Changes | Promise<Changes>);

/** A row before and after a change; the same object if nothing changed. */
export interface Changed<Thing> {
  readonly before: Thing;
  readonly after: Thing;
}

/** Topics of the feed, with the row after the change. */
export interface AccountTopics {
  readonly account: Account;
  readonly project: Project;
  readonly key: Key;
  /** Running calls of this key must be cut. */
  readonly cut: KeyId;
}

/** Keys with a higher id than `after`, at most `limit`. */
export interface KeysPage {
  readonly after: number;
  readonly limit: number;
}

/**
 * Each change is one transaction, or part of the one it is made within; changed rows get the number of the change, and are published in the
 * feed on commit.
 */
export interface AccountStore {
  createAccount(account: Pick<Account, 'name' | 'createdAt'>): Promise<Account>;
  createProject(project: Pick<Project, 'accountId' | 'name' | 'createdAt'>): Promise<Project>;
  createKey(key: NewKey): Promise<Key>;
  /** Null if there is no such row. */
  changeAccount(id: AccountId, changes: ChangesOf<Account, AccountChanges>): Promise<Changed<Account> | null>;
  changeProject(id: ProjectId, changes: ChangesOf<Project, ProjectChanges>): Promise<Changed<Project> | null>;
  /** The row of a key stays for ever, and a revoked key is never good again. */
  changeKey(id: KeyId, changes: ChangesOf<Key, KeyChanges>): Promise<Changed<Key> | null>;
  /** Deletes a key that was never shown or used; any other is revoked. In memory it is revoked at this time. */
  deleteKey(id: KeyId, at: number): Promise<void>;
  /** Publishes that running calls of a key must be cut. */
  cutCalls(id: KeyId): Promise<void>;

  account(id: AccountId): Promise<Account | null>;
  project(id: ProjectId): Promise<Project | null>;
  key(id: KeyId): Promise<Key | null>;
  /** In order of id, as all lists are. */
  accounts(): Promise<readonly Account[]>;
  accountsNamed(name: string): Promise<readonly Account[]>;
  projects(): Promise<readonly Project[]>;
  projectsOf(account: AccountId): Promise<readonly Project[]>;
  projectNamed(account: AccountId, name: string): Promise<Project | null>;
  projectCount(account: AccountId): Promise<number>;
  /** The existing keys among these ids, including revoked ones. At most a few hundred. */
  keysById(ids: readonly KeyId[]): Promise<readonly Key[]>;
  /** The keys of a chain of rotations, including revoked ones. */
  keysOfRoot(root: KeyId): Promise<readonly Key[]>;
  /** Keys of an account (null: of all) that are not revoked and that one of these makers created. */
  keysMadeBy(makers: readonly string[], account: AccountId | null, page: KeysPage): Promise<readonly Key[]>;
  /** Keys of an account that somebody created and somebody above restricted, except rotated ones. */
  restrictedKeysOf(maker: string, account: AccountId): Promise<readonly Key[]>;
  /** Keys of an account that are not revoked. */
  standingKeysOf(account: AccountId, page: KeysPage): Promise<readonly Key[]>;
  keyCounts(account: AccountId): Promise<KeyCounts>;
  /** Every key, including revoked ones, with its digest: the mirror's source. Read in pages, never all into memory. */
  keys(): AsyncIterable<Key>;
}
