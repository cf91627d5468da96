/** What the domain of accounts asks of a storage. Asynchronous and whole, so that a database across a network fits. */
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import type { Key, KeyLimits, KeyPermissions } from './keys.ts';

export type { Key, KeyLimits, KeyPermissions } from './keys.ts';

export type BillingMode = 'prepaid' | 'postpaid' | 'off';

export interface Account {
  readonly id: AccountId;
  readonly name: string;
  readonly billingMode: BillingMode;
  readonly createdAt: number;
}

export interface Project {
  readonly id: ProjectId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly createdAt: number;
  readonly archivedAt: number | null;
}

export interface NewKey {
  readonly projectId: ProjectId;
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
  readonly limits: KeyLimits;
  readonly permissions: KeyPermissions;
}

export interface AccountStore {
  createAccount(account: Omit<Account, 'id'>): Promise<Account>;
  createProject(project: Omit<Project, 'id' | 'archivedAt'>): Promise<Project>;
  createKey(key: NewKey): Promise<Key>;
  /** Sets `revoked_at` where it is not set; returns the key as it stands, or null when there is none. The row stays for ever. */
  revokeKey(id: KeyId, at: number): Promise<Key | null>;
  accounts(): Promise<readonly Account[]>;
  projects(): Promise<readonly Project[]>;
  /** Every key, revoked ones included, with its digest, in order of id: the mirror's source. Never all in memory at once. */
  keys(): AsyncIterable<Key>;
}
