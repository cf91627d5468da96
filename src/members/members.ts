/**
 * Members of accounts and their invitations. Roles are read with each request, so a change applies from the next one on; a demoted member
 * is also signed out. An account keeps at least one owner, unless an operator removes the last one.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId, KeyId } from '../core/ids.ts';
import type { Transactions } from '../core/transactions.ts';
import type { AttemptCounts, AttemptRate } from './attempt-counts.ts';
import type { InvitingKeys } from './inviting-keys.ts';
import type {
  Link,
  LinkId,
  Membership,
  MembershipStore,
  OwnerGuarded,
  Role,
  User,
  UserId,
  UserStore,
} from './ports.ts';
import { isAtLeast, isDemotion, mayChangeMember, mayGive } from './roles.ts';

/** Who makes the request, and their role in the account. */
export interface MemberActor {
  /** Null if it is not a person: a management key, an operator's command. */
  readonly userId: UserId | null;
  /** The management key that makes the request. */
  readonly keyId?: KeyId | null;
  readonly role: Role;
  readonly isOperator: boolean;
  /** The highest role that they may give, if lower than their own. */
  readonly givesAtMost?: Role;
  /** Checks their rights again, within the transaction of a change. Throws if they are lost. */
  checkStill?(): Promise<void>;
}

/** Called within the transaction of a change, with what was changed. */
export type Note<Thing> = (thing: Thing) => Promise<void>;

/**
 * Ends what somebody created as an admin of an account and could use to keep admin rights. May be called twice; must not run within a
 * transaction.
 */
export type EndAdmin = (account: AccountId, userId: UserId) => Promise<void>;

export interface Member extends Membership {
  readonly user: User;
  /** When a session of theirs was last used, ms. */
  readonly lastSeenAt: number | null;
}

export interface Invitation {
  readonly link: Link;
  /** The email address of the person who created it, or the name of the key; null if it was created on the machine. */
  readonly createdBy: string | null;
}

/** The fields for the link of a new invitation. */
export interface NewInvitation {
  readonly purpose: 'invitation';
  readonly accountId: AccountId;
  readonly role: Role;
  readonly email: string | null;
  readonly createdBy: UserId | null;
  readonly createdByKey: KeyId | null;
}

export interface MembersParts {
  readonly memberships: MembershipStore;
  readonly transactions: Transactions;
  readonly users: Pick<
    UserStore,
    'user' | 'userByEmail' | 'users' | 'sessionsOf' | 'invitationsOf' | 'deleteInvitation'
  >;
  readonly keys: InvitingKeys;
  readonly clock: Clock;
  /** Of this process, or of all nodes. */
  readonly counts: Pick<AttemptCounts, 'take'>;
  /** Creates a one-use link and its token, of which only the digest is stored. */
  newLink(invitation: NewInvitation): Promise<{ readonly link: Link; readonly token: string }>;
  /** Signs a person out everywhere, immediately. */
  endSessionsOf(userId: UserId): Promise<void>;
}

/** Open invitations of an account: each may send an email to any address. */
const INVITATIONS_MAX = 100;

/** Admins choose who gets invitation emails, so they are limited per account and per mailbox. */
const ACCOUNT_RATE: AttemptRate = { kind: 'invitations', burst: 30, everyMs: 600_000 };
const ADDRESS_RATE: AttemptRate = { kind: 'invited', burst: 3, everyMs: 3_600_000 };

export class Members {
  readonly #parts: MembersParts;
  constructor(parts: MembersParts) {
    this.#parts = parts;
  }

  /** In the order in which they joined. */
  async list(account: AccountId): Promise<readonly Member[]> {
    const { memberships, users } = this.#parts;
    const members = await memberships.membersOf(account);
    const found = new Map((await users.users(members.map(({ userId }) => userId))).map((user) => [user.id, user]));
    const seen = await memberships.lastSeen(account);
    return members.flatMap((member) => {
      const user = found.get(member.userId);
      return user === undefined ? [] : [{ ...member, user, lastSeenAt: seen.get(member.userId) ?? null }];
    });
  }

  /** Throws `GatewayError` `not_found`. Reads only this person: an account may have ten thousand. */
  async find(account: AccountId, userId: UserId): Promise<Member> {
    const { users } = this.#parts;
    const membership = await this.#membershipOf(account, userId);
    const user = membership === null ? null : await users.user(userId);
    if (membership === null || user === null) throw noMember();
    const seen = (await users.sessionsOf(userId)).map(({ lastSeenAt }) => lastSeenAt);
    return { ...membership, user, lastSeenAt: seen.length === 0 ? null : Math.max(...seen) };
  }

