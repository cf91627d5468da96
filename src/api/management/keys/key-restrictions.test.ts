/**
 * Goal: nobody can escape restrictions that somebody above set on their key: not by a change, a rotation or another key. Method: the
 * handlers over registries in memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADMIN, type Asker, DEVELOPER, openKeys } from '../../../../test/support/key-routes.ts';

const OWNER: Asker = { role: 'owner', actorId: 'user:9', account: 1 };
const denied = { code: 'permission_denied' } as const;

test('a developer cannot enable, widen or extend a key that an admin restricted; the error says who can', async () => {
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
      'It was restricted by an admin of the account (disabled). You can make it stricter; ask an admin or an owner to loosen it.',
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

test('an admin cannot undo an owner, but an owner can undo an admin', async () => {
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

test('another key of a developer inherits the restrictions of their keys, in any project, even if they revoked those', async () => {
  const { ask, project } = await openKeys();
  const { data } = await ask(DEVELOPER, 'createKey');
  await ask(ADMIN, 'updateKey', { key: data.id, body: { permissions: { models_allow: ['demo/*'] } } });
  await ask(DEVELOPER, 'revokeKey', { key: data.id });
  for (const where of [{}, { project: project('staging').id }]) {
    const again = await ask(DEVELOPER, 'createKey', {
      body: { permissions: { models_allow: ['demo/echo'] }, ...where },
    });
    assert.deepEqual(again.data.permissions.models_allow, ['demo/echo']);
    assert.deepEqual(again.data.restricted, [{ field: 'permissions.models_allow', by: 'admin' }]);
    const widened = { permissions: { models_allow: null } };
    await assert.rejects(ask(DEVELOPER, 'updateKey', { key: again.data.id, body: widened }), denied);
    const foreign = { permissions: { models_allow: ['lab/*'] }, ...where };
    await assert.rejects(ask(DEVELOPER, 'createKey', { body: foreign }), {
      ...denied,
      param: 'permissions.models_allow',
    });
  }
  assert.deepEqual((await ask(ADMIN, 'createKey')).data.restricted, []);
});

test('a developer cannot reset an admin’s budget or rate with another key; a rotation keeps counting', async () => {
  for (const limits of [{ budgets: { total: '0.0008' } }, { requests_per_minute: 5 }, { concurrent_calls: 1 }]) {
    const { ask, project } = await openKeys();
    const { data } = await ask(DEVELOPER, 'createKey');
    await ask(ADMIN, 'updateKey', { key: data.id, body: { limits } });
    const refused = {
      ...denied,
      message: /limited by an admin \(limits\.\w.*new count\. Ask an admin to create the new key/,
    };
    await assert.rejects(ask(DEVELOPER, 'createKey'), refused);
    await assert.rejects(ask(DEVELOPER, 'createKey', { body: { project: project('staging').id } }), refused);
    const rotated = (await ask(DEVELOPER, 'rotateKey', { key: data.id })).data;
    assert.equal(rotated.root_id, data.id);
    await ask(DEVELOPER, 'revokeKey', { key: rotated.id });
    const advice = { ...denied, message: new RegExp(`or to revoke key ${rotated.id}, which`) };
    await assert.rejects(ask(DEVELOPER, 'createKey'), advice);
    await ask(ADMIN, 'revokeKey', { key: rotated.id });
    assert.deepEqual((await ask(DEVELOPER, 'createKey')).data.restricted, []);
  }
});

test('once the limit of a rotated key is lifted, its earlier secrets do not prevent another key', async () => {
  const { ask, clock } = await openKeys();
  const { data } = await ask(DEVELOPER, 'createKey');
  await ask(ADMIN, 'updateKey', { key: data.id, body: { limit: 1 } });
  const rotated = (await ask(DEVELOPER, 'rotateKey', { key: data.id, body: { grace_ms: 1000 } })).data;
  clock.advance(1000);
  await ask(ADMIN, 'updateKey', { key: rotated.id, body: { limit: null } });
  assert.deepEqual((await ask(DEVELOPER, 'createKey')).data.restricted, []);
});

test('values set by an admin are restricted by them, even if they were already set', async () => {
  const { ask } = await openKeys();
  const body = {
    limits: { requests_per_minute: 5, budgets: { day: '1' } },
    permissions: { models_allow: ['demo/*'] },
    expires_at: '2026-12-01T00:00:00Z',
  };
  const { data: single } = await ask(DEVELOPER, 'createKey', { body: { limit: 2 } });
  const { data } = await ask(DEVELOPER, 'createKey', { body });
  await ask(DEVELOPER, 'updateKey', { key: data.id, body: { disabled: true } });
  await ask(ADMIN, 'updateKey', { key: data.id, body: { name: 'theirs' } });
  const pinned = await ask(ADMIN, 'updateKey', { key: data.id, body: { ...body, disabled: true } });
  assert.deepEqual(pinned.data.restricted.map(({ field }: { field: string }) => field).toSorted(), [
    'disabled',
    'expires_at',
    'limits.budgets.day',
    'limits.requests_per_minute',
    'permissions.models_allow',
  ]);
  for (const lifted of [
    { limits: { requests_per_minute: null } },
    { limit: null },
    { disabled: false },
    { expires_at: null },
    { permissions: { models_allow: null } },
  ])
    await assert.rejects(ask(DEVELOPER, 'updateKey', { key: data.id, body: lifted }), denied, JSON.stringify(lifted));
  // Also with OpenRouter's fields for a budget.
  const { data: same } = await ask(ADMIN, 'updateKey', { key: single.id, body: { limit: 2 } });
  assert.deepEqual(same.restricted, [{ field: 'limits.budgets.total', by: 'admin' }]);
});

test('a developer with a key that an admin disabled cannot create another in the account until an admin revokes it', async () => {
  const { ask, project } = await openKeys();
  const { data } = await ask(DEVELOPER, 'createKey');
  await ask(ADMIN, 'updateKey', { key: data.id, body: { disabled: true } });
  const elsewhere = { body: { project: project('staging').id } };
  for (const body of [{}, elsewhere])
    await assert.rejects(ask(DEVELOPER, 'createKey', body), {
      ...denied,
      message: /disabled by an admin.*Ask an admin/,
    });
  await ask(DEVELOPER, 'revokeKey', { key: data.id });
  await assert.rejects(ask(DEVELOPER, 'createKey'), denied);
  await ask(ADMIN, 'revokeKey', { key: data.id });
  assert.deepEqual((await ask(DEVELOPER, 'createKey')).data.restricted, []);
});

test('a change or revocation of a rotated key applies to its earlier secret, and the answer and the audit log show it', async () => {
  const { ask, auditEntries } = await openKeys();
  for (const body of [
    { disabled: true },
    { permissions: { models_allow: ['demo/*'] } },
    { limits: { requests_per_minute: 1 } },
  ]) {
    const { data } = await ask(ADMIN, 'createKey');
    const rotated = (await ask(ADMIN, 'rotateKey', { key: data.id })).data;
    auditEntries.splice(0);
    const answer = await ask(ADMIN, 'updateKey', { key: rotated.id, body });
    assert.deepEqual(answer.predecessors, [
      { id: data.id, label: data.label, status: 'disabled' in body ? 'disabled' : 'retiring' },
    ]);
    const earlier = (await ask(ADMIN, 'readKey', { key: data.id })).data;
    for (const field of ['disabled', 'limits', 'permissions', 'restricted'])
      assert.deepEqual(earlier[field], answer.data[field], field);
    assert.deepEqual(
      auditEntries.map(({ action, subject }) => [action, subject.id]),
      [
        ['key.update', String(data.id)],
        ['key.update', String(rotated.id)],
      ],
    );
    auditEntries.splice(0);
    const revoked = await ask(ADMIN, 'revokeKey', { key: rotated.id, query: { now: 'true' } });
    assert.deepEqual(revoked.predecessors, [{ id: data.id, label: data.label, status: 'revoked' }]);
    assert.deepEqual(auditEntries.map(({ action, subject }) => [action, subject.id]).toSorted(), [
      ['key.revoke', String(data.id)],
      ['key.revoke', String(rotated.id)],
    ]);
  }
});

test('revoking a management key revokes its retiring secret too, and what both created', async () => {
  const { ask, keys, cut } = await openKeys();
  const { data } = await ask(ADMIN, 'createKey', { body: { kind: 'management' } });
  const rotated = (await ask(ADMIN, 'rotateKey', { key: data.id })).data;
  await ask(ADMIN, 'revokeKey', { key: rotated.id, query: { with_made: 'true', now: 'true' } });
  assert.deepEqual(
    [data.id, rotated.id].map((id) => keys.isUsable(id)),
    [false, false],
  );
  assert.deepEqual(cut.toSorted(), [data.id, rotated.id]);
});

test('a revoked key still shows its models and addresses, alone and in lists', async () => {
  const { ask } = await openKeys();
  const permissions = { models_allow: ['demo/*'], models_deny: ['demo/x'], ips: ['10.0.0.0/8'], operations: ['chat'] };
  const { data } = await ask(ADMIN, 'createKey', { body: { permissions } });
  await ask(ADMIN, 'createKey');
  await ask(ADMIN, 'revokeKey', { key: data.id });
  assert.deepEqual((await ask(ADMIN, 'readKey', { key: data.id })).data.permissions, permissions);
  const listed = await ask(ADMIN, 'listKeys', { query: { include_revoked: 'true' } });
  assert.deepEqual(listed.data[1].permissions, permissions);
  assert.equal(listed.data[0].permissions.ips, null);
});
