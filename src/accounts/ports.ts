/** What the domain of accounts asks of a storage. Asynchronous and whole, so that a database across a network fits. */
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import type { KeyCounts } from './key-counts.ts';
import type { Key } from './keys.ts';
import type { Limits, Permissions } from './limits.ts';
import type { Restrictions } from './restrictions.ts';

export type { KeyCounts } from './key-counts.ts';
export type { Key } from './keys.ts';
export type { Limits, Permissions } from './limits.ts';
export type { Restrictions } from './restrictions.ts';

/** Whether an account lets the bodies of its calls be kept, and how. */
export interface CaptureSettings {
  readonly on: boolean;
  readonly retentionDays: number;
  /** Whether what looks like an e-mail address, a card number or a key is blacked out before it is kept. */
  readonly redact: boolean;
}

/** Nothing is kept unless an account asks for it. */
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
  /** The number of its last change in the feed: what is kept in memory gives way to what has a higher one. */
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
  /** What somebody above may have restricted; absent where nobody did. */
  readonly restrictions?: Restrictions | undefined;
  /** The number of its last change in the feed: what is kept in memory gives way to what has a higher one. */
  readonly seq: number;
}

export interface NewKey {
  readonly projectId: ProjectId;
  /** Set by a rotation: the chain's first key. */
  readonly rootId: KeyId | null;
  /** Null gives it the name `Key <n>`. */
  readonly name: string | null;
  readonly kind: Key['kind'];
  /** HMAC-SHA-256 of the secret, 32 bytes. */
  readonly digest: Buffer;
  /** Which pepper made the digest. */
  readonly pepperId: string;
  /** The secret's prefix and last four characters, for display: `sk-tp-…wXyZ`. */
  readonly label: string;
  readonly createdAt: number;
  readonly createdBy: string | null;
  readonly expiresAt: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
  readonly restrictions?: Restrictions | undefined;
}

/** What is given replaces what was there; limits and permissions as a whole. */
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
};

/** What is to change of a thing; a function is asked of the thing as it is in the transaction, and may be asked twice. */
export type ChangesOf<Thing, Changes> = Changes | ((thing: Thing) => Changes | Promise<Changes>);

/** A thing before and after a change; the same where nothing was to change. */
export interface Changed<Thing> {
  readonly before: Thing;
  readonly after: Thing;
}

/** News of the feed; the thing as it stands after the change. */
export interface AccountTopics {
  readonly account: Account;
  readonly project: Project;
  readonly key: Key;
  /** Calls that run on this key are to be cut. */
  readonly cut: KeyId;
}

/** Those above an id, so many at most. */
export interface KeysPage {
  readonly after: number;
  readonly limit: number;
}

/**
 * Each change is one transaction, or part of the one it is asked within; rows that changed have the number of the change, and are published in the
 * feed when it commits.
 */
export interface AccountStore {
  createAccount(account: Pick<Account, 'name' | 'createdAt'>): Promise<Account>;
  createProject(project: Pick<Project, 'accountId' | 'name' | 'createdAt'>): Promise<Project>;
  createKey(key: NewKey): Promise<Key>;
  /** Null when there is none. */
  changeAccount(id: AccountId, changes: ChangesOf<Account, AccountChanges>): Promise<Changed<Account> | null>;
  changeProject(id: ProjectId, changes: ChangesOf<Project, ProjectChanges>): Promise<Changed<Project> | null>;
  /** The row of a key stays for ever, and what is revoked is never good again. */
  changeKey(id: KeyId, changes: ChangesOf<Key, KeyChanges>): Promise<Changed<Key> | null>;
  /** Takes back a key that nobody was told of and nothing was done with; any other is revoked. Memory has it as revoked at this time. */
  deleteKey(id: KeyId, at: number): Promise<void>;
  /** Says that calls which run on a key are to be cut. */
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
  /** The keys of these ids that there are, revoked ones included. A few hundred at most. */
  keysById(ids: readonly KeyId[]): Promise<readonly Key[]>;
  /** The key and those that it was rotated from or to, revoked ones included. */
  keysOfRoot(root: KeyId): Promise<readonly Key[]>;
  /** Those that are not revoked and that one of these made: of an account, or of all. */
  keysMadeBy(makers: readonly string[], account: AccountId | null, page: KeysPage): Promise<readonly Key[]>;
  /** Those of an account that somebody made and somebody above restricted, but for those that were rotated. */
  restrictedKeysOf(maker: string, account: AccountId): Promise<readonly Key[]>;
  /** Those of an account that are not revoked. */
  standingKeysOf(account: AccountId, page: KeysPage): Promise<readonly Key[]>;
  keyCounts(account: AccountId): Promise<KeyCounts>;
  /** Every key, revoked ones included, with its digest: the mirror's source. Never all in memory at once. */
  keys(): AsyncIterable<Key>;
}
