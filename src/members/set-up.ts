/** Creates the first operator, and lets an operator back in: both start on the machine itself, with a link or the environment. */
import { GatewayError } from '../core/errors.ts';
import type { Transactions } from '../core/transactions.ts';
import type { Attempts } from './attempts.ts';
import type { Links } from './links.ts';
import type { NewMembers } from './new-member.ts';
import type { Passwords } from './password.ts';
import type { User, UserStore } from './ports.ts';
import { NO_SECOND_FACTOR } from './second-factor/second-factor.ts';
import type { Admission, Sessions } from './sessions.ts';
import type { NewPerson } from './sign-up.ts';
import { changeTo, personalChange, type Visitor, type VisitorChange } from './visitor.ts';

export interface SetUpParts {
  readonly users: Pick<UserStore, 'createUser' | 'updateUser' | 'userByEmail' | 'operators' | 'oldestOperator'>;
  readonly sessions: Sessions;
  readonly links: Links;
  readonly newMembers: NewMembers;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly transactions: Transactions;
  readonly now: () => number;
}

type Audit = (change: VisitorChange) => Promise<void>;

export class SetUp {
  readonly #parts: SetUpParts;
  #wasDone = false;

  constructor(parts: SetUpParts) {
    this.#parts = parts;
  }

  /** Whether there has been an operator. Cached, because every page asks. */
  async isDone(): Promise<boolean> {
    this.#wasDone ||= await this.#hasOperator();
    return this.#wasDone;
  }

  /** A set-up link, valid for 24 hours; earlier ones are voided. Null once there is an operator. */
  async link(): Promise<string | null> {
    const { links, transactions } = this.#parts;
    return transactions.run(async () => {
      if (await this.#hasOperator()) return null;
      await links.void('setup');
      return links.addressOf('setup', (await links.make({ purpose: 'setup' })).token);
    });
  }

  /** Creates the first operator, who owns the oldest account. Throws `not_found`, `conflict`, `invalid_value`. */
  async finish(visitor: Visitor, token: string, person: NewPerson): Promise<Admission> {
    const { links, attempts, passwords, sessions, transactions } = this.#parts;
    const attempt = await attempts.beginLink(visitor.ip);
    const link = await links.find(token, 'setup');
    await attempt.succeeded();
    const passwordHash = await passwords.hash(person.password, person, { lane: 'known', owner: `link ${link.id}` });
    return transactions.run(async () => {
      if (await this.#hasOperator()) throw new GatewayError('conflict', { message: 'There is already an operator.' });
      if ((await this.#parts.users.userByEmail(person.email)) !== null) throw addressTaken(person.email);
      await links.use(link);
      const user = await this.#makeOperator(person, passwordHash);
      await visitor.audit(personalChange(user, 'user.create', { email: user.email, name: user.name, operator: true }));
      const admission = await sessions.admit(user, visitor);
      await visitor.audit(personalChange(user, 'user.sign_in'));
      return admission;
    });
  }

  /**
   * Creates the operator named in the configuration if there is no operator, and returns whether it did. An existing person becomes one,
   * with that password, and without a second factor if the address was not confirmed. Throws `invalid_value` for an invalid address or
   * password.
   */
  async ensureOperator(given: { readonly email: string; readonly password: string }, audit: Audit): Promise<boolean> {
    const { users, passwords, transactions, sessions, newMembers, now } = this.#parts;
    if (await this.#hasOperator()) return false;
    const email = given.email.trim().toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(email))
      throw new GatewayError('invalid_value', { message: 'admin.email is not an email address.', param: 'email' });
    const name = email.split('@', 1)[0] ?? email;
    const passwordHash = await passwords.hash(given.password, { email, name }, { lane: 'known', owner: email });
    return transactions.run(async () => {
      if (await this.#hasOperator()) return false;
      const known = await users.userByEmail(email);
      if (known === null) {
        const made = await this.#makeOperator({ email, name }, passwordHash);
        await audit(changeTo(made, 'user.create', { email, name, operator: true }));
        return true;
      }
      // Somebody else may have created that user while the address was not confirmed.
      const own = known.emailConfirmedAt === null ? { ...NO_SECOND_FACTOR, emailConfirmedAt: now() } : {};
      await users.updateUser(known.id, { isOperator: true, passwordHash, disabledAt: null, ...own });
      await sessions.endAll(known.id);
      await newMembers.joinOldest(known);
      await audit(changeTo(known, 'user.update', { operator: true }));
      return true;
    });
  }

  /**
   * A link for the operator of the machine: it sets a new password for the person with this address, by default the oldest operator;
   * without an operator it is a set-up link. Using it also removes the second factor and enables a disabled person. Throws `not_found` for
   * an unknown address.
   */
  async resetLink(
    email: string | null,
    audit: Audit,
  ): Promise<{ readonly link: string; readonly email: string | null }> {
    const { users, links, transactions } = this.#parts;
    const oldest = await users.oldestOperator();
    if (oldest === null) {
      const link = await this.link();
      if (link !== null) return { link, email: null };
    }
    const user = email === null ? oldest : await users.userByEmail(email.trim().toLowerCase());
    if (user === null)
      throw new GatewayError('not_found', { message: 'No one has this email address.', param: 'email' });
    return transactions.run(async () => {
      await links.void('password', user.id);
      // No `createdBy`: this distinguishes it from a link for a forgotten password.
      const made = await links.make({ purpose: 'password', userId: user.id, email: user.email, createdBy: null });
      await audit(changeTo(user, 'user.reset_link'));
      return { link: links.addressOf('password', made.token), email: user.email };
    });
  }

  async #hasOperator(): Promise<boolean> {
    return (await this.#parts.users.operators()) > 0;
  }

  /** Call it within a transaction, if there is no operator. */
  async #makeOperator({ email, name }: Omit<NewPerson, 'password'>, passwordHash: string): Promise<User> {
    const { users, newMembers, links, now } = this.#parts;
    // The operator of the machine chose the address, so it counts as confirmed.
    const at = now();
    const person = { email, name, passwordHash, isOperator: true, createdAt: at, emailConfirmedAt: at };
    const made = await users.createUser(person);
    if (made === null) throw addressTaken(email);
    await newMembers.joinOldest(made);
    await links.void('setup');
    return made;
  }
}

function addressTaken(email: string): GatewayError {
  return new GatewayError('conflict', { message: `${email} already belongs to a member; choose another address.` });
}
