/**
 * Goal: what a management key or a member created is reported when they are revoked or removed, can be revoked with them, and their
 * invitations are void. Method: the handlers with the contract's checks, over a real database.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ADMIN, MANAGEMENT_KEY, openKeys } from '../../../../test/support/key-routes.ts';
import { projectId } from '../../../core/ids.ts';
import { openStoresUnderTest } from '../../../storage/sqlite/engine/kysely-under-test.ts';
import { ACME, type AccountFixture, accountsOn, asKey, asUser, OTHER } from '../accounts/account-fixture.ts';

const openAccounts = async (context: TestContext) => accountsOn(await openStoresUnderTest(context));

async function keyOf({ keys }: AccountFixture, createdBy: string, name: string, project = 1) {
  return (await keys.create({ projectId: projectId(project), name, kind: 'inference', createdBy })).key;
}

test('an invitation by a management key names it, and is void once the key is revoked, disabled, expired or archived', async (context) => {
  const at = await openAccounts(context);
  const owner = asUser(await at.member('owner'));
  const losses: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
    revoked: (id) => at.keys.revoke(id as never),
    disabled: (id) => at.keys.update(id as never, { disabled: true }),
    expired: async (id) => {
      await at.keys.update(id as never, { expiresAt: at.clock.now() + 1000 });
      at.clock.advance(1000);
    },
    archived: () => at.scopes.updateProject(projectId(1), { archived: true }),
  };
  const open = async () => (await at.ask(owner, 'listInvitations')).data;
  for (const [loss, lose] of Object.entries(losses)) {
    const key = await at.key(projectId(1), 'management');
    const { data } = await at.ask(asKey(key), 'createInvitation', { body: { role: 'viewer' } });
    assert.equal(data.created_by, key.name);
    assert.deepEqual(await open(), [data], loss);
    await lose(key.id);
    assert.deepEqual(await open(), [], loss);
  }
});

test('removing a member reports the keys they created, also through their management keys, and can revoke them', async (context) => {
  const at = await openAccounts(context);
  const owner = asUser(await at.member('owner'));
  for (const isRevoked of ['false', 'true']) {
    const bob = await at.member('admin');
    const by = `user:${bob.id}`;
    const management = { projectId: projectId(1), kind: 'management', createdBy: by } as const;
    const { key: manager } = await at.keys.create({ ...management, name: 'deploy script' });
    const own = await keyOf(at, by, 'laptop');
    const minted = await keyOf(at, `key:${manager.id}`, 'minted');
    const others = [await keyOf(at, 'user:999', 'of somebody else'), await keyOf(at, by, 'elsewhere', 2)];
    await keyOf(at, by, 'revoked before').then(({ id }) => at.keys.revoke(id));
    const { data: made } = await at.ask(owner, 'readMemberMade', { params: { user: bob.id } });
    assert.deepEqual(
      made.keys.map(({ name }: { name: string }) => name),
      ['minted', 'laptop'],
    );
    const question = { params: { user: bob.id }, query: { with_made: isRevoked } };
    const answer = await at.ask(owner, 'removeMember', question);
    const left = answer.made.keys_left.map(({ id }: { id: number }) => id);
    assert.deepEqual([answer.made.keys_left_count, left], isRevoked === 'true' ? [0, []] : [2, [minted.id, own.id]]);
    assert.deepEqual(
      [own, minted, manager, ...others].map(({ id }) => at.keys.get(id)?.revokedAt === null),
      [...(isRevoked === 'true' ? [false, false] : [true, true]), false, true, true],
    );
    assert.equal(answer.made.keys_revoked, isRevoked === 'true' ? 2 : 0);
  }
  const revoked = (await at.auditEntries())
    .filter(({ action }) => action === 'key.revoke')
    .map(({ subject }) => subject.name);
  assert.deepEqual(revoked, ['deploy script', 'deploy script', 'laptop', 'minted']);
});

test('a developer who leaves cannot revoke their keys with it', async (context) => {
  const at = await openAccounts(context);
  await at.member('owner');
  const bob = await at.member('developer');
  const leave = at.ask(asUser(bob), 'removeMember', { params: { user: bob.id }, query: { with_made: 'true' } });
  await assert.rejects(leave, { code: 'permission_denied' });
  assert.equal(await at.roleOf(bob), 'developer');
});

test('what a member of another account created is not found', async (context) => {
  const at = await openAccounts(context);
  const bob = await at.member('owner', ACME);
  const stranger = asUser(await at.member('owner', OTHER));
  await assert.rejects(at.ask(stranger, 'readMemberMade', { params: { user: bob.id } }), { code: 'not_found' });
});

test('revoking a management key reports what it and its earlier secrets created, and revokes that on request', async () => {
  const at = await openKeys();
  for (const withMade of ['false', 'true']) {
    const first = (await at.ask(ADMIN, 'createKey', { body: { kind: 'management' } })).data.id;
    const mint = async (by: number, name: string) =>
      (await at.ask({ ...MANAGEMENT_KEY, actorId: `key:${by}` }, 'createKey', { body: { name } })).data.id;
    const early = await mint(first, 'early');
    const second = (await at.ask(ADMIN, 'rotateKey', { key: first })).data.id;
    const late = await mint(second, 'late');
    const ids = (keys: readonly { id: number }[]) => keys.map(({ id }) => id);
    assert.deepEqual(ids((await at.ask(ADMIN, 'readKeyMade', { key: first })).data.keys), [early]);
    assert.deepEqual(ids((await at.ask(ADMIN, 'readKeyMade', { key: second })).data.keys), [late, early]);
    const { made } = await at.ask(ADMIN, 'revokeKey', { key: second, query: { with_made: withMade } });
    const expected = withMade === 'true' ? [2, []] : [0, [late, early]];
    assert.deepEqual([made.keys_revoked, ids(made.keys_left)], expected);
    assert.deepEqual(
      [early, late].map((id) => at.keys.get(id)?.revokedAt !== null),
      [withMade === 'true', withMade === 'true'],
    );
  }
  const plain = (await at.ask(ADMIN, 'createKey')).data.id;
  assert.equal((await at.ask(ADMIN, 'revokeKey', { key: plain })).made, null);
});
