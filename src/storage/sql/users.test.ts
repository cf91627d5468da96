/** Goal: people, sessions and links are kept as they were, and what is good once is taken once. Method: the store over a real database. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { accountId } from '../../core/ids.ts';
import type { NewLink, NewUser, UserId } from '../../members/ports.ts';
import { openKyselyUnderTest } from '../sqlite/engine/kysely-under-test.ts';
import { SqlUserStore } from './users.ts';

const ADA: NewUser = {
  email: 'ada@example.com',
  name: 'Ada',
  passwordHash: '$argon2id$…',
  isOperator: true,
  createdAt: 1,
  emailConfirmedAt: null,
};
const SESSION = {
  userId: 1 as UserId,
  state: 'full',
  createdAt: 1,
  lastSeenAt: 2,
  expiresAt: 3,
  ip: '10.0.0.1',
  userAgent: 'a browser',
} as const;
const LINK: NewLink = {
  purpose: 'password',
  userId: null,
  accountId: null,
  role: null,
  email: null,
  createdAt: 1,
  createdBy: null,
  createdByKey: null,
  expiresAt: 10,
  signUp: null,
};

test('an address is one person, also for two who come at once', async (context) => {
  const { users } = await open(context);
  const made = await Promise.all([users.createUser(ADA), users.createUser({ ...ADA, name: 'Eve' })]);
  assert.equal(made.filter((user) => user !== null).length, 1);
  assert.deepEqual(await users.userByEmail(ADA.email), {
    ...ADA,
    id: 1,
    totpSecret: null,
    totpConfirmedAt: null,
    totpLastStep: null,
    recoveryCodes: [],
    disabledAt: null,
  });
  assert.equal(await users.userByEmail('eve@example.com'), null);
  assert.equal(await users.user(7 as UserId), null);
});

test('what is given of a person changes, and nothing else', async (context) => {
  const { users } = await open(context);
  const before = await users.createUser(ADA);
  const changes = {
    email: 'a@example.com',
    name: 'A',
    passwordHash: null,
    isOperator: false,
    totpSecret: Uint8Array.of(1, 2),
    totpConfirmedAt: 5,
    totpLastStep: 6,
    recoveryCodes: ['a', 'b'],
    emailConfirmedAt: 7,
    disabledAt: 8,
  };
  assert.deepEqual(await users.updateUser(1 as UserId, {}), before);
  assert.deepEqual(await users.updateUser(1 as UserId, changes), { ...before, ...changes });
  assert.deepEqual(await users.updateUser(1 as UserId, { name: 'B' }), { ...before, ...changes, name: 'B' });
  assert.equal(await users.updateUser(9 as UserId, { name: 'B' }), null);
});

test('operators are counted without those that are disabled, and the oldest that is not comes first', async (context) => {
  const { users } = await open(context);
  assert.equal(await users.oldestOperator(), null);
  for (const email of ['a@x', 'b@x', 'c@x']) await users.createUser({ ...ADA, email, isOperator: email !== 'c@x' });
  assert.equal(await users.operators(), 2);
  assert.equal((await users.oldestOperator())?.email, 'a@x');
  await users.updateUser(1 as UserId, { disabledAt: 1 });
  assert.deepEqual([await users.operators(), (await users.oldestOperator())?.email], [1, 'b@x']);
  await users.updateUser(2 as UserId, { disabledAt: 1 });
  assert.deepEqual([await users.operators(), (await users.oldestOperator())?.email], [0, 'a@x']);
  assert.deepEqual(
    (await users.users([3, 1, 9] as UserId[])).map(({ id }) => id),
    [1, 3],
  );
  assert.deepEqual(await users.users([]), []);
});

test('a step is taken once, and none before it', async (context) => {
  const { users } = await open(context);
  await users.createUser(ADA);
  const take = (step: number) => users.takeTotpStep(1 as UserId, step);
  assert.deepEqual((await Promise.all([take(5), take(5)])).toSorted(), [false, true]);
  assert.deepEqual([await take(4), await take(5), await take(6)], [false, false, true]);
});

test('a recovery code is taken once, also by two at once, and the others stay', async (context) => {
  const { users } = await open(context);
  await users.createUser(ADA);
  await users.updateUser(1 as UserId, { recoveryCodes: ['a', 'b', 'c'] });
  const take = (code: string) => users.takeRecoveryCode(1 as UserId, code);
  assert.deepEqual((await Promise.all([take('b'), take('b'), take('x')])).toSorted(), [false, false, true]);
  assert.deepEqual((await users.user(1 as UserId))?.recoveryCodes, ['a', 'c']);
  assert.equal(await users.takeRecoveryCode(9 as UserId, 'a'), false);
});

test('a session is found with its person by an index, moved, and ended', async (context) => {
  const { users, database } = await open(context);
  await users.createUser(ADA);
  await users.createUser({ ...ADA, email: 'bob@example.com' });
  const made = await users.createSession(SESSION, Buffer.alloc(32, 1));
  for (const byte of [2, 3]) await users.createSession(SESSION, Buffer.alloc(32, byte));
  await users.createSession({ ...SESSION, userId: 2 as UserId, expiresAt: 9 }, Buffer.alloc(32, 4));
  const found = await users.sessionByDigest(Buffer.alloc(32, 1));
  assert.deepEqual(found, { session: { ...SESSION, id: 1 }, user: await users.user(1 as UserId) });
  assert.deepEqual(made, found?.session);
  assert.equal(await users.sessionByDigest(Buffer.alloc(32, 9)), null);
  const plan = database.prepare('EXPLAIN QUERY PLAN SELECT * FROM sessions WHERE digest = ?').all(Buffer.alloc(32));
  assert.match(JSON.stringify(plan), /SEARCH sessions USING INDEX/);

  await users.touchSession(made.id, 7, 8);
  const [touched] = await users.sessionsOf(1 as UserId);
  assert.deepEqual([touched?.lastSeenAt, touched?.expiresAt], [7, 8]);
  assert.equal(await users.deleteSession(2 as UserId, made.id), false, "somebody else's");
  await users.deleteSessionsOf(1 as UserId, made.id);
  assert.deepEqual(
    (await users.sessionsOf(1 as UserId)).map(({ id }) => id),
    [1],
  );
  assert.deepEqual(
    [await users.deleteSession(1 as UserId, made.id), await users.deleteSession(1 as UserId, made.id)],
    [true, false],
  );
  await users.deleteSessionsBefore(9);
  assert.equal((await users.sessionsOf(2 as UserId)).length, 1);
  await users.deleteSessionsOf(2 as UserId, null);
  assert.deepEqual(await users.sessionsOf(2 as UserId), []);
});

test('a link is kept as it was, used once, and forgets the hash then', async (context) => {
  const { users } = await open(context);
  await users.createUser(ADA);
  const signUp = { name: 'Bob', passwordHash: '$argon2id$…' };
  const link: NewLink = { ...LINK, purpose: 'email', email: 'bob@example.com', createdBy: 1 as UserId, signUp };
  const made = await users.createLink(link, Buffer.alloc(32, 1));
  assert.deepEqual(made, { ...link, id: 1, usedAt: null });
  assert.deepEqual(await users.linkByDigest(Buffer.alloc(32, 1)), made);
  assert.equal(await users.linkByDigest(Buffer.alloc(32, 2)), null);
  const both = await Promise.all([users.useLink(made.id, 5), users.useLink(made.id, 6)]);
  assert.deepEqual(both.toSorted(), [false, true]);
  const used = await users.linkByDigest(Buffer.alloc(32, 1));
  assert.deepEqual([used?.usedAt, used?.signUp], [5, null]);
});

test('invitations are those of the account that are open, and taken back there alone', async (context) => {
  const { users, database } = await open(context);
  for (const name of ['Acme', 'Other'])
    database.prepare('INSERT INTO accounts (name, created_at) VALUES (?, 0)').run(name);
  const [acme, other] = [accountId(1), accountId(2)];
  const invitation: NewLink = { ...LINK, purpose: 'invitation', role: 'viewer', accountId: acme };
  const made = await users.createLink(invitation, Buffer.alloc(32, 1));
  const used = await users.createLink(invitation, Buffer.alloc(32, 2));
  await users.useLink(used.id, 1);
  await users.createLink({ ...invitation, accountId: other }, Buffer.alloc(32, 3));
  const ids = async (nowMs: number) => (await users.invitationsOf(acme, nowMs)).map(({ id }) => id);
  assert.deepEqual([await ids(9), await ids(10)], [[made.id], []]);
  assert.equal(await users.deleteInvitation(other, made.id), false);
  assert.equal(await users.deleteInvitation(acme, used.id), false);
  assert.deepEqual(
    [await users.deleteInvitation(acme, made.id), await users.deleteInvitation(acme, made.id)],
    [true, false],
  );
});

test('open links of a purpose are void, of one person or of all; what is over is forgotten', async (context) => {
  const { users, database } = await open(context);
  await users.createUser(ADA);
  await users.createUser({ ...ADA, email: 'bob@example.com' });
  const purposes = () => database.prepare('SELECT purpose, user_id FROM links ORDER BY id').all();
  await users.createLink({ ...LINK, userId: 1 as UserId }, Buffer.alloc(32, 1));
  await users.createLink({ ...LINK, userId: 2 as UserId }, Buffer.alloc(32, 2));
  await users.createLink({ ...LINK, purpose: 'setup', expiresAt: 11 }, Buffer.alloc(32, 3));
  await users.deleteLinks('password', 1 as UserId);
  assert.equal(purposes().length, 2);
  await users.deleteLinks('setup', null);
  assert.deepEqual({ ...purposes()[0] }, { purpose: 'password', user_id: 2 });
  await users.deleteLinksBefore(10);
  assert.equal(purposes().length, 1);
  await users.deleteLinksBefore(11);
  assert.equal(purposes().length, 0);
});

async function open(context: TestContext) {
  const { kysely, database, dispose } = await openKyselyUnderTest();
  context.after(dispose);
  return { users: new SqlUserStore(kysely), database };
}
