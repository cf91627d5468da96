/**
 * Sign-up. A person is created when the emailed link is opened, with the name and password of the request that caused it: an earlier
 * request by somebody else with the same address cannot leave its password.
 */
import { GatewayError } from '../core/errors.ts';
import type { Transactions } from '../core/transactions.ts';
import type { Attempts } from './attempts.ts';
import type { BackgroundWork } from './background-work.ts';
import { strangerAt } from './hash-turns.ts';
import type { Links } from './links.ts';
import { confirmationMail, knownAddressMail, type Mailer } from './mails.ts';
import type { NewMembers } from './new-member.ts';
import type { Passwords } from './password.ts';
import type { UserStore } from './ports.ts';
import type { Admission, Sessions } from './sessions.ts';
import { personalChange, type Visitor } from './visitor.ts';

export type SignUpRule = 'open' | 'invitation' | 'off';

export interface SignUpParts {
  readonly users: Pick<UserStore, 'createUser' | 'userByEmail'>;
  readonly sessions: Sessions;
  readonly links: Links;
  readonly newMembers: NewMembers;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly background: BackgroundWork;
  readonly transactions: Transactions;
  readonly mailer: Mailer | null;
  readonly rule: SignUpRule;
  readonly publicUrl: () => string;
  readonly now: () => number;
}

export interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

export class SignUp {
  readonly #parts: SignUpParts;

  constructor(parts: SignUpParts) {
    this.#parts = parts;
  }

  /**
   * Emails a link to confirm the address, or a note if it is already known; the answer does not reveal which. Throws `permission_denied` if
   * sign-up is not open, `invalid_value`, `rate_limit_exceeded`, `shedding`.
   */
  async ask(visitor: Visitor, person: NewPerson): Promise<void> {
    this.#checkIsOpen();
    const { mailer, attempts, passwords, background } = this.#parts;
    if (mailer === null)
      throw new GatewayError('permission_denied', {
        message:
          'Sign-up is not available: addresses are confirmed by email, and no mail server is configured (smtp.url).',
      });
    await attempts.beginMail(visitor.ip);
    const passwordHash = await passwords.hash(person.password, person, strangerAt(visitor.ip));
    background.run('the mail of a sign-up could not be sent', () => this.#mail(mailer, person, passwordHash));
  }

  /** Throws `not_found` for an invalid link, `conflict` if the address is in use by now. */
  async confirm(visitor: Visitor, token: string): Promise<Admission> {
    this.#checkIsOpen();
    const { users, attempts, links, newMembers, sessions, transactions, now } = this.#parts;
    const attempt = await attempts.beginLink(visitor.ip);
    const link = await links.find(token, 'email');
    await attempt.succeeded();
    const { email, signUp } = link;
    if (email === null || signUp === null) throw new Error('a link to confirm an address says whose');
    return transactions.run(async () => {
      if ((await users.userByEmail(email)) !== null) throw knownAddress();
      await links.use(link);
      const user = await users.createUser({
        email,
        name: signUp.name,
        passwordHash: signUp.passwordHash,
        isOperator: false,
        createdAt: now(),
        emailConfirmedAt: now(),
      });
      if (user === null) throw knownAddress();
      const account = await newMembers.makeAccount(user);
      await visitor.audit(personalChange(user, 'user.create', { email, name: user.name }));
      await visitor.audit({
        ...personalChange(user, 'account.create', { name: account.name }),
        subject: { kind: 'account', id: String(account.id), name: account.name },
        accountId: account.id,
      });
      const admission = await sessions.admit(user, visitor);
      await visitor.audit(personalChange(user, 'user.sign_in'));
      return admission;
    });
  }

  #checkIsOpen(): void {
    const { rule } = this.#parts;
    if (rule === 'open') return;
    throw new GatewayError('permission_denied', {
      message: rule === 'off' ? 'Sign-up is closed.' : 'Sign-up is by invitation only.',
    });
  }

  async #mail(mailer: Mailer, { email, name }: NewPerson, passwordHash: string): Promise<void> {
    const { users, links, attempts, publicUrl } = this.#parts;
    if (!(await attempts.mayMail('sign-up', email))) return;
    if ((await users.userByEmail(email)) !== null)
      return mailer.send(knownAddressMail(email, `${publicUrl()}/sign-in`));
    const made = await links.make({ purpose: 'email', email, signUp: { name, passwordHash } });
    return mailer.send(confirmationMail(email, links.addressOf('email', made.token)));
  }
}

function knownAddress(): GatewayError {
  return new GatewayError('conflict', { message: 'This address already has an account. Sign in instead.' });
}
