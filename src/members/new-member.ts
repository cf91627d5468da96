/** The role of a person in an account, and the first account of a new person. */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId } from '../core/ids.ts';
import type { MembershipStore, Role, User, UserId } from './ports.ts';

export interface NamedAccount {
  readonly id: AccountId;
  readonly name: string;
  readonly closedAt: number | null;
}

/** What sign-up needs of the registry of accounts and projects. */
export interface Scopes {
  createAccount(account: { readonly name: string }): Promise<NamedAccount>;
  createProject(project: { readonly accountId: AccountId; readonly name: string }): Promise<unknown>;
  /** In order of id. */
  accounts(): readonly NamedAccount[];
}

export interface NewMembersParts {
  readonly memberships: Pick<MembershipStore, 'putMembership' | 'membershipsOf'>;
  readonly scopes: Scopes;
  readonly clock: Clock;
}

const PROJECT_NAME = 'Default';

export class NewMembers {
  readonly #parts: NewMembersParts;

  constructor(parts: NewMembersParts) {
    this.#parts = parts;
  }

  /** An open account. Throws `not_found`. */
  account(id: AccountId | null): NamedAccount {
    const account = this.#parts.scopes.accounts().find((each) => each.id === id && each.closedAt === null);
    if (account === undefined) throw new GatewayError('not_found', { message: 'The account no longer exists.' });
    return account;
  }

  /** Creates an account owned by the person, with a project and without credit. */
  async makeAccount(user: User): Promise<NamedAccount> {
    const { scopes } = this.#parts;
    const account = await scopes.createAccount({ name: user.name });
    await scopes.createProject({ accountId: account.id, name: PROJECT_NAME });
    await this.join(account.id, user.id, 'owner');
    return account;
  }

  /** Makes the first operator an owner of the oldest open account. */
  async joinOldest(user: User): Promise<NamedAccount> {
    const oldest = this.#parts.scopes.accounts().find(({ closedAt }) => closedAt === null);
    if (oldest === undefined) return this.makeAccount(user);
    await this.join(oldest.id, user.id, 'owner');
    return oldest;
  }

  async isMember(account: AccountId, user: UserId): Promise<boolean> {
    return (await this.roleIn(account, user)) !== null;
  }

  /** The role of a member in an account; null for others. */
  async roleIn(account: AccountId, user: UserId): Promise<Role | null> {
    const memberships = await this.#parts.memberships.membershipsOf(user);
    return memberships.find(({ accountId }) => accountId === account)?.role ?? null;
  }

  join(accountId: AccountId, userId: UserId, role: Role): Promise<void> {
    const { memberships, clock } = this.#parts;
    return memberships.putMembership({ accountId, userId, role, joinedAt: clock.now() });
  }
}
