/** Signs in with a password, then a code if there is a second factor. An unknown person gets the same answer as a wrong password. */
import { GatewayError } from '../core/errors.ts';
import type { Transactions } from '../core/transactions.ts';
import type { Attempts } from './attempts.ts';
import type { BackgroundWork } from './background-work.ts';
import type { Devices } from './devices.ts';
import { type Hasher, strangerAt } from './hash-turns.ts';
import type { Passwords } from './password.ts';
import type { User, UserStore } from './ports.ts';
import type { SecondFactor } from './second-factor/second-factor.ts';
import type { Admission, Sessions } from './sessions.ts';
import { changeTo, personalChange, type Visitor } from './visitor.ts';

export interface SignInParts {
  readonly users: Pick<UserStore, 'user' | 'userByEmail' | 'updateUser'>;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly devices: Devices;
  readonly background: BackgroundWork;
  readonly transactions: Transactions;
}

export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** Throws `invalid_sign_in`, `rate_limit_exceeded`, `shedding`. */
  async withPassword(visitor: Visitor, given: { email: string; password: string }): Promise<Admission> {
    const { users, passwords, attempts, devices, transactions } = this.#parts;
    const device = devices.find(visitor.deviceToken, given.email);
    const attempt = await attempts.begin('password', given.email, { address: visitor.ip, device });
    const known: Hasher = { lane: 'known', owner: given.email };
    const hasher = device === null ? strangerAt(visitor.ip) : known;
    const user = await users.userByEmail(given.email);
    const { isCorrect, isOutdated } = await passwords.verify(given.password, user?.passwordHash ?? null, hasher);
    if (user === null || !isCorrect || user.disabledAt !== null) throw this.#refusal(visitor, user);
    await attempt.succeeded();
    const better = isOutdated ? await passwords.rehash(given.password, known) : null;
    return transactions.run(async () => {
      // The password may have been changed while the old one was verified; the old one must then be refused.
      const current = await users.user(user.id);
      if (current === null || current.passwordHash !== user.passwordHash || current.disabledAt !== null)
        throw this.#refusal(visitor, user);
      if (better !== null) await users.updateUser(user.id, { passwordHash: better });
      const admission = await this.#parts.sessions.admit(current, visitor);
      if (admission.status === 'signed_in') await visitor.audit(personalChange(user, 'user.sign_in'));
      return admission;
    });
  }

  /** Throws `invalid_sign_in` for a wrong code, and if the password was not sent in the last ten minutes. */
  async withCode(visitor: Visitor, code: string): Promise<Admission> {
    const { sessions, secondFactor, transactions } = this.#parts;
    const found = visitor.sessionToken === null ? null : await sessions.sessionOf(visitor.sessionToken);
    if (found === null || found.session.state !== 'awaits_totp')
      throw new GatewayError('invalid_sign_in', { message: 'Sign in with your password first.' });
    const { user, session } = found;
    if (!(await secondFactor.take(visitor, user, code))) {
      this.#noteFailure(visitor, user, 'code');
      throw new GatewayError('invalid_sign_in', { message: 'The code is incorrect or was already used.' });
    }
    return transactions.run(async () => {
      // A change of the password also ends the waiting session.
      if (!(await sessions.end(user.id, session.id)))
        throw new GatewayError('invalid_sign_in', { message: 'Sign in with your password first.' });
      const admission = await sessions.admitFully(user, visitor);
      await visitor.audit(personalChange(user, 'user.sign_in', { second_factor: true }));
      return admission;
    });
  }

  /** Ends the visitor's session, if there is one. */
  async out(visitor: Visitor): Promise<void> {
    const { sessions, transactions } = this.#parts;
    const found = visitor.sessionToken === null ? null : await sessions.sessionOf(visitor.sessionToken);
    if (found === null) return;
    await transactions.run(async () => {
      const isEnded = await sessions.end(found.user.id, found.session.id);
      if (isEnded && found.session.state === 'full') await visitor.audit(personalChange(found.user, 'user.sign_out'));
    });
  }

  /** The audit log is written after the answer: otherwise its timing would reveal which people are known. */
  #refusal(visitor: Visitor, user: User | null): GatewayError {
    if (user !== null) {
      const reason = user.disabledAt === null ? 'password' : 'disabled';
      this.#noteFailure(visitor, user, reason);
    }
    return new GatewayError('invalid_sign_in', { message: 'Incorrect email or password.' });
  }

  #noteFailure(visitor: Visitor, user: User, reason: string): void {
    const { background, transactions } = this.#parts;
    background.run(NOT_LOGGED, () =>
      transactions.run(() => visitor.audit(changeTo(user, 'user.sign_in_failed', { because: reason }))),
    );
  }
}

const NOT_LOGGED = 'a failed sign-in could not be written to the audit log';
