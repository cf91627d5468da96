/** The contract of every storage for people and their sessions: they are stored unchanged, and one-time codes are accepted once. */
import assert from 'node:assert/strict';
import type { NewUser, UserId } from '../../members/ports.ts';
import type { Promising } from './storage-under-test.ts';

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

export function peoplePromises(promise: Promising): void {
  promise('an email address belongs to one person, even with concurrent creations', async ({ storage }) => {
    const { users } = storage;
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

  promise('a change of a person affects the given fields only', async ({ storage }) => {
    const { users } = storage;
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

  promise(
    'disabled operators are not counted, and the oldest operator is preferably an active one',
    async ({ storage }) => {
      const { users } = storage;
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
    },
  );

  promise('a TOTP step is accepted once, and no earlier one after it', async ({ storage }) => {
    const { users } = storage;
    await users.createUser(ADA);
    const take = (step: number) => users.takeTotpStep(1 as UserId, step);
    assert.deepEqual((await Promise.all([take(5), take(5)])).toSorted(), [false, true]);
    assert.deepEqual([await take(4), await take(5), await take(6)], [false, false, true]);
  });

  promise(
    'a recovery code is accepted once, even with concurrent attempts, and the others stay valid',
    async ({ storage }) => {
      const { users } = storage;
      await users.createUser(ADA);
      await users.updateUser(1 as UserId, { recoveryCodes: ['a', 'b', 'c'] });
      const take = (code: string) => users.takeRecoveryCode(1 as UserId, code);
      assert.deepEqual((await Promise.all([take('b'), take('b'), take('x')])).toSorted(), [false, false, true]);
      assert.deepEqual((await users.user(1 as UserId))?.recoveryCodes, ['a', 'c']);
      assert.equal(await users.takeRecoveryCode(9 as UserId, 'a'), false);
    },
  );

  promise('a session is found with its person, extended, and ended', async ({ storage }) => {
    const { users } = storage;
    await users.createUser(ADA);
    await users.createUser({ ...ADA, email: 'bob@example.com' });
    const made = await users.createSession(SESSION, Buffer.alloc(32, 1));
    for (const byte of [2, 3]) await users.createSession(SESSION, Buffer.alloc(32, byte));
    await users.createSession({ ...SESSION, userId: 2 as UserId, expiresAt: 9 }, Buffer.alloc(32, 4));
    const found = await users.sessionByDigest(Buffer.alloc(32, 1));
    assert.deepEqual(found, { session: { ...SESSION, id: 1 }, user: await users.user(1 as UserId) });
    assert.deepEqual(made, found?.session);
    assert.equal(await users.sessionByDigest(Buffer.alloc(32, 9)), null);

    await users.touchSession(made.id, 7, 8);
    const [touched] = await users.sessionsOf(1 as UserId);
    assert.deepEqual([touched?.lastSeenAt, touched?.expiresAt], [7, 8]);
    assert.equal(await users.deleteSession(2 as UserId, made.id), false, "another person's session");
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
}
