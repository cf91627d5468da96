/** Memberships of people in accounts, in SQL written once for every database. */
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import { type AccountId, accountId } from '../../core/ids.ts';
import type { MemberRole, Membership, MembershipStore, OwnerGuarded, Role, UserId } from '../../members/ports.ts';
import type { MembershipRow } from './rows/people-rows.ts';
import type { Schema } from './schema.ts';

export class SqlMembershipStore implements MembershipStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async putMembership(membership: Membership): Promise<void> {
    const { accountId: account_id, userId: user_id, role, joinedAt: joined_at } = membership;
    await this.#database
      .insertInto('memberships')
      .values({ account_id, user_id, role, joined_at })
      // For an existing member only the role changes.
      .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet({ role }))
      .execute();
  }

  async deleteMembership(account: AccountId, user: UserId): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('memberships')
      .where('account_id', '=', account)
      .where('user_id', '=', user)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async membershipsOf(user: UserId): Promise<readonly Membership[]> {
    const rows = await this.#database
      .selectFrom('memberships')
      .selectAll()
      .where('user_id', '=', user)
      .orderBy('account_id')
      .execute();
    return rows.map(readMembership);
  }

  /** In the order in which they joined. */
  async membersOf(account: AccountId): Promise<readonly Membership[]> {
    const rows = await this.#database
      .selectFrom('memberships')
      .selectAll()
      .where('account_id', '=', account)
      .orderBy('joined_at')
      .orderBy('user_id')
      .execute();
    return rows.map(readMembership);
  }

  async memberCounts(): Promise<ReadonlyMap<AccountId, number>> {
    const rows = await this.#database
      .selectFrom('memberships')
      .select((row) => ['account_id', row.fn.countAll<number>().as('members')])
      .groupBy('account_id')
      .execute();
    return new Map(rows.map((row) => [accountId(row.account_id), Number(row.members)]));
  }

  async lastSeen(account: AccountId): Promise<ReadonlyMap<UserId, number>> {
    const rows = await this.#database
      .selectFrom('memberships')
      .innerJoin('sessions', 'sessions.user_id', 'memberships.user_id')
      .select((row) => ['memberships.user_id', row.fn.max<number>('sessions.last_seen_at').as('seen')])
      .where('memberships.account_id', '=', account)
      .groupBy('memberships.user_id')
      .execute();
    return new Map(rows.map((row) => [row.user_id as UserId, Number(row.seen)]));
  }

  async changeRoleButLastOwner(member: MemberRole, to: Role): Promise<OwnerGuarded> {
    let change = this.#database
      .updateTable('memberships')
      .set({ role: to })
      .where('account_id', '=', member.accountId)
      .where('user_id', '=', member.userId)
      .where('role', '=', member.role);
    if (to !== 'owner') change = change.where((row) => leavesAnOwner(row, member));
    const { numUpdatedRows } = await change.executeTakeFirst();
    return numUpdatedRows > 0n ? 'done' : this.#whyNot(member);
  }

  async deleteMembershipButLastOwner(member: MemberRole): Promise<OwnerGuarded> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('memberships')
      .where('account_id', '=', member.accountId)
      .where('user_id', '=', member.userId)
      .where('role', '=', member.role)
      .where((row) => leavesAnOwner(row, member))
      .executeTakeFirst();
    return numDeletedRows > 0n ? 'done' : this.#whyNot(member);
  }

  async #whyNot({ accountId: account, userId: user, role }: MemberRole): Promise<OwnerGuarded> {
    const row = await this.#database
      .selectFrom('memberships')
      .select('role')
      .where('account_id', '=', account)
      .where('user_id', '=', user)
      .executeTakeFirst();
    if (row === undefined) return 'no_member';
    return row.role === role ? 'last_owner' : 'changed';
  }
}

/** Whether the row's role is not owner, or there is another owner. */
function leavesAnOwner(
  row: ExpressionBuilder<Schema, 'memberships'>,
  { accountId: account, userId: user }: MemberRole,
) {
  const others = row
    .selectFrom('memberships as others')
    .select(sql`1`.as('one'))
    .where('others.account_id', '=', account)
    .where('others.user_id', '<>', user)
    .where('others.role', '=', 'owner');
  return row.or([row('role', '<>', 'owner'), row.exists(others)]);
}

function readMembership(row: Selectable<MembershipRow>): Membership {
  return {
    accountId: accountId(row.account_id),
    userId: row.user_id as UserId,
    role: row.role,
    joinedAt: row.joined_at,
  };
}
