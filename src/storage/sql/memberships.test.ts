/** Goal: who belongs to which account is kept, and no account loses its last owner by accident. Method: the store on a real database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId } from '../../core/ids.ts';
import type { Role, UserId } from '../../members/ports.ts';
import { accountsOf, openKyselyUnderTest } from '../sqlite/engine/kysely-under-test.ts';
import { SqlMembershipStore } from './memberships.ts';
import { SqlUserStore } from './users.ts';

const [ACME, OTHER] = [accountId(1), accountId(2)];
const [ADA, BOB, CY] = [1, 2, 3] as UserId[] as [UserId, UserId, UserId];

test('a membership is made once, and gets another role by being put again', async (context) => {
  const { store } = await open(context);
  await store.putMembership({ accountId: ACME, userId: ADA, role: 'viewer', joinedAt: 5 });
  await store.putMembership({ accountId: ACME, userId: ADA, role: 'owner', joinedAt: 9 });
  await store.putMembership({ accountId: OTHER, userId: ADA, role: 'developer', joinedAt: 7 });
  assert.deepEqual(await store.membershipsOf(ADA), [
    { accountId: ACME, userId: ADA, role: 'owner', joinedAt: 5 },
    { accountId: OTHER, userId: ADA, role: 'developer', joinedAt: 7 },
  ]);
  assert.deepEqual(await store.membershipsOf(BOB), []);
});

test('members are listed in the order in which they joined, and counted by account', async (context) => {
  const { store } = await open(context);
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

test('a member was last seen when any session of theirs was', async (context) => {
  const { store, users } = await open(context);
  for (const userId of [ADA, BOB]) await store.putMembership({ accountId: ACME, userId, role: 'viewer', joinedAt: 0 });
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

test('the last owner is neither demoted nor removed; one of two is', async (context) => {
  const { store } = await open(context);
  await store.putMembership({ accountId: ACME, userId: ADA, role: 'owner', joinedAt: 0 });
  await store.putMembership({ accountId: ACME, userId: BOB, role: 'admin', joinedAt: 0 });
  // An owner elsewhere is none here.
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

test('of two owners who demote each other at once one stays', async (context) => {
  const { store } = await open(context);
  for (const userId of [ADA, BOB]) await store.putMembership({ accountId: ACME, userId, role: 'owner', joinedAt: 0 });
  const outcomes = await Promise.all([
    store.changeRoleButLastOwner({ accountId: ACME, userId: BOB, role: 'owner' }, 'viewer'),
    store.deleteMembershipButLastOwner({ accountId: ACME, userId: ADA, role: 'owner' }),
  ]);
  assert.deepEqual(outcomes.toSorted(), ['done', 'last_owner']);
});

test('who has another role than was seen is not changed', async (context) => {
  const { store } = await open(context);
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

async function open(context: { after(run: () => Promise<void>): void }) {
  const under = await openKyselyUnderTest();
  context.after(() => under.dispose());
  const accounts = accountsOf(under);
  for (const name of ['Acme', 'Other']) await accounts.createAccount({ name, createdAt: 0 });
  const users = new SqlUserStore(under.kysely);
  for (const name of ['ada', 'bob', 'cy'])
    await users.createUser({
      email: `${name}@example.com`,
      name,
      passwordHash: null,
      isOperator: false,
      createdAt: 0,
      emailConfirmedAt: null,
    });
  return { users, store: new SqlMembershipStore(under.kysely) };
}