  /**
   * Returns the member after the change. Throws `GatewayError`: `not_found`; `permission_denied` for a role above the actor's; `conflict`
   * if it would demote the last owner.
   */
  async changeRole(
    actor: MemberActor,
    member: Member,
    role: Role,
    endAdmin: EndAdmin,
    note: Note<Member>,
  ): Promise<Member> {
    const { accountId, userId, role: before } = member;
    if (!mayChangeMember(actor.role, before)) throw denied('Only owners can change the role of an owner.');
    checkMayGive(actor, role);
    if (role !== before) {
      const { memberships, transactions } = this.#parts;
      if (!actor.isOperator) await this.#checkOwnerLeft(member);
      await actor.checkStill?.();
      const losesAdmin = isDemotion(before, role) && !isAtLeast(role, 'admin');
      // Before and after the change: after an error in between it can be repeated, and what is created meanwhile ends too.
      if (losesAdmin) await endAdmin(accountId, userId);
      await transactions.run(async () => {
        await actor.checkStill?.();
        checkGuard(
          actor.isOperator
            ? await changeRole(memberships, member, role)
            : await memberships.changeRoleButLastOwner(member, role),
        );
        if (isDemotion(before, role)) await this.#afterLoss(accountId, userId, role);
        await note({ ...member, role });
      });
      if (losesAdmin) await endAdmin(accountId, userId);
    }
    return this.find(accountId, userId);
  }

  /** Anybody may leave; admins remove members, and only owners remove owners. Throws as `changeRole` does. */
  async remove(actor: MemberActor, member: Member, endAdmin: EndAdmin, note: Note<Member>): Promise<void> {
    const { accountId, userId, role } = member;
    const isLeaving = actor.userId === userId;
    if (!isLeaving && !mayChangeMember(actor.role, role))
      throw denied('Only admins can remove members, and only owners can remove owners.');
    const { memberships, transactions } = this.#parts;
    if (!actor.isOperator) await this.#checkOwnerLeft(member);
    await actor.checkStill?.();
    await endAdmin(accountId, userId);
    await transactions.run(async () => {
      await actor.checkStill?.();
      checkGuard(
        actor.isOperator
          ? await deleteMember(memberships, accountId, userId)
          : await memberships.deleteMembershipButLastOwner(member),
      );
      await this.#afterLoss(accountId, userId, null);
      await note(member);
    });
    await endAdmin(accountId, userId);
  }

  /** Open ones, oldest first. */
  async invitations(account: AccountId): Promise<readonly Invitation[]> {
    const { users } = this.#parts;
    const links = await this.#openInvitations(account);
    const makers = await users.users([...new Set(links.flatMap(({ createdBy }) => createdBy ?? []))]);
    return links.map((link) => ({
      link,
      createdBy: this.#makerOf(link, makers),
    }));
  }

  /**
   * Voids an open invitation to the same address. Throws `GatewayError`: `permission_denied` for a role above the actor's; `conflict` if
   * the address belongs to a member, or too many are open; `rate_limit_exceeded` if too many were emailed.
   */
  async invite(
    actor: MemberActor,
    account: AccountId,
    { email, role }: { readonly email: string | null; readonly role: Role },
    note: Note<Link> = async () => undefined,
  ): Promise<{ readonly link: Link; readonly token: string }> {
    checkMayGive(actor, role);
    const { users, newLink, transactions } = this.#parts;
    return transactions.run(async () => {
      await actor.checkStill?.();
      const invited = email === null ? null : await users.userByEmail(email);
      const isMember = invited !== null && (await this.#membershipOf(account, invited.id)) !== null;
      if (isMember) throw new GatewayError('conflict', { message: `${email} is already a member.`, param: 'email' });
      const open = await this.#openInvitations(account);
      const replaced = email === null ? [] : open.filter((link) => link.email === email);
      if (replaced.some((link) => !mayChangeMember(actor.role, link.role ?? 'owner')))
        throw denied('An owner has already invited this address as an owner.');
      if (open.length - replaced.length >= INVITATIONS_MAX)
        throw new GatewayError('conflict', {
          message: `${INVITATIONS_MAX} invitations are pending already; cancel some first.`,
        });
      if (email !== null && !actor.isOperator) await this.#checkRate(account, email);
      const link = await newLink({ purpose: 'invitation', accountId: account, role, email, ...makerOf(actor) });
      for (const { id } of replaced) await users.deleteInvitation(account, id);
      await note(link.link);
      return link;
    });
  }

  /**
   * Voids an invitation and returns it. Throws `GatewayError`: `not_found`; `permission_denied` for an owner's invitation if the actor is
   * not an owner.
   */
  async withdraw(actor: MemberActor, account: AccountId, id: LinkId, note: Note<Link>): Promise<Link> {
    const { users, transactions } = this.#parts;
    return transactions.run(async () => {
      await actor.checkStill?.();
      const link = (await this.#openInvitations(account)).find((each) => each.id === id);
      if (link === undefined) throw noInvitation();
      if (!mayChangeMember(actor.role, link.role ?? 'owner'))
        throw denied('Only owners can cancel the invitation of an owner.');
      if (!(await users.deleteInvitation(account, id))) throw noInvitation();
      await note(link);
      return link;
    });
  }

  /** Voids every open invitation of an account and returns their number. */
  async voidInvitations(account: AccountId): Promise<number> {
    const links = await this.#openInvitations(account);
    for (const { id } of links) await this.#parts.users.deleteInvitation(account, id);
    return links.length;
  }

  async #membershipOf(account: AccountId, userId: UserId): Promise<Membership | null> {
    const all = await this.#parts.memberships.membershipsOf(userId);
    return all.find(({ accountId }) => accountId === account) ?? null;
  }

  /** Checked before anything is changed; the store checks again, atomically with the change. */
  async #checkOwnerLeft({ accountId, userId, role }: Member): Promise<void> {
    if (role !== 'owner') return;
    const members = await this.#parts.memberships.membersOf(accountId);
    if (!members.some((each) => each.role === 'owner' && each.userId !== userId)) throw lastOwner();
  }

