/** What the domain of accounts asks of a storage. Asynchronous and whole, so that a database across a network fits. */
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import type { Key } from './keys.ts';
import type { Limits, Permissions } from './limits.ts';
import type { Restrictions } from './restrictions.ts';

export type { Key } from './keys.ts';
export type { Limits, Permissions } from './limits.ts';
export type { Restrictions } from './restrictions.ts';

export type BillingMode = 'prepaid' | 'postpaid' | 'off';

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

export interface AccountStore {
  createAccount(account: Pick<Account, 'name' | 'createdAt'>): Promise<Account>;
  createProject(project: Pick<Project, 'accountId' | 'name' | 'createdAt'>): Promise<Project>;
  createKey(key: NewKey): Promise<Key>;
  /** Sets `revoked_at` where it is not set; returns the key as it stands, or null when there is none. The row stays for ever. */
  revokeKey(id: KeyId, at: number): Promise<Key | null>;
  /** Takes back a key that nobody was told of and nothing was done with; any other is revoked. */
  deleteKey(id: KeyId): Promise<void>;
  /** The key as it then stands, or null when there is none. */
  updateKey(id: KeyId, changes: KeyChanges): Promise<Key | null>;
  /** Ends `id` at `retiringAt` and makes its successor, in one transaction. Null when there is no such key, or it is revoked or retiring already. */
  rotateKey(
    id: KeyId,
    retiringAt: number,
    successor: NewKey,
  ): Promise<{ readonly retiring: Key; readonly successor: Key } | null>;
  updateProject(id: ProjectId, changes: ProjectChanges): Promise<Project | null>;
  updateAccount(id: AccountId, changes: AccountChanges): Promise<Account | null>;
  accounts(): Promise<readonly Account[]>;
  projects(): Promise<readonly Project[]>;
  /** The keys of these ids that there are, revoked ones included, in order of id. A few hundred at most. */
  keysById(ids: readonly KeyId[]): Promise<readonly Key[]>;
  /** Every key, revoked ones included, with its digest, in order of id: the mirror's source. Never all in memory at once. */
  keys(): AsyncIterable<Key>;
}
