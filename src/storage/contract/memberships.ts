/** The contract of every storage for memberships: they are stored, and an account cannot lose its last owner by accident. */
import assert from 'node:assert/strict';
import { accountId } from '../../core/ids.ts';
import type { Role, UserId } from '../../members/ports.ts';
import type { Storage } from '../storage.ts';
import type { Promising } from './storage-under-test.ts';

const [ACME, OTHER] = [accountId(1), accountId(2)];
const [ADA, BOB, CY] = [1, 2, 3] as UserId[] as [UserId, UserId, UserId];

export function membershipPromises(promise: Promising): void {
  promise('a membership is created once, and putting it again changes only the role', async ({ storage }) => {
    const store = storage.memberships;
    await prepare(storage);
    await store.putMembership({ accountId: ACME, userId: ADA, role: 'viewer', joinedAt: 5 });
    await store.putMembership({ accountId: ACME, userId: ADA, role: 'owner', joinedAt: 9 });
    await store.putMembership({ accountId: OTHER, userId: ADA, role: 'developer', joinedAt: 7 });
    assert.deepEqual(await store.membershipsOf(ADA), [
      { accountId: ACME, userId: ADA, role: 'owner', joinedAt: 5 },
      { accountId: OTHER, userId: ADA, role: 'developer', joinedAt: 7 },
    ]);
    assert.deepEqual(await store.membershipsOf(BOB), []);
  });

  promise('members are listed in the order in which they joined, and counted by account', async ({ storage }) => {
    const store = storage.memberships;
    await prepare(storage);
    await store.putMembership({ accountId: ACME, userId: BOB, role: 'viewer', joinedAt: 9 });
    await store.putMembership({ accountId: ACME, userId: CY, role: 'viewer', joinedAt: 3 });
    await store.putMembership({ accountId: ACME, userId: ADA, role: 'viewer', joinedAt: 3 });
    assert.deepEqual(
      (await store.membersOf(ACME)).map(({ userId }) => userId),
      [ADA, CY, BOB],
    );
    assert.deepEqual(await store.membersOf(OTHER), []);
    assert.deepEqual([...(await store.memberCounts())], [[ACME, 3]]);
    assert.equal(await store.deleteMembership(ACME, CY), true);
    assert.equal(await store.deleteMembership(ACME, CY), false);
    assert.equal((await store.memberCounts()).get(ACME), 2);
  });

  promise('a member was last seen when any of their sessions was', async ({ storage }) => {
    const store = storage.memberships;
    await prepare(storage);
    const { users } = storage;
    for (const userId of [ADA, BOB])
      await store.putMembership({ accountId: ACME, userId, role: 'viewer', joinedAt: 0 });
    for (const [userId, lastSeenAt] of [
      [ADA, 5],
      [ADA, 50],
      [CY, 99],
    ] as const)
      await users.createSession(
        { userId, state: 'full', createdAt: 0, lastSeenAt, expiresAt: 1000, ip: null, userAgent: null },
        Buffer.alloc(32, lastSeenAt),
      );
    assert.deepEqual([...(await store.lastSeen(ACME))], [[ADA, 50]]);
  });

  promise('the last owner is neither demoted nor removed; one of two is', async ({ storage }) => {
    const store = storage.memberships;
    await prepare(storage);
    await store.putMembership({ accountId: ACME, userId: ADA, role: 'owner', joinedAt: 0 });
    await store.putMembership({ accountId: ACME, userId: BOB, role: 'admin', joinedAt: 0 });
    // The owner of another account does not count here.
    await store.putMembership({ accountId: OTHER, userId: BOB, role: 'owner', joinedAt: 0 });
    const as = (userId: UserId, role: Role) => ({ accountId: ACME, userId, role });
    const ada = as(ADA, 'owner');
    assert.equal(await store.changeRoleButLastOwner(ada, 'admin'), 'last_owner');
    assert.equal(await store.deleteMembershipButLastOwner(ada), 'last_owner');
    assert.equal(await store.changeRoleButLastOwner(ada, 'owner'), 'done');
    assert.equal(await store.changeRoleButLastOwner(as(CY, 'viewer'), 'viewer'), 'no_member');
    assert.equal(await store.deleteMembershipButLastOwner(as(CY, 'viewer')), 'no_member');
    assert.equal(await store.changeRoleButLastOwner(as(BOB, 'admin'), 'owner'), 'done');
    assert.equal(await store.changeRoleButLastOwner(ada, 'viewer'), 'done');
    assert.equal(await store.deleteMembershipButLastOwner(as(ADA, 'viewer')), 'done');
    assert.deepEqual(
      (await store.membersOf(ACME)).map(({ userId, role }) => [userId, role]),
      [[BOB, 'owner']],
    );
  });

  promise('of two owners who demote each other concurrently, one stays', async ({ storage }) => {
    const store = storage.memberships;
    await prepare(storage);
    for (const userId of [ADA, BOB]) await store.putMembership({ accountId: ACME, userId, role: 'owner', joinedAt: 0 });
    const outcomes = await Promise.all([
      store.changeRoleButLastOwner({ accountId: ACME, userId: BOB, role: 'owner' }, 'viewer'),
      store.deleteMembershipButLastOwner({ accountId: ACME, userId: ADA, role: 'owner' }),
    ]);
    assert.deepEqual(outcomes.toSorted(), ['done', 'last_owner']);
  });

  promise('a member whose role has changed meanwhile is not changed', async ({ storage }) => {
    const store = storage.memberships;
    await prepare(storage);
    await store.putMembership({ accountId: ACME, userId: ADA, role: 'owner', joinedAt: 0 });
    await store.putMembership({ accountId: ACME, userId: BOB, role: 'owner', joinedAt: 0 });
    const seen = { accountId: ACME, userId: BOB, role: 'viewer' } as const;
    assert.equal(await store.changeRoleButLastOwner(seen, 'admin'), 'changed');
    assert.equal(await store.deleteMembershipButLastOwner(seen), 'changed');
    assert.deepEqual(
      (await store.membersOf(ACME)).map(({ role }) => role),
      ['owner', 'owner'],
    );
  });
}

async function prepare({ accounts, users }: Storage): Promise<void> {
  for (const name of ['Acme', 'Other']) await accounts.createAccount({ name, createdAt: 0 });
  for (const name of ['ada', 'bob', 'cy'])
    await users.createUser({
      email: `${name}@example.com`,
      name,
      passwordHash: null,
      isOperator: false,
      createdAt: 0,
      emailConfirmedAt: null,
    });
}
