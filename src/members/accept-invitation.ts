/** Joining an account with an invitation: as who is signed in, or as somebody new. */
import { GatewayError } from '../core/errors.ts';
import type { FewAtOnce } from '../core/few-at-once.ts';
import type { AccountId } from '../core/ids.ts';
import type { Attempts } from './attempts.ts';
import { type InvitingKeys, KEYS_GIVE_AT_MOST } from './inviting-keys.ts';
import { type Links, noLink } from './links.ts';
import type { NamedAccount, NewMembers } from './new-member.ts';
import type { Passwords } from './password.ts';
import type { Link, Role, User, UserStore } from './ports.ts';
import { isAtLeast, mayGive } from './roles.ts';
import type { Admission, Sessions } from './sessions.ts';
import type { SignUpRule } from './sign-up.ts';
import { personalChange, type Visitor } from './visitor.ts';

export interface AcceptInvitationParts {
  readonly users: Pick<UserStore, 'createUser' | 'user' | 'userByEmail'>;
  readonly sessions: Sessions;
  readonly links: Links;
  readonly newMembers: NewMembers;
  readonly keys: InvitingKeys;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly turns: FewAtOnce;
  readonly rule: SignUpRule;
  readonly now: () => number;
}

export interface InvitedPerson {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
}

export class AcceptInvitation {
  readonly #parts: AcceptInvitationParts;

  constructor(parts: AcceptInvitationParts) {
    this.#parts = parts;
  }

  /**
   * Null where who was signed in joined, and stays signed in as before. Throws `not_found` for a link that is not good, or
   * whose maker may no longer give its role; `permission_denied` for somebody else's, `conflict` for who should sign in first or is a member already, `missing_field`.
   */
  async accept(visitor: Visitor, token: string, person: InvitedPerson): Promise<Admission | null> {
    const { attempts, links, sessions, newMembers } = this.#parts;
    const attempt = attempts.beginLink(visitor.ip);
    const link = await links.find(token, 'invitation');
    const account = newMembers.account(link.accountId);
    await this.#checkMaker(link, account);
    const found = visitor.sessionToken === null ? null : await sessions.sessionOf(visitor.sessionToken);
    if (found !== null && found.session.state === 'full') {
      await this.#joinAsKnown(visitor, found.user, link, account);
      attempt.succeeded();
      return null;
    }
    const user = await this.#joinAsNew(visitor, link, account, person);
    // Not sooner: who has a link without an address could ask for one after the other whether somebody here has it.
    attempt.succeeded();
    const admission = await sessions.admit(user, visitor);
    await visitor.audit(personalChange(user, 'user.sign_in'));
    return admission;
  }

  /** Throws `not_found`. Links are void when their maker loses the role; one that escaped that lets nobody in all the same. */
  async #checkMaker(link: Link, account: NamedAccount): Promise<void> {
    if (!(await this.#mayStillInvite(link, account))) throw noLink();
  }

  async #mayStillInvite(link: Link, account: NamedAccount): Promise<boolean> {
    if (link.createdByKey !== null)
      return this.#parts.keys.mayInvite(link.createdByKey, account.id) && isAtLeast(KEYS_GIVE_AT_MOST, roleOf(link));
    // Whoever runs the machine.
    if (link.createdBy === null) return true;
    const maker = await this.#parts.users.user(link.createdBy);
    if (maker === null || maker.disabledAt !== null) return false;
    const role = maker.isOperator ? 'owner' : await this.#parts.newMembers.roleIn(account.id, maker.id);
    return role !== null && mayGive(role, roleOf(link));
  }

  async #joinAsKnown(visitor: Visitor, user: User, link: Link, account: NamedAccount): Promise<void> {
    const { newMembers, links } = this.#parts;
    checkAddress(link, user.email);
    if (await newMembers.isMember(account.id, user.id))
      throw new GatewayError('conflict', {
        message: `You are a member of "${account.name}" already; an owner or admin of it can change your role.`,
      });
    await this.#checkMaker(link, account);
    await links.use(link);
    await newMembers.join(account.id, user.id, roleOf(link));
    await visitor.audit(joined(user, account.id, roleOf(link)));
  }

  async #joinAsNew(visitor: Visitor, link: Link, account: NamedAccount, given: InvitedPerson): Promise<User> {
    const { users, newMembers, links, passwords, turns, rule, now } = this.#parts;
    const email = given.email ?? link.email;
    if (email === null) throw missing('email');
    checkAddress(link, email);
    if ((await users.userByEmail(email)) !== null) throw knownPerson();
    if (rule === 'off')
      throw new GatewayError('permission_denied', {
        message: 'Nobody new gets in here; only people who have an account can accept invitations.',
      });
    const { name, password } = given;
    if (name === undefined) throw missing('name');
    if (password === undefined) throw missing('password');
    const passwordHash = await passwords.hash(password, { email, name }, { lane: 'known', owner: `link ${link.id}` });
    const user = await turns.run(async () => {
      if ((await users.userByEmail(email)) !== null) throw knownPerson();
      // Hashing took its time.
      await this.#checkMaker(link, newMembers.account(link.accountId));
      await links.use(link);
      // That somebody has the link proves no mailbox: it may have been handed over otherwise.
      const person = { email, name, passwordHash, isOperator: false, createdAt: now(), emailConfirmedAt: null };
      const made = await users.createUser(person);
      if (made === null) throw knownPerson();
      return made;
    });
    await newMembers.join(account.id, user.id, roleOf(link));
    await visitor.audit(personalChange(user, 'user.create', { email, name }));
    await visitor.audit(joined(user, account.id, roleOf(link)));
    return user;
  }
}

function joined(user: User, accountId: AccountId, role: Role) {
  const subject = { kind: 'member', id: String(user.id), name: user.email };
  return { ...personalChange(user, 'member.create', { role }), subject, accountId };
}

function roleOf(link: Link): Role {
  if (link.role === null) throw new Error('an invitation says the role');
  return link.role;
}

function checkAddress(link: Link, email: string): void {
  if (link.email === null || link.email === email) return;
  throw new GatewayError('permission_denied', { message: 'This invitation is for another e-mail address.' });
}

function knownPerson(): GatewayError {
  return new GatewayError('conflict', {
    message: 'You have an account here already: sign in with this address, then open the invitation again.',
    param: 'email',
  });
}

function missing(field: string): GatewayError {
  return new GatewayError('missing_field', {
    message: `Sign in, or give ${field} to join as somebody new.`,
    param: field,
  });
}
