/** Sets a new password, with the old one or with an emailed link. Either way every earlier session ends. */
import { GatewayError } from '../core/errors.ts';
import type { Transactions } from '../core/transactions.ts';
import type { Attempts } from './attempts.ts';
import type { BackgroundWork } from './background-work.ts';
import { checkPassword } from './check-password.ts';
import type { Devices } from './devices.ts';
import { type Links, noLink } from './links.ts';
import { type Mailer, passwordChangedMail, passwordMail } from './mails.ts';
import type { Passwords } from './password.ts';
import type { User, UserStore } from './ports.ts';
import { NO_SECOND_FACTOR } from './second-factor/second-factor.ts';
import type { Admission, Sessions } from './sessions.ts';
import { personalChange, type Visitor } from './visitor.ts';

export interface ChangePasswordParts {
  readonly users: Pick<UserStore, 'user' | 'userByEmail' | 'updateUser'>;
  readonly sessions: Sessions;
  readonly links: Links;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly devices: Devices;
  readonly background: BackgroundWork;
  readonly transactions: Transactions;
  readonly mailer: Mailer | null;
  readonly publicUrl: () => string;
  readonly now: () => number;
}

export class ChangePassword {
  readonly #parts: ChangePasswordParts;

  constructor(parts: ChangePasswordParts) {
    this.#parts = parts;
  }

  /** Ends all sessions and returns a new one. Throws `invalid_value`, `rate_limit_exceeded`, `shedding`. */
  async change(visitor: Visitor, user: User, given: { current: string; next: string }): Promise<Admission> {
    const { users, passwords, sessions, links, transactions } = this.#parts;
    await checkPassword(this.#parts, visitor, user, { password: given.current, param: 'current_password' });
    const passwordHash = await passwords.hash(given.next, user, { lane: 'known', owner: user.email });
    const admission = await transactions.run(async () => {
      await visitor.checkStill();
      const current = await users.user(user.id);
      if (current?.passwordHash !== user.passwordHash)
        throw new GatewayError('conflict', { message: 'The password was changed in the meantime.' });
      await users.updateUser(user.id, { passwordHash });
      await sessions.endAll(user.id);
      await links.void('password', user.id);
      await visitor.audit(personalChange(user, 'user.password_change'));
      return sessions.admitFully(user, visitor);
    });
    this.#notify(user);
    return admission;
  }

  /**
   * Emails a link if the address is known; the answer does not reveal whether it is. Throws `permission_denied` if no mail server is
   * configured.
   */
  async forgotten(visitor: Visitor, email: string): Promise<void> {
    const { mailer, attempts, background } = this.#parts;
    if (mailer === null)
      throw new GatewayError('permission_denied', {
        message:
          'This installation does not send email. Its operator can create a link for your address with "turnpike admin reset".',
      });
    await attempts.beginMail(visitor.ip);
    background.run('the mail for a forgotten password could not be sent', () => this.#mail(mailer, email));
  }

  /**
   * Sets the password with a link and signs in, up to the second factor. A link created on the machine removes the second factor, and so
   * does one emailed to an unconfirmed address: somebody else may have created the user, and would lock out the owner of the address.
   * Throws `not_found`, `invalid_value`, `rate_limit_exceeded`, `shedding`.
   */
  async reset(visitor: Visitor, token: string, password: string): Promise<Admission> {
    const { users, passwords, attempts, sessions, links, transactions, now } = this.#parts;
    const attempt = await attempts.beginLink(visitor.ip);
    const link = await links.find(token, 'password');
    await attempt.succeeded();
    const user = link.userId === null ? null : await users.user(link.userId);
    const isFromMachine = link.createdBy === null;
    if (user === null || (user.disabledAt !== null && !isFromMachine)) throw noLink();
    const losesFactor = isFromMachine || user.emailConfirmedAt === null;
    const passwordHash = await passwords.hash(password, user, { lane: 'known', owner: user.email });
    const after = losesFactor && user.totpConfirmedAt !== null ? { totp: false } : null;
    const admission = await transactions.run(async () => {
      await links.use(link);
      const changed = await users.updateUser(user.id, {
        passwordHash,
        ...(losesFactor ? NO_SECOND_FACTOR : {}),
        ...(isFromMachine ? { disabledAt: null } : { emailConfirmedAt: user.emailConfirmedAt ?? now() }),
      });
      await sessions.endAll(user.id);
      await links.void('password', user.id);
      await visitor.audit(personalChange(user, 'user.password_reset', after));
      const admitted = await sessions.admit(changed ?? user, visitor);
      if (admitted.status === 'signed_in') await visitor.audit(personalChange(user, 'user.sign_in'));
      return admitted;
    });
    this.#notify(user);
    return admission;
  }

  async #mail(mailer: Mailer, email: string): Promise<void> {
    const { users, links, attempts } = this.#parts;
    const user = await users.userByEmail(email);
    if (user === null || user.disabledAt !== null || !(await attempts.mayMail('password', email))) return;
    const made = await links.make({ purpose: 'password', userId: user.id, email, createdBy: user.id });
    await mailer.send(passwordMail(email, links.addressOf('password', made.token)));
  }

  /** Notifies the person, in case somebody else changed it. */
  #notify(user: User): void {
    const { mailer, background, publicUrl } = this.#parts;
    if (mailer === null) return;
    background.run('the mail about a changed password could not be sent', () =>
      mailer.send(passwordChangedMail(user.email, `${publicUrl()}/sign-in`)),
    );
  }
}
