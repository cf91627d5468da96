/** Joining an account with an invitation: as who is signed in, or as somebody new. */
import { GatewayError } from '../core/errors.ts';
import type { AccountId } from '../core/ids.ts';
import type { Transactions } from '../core/transactions.ts';
import type { Attempts } from './attempts.ts';
import { type InvitingKeys, KEYS_GIVE_AT_MOST } from './inviting-keys.ts';
import { type Links, noLink } from './links.ts';
import type { NamedAccount, NewMembers } from './new-member.ts';
import type { Passwords } from './password.ts';
import type { Link, Role, User, UserStore } from './ports.ts';
import { isAtLeast, mayGive } from './roles.ts';
import type { Sessions } from './sessions.ts';
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
  readonly transactions: Transactions;
  readonly rule: SignUpRule;
  readonly now: () => number;
}

/** `sign_in`: with the address and the password that were given, or with those that the person has here already. */
export type Accepted = 'signed_in' | 'sign_in';

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
   * Who is signed in joins. For others the answer is the same whether somebody has the address or not: they sign in next. Somebody new
   * has been made then, with the password that was given; who is known has the invitation kept for them, until they have signed in with
   * their own password. Either way the invitation is used up for everybody else: it says something of one address at most.
   * Throws `not_found` for a link that is not good, or whose maker may no longer give its role; `permission_denied` for somebody else's,
   * and where nobody new gets in; `conflict` for who is a member already; `missing_field`, `invalid_value`.
   */
  async accept(visitor: Visitor, token: string, person: InvitedPerson): Promise<Accepted> {
    const { attempts, links, sessions, newMembers } = this.#parts;
    const attempt = attempts.beginLink(visitor.ip);
    const found = visitor.sessionToken === null ? null : await sessions.sessionOf(visitor.sessionToken);
    const user = found !== null && found.session.state === 'full' ? found.user : null;
    const link = await links.find(token, 'invitation', user?.id ?? null);
    const account = newMembers.account(link.accountId);
    await this.#checkMaker(link, account);
    if (user === null) await this.#askToSignIn(visitor, link, person);
    else await this.#joinAsKnown(visitor, user, link, account);
    attempt.succeeded();
    return user === null ? 'sign_in' : 'signed_in';
  }

  /** Throws `not_found` for an invitation that nobody can accept any more: of a maker who may no longer give its role, or of a closed account. */
  async checkOpen(link: Link): Promise<void> {
    await this.#checkMaker(link, this.#parts.newMembers.account(link.accountId));
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
    const { newMembers, links, transactions } = this.#parts;
    checkAddress(link, user.email);
    if (await newMembers.isMember(account.id, user.id))
      throw new GatewayError('conflict', {
        message: `You are a member of "${account.name}" already; an owner or admin of it can change your role.`,
      });
    await transactions.run(async () => {
      await visitor.checkStill();
      await this.#checkMaker(link, account);
      await links.use(link);
      await newMembers.join(account.id, user.id, roleOf(link));
      await visitor.audit(joined(user, account.id, roleOf(link)));
    });
  }

  /** What costs time is done for everybody; only what is written differs. */
  async #askToSignIn(visitor: Visitor, link: Link, given: InvitedPerson): Promise<void> {
    const { users, newMembers, links, passwords, transactions, rule, now } = this.#parts;
    const email = given.email ?? link.email;
    if (email === null) throw missing('email');
    checkAddress(link, email);
    if (rule === 'off')
      throw new GatewayError('permission_denied', {
        message: 'Nobody new gets in here. If you have an account, sign in and open the invitation again.',
      });
    const { name, password } = given;
    if (name === undefined) throw missing('name');
    if (password === undefined) throw missing('password');
    const passwordHash = await passwords.hash(password, { email, name }, { lane: 'known', owner: `link ${link.id}` });
    await transactions.run(async () => {
      // Hashing took its time.
      const account = newMembers.account(link.accountId);
      await this.#checkMaker(link, account);
      const known = await users.userByEmail(email);
      if (known !== null) {
        await links.keepFor(link, known.id);
        return;
      }
      await links.use(link);
      // That somebody has the link proves no mailbox: it may have been handed over otherwise.
      const person = { email, name, passwordHash, isOperator: false, createdAt: now(), emailConfirmedAt: null };
      const made = await users.createUser(person);
      if (made === null) return;
      await newMembers.join(account.id, made.id, roleOf(link));
      await visitor.audit(personalChange(made, 'user.create', { email, name }));
      await visitor.audit(joined(made, account.id, roleOf(link)));
    });
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

function missing(field: string): GatewayError {
  return new GatewayError('missing_field', {
    message: `Sign in, or give ${field} to join as somebody new.`,
    param: field,
  });
}