  async #checkRate(account: AccountId, email: string): Promise<void> {
    const { counts } = this.#parts;
    const waitMs = (await counts.take(ACCOUNT_RATE, String(account))) || (await counts.take(ADDRESS_RATE, email));
    if (waitMs > 0)
      throw new GatewayError('rate_limit_exceeded', {
        message: 'Too many invitations were sent; try again later, or create one without an address.',
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
  }

  /** Without those that can no longer be accepted because the key that created them is no longer good. */
  async #openInvitations(account: AccountId): Promise<readonly Link[]> {
    const { users, keys, clock } = this.#parts;
    const links = await users.invitationsOf(account, clock.now());
    return links.filter(({ createdByKey }) => createdByKey === null || keys.mayInvite(createdByKey, account));
  }

  #makerOf({ createdBy, createdByKey }: Link, people: readonly User[]): string | null {
    if (createdByKey !== null) return this.#parts.keys.nameOf(createdByKey);
    return people.find(({ id }) => id === createdBy)?.email ?? null;
  }

  async #afterLoss(account: AccountId, userId: UserId, role: Role | null): Promise<void> {
    await this.#voidInvitationsBy(account, userId, role);
    await this.#parts.endSessionsOf(userId);
  }

  /** Voids invitations by somebody who may no longer give that role: otherwise they could let themselves back in. */
  async #voidInvitationsBy(account: AccountId, userId: UserId, role: Role | null): Promise<void> {
    for (const link of await this.#openInvitations(account)) {
      const stays = role !== null && mayGive(role, link.role ?? 'owner');
      if (link.createdBy === userId && !stays) await this.#parts.users.deleteInvitation(account, link.id);
    }
  }
}

function makerOf({ userId, keyId = null }: MemberActor): Pick<NewInvitation, 'createdBy' | 'createdByKey'> {
  return { createdBy: userId, createdByKey: keyId };
}

/** An operator may leave an account without an owner. */
async function changeRole(store: MembershipStore, member: Member, role: Role): Promise<OwnerGuarded> {
  const outcome = await store.changeRoleButLastOwner(member, role);
  if (outcome !== 'last_owner') return outcome;
  const { accountId, userId, joinedAt } = member;
  await store.putMembership({ accountId, userId, joinedAt, role });
  return 'done';
}

async function deleteMember(store: MembershipStore, account: AccountId, user: UserId): Promise<OwnerGuarded> {
  return (await store.deleteMembership(account, user)) ? 'done' : 'no_member';
}

function checkGuard(outcome: OwnerGuarded): void {
  if (outcome === 'no_member') throw noMember();
  if (outcome === 'changed')
    throw new GatewayError('conflict', {
      message: 'Someone else changed this member in the meantime; reload and try again.',
    });
  if (outcome === 'last_owner') throw lastOwner();
}

function checkMayGive({ role, givesAtMost = role }: MemberActor, given: Role): void {
  if (!mayGive(role, given)) throw denied('You cannot grant a role above your own.');
  if (!isAtLeast(givesAtMost, given))
    throw denied(
      `A management key can grant at most the role ${givesAtMost}; higher roles are granted in the dashboard.`,
    );
}

function lastOwner(): GatewayError {
  return new GatewayError('conflict', { message: 'This is the last owner; make another member an owner first.' });
}

function noMember(): GatewayError {
  return new GatewayError('not_found', { message: 'The member does not exist.' });
}

function noInvitation(): GatewayError {
  return new GatewayError('not_found', { message: 'The invitation does not exist or is no longer pending.' });
}

function denied(message: string): GatewayError {
  return new GatewayError('permission_denied', { message });
}
