/** What members require of a storage. */
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
  /** The sealed secret of the second factor, active if `totpConfirmedAt` is set. */
  readonly totpSecret: Uint8Array | null;
  readonly totpConfirmedAt: number | null;
  /** The 30-second step of the last accepted code. */
  readonly totpLastStep: number | null;
  /** SHA-256 digests of the unused recovery codes, hexadecimal. */
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
  /** `awaits_totp`: can only be used to send the code of the second factor. */
  readonly state: 'full' | 'awaits_totp';
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export type LinkPurpose = 'setup' | 'invitation' | 'password' | 'email';

/** A one-use link; only the digest of its token is stored. */
export interface Link {
  readonly id: LinkId;
  readonly purpose: LinkPurpose;
  /** The person it is for; of an invitation, the known person it is reserved for after they tried it. */
  readonly userId: UserId | null;
  readonly accountId: AccountId | null;
  readonly role: Role | null;
  readonly email: string | null;
  readonly createdAt: number;
  /** The person or the management key that created it; both null if it was created on the machine. */
  readonly createdBy: UserId | null;
  readonly createdByKey: KeyId | null;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  /** The sign-up that waits for the address to be confirmed; its user does not exist before. */
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
  /** Part of the name or the email address, in lower case; empty for all. */
  readonly search: string;
  /** Operators only. */
  readonly operators: boolean;
  /** Only people with a higher id. */
  readonly after: number | null;
  readonly limit: number;
}

export type OperatorGuarded = 'done' | 'last_operator' | 'no_user';

/** Digests are 32 bytes: SHA-256 of a token of 256 random bits. */
export interface UserStore {
  /** Null if the address is taken. */
  createUser(user: NewUser): Promise<User | null>;
  updateUser(id: UserId, changes: UserChanges): Promise<User | null>;
  user(id: UserId): Promise<User | null>;
  userByEmail(email: string): Promise<User | null>;
  users(ids: readonly UserId[]): Promise<readonly User[]>;
  /** In order of id. */
  people(query: PeopleQuery): Promise<readonly User[]>;
  /**
   * Removes the operator role from a person, or disables them, unless no operator who can sign in would be left. Atomic, so that two
   * operators who do it to each other concurrently do not both succeed.
   */
  unmakeOperatorButLast(id: UserId): Promise<OperatorGuarded>;
  disableButLastOperator(id: UserId, at: number): Promise<OperatorGuarded>;
  /** The number of operators who are not disabled. */
  operators(): Promise<number>;
  /** The oldest one who is not disabled; if there is none, the oldest disabled one. */
  oldestOperator(): Promise<User | null>;
  /**
   * Uses up the code of this step, or a recovery code. False if it was used before; of two concurrent requests with one code, only one
   * succeeds.
   */
  takeTotpStep(id: UserId, step: number): Promise<boolean>;
  takeRecoveryCode(id: UserId, digest: string): Promise<boolean>;

  createSession(session: Omit<Session, 'id'>, digest: Uint8Array): Promise<Session>;
  /** The session and its user in one lookup, because every request of the dashboard needs them. */
  sessionByDigest(digest: Uint8Array): Promise<SignedIn | null>;
  /** Updates `lastSeenAt` and `expiresAt`. */
  touchSession(id: SessionId, lastSeenAt: number, expiresAt: number): Promise<void>;
  sessionsOf(userId: UserId): Promise<readonly Session[]>;
  /** Whether there was one of this person. */
  deleteSession(userId: UserId, id: SessionId): Promise<boolean>;
  /** All of a person's sessions, except one. */
  deleteSessionsOf(userId: UserId, except: SessionId | null): Promise<void>;
  deleteSessionsBefore(expiresAt: number): Promise<void>;

