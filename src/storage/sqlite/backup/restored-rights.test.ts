/** Goal: the valid keys, sessions and links of a restored folder are listed, and all of them can be revoked. Method: rows of every kind, by hand. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { NewLink, Role } from '../../../members/ports.ts';
import { openSqliteUnderTest } from '../sqlite-under-test.ts';
import { restoredRights, revokeRestored } from './restored-rights.ts';

const THEN = Date.UTC(2026, 10, 21, 12);

test('keys, invitations, sessions and links valid at the backup are listed, and none is left after revoking all', async () => {
  const subject = await openSqliteUnderTest();
  const { folder, storage } = subject;
  const { accounts, users, audit } = storage;
  const account = await accounts.createAccount({ name: 'Acme', createdAt: 0 });
  const project = await accounts.createProject({ accountId: account.id, name: 'Default', createdAt: 0 });
  let keys = 0;
  const makeKey = (name: string, expiresAt: number | null = null) => {
    keys += 1;
    const about = { rootId: null, kind: 'inference', pepperId: 'p', label: 'sk-tp-…1234', createdBy: null } as const;
    const digest = Buffer.alloc(32, keys);
    return accounts.createKey({
      ...about,
      name,
      digest,
      expiresAt,
      projectId: project.id,
      createdAt: 0,
      limits: {},
      permissions: {},
    });
  };
  await makeKey('good');
  await makeKey('ends later', THEN + 1);
  await makeKey('ended', THEN);
  await accounts.changeKey((await makeKey('revoked')).id, { revokedAt: 5 });
  await accounts.changeKey((await makeKey('disabled')).id, { disabled: true });
  const user = await users.createUser({
    ...{
      email: 'ada@example.com',
      name: 'Ada',
      passwordHash: null,
      isOperator: true,
      createdAt: 0,
      emailConfirmedAt: 0,
    },
  });
  assert.ok(user !== null);
  const session = { userId: user.id, state: 'full', createdAt: 0, lastSeenAt: 0, ip: null, userAgent: null } as const;
  await users.createSession({ ...session, expiresAt: THEN + 1 }, Buffer.alloc(32, 1));
  await users.createSession({ ...session, expiresAt: THEN }, Buffer.alloc(32, 2));
  const link = { userId: null, createdAt: 0, createdBy: null, createdByKey: null, expiresAt: THEN + 1, signUp: null };
  const invited = {
    ...link,
    purpose: 'invitation',
    accountId: account.id,
    role: 'viewer',
    email: 'bob@example.com',
  } as const;
  await users.createLink(invited, Buffer.alloc(32, 1));
  const used = await users.createLink({ ...invited, email: null }, Buffer.alloc(32, 2));
  await users.useLink(used.id, 5);
  await users.createLink(
    { ...link, purpose: 'password', accountId: null, role: null, email: null, userId: user.id },
    Buffer.alloc(32, 3),
  );
  await audit.append({
    ...{
      at: 1,
      actor: { kind: 'system', id: null, name: 'x' },
      action: 'x.x',
      subject: { kind: 'x', id: '1', name: null },
    },
    ...{ accountId: null, before: null, after: null, ip: null, requestId: null },
  });
  await storage.close();

  const rights = restoredRights(folder, THEN);
  assert.deepEqual(
    rights.keys.map(({ name, project: of, account: by }) => [name, of, by]),
    [
      ['good', 'Default', 'Acme'],
      ['ends later', 'Default', 'Acme'],
    ],
  );
  assert.deepEqual(rights.invitations, [{ id: 1, email: 'bob@example.com', role: 'viewer', account: 'Acme' }]);
  assert.deepEqual([rights.sessions, rights.links], [1, 1]);
  await revokeRestored(folder, THEN + 5);
  assert.deepEqual(restoredRights(folder, THEN), { keys: [], invitations: [], sessions: 0, links: 0 });
  const database = new DatabaseSync(join(folder, 'turnpike.db'), { readOnly: true });
  assert.equal(
    database.prepare('SELECT count(*) AS n FROM keys WHERE revoked_at IS NULL').get()?.['n'],
    0,
    'including disabled ones',
  );
  database.close();
  const again = await openSqliteUnderTest({ folder });
  assert.equal(await again.storage.audit.verify(), null);
  const query = { accountId: null, before: null, limit: 1, action: null, actorId: null };
  assert.deepEqual((await again.storage.audit.list(query))[0]?.after, { keys: 4, links: 2, sessions: 2 });
  await again.dispose();
});

test('an invitation is valid only if its maker could still grant the role at the time of the backup', async () => {
  const { folder, storage } = await openSqliteUnderTest();
  const { accounts, users, memberships } = storage;
  const account = await accounts.createAccount({ name: 'Acme', createdAt: 0 });
  const closed = await accounts.createAccount({ name: 'Gone', createdAt: 0 });
  await accounts.changeAccount(closed.id, { closedAt: 5 });
  const project = await accounts.createProject({ accountId: account.id, name: 'Default', createdAt: 0 });
  let made = 0;
  const digest = () => {
    made += 1;
    return Buffer.alloc(32, made);
  };
  const key = (kind: 'inference' | 'management') =>
    accounts.createKey({
      ...{ rootId: null, kind, pepperId: 'p', label: 'sk-tp-…1234', createdBy: null, name: null, createdAt: 0 },
      ...{ digest: digest(), expiresAt: null, projectId: project.id, limits: {}, permissions: {} },
    });
  const person = async (role: Role | null, isOperator = false) => {
    const email = `${made}@example.com`;
    const about = { email, name: 'x', passwordHash: null, isOperator, createdAt: 0, emailConfirmedAt: 0 };
    const user = await users.createUser(about);
    digest();
    assert.ok(user !== null);
    if (role !== null) await memberships.putMembership({ accountId: account.id, userId: user.id, role, joinedAt: 0 });
    return user.id;
  };
  const good: number[] = [];
  const invite = async (isGood: boolean, role: Role, by: Partial<NewLink>) => {
    const link = { purpose: 'invitation', userId: null, email: null, signUp: null, accountId: account.id } as const;
    const maker = { createdBy: null, createdByKey: null, ...by };
    const { id } = await users.createLink({ ...link, role, createdAt: 0, expiresAt: THEN + 1, ...maker }, digest());
    if (isGood) good.push(id);
  };
  await invite(true, 'owner', {});
  await invite(false, 'viewer', { accountId: closed.id });
  const revoked = await key('management');
  const management = { createdByKey: (await key('management')).id };
  await invite(true, 'developer', management);
  await invite(false, 'admin', management);
  await invite(false, 'viewer', { createdByKey: revoked.id });
  await accounts.changeKey(revoked.id, { revokedAt: 5 });
  await invite(false, 'viewer', { createdByKey: (await key('inference')).id });
  await invite(true, 'owner', { createdBy: await person('owner') });
  const admin = { createdBy: await person('admin') };
  await invite(true, 'admin', admin);
  await invite(false, 'owner', admin);
  await invite(false, 'viewer', { createdBy: await person('developer') });
  await invite(false, 'viewer', { createdBy: await person(null) });
  await invite(true, 'owner', { createdBy: await person(null, true) });
  const disabled = await person('owner');
  await users.updateUser(disabled, { disabledAt: 5 });
  await invite(false, 'viewer', { createdBy: disabled });
  await storage.close();
  assert.deepEqual(
    restoredRights(folder, THEN).invitations.map(({ id }) => id),
    good,
  );
});
