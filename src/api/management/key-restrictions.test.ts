/**
 * Goal: nobody sheds what somebody above set on their key: not by a change, a rotation, nor another key. Method: the handlers over
 * books in memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADMIN, type Asker, DEVELOPER, openKeys } from './key-fixture.ts';

const OWNER: Asker = { role: 'owner', actorId: 'user:9', account: 1 };
const denied = { code: 'permission_denied' } as const;

test('a developer cannot enable, widen or prolong what an admin closed; the answer says who can', async () => {
  const { ask } = await openKeys();
  const { data } = await ask(DEVELOPER, 'createKey');
  const key = data.id;
  await ask(ADMIN, 'updateKey', {
    key,
    body: {
      disabled: true,
      limits: { budgets: { total: '0' } },
      permissions: { models_allow: ['demo/*'] },
      expires_at: '2026-12-01T00:00:00Z',
    },
  });
  const loosening = [
    { disabled: false },
    { limit: 5 },
    { limit: null },
    { limits: { budgets: { total: null } } },
    { limits: { budgets: { total: '1' } } },
    { permissions: { models_allow: null } },
    { permissions: { models_allow: ['demo/*', 'lab/*'] } },
    { expires_at: null },
    { expires_at: '2027-01-01T00:00:00Z' },
    { limit: 0, limit_reset: 'daily' },
  ];
  for (const body of loosening)
    await assert.rejects(ask(DEVELOPER, 'updateKey', { key, body }), denied, JSON.stringify(body));
  await assert.rejects(ask(DEVELOPER, 'updateKey', { key, body: { disabled: false } }), {
    message:
      'It was restricted by an admin of the account (disabled): ask an admin or an owner to loosen it. You may make it tighter.',
  });
  const tighter = await ask(DEVELOPER, 'updateKey', {
    key,
    body: { name: 'mine', permissions: { models_allow: ['demo/echo'] }, limits: { requests_per_minute: 5 } },
  });
  assert.deepEqual(tighter.data.permissions.models_allow, ['demo/echo']);
  await ask(DEVELOPER, 'updateKey', { key, body: { permissions: { models_allow: ['demo/*'] } } });
  assert.deepEqual(
    tighter.data.restricted.map(({ field, by }: { field: string; by: string }) => `${field} ${by}`).toSorted(),
    ['disabled admin', 'expires_at admin', 'limits.budgets.total admin', 'permissions.models_allow admin'],
  );
  const freed = await ask(ADMIN, 'updateKey', { key, body: { disabled: false, limit: null, expires_at: null } });
  assert.deepEqual(freed.data.restricted, [{ field: 'permissions.models_allow', by: 'admin' }]);
});

test('an admin does not undo an owner, and an owner undoes an admin', async () => {
  const { ask } = await openKeys();
  const { data } = await ask(OWNER, 'createKey', { body: { limit: 5 } });
  await assert.rejects(ask(ADMIN, 'updateKey', { key: data.id, body: { limit: 6 } }), /ask an owner/);
  await ask(ADMIN, 'updateKey', { key: data.id, body: { limit: 4, disabled: true } });
  const { data: freed } = await ask(OWNER, 'updateKey', { key: data.id, body: { limit: null, disabled: false } });
  assert.deepEqual(freed.restricted, []);
});

test('a rotated key keeps its restrictions', async () => {
  const { ask } = await openKeys();
  const { data } = await ask(DEVELOPER, 'createKey');
  await ask(ADMIN, 'updateKey', { key: data.id, body: { limit: 1 } });
  const rotated = await ask(DEVELOPER, 'rotateKey', { key: data.id });
  assert.deepEqual(rotated.data.restricted, [{ field: 'limits.budgets.total', by: 'admin' }]);
  await assert.rejects(ask(DEVELOPER, 'updateKey', { key: rotated.data.id, body: { limit: null } }), denied);
});

test('another key of a developer in the project takes over what restricts their keys there, revoked by themselves or not', async () => {
  const { ask, project } = await openKeys();
  const { data } = await ask(DEVELOPER, 'createKey');
  await ask(ADMIN, 'updateKey', {
    key: data.id,
    body: { limits: { budgets: { day: '2' }, requests_per_minute: 10 }, permissions: { models_allow: ['demo/*'] } },
  });
  await ask(DEVELOPER, 'revokeKey', { key: data.id });
  const again = await ask(DEVELOPER, 'createKey', {
    body: { limits: { requests_per_minute: 5 }, permissions: { models_allow: ['demo/echo'] } },
  });
  assert.deepEqual(again.data.limits.budgets, { day: '2' });
  assert.deepEqual([again.data.limits.requests_per_minute, again.data.permissions.models_allow], [5, ['demo/echo']]);
  await assert.rejects(ask(DEVELOPER, 'updateKey', { key: again.data.id, body: { limit: null } }), denied);
  const foreign = { permissions: { models_allow: ['lab/*'] } };
  await assert.rejects(ask(DEVELOPER, 'createKey', { body: foreign }), {
    ...denied,
    param: 'permissions.models_allow',
  });
  const elsewhere = await ask(DEVELOPER, 'createKey', { body: { project: project('staging').id } });
  assert.deepEqual(elsewhere.data.restricted, []);
  assert.deepEqual((await ask(ADMIN, 'createKey')).data.restricted, []);
});

test('while an admin keeps a key of theirs disabled a developer makes no other in the project; once it is revoked they do', async () => {
  const { ask } = await openKeys();
  const { data } = await ask(DEVELOPER, 'createKey');
  await ask(ADMIN, 'updateKey', { key: data.id, body: { disabled: true } });
  await assert.rejects(ask(DEVELOPER, 'createKey'), { ...denied, message: /disabled by an admin.*Ask an admin/ });
  await ask(DEVELOPER, 'revokeKey', { key: data.id });
  await assert.rejects(ask(DEVELOPER, 'createKey'), denied);
  await ask(ADMIN, 'revokeKey', { key: data.id });
  assert.deepEqual((await ask(DEVELOPER, 'createKey')).data.restricted, []);
});