  createLink(link: NewLink, digest: Uint8Array): Promise<Link>;
  linkByDigest(digest: Uint8Array): Promise<Link | null>;
  /** Marks it as used. False if it was used already, or does not exist. */
  useLink(id: LinkId, at: number): Promise<boolean>;
  /** Reserves an invitation for this person. False if it was used already. */
  keepLinkFor(id: LinkId, userId: UserId, at: number): Promise<boolean>;
  /** Uses a reserved invitation. False if it was used already. */
  useKeptLink(id: LinkId): Promise<boolean>;
  /** Neither used nor expired at `nowMs`; reserved ones are included. */
  invitationsOf(accountId: AccountId, nowMs: number): Promise<readonly Link[]>;
  /** Invitations that a person created, in every account, neither used nor expired at `nowMs`. */
  invitationsBy(userId: UserId, nowMs: number): Promise<readonly Link[]>;
  /** Whether there was such an open invitation of this account. */
  deleteInvitation(accountId: AccountId, id: LinkId): Promise<boolean>;
  /** Voids every open link of a purpose (of one person if given). */
  deleteLinks(purpose: LinkPurpose, userId: UserId | null): Promise<void>;
  deleteLinksBefore(expiresAt: number): Promise<void>;
}

export interface MembershipStore {
  /** Creates a membership, or changes its role. */
  putMembership(membership: Membership): Promise<void>;
  /** Whether there was one. */
  deleteMembership(accountId: AccountId, userId: UserId): Promise<boolean>;
  membershipsOf(userId: UserId): Promise<readonly Membership[]>;
  membersOf(accountId: AccountId): Promise<readonly Membership[]>;
  /** The number of members of each account; accounts without any are missing. */
  memberCounts(): Promise<ReadonlyMap<AccountId, number>>;
  /** When a session of each member was last used, ms; members without sessions are missing. */
  lastSeen(accountId: AccountId): Promise<ReadonlyMap<UserId, number>>;
  /**
   * Changes the role of a member, or removes them, if they still have `member.role` and the account keeps an owner. Atomic, so that two
   * owners who demote each other concurrently do not both succeed.
   */
  changeRoleButLastOwner(member: MemberRole, to: Role): Promise<OwnerGuarded>;
  deleteMembershipButLastOwner(member: MemberRole): Promise<OwnerGuarded>;
}

/** A member as the caller has seen them. */
export type MemberRole = Pick<Membership, 'accountId' | 'userId' | 'role'>;

/** `changed`: their role has changed in the meantime. */
export type OwnerGuarded = 'done' | 'last_owner' | 'no_member' | 'changed';

export interface AuditActor {
  readonly kind: 'user' | 'key' | 'operator' | 'system';
  readonly id: number | null;
  /** The name at the time of the change; later renames do not affect it. */
  readonly name: string;
}

/** A change that was made. `before` and `after` contain the fields that differ, and no secrets. */
export interface NewAuditEntry {
  readonly at: number;
  readonly actor: AuditActor;
  /** `key.create`, `member.update`, …: the noun of the contract and what was done. */
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string | null };
  /** Null for changes of the whole installation. */
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
  /** Null for entries of the whole installation. */
  readonly accountId: AccountId | null;
  /** Only entries before this one. */
  readonly before: number | null;
  readonly limit: number;
  /** An action or a prefix of one. */
  readonly action: string | null;
  readonly actorId: number | null;
}

export interface AuditStore {
  /** Append-only and sequential; each row's hash covers the row before it. */
  append(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** The id of the first row whose hash is wrong, or null. */
  verify(): Promise<number | null>;
}

/** Attempts to sign in, counted for all nodes. A subject is a digest of 32 bytes; times are ms since 1970. */
export interface AttemptStore {
  /** Takes a token of the subject's bucket; resolves to 0, or to the ms to wait first. */
  takeToken(
    subject: Uint8Array,
    rate: { readonly burst: number; readonly everyMs: number },
    now: number,
  ): Promise<number>;
  giveBackToken(subject: Uint8Array, rate: { readonly everyMs: number }): Promise<void>;
  /** Counts a failure; resolves to 0, or to the ms to wait first. The wait doubles from the failure `free` on. */
  countFailure(
    subject: Uint8Array,
    rule: {
      readonly free: number;
      readonly firstWaitMs: number;
      readonly waitMaxMs: number;
      readonly forgottenMs: number;
    },
    now: number,
  ): Promise<number>;
  forget(subject: Uint8Array): Promise<void>;
  /** Deletes what no longer matters. */
  deleteForgotten(before: number): Promise<void>;
}
