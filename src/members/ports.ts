/** What the domain of members asks of a storage. */
import type { AccountId, KeyId } from '../core/ids.ts';

export type UserId = number & { readonly __type__: 'UserId' };
export type SessionId = number & { readonly __type__: 'SessionId' };
export type LinkId = number & { readonly __type__: 'LinkId' };

export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

/** A person who can sign in. */
export interface User {
  readonly id: UserId;
  /** Lower case; unique. */
  readonly email: string;
  readonly name: string;
  /** Argon2id in PHC form; null until one is set. */
  readonly passwordHash: string | null;
  readonly isOperator: boolean;
  /** The sealed secret of the second factor; it counts when `totpConfirmedAt` is set. */
  readonly totpSecret: Uint8Array | null;
  readonly totpConfirmedAt: number | null;
  /** The 30-second step of the last code that was taken. */
  readonly totpLastStep: number | null;
  /** SHA-256 digests of the recovery codes left, hexadecimal. */
  readonly recoveryCodes: readonly string[];
  readonly createdAt: number;
  readonly emailConfirmedAt: number | null;
  readonly disabledAt: number | null;
}

export type NewUser = Pick<User, 'email' | 'name' | 'passwordHash' | 'isOperator' | 'createdAt' | 'emailConfirmedAt'>;
export type UserChanges = Partial<Omit<User, 'id' | 'createdAt'>>;

export interface Session {
  readonly id: SessionId;
  readonly userId: UserId;
  /** `awaits_totp`: only the code of the second factor is taken. */
  readonly state: 'full' | 'awaits_totp';
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export type LinkPurpose = 'setup' | 'invitation' | 'password' | 'email';

/** A one-use link; only the digest of its token is kept. */
export interface Link {
  readonly id: LinkId;
  readonly purpose: LinkPurpose;
  /** Whom it is for; of an invitation: who it is kept for, once it was tried with the address of somebody who is known. */
  readonly userId: UserId | null;
  readonly accountId: AccountId | null;
  readonly role: Role | null;
  readonly email: string | null;
  readonly createdAt: number;
  /** The person or the management key that made it; both null for the machine itself. */
  readonly createdBy: UserId | null;
  readonly createdByKey: KeyId | null;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  /** Of a sign-up that waits for its address to be confirmed: who asked has no user before. */
  readonly signUp: PendingSignUp | null;
}

export interface PendingSignUp {
  readonly name: string;
  readonly passwordHash: string;
}

export type NewLink = Omit<Link, 'id' | 'usedAt'>;

export interface SignedIn {
  readonly session: Session;
  readonly user: User;
}

export interface Membership {
  readonly accountId: AccountId;
  readonly userId: UserId;
  readonly role: Role;
  readonly joinedAt: number;
}

export interface PeopleQuery {
  /** Part of the name or the address, in lower case; empty for everybody. */
  readonly search: string;
  /** Operators only. */
  readonly operators: boolean;
  /** Only people whose id is above. */
  readonly after: number | null;
  readonly limit: number;
}

export type OperatorGuarded = 'done' | 'last_operator' | 'no_user';

/** Digests are 32 bytes: SHA-256 of a token of 256 random bits. */
export interface UserStore {
  /** Null when the address is taken. */
  createUser(user: NewUser): Promise<User | null>;
  updateUser(id: UserId, changes: UserChanges): Promise<User | null>;
  user(id: UserId): Promise<User | null>;
  userByEmail(email: string): Promise<User | null>;
  users(ids: readonly UserId[]): Promise<readonly User[]>;
  /** In order of id. */
  people(query: PeopleQuery): Promise<readonly User[]>;
  /**
   * Takes somebody's being an operator away, or keeps them out, unless no operator would be left who may sign in: looked at and done
   * in one step, so that two who do it to each other at once do not both succeed.
   */
  unmakeOperatorButLast(id: UserId): Promise<OperatorGuarded>;
  disableButLastOperator(id: UserId, at: number): Promise<OperatorGuarded>;
  /** How many operators there are that are not disabled. */
  operators(): Promise<number>;
  /** Of those that are not disabled, where there is any; then of the others. */
  oldestOperator(): Promise<User | null>;
  /**
   * Takes a code of this step, or a recovery code, at once for all: false when it was taken before.
   * Two requests with one code do not both get through.
   */
  takeTotpStep(id: UserId, step: number): Promise<boolean>;
  takeRecoveryCode(id: UserId, digest: string): Promise<boolean>;

