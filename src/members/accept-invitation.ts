/** Accepts an invitation to an account, as the signed-in person or as a new one. */
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

/** `sign_in`: next, sign in with the email address and the password sent, or with those of the existing person. */
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
   * A signed-in person joins. For others the answer is the same whether the address is known or not: they must sign in next. A new person
   * has then been created with the password sent; for a known one the invitation is reserved until they sign in with their own password.
   * Either way nobody else can use the invitation, so it reveals something about one address at most. Throws `not_found` for an invalid
   * link, or one whose maker may no longer give its role; `permission_denied` for somebody else's invitation, and if sign-up is off;
   * `conflict` if they are already a member; `missing_field`, `invalid_value`.
   */
  async accept(visitor: Visitor, token: string, person: InvitedPerson): Promise<Accepted> {
    const { attempts, links, sessions, newMembers } = this.#parts;
    const attempt = await attempts.beginLink(visitor.ip);
    const found = visitor.sessionToken === null ? null : await sessions.sessionOf(visitor.sessionToken);
    const user = found !== null && found.session.state === 'full' ? found.user : null;
    const link = await links.find(token, 'invitation', user?.id ?? null);
    const account = newMembers.account(link.accountId);
    await this.#checkMaker(link, account);
    if (user === null) await this.#askToSignIn(visitor, link, person);
    else await this.#joinAsKnown(visitor, user, link, account);
    await attempt.succeeded();
    return user === null ? 'sign_in' : 'signed_in';
  }

  /**
   * Throws `not_found` for an invitation that can no longer be accepted: its maker may no longer give its role, or the account is closed.
   */
  async checkOpen(link: Link): Promise<void> {
    await this.#checkMaker(link, this.#parts.newMembers.account(link.accountId));
  }

  /** Throws `not_found`. Links are voided when their maker loses the role; this also refuses one that was missed. */
  async #checkMaker(link: Link, account: NamedAccount): Promise<void> {
    if (!(await this.#mayStillInvite(link, account))) throw noLink();
  }

  async #mayStillInvite(link: Link, account: NamedAccount): Promise<boolean> {
    const { keys } = this.#parts;
    if (link.createdByKey !== null)
      return isAtLeast(KEYS_GIVE_AT_MOST, roleOf(link)) && (await keys.mayStillInvite(link.createdByKey, account.id));
    // Created on the machine itself.
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
        message: `You are already a member of "${account.name}"; one of its owners or admins can change your role.`,
      });
    await transactions.run(async () => {
      await visitor.checkStill();
      await this.#checkMaker(link, account);
      await links.use(link);
      await newMembers.join(account.id, user.id, roleOf(link));
      await visitor.audit(joined(user, account.id, roleOf(link)));
    });
  }

  /** The slow work is done in every case; only what is written differs. */
  async #askToSignIn(visitor: Visitor, link: Link, given: InvitedPerson): Promise<void> {
    const { users, newMembers, links, passwords, transactions, rule, now } = this.#parts;
    const email = given.email ?? link.email;
    if (email === null) throw missing('email');
    checkAddress(link, email);
    if (rule === 'off')
      throw new GatewayError('permission_denied', {
        message:
          'New people cannot join this installation. If you have an account, sign in and open the invitation again.',
      });
    const { name, password } = given;
    if (name === undefined) throw missing('name');
    if (password === undefined) throw missing('password');
    const passwordHash = await passwords.hash(password, { email, name }, { lane: 'known', owner: `link ${link.id}` });
    await transactions.run(async () => {
      // The account may have changed while the password was hashed.
      const account = newMembers.account(link.accountId);
      await this.#checkMaker(link, account);
      const known = await users.userByEmail(email);
      if (known !== null) {
        await links.keepFor(link, known.id);
        return;
      }
      await links.use(link);
      // Having the link does not prove access to the mailbox: it may have been passed on in another way.
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
  throw new GatewayError('permission_denied', { message: 'This invitation is for another email address.' });
}

function missing(field: string): GatewayError {
  return new GatewayError('missing_field', {
    message: `Sign in, or send ${field} to join as a new person.`,
    param: field,
  });
}
