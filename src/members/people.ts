/**
 * People of the installation, for its operators: who is an operator, and who may sign in. At least one operator can always sign in. A
 * person who loses either right is signed out immediately, and the management keys and invitations that they created end.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId } from '../core/ids.ts';
import type { Link, MembershipStore, OperatorGuarded, PeopleQuery, Role, User, UserId, UserStore } from './ports.ts';
import { isAtLeast, mayGive } from './roles.ts';

export interface PeopleParts {
  readonly users: Pick<
    UserStore,
    | 'user'
    | 'userByEmail'
    | 'people'
    | 'sessionsOf'
    | 'updateUser'
    | 'unmakeOperatorButLast'
    | 'disableButLastOperator'
    | 'invitationsBy'
    | 'deleteInvitation'
  >;
  readonly memberships: Pick<MembershipStore, 'membershipsOf'>;
  readonly clock: Clock;
  /** Signs a person out everywhere, immediately. */
  endSessionsOf(userId: UserId): Promise<void>;
  /** Voids links that set a new password. */
  voidPasswordLinksOf(userId: UserId): Promise<void>;
}

/** Ends the management keys that somebody created, and returns their number. May be called twice. */
export interface EndKeys {
  /** Disables all of them until somebody enables them. */
  disableAll(userId: UserId): Promise<number>;
  /** Revokes all of them except those of `accounts`, where their maker is an admin. */
  revokeBut(userId: UserId, accounts: ReadonlySet<AccountId>): Promise<number>;
}

export interface Person {
  readonly user: User;
  readonly memberships: readonly { readonly accountId: AccountId; readonly role: Role }[];
  /** When a session of theirs was last used, ms. */
  readonly lastSeenAt: number | null;
}

export interface Ended {
  readonly managementKeys: number;
  readonly invitations: number;
}

export const NOTHING_ENDED: Ended = { managementKeys: 0, invitations: 0 };

/** Runs `work` in one transaction, after checking rights again. */
export type ChangePeople = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** How a change is made; `note` writes its audit entry in the same transaction. */
export interface PersonChange {
  readonly change: ChangePeople;
  note(): Promise<void>;
}

export class People {
  readonly #parts: PeopleParts;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /** In the order in which they joined. */
  async list(query: PeopleQuery): Promise<readonly Person[]> {
    const people: Person[] = [];
    for (const user of await this.#parts.users.people(query)) people.push(await this.#describe(user));
    return people;
  }

  /** By id or email address. Throws `GatewayError` `not_found`. */
  async find(reference: string): Promise<Person> {
    const { users } = this.#parts;
    const isId = /^[1-9]\d{0,15}$/.test(reference);
    const user = isId
      ? await users.user(Number(reference) as UserId)
      : await users.userByEmail(reference.trim().toLowerCase());
    if (user === null) throw noPerson();
    return this.#describe(user);
  }

  /** Throws `GatewayError` `conflict` for a disabled person. */
  async makeOperator({ user }: Person, { change, note }: PersonChange): Promise<void> {
    const { users } = this.#parts;
    await change(async () => {
      const current = await users.user(user.id);
      if (current === null) throw noPerson();
      if (current.disabledAt !== null)
        throw new GatewayError('conflict', { message: `${user.email} is disabled; enable this person first.` });
      await users.updateUser(user.id, { isOperator: true });
      await note();
    });
  }

  /** Throws `GatewayError` `conflict` for the last operator who may sign in. */
  async unmakeOperator({ user }: Person, keys: EndKeys, { change, note }: PersonChange): Promise<Ended> {
    const { users, memberships, endSessionsOf } = this.#parts;
    const { invitations, administered } = await change(async () => {
      checkGuard(await users.unmakeOperatorButLast(user.id));
      await endSessionsOf(user.id);
      const roles = new Map((await memberships.membershipsOf(user.id)).map(({ accountId, role }) => [accountId, role]));
      const voided = await this.#voidInvitations(user.id, ({ accountId, role }) => {
        const own = accountId === null ? undefined : roles.get(accountId);
        return own !== undefined && mayGive(own, role ?? 'owner');
      });
      await note();
      return {
        invitations: voided,
        administered: [...roles].flatMap(([id, role]) => (isAtLeast(role, 'admin') ? [id] : [])),
      };
    });
    return { managementKeys: await keys.revokeBut(user.id, new Set(administered)), invitations };
  }

  /** Throws `GatewayError` `conflict` for the last operator who may sign in. Repeating it ends what is left after an error. */
  async disable({ user }: Person, keys: EndKeys, { change, note }: PersonChange): Promise<Ended> {
    const { users, clock, endSessionsOf, voidPasswordLinksOf } = this.#parts;
    const invitations = await change(async () => {
      checkGuard(await users.disableButLastOperator(user.id, user.disabledAt ?? clock.now()));
      await endSessionsOf(user.id);
      await voidPasswordLinksOf(user.id);
      const voided = await this.#voidInvitations(user.id, () => false);
      await note();
      return voided;
    });
    return { managementKeys: await keys.disableAll(user.id), invitations };
  }

  /** The person may sign in again; keys and invitations that ended stay ended. */
  async enable({ user }: Person, { change, note }: PersonChange): Promise<void> {
    await change(async () => {
      await this.#parts.users.updateUser(user.id, { disabledAt: null });
      await note();
    });
  }

  async #voidInvitations(userId: UserId, stays: (link: Link) => boolean): Promise<number> {
    const { users, clock } = this.#parts;
    let ended = 0;
    for (const link of await users.invitationsBy(userId, clock.now())) {
      if (link.accountId === null || stays(link)) continue;
      if (await users.deleteInvitation(link.accountId, link.id)) ended += 1;
    }
    return ended;
  }

  async #describe(user: User): Promise<Person> {
    const { users, memberships } = this.#parts;
    const seen = (await users.sessionsOf(user.id)).map(({ lastSeenAt }) => lastSeenAt);
    return {
      user,
      memberships: await memberships.membershipsOf(user.id),
      lastSeenAt: seen.length === 0 ? null : Math.max(...seen),
    };
  }
}

function checkGuard(outcome: OperatorGuarded): void {
  if (outcome === 'no_user') throw noPerson();
  if (outcome === 'last_operator')
    throw new GatewayError('conflict', {
      message: 'This is the last operator who can sign in; make someone else an operator first.',
    });
}

function noPerson(): GatewayError {
  return new GatewayError('not_found', { message: 'The person does not exist.', param: 'person' });
}