  createSession(session: Omit<Session, 'id'>, digest: Uint8Array): Promise<Session>;
  /** The session and whose it is, in one look-up: every request of the dashboard asks. */
  sessionByDigest(digest: Uint8Array): Promise<SignedIn | null>;
  /** Moves `lastSeenAt` and `expiresAt`. */
  touchSession(id: SessionId, lastSeenAt: number, expiresAt: number): Promise<void>;
  sessionsOf(userId: UserId): Promise<readonly Session[]>;
  /** Whether there was one of this person. */
  deleteSession(userId: UserId, id: SessionId): Promise<boolean>;
  /** All of a person's sessions, but for one. */
  deleteSessionsOf(userId: UserId, except: SessionId | null): Promise<void>;
  deleteSessionsBefore(expiresAt: number): Promise<void>;

  createLink(link: NewLink, digest: Uint8Array): Promise<Link>;
  linkByDigest(digest: Uint8Array): Promise<Link | null>;
  /** Marks it used, once: false when it was used already, or is none. */
  useLink(id: LinkId, at: number): Promise<boolean>;
  /** Marks an invitation used by everybody but this person, once: false when it was used already. */
  keepLinkFor(id: LinkId, userId: UserId, at: number): Promise<boolean>;
  /** Uses an invitation that was kept for somebody, once. */
  useKeptLink(id: LinkId): Promise<boolean>;
  /** Not used and not expired at `nowMs`; those that are kept for somebody are open too. */
  invitationsOf(accountId: AccountId, nowMs: number): Promise<readonly Link[]>;
  /** Those that a person made, in every account: not used and not expired at `nowMs`. */
  invitationsBy(userId: UserId, nowMs: number): Promise<readonly Link[]>;
  /** Whether there was such an open invitation of this account. */
  deleteInvitation(accountId: AccountId, id: LinkId): Promise<boolean>;
  /** Every open link of a purpose (and of a person, where one is given) is void. */
  deleteLinks(purpose: LinkPurpose, userId: UserId | null): Promise<void>;
  deleteLinksBefore(expiresAt: number): Promise<void>;
}

export interface MembershipStore {
  /** Makes a membership, or gives it another role. */
  putMembership(membership: Membership): Promise<void>;
  /** Whether there was one. */
  deleteMembership(accountId: AccountId, userId: UserId): Promise<boolean>;
  membershipsOf(userId: UserId): Promise<readonly Membership[]>;
  membersOf(accountId: AccountId): Promise<readonly Membership[]>;
  /** How many members each account has; one without any is not in it. */
  memberCounts(): Promise<ReadonlyMap<AccountId, number>>;
  /** When a session of each member was last used, ms; who has none is not in it. */
  lastSeen(accountId: AccountId): Promise<ReadonlyMap<UserId, number>>;
  /**
   * Gives a member another role, or takes a member out, where they have the role `from`, and unless the account would have
   * no owner left: looked at and done in one step, so that two owners who demote each other at once do not both succeed.
   */
  changeRoleButLastOwner(member: MemberRole, to: Role): Promise<OwnerGuarded>;
  deleteMembershipButLastOwner(member: MemberRole): Promise<OwnerGuarded>;
}

/** A member as somebody saw them. */
export type MemberRole = Pick<Membership, 'accountId' | 'userId' | 'role'>;

/** `changed`: they have another role meanwhile. */
export type OwnerGuarded = 'done' | 'last_owner' | 'no_member' | 'changed';

export interface AuditActor {
  readonly kind: 'user' | 'key' | 'operator' | 'system';
  readonly id: number | null;
  /** As it is called now: it stays as it was. */
  readonly name: string;
}

/** A change that was made. `before` and `after` hold the fields that differ, and no secrets. */
export interface NewAuditEntry {
  readonly at: number;
  readonly actor: AuditActor;
  /** `key.create`, `member.update`, …: the noun of the contract and what was done. */
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string | null };
  /** Null for what concerns the whole installation. */
  readonly accountId: AccountId | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly ip: string | null;
  readonly requestId: string | null;
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: number;
}

export interface AuditQuery {
  /** Null for the whole installation. */
  readonly accountId: AccountId | null;
  /** Only entries before this one. */
  readonly before: number | null;
  readonly limit: number;
  /** An action or its beginning. */
  readonly action: string | null;
  readonly actorId: number | null;
}

export interface AuditStore {
  /** Append-only; each row's hash covers the row before it. One after the other. */
  append(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** The id of the first row whose hash is wrong, or null. */
  verify(): Promise<number | null>;
}
