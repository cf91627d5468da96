/** The contract of every storage for one-use links: they are stored unchanged, and each can be used once. */
import assert from 'node:assert/strict';
import { accountId } from '../../core/ids.ts';
import type { NewLink, NewUser, UserId } from '../../members/ports.ts';
import type { Promising } from './storage-under-test.ts';

const ADA: NewUser = {
  email: 'ada@example.com',
  name: 'Ada',
  passwordHash: '$argon2id$…',
  isOperator: true,
  createdAt: 1,
  emailConfirmedAt: null,
};
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

export function linkPromises(promise: Promising): void {
  promise('a link is stored unchanged, can be used once, and then loses its password hash', async ({ storage }) => {
    const { users } = storage;
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

  promise('an account lists its open invitations, and only it can delete them', async ({ storage }) => {
    const { users } = storage;
    for (const name of ['Acme', 'Other']) await storage.accounts.createAccount({ name, createdAt: 0 });
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

  promise(
    'open links of a purpose can be deleted for one person or for all, and expired links by time',
    async ({ storage }) => {
      const { users } = storage;
      await users.createUser(ADA);
      await users.createUser({ ...ADA, email: 'bob@example.com' });
      const left = async () => {
        const found = await Promise.all([1, 2, 3].map((byte) => users.linkByDigest(Buffer.alloc(32, byte))));
        return found.flatMap((link) => (link === null ? [] : [[link.purpose, link.userId]]));
      };
      await users.createLink({ ...LINK, userId: 1 as UserId }, Buffer.alloc(32, 1));
      await users.createLink({ ...LINK, userId: 2 as UserId }, Buffer.alloc(32, 2));
      await users.createLink({ ...LINK, purpose: 'setup', expiresAt: 11 }, Buffer.alloc(32, 3));
      await users.deleteLinks('password', 1 as UserId);
      assert.deepEqual(await left(), [
        ['password', 2],
        ['setup', null],
      ]);
      await users.deleteLinks('setup', null);
      assert.deepEqual(await left(), [['password', 2]]);
      await users.deleteLinksBefore(10);
      assert.equal((await left()).length, 1);
      await users.deleteLinksBefore(11);
      assert.equal((await left()).length, 0);
    },
  );
}
