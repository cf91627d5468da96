/**
 * Goal: permitted actors can create, find, change, rotate and revoke keys in their own account. Method: the handlers over real registries
 * in memory, with inputs and answers parsed by the contract.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ADMIN,
  type Asker,
  DEVELOPER,
  type KeyFixture,
  MANAGEMENT_KEY,
  openKeys,
  type Question,
  type RouteName,
  STRANGER,
} from '../../../../test/support/key-routes.ts';
import { bound, call, entry, spend } from '../../../billing/bank-under-test.ts';
import { GatewayError } from '../../../core/errors.ts';
import { accountId, keyId, projectId } from '../../../core/ids.ts';
import { parseUsd } from '../../../core/money.ts';

async function codeOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof GatewayError, String(error));
  return error.code;
}

test('a key is created in the oldest project by the caller, with its secret shown once', async () => {
  const { ask, auditEntries } = await openKeys();
  const made = await ask(DEVELOPER, 'createKey', { body: { expires_at: '2027-01-01T00:00:00+01:00' } });
  assert.match(made.key, /^sk-tp-[0-9A-Za-z]{49}$/);
  assert.equal(made.data.name, 'Key 1');
  assert.deepEqual(made.data.project, { id: 1, name: 'Default' });
  assert.deepEqual([made.data.created_by, made.data.creator_user_id], ['Ada', 'user:2']);
  assert.equal(made.data.expires_at, '2026-12-31T23:00:00.000Z');
  assert.match(made.data.hash, /^[0-9a-f]{64}$/);
  assert.deepEqual([made.data.updated_at, made.data.last_used_at], [null, null]);
  const listed = JSON.stringify(await ask(ADMIN, 'listKeys'));
  assert.ok(!listed.includes(made.key) && !JSON.stringify(auditEntries).includes(made.key));
  assert.deepEqual(
    auditEntries.map(({ action, subject }) => [action, subject]),
    [['key.create', { kind: 'key', id: '1', name: 'Key 1' }]],
  );
});

test('a key is found by hash and by id, and a stranger finds it by neither', async () => {
  const { ask } = await openKeys();
  const { data } = await ask(ADMIN, 'createKey', { body: { name: 'ci' } });
  for (const key of [data.hash, data.id]) assert.equal((await ask(ADMIN, 'readKey', { key })).data.name, 'ci');
  for (const key of [data.hash, data.id, 99, 'ci', 'f'.repeat(64)])
    for (const name of ['readKey', 'readKeyLimits', 'updateKey', 'revokeKey', 'rotateKey'] as const)
      assert.equal(await codeOf(ask(STRANGER, name, { key })), 'not_found', `${name} ${key}`);
  assert.equal((await ask(STRANGER, 'listKeys')).total_count, 0);
  assert.equal((await ask(ADMIN, 'readKey', { key: data.id })).data.status, 'active');
});

test('keys are listed newest first in pages, by cursor or offset, with any filter', async () => {
  const { ask } = await openKeys();
  for (const name of ['alpha', 'beta', 'gamma', 'delta', 'epsilon'])
    await ask(ADMIN, 'createKey', { body: { name, project: name === 'delta' ? 'staging' : null } });
  await ask(STRANGER, 'createKey', { body: { name: 'alphabet' } });
  await ask(ADMIN, 'updateKey', { key: 2, body: { disabled: true } });
  await ask(ADMIN, 'revokeKey', { key: 3 });
  const list = async (query: Record<string, string>) => {
    const page = await ask(ADMIN, 'listKeys', { query });
    const names = page.data.map((each: { name: string }) => each.name).join(' ');
    return [names, page.next_cursor, page.total_count];
  };
  assert.deepEqual(await list({}), ['epsilon delta beta alpha', null, 4]);
  assert.deepEqual(await list({ limit: '2' }), ['epsilon delta', '4', 4]);
  assert.deepEqual(await list({ limit: '2', cursor: '4' }), ['beta alpha', null, 4]);
  assert.deepEqual(await list({ limit: '2', offset: '1' }), ['delta beta', '2', 4]);
  assert.deepEqual(await list({ offset: '9' }), ['', null, 4]);
  assert.deepEqual(await list({ include_disabled: 'false', include_revoked: 'true' }), [
    'epsilon delta gamma alpha',
    null,
    4,
  ]);
  assert.deepEqual(await list({ search: 'ALPH' }), ['alpha', null, 1]);
  assert.deepEqual(await list({ project: '3' }), ['delta', null, 1]);
  assert.deepEqual(await list({ workspace_id: '3' }), ['delta', null, 1]);
  assert.equal(await codeOf(list({ project: '2' })), 'not_found');
  assert.equal(await codeOf(list({ workspace_id: 'other' })), 'not_found');
  assert.equal(await codeOf(list({ cursor: 'x' })), 'invalid_value');
});

test('a change is audited with the fields that differ, and not at all if none do', async () => {
  const { ask, auditEntries, clock } = await openKeys();
  await ask(ADMIN, 'createKey', { body: { name: 'ci', limits: { requests_per_minute: 5 } } });
  clock.advance(1000);
  const { data } = await ask(ADMIN, 'updateKey', {
    key: 1,
    body: {
      name: 'ci 2',
      limits: { requests_per_minute: null, budgets: { day: '1.5' } },
      permissions: { ips: ['::1'] },
    },
  });
  assert.equal(data.updated_at, '2026-11-21T12:00:01.000Z');
  assert.deepEqual([data.limit, data.limit_reset, data.permissions.ips], [1.5, 'daily', ['::1']]);
  assert.deepEqual(Object.keys(auditEntries[1]?.after ?? {}), ['name', 'limits', 'permissions']);
  assert.equal(auditEntries[1]?.before?.['name'], 'ci');
  await ask(ADMIN, 'updateKey', { key: 1, body: { name: 'ci 2' } });
  assert.equal(auditEntries.length, 2);
});

const refused: [body: Record<string, unknown>, code: string][] = [
  [{ limit: 5, limits: { budgets: { day: '1' } } }, 'invalid_value'],
  [{ limit_reset: 'daily' }, 'invalid_value'],
  [{ limit: 0.1 + 0.2 }, 'invalid_value'],
  [{ limit: 1e-10 }, 'invalid_value'],
  [{ limit: 1e21 }, 'invalid_value'],
  [{ limits: { requests_per_minute: 0 } }, 'invalid_value'],
  [{ permissions: { models_allow: ['a*b'] } }, 'invalid_value'],
  [{ permissions: { operations: ['dance'] } }, 'invalid_value'],
  [{ expires_at: '2020-01-01T00:00:00Z' }, 'invalid_value'],
  [{ creator_user_id: 'user:9' }, 'invalid_value'],
  [{ project: 'nowhere' }, 'not_found'],
  [{ project: 2 }, 'not_found'],
  [{ workspace_id: '2' }, 'not_found'],
  [{ project: 1, workspace_id: '1' }, 'invalid_value'],
  [{ colour: 'red' }, 'field_not_allowed'],
];

for (const [body, code] of refused)
  test(`${JSON.stringify(body)} creates no key: ${code}`, async () => {
    const { ask, auditEntries } = await openKeys();
    assert.equal(await codeOf(ask(ADMIN, 'createKey', { body })), code);
    assert.equal((await ask(ADMIN, 'listKeys')).total_count, 0);
    assert.deepEqual(auditEntries, []);
  });

const budgets: [before: Record<string, string>, body: Record<string, unknown>, after: Record<string, number>][] = [
  [{}, { limit: 0.1 }, { total: 0.1 }],
  [{}, { limit: 1e-7, limit_reset: 'weekly' }, { week: 1e-7 }],
  [{}, { limit: 0, limit_reset: null }, { total: 0 }],
  [{}, { limit: null, limit_reset: 'daily' }, {}],
  [{ month: '5' }, { limit: 7 }, { month: 7 }],
  [{ month: '5' }, { limit: 7, limit_reset: null }, { total: 7 }],
  [{ month: '5' }, { limit_reset: 'daily' }, { day: 5 }],
  [{ day: '5', month: '50' }, { limit: 6 }, { day: 6, month: 50 }],
  [{ day: '5', month: '50' }, { limit: null }, {}],
  [{ day: '5' }, { include_byok_in_limit: true }, { day: 5 }],
];

for (const [before, body, after] of budgets)
  test(`a key with ${JSON.stringify(before)} that is sent ${JSON.stringify(body)} has ${JSON.stringify(after)}`, async () => {
    const { ask } = await openKeys();
    await ask(ADMIN, 'createKey', { body: { limits: { budgets: before } } });
    const { data } = await ask(ADMIN, 'updateKey', { key: 1, body });
    assert.deepEqual(data.limits.budgets, after);
  });

test('a developer may change keys that they created, an admin all, and only admins management keys', async () => {
  const { ask } = await openKeys();
  await ask(DEVELOPER, 'createKey');
  await ask(ADMIN, 'createKey');
  await ask(ADMIN, 'createKey', { body: { kind: 'management' } });
  assert.equal(await codeOf(ask(DEVELOPER, 'createKey', { body: { kind: 'management' } })), 'permission_denied');
  const changes: [RouteName, Question][] = [
    ['updateKey', { body: { name: 'mine' } }],
    ['rotateKey', {}],
    ['revokeKey', {}],
  ];
  for (const [name, question] of changes) {
    for (const key of [2, 3])
      assert.equal(await codeOf(ask(DEVELOPER, name, { ...question, key })), 'permission_denied');
    await ask(DEVELOPER, name, { ...question, key: 1 });
  }
  await ask(ADMIN, 'rotateKey', { key: 3 });
});

test('a management key manages inference keys only, but may revoke any key, including itself', async () => {
  const { ask, auditEntries } = await openKeys();
  await ask(ADMIN, 'createKey', { body: { name: 'inference' } });
  for (const name of ['other', 'itself']) await ask(ADMIN, 'createKey', { body: { name, kind: 'management' } });
  const before = auditEntries.length;
  assert.equal(await codeOf(ask(MANAGEMENT_KEY, 'createKey', { body: { kind: 'management' } })), 'permission_denied');
  for (const key of [2, 3])
    for (const [name, body] of [
      ['updateKey', { name: 'mine' }],
      ['updateKey', { disabled: true }],
      ['updateKey', { expires_at: null }],
      ['rotateKey', {}],
    ] as const)
      assert.equal(await codeOf(ask(MANAGEMENT_KEY, name, { key, body })), 'permission_denied', `${name} ${key}`);
  assert.equal(auditEntries.length, before);
  await ask(MANAGEMENT_KEY, 'createKey', { body: { name: 'made' } });
  await ask(MANAGEMENT_KEY, 'updateKey', { key: 1, body: { disabled: true } });
  await ask(MANAGEMENT_KEY, 'rotateKey', { key: 4 });
  for (const key of [1, 2, 3]) assert.equal((await ask(MANAGEMENT_KEY, 'revokeKey', { key })).data.status, 'revoked');
});

test('a management key belongs to the person who knows its secret: its maker, then the one who rotated it', async () => {
  const { ask } = await openKeys();
  await ask({ ...ADMIN, actorId: 'user:9' }, 'createKey', { body: { kind: 'management' } });
  assert.equal((await ask(ADMIN, 'rotateKey', { key: 1 })).data.creator_user_id, ADMIN.actorId);
  assert.equal((await ask(ADMIN, 'readKey', { key: 1 })).data.creator_user_id, 'user:9');
});

test('a rotated key keeps its maker and its spending, and both secrets are good for a while', async () => {
  const { ask, auditEntries, clock } = await openKeys();
  const made = await ask(DEVELOPER, 'createKey', { body: { limit: 5 } });
  const rotated = await ask(ADMIN, 'rotateKey', { key: made.data.hash, body: { grace_ms: 60_000 } });
  assert.notEqual(rotated.key, made.key);
  assert.notEqual(rotated.data.hash, made.data.hash);
  assert.equal(rotated.data.root_id, 1);
  assert.equal(rotated.data.creator_user_id, 'user:2');
  assert.equal(rotated.data.limit, 5);
  assert.equal(rotated.retiring.retiring_at, '2026-11-21T12:01:00.000Z');
  assert.equal(rotated.retiring.status, 'retiring');
  assert.equal(await codeOf(ask(ADMIN, 'rotateKey', { key: 1 })), 'conflict');
  assert.deepEqual(auditEntries.at(-1)?.after, { retiring_at: '2026-11-21T12:01:00.000Z', successor: 2 });
  clock.advance(60_000);
  assert.equal((await ask(ADMIN, 'readKey', { key: 1 })).data.status, 'expired');
  assert.equal((await ask(ADMIN, 'readKey', { key: 2 })).data.status, 'active');
});

test('a revoked key stays in reports and cannot be changed, and its running calls are cut on request', async () => {
  const { ask, auditEntries, cut } = await openKeys();
  await ask(ADMIN, 'createKey');
  const revoked = await ask(ADMIN, 'revokeKey', { key: 1 });
  assert.deepEqual([revoked.deleted, revoked.data.status], [true, 'revoked']);
  assert.deepEqual(cut, []);
  await ask(ADMIN, 'revokeKey', { key: 1, query: { now: 'true' } });
  assert.deepEqual(cut, [1]);
  await ask(ADMIN, 'revokeKey', { key: 1 });
  assert.deepEqual(
    auditEntries.map(({ action, after }) => [action, after?.['calls_cut']]),
    [
      ['key.create', undefined],
      ['key.revoke', false],
      ['key.revoke', true],
    ],
  );
  assert.equal(await codeOf(ask(ADMIN, 'updateKey', { key: 1, body: { disabled: false } })), 'conflict');
  assert.equal((await ask(ADMIN, 'readKey', { key: 1 })).data.status, 'revoked');
});

test('an archived project and a closed account accept no new keys, but theirs can be revoked', async () => {
  const { ask, scopes, project } = await openKeys();
  await ask(ADMIN, 'createKey', { body: { project: 'staging' } });
  await scopes.updateProject(project('staging').id, { archived: true });
  assert.equal(await codeOf(ask(ADMIN, 'createKey', { body: { project: 'staging' } })), 'conflict');
  assert.equal(await codeOf(ask(ADMIN, 'rotateKey', { key: 1 })), 'conflict');
  assert.equal((await ask(ADMIN, 'readKey', { key: 1 })).data.status, 'archived');
  await scopes.updateProject(projectId(1), { archived: true });
  assert.equal(await codeOf(ask(ADMIN, 'createKey')), 'conflict', 'no other project is used instead of the oldest');
  await scopes.updateProject(projectId(1), { archived: false });
  await scopes.updateAccount(accountId(1), { closedAt: 1 });
  assert.equal(await codeOf(ask(ADMIN, 'createKey')), 'conflict');
  assert.equal(await codeOf(ask(ADMIN, 'updateKey', { key: 1, body: { disabled: true } })), 'conflict');
  await ask(ADMIN, 'revokeKey', { key: 1 });
});

test('usage is reported per day, week, month and in total, with the last day of use, across a rotation', async () => {
  const subject = await openKeys();
  await subject.ask(ADMIN, 'createKey', { body: { limit: 5 } });
  await subject.bank.post(entry({ amount: parseUsd('100') }));
  await use(subject, '1.25');
  await subject.ask(ADMIN, 'rotateKey', { key: 1 });
  subject.clock.advance(86_400_000);
  const { data } = await subject.ask(ADMIN, 'readKey', { key: 2 });
  assert.deepEqual([data.usage, data.usage_daily, data.usage_weekly, data.usage_monthly], [1.25, 0, 1.25, 1.25]);
  assert.equal(data.last_used_at, '2026-11-21T00:00:00.000Z');
  assert.deepEqual([data.limit, data.limit_remaining, data.limit_reset], [5, 3.75, null]);
});

test('a free call counts as a use', async () => {
  const subject = await openKeys();
  await subject.ask(ADMIN, 'createKey');
  await use(subject, '0');
  assert.equal((await subject.ask(ADMIN, 'readKey', { key: 1 })).data.last_used_at, '2026-11-21T00:00:00.000Z');
});

test('limits are reported with their use, and which is reached first', async () => {
  const subject = await openKeys();
  const { ask, bank, limiter, scopes } = subject;
  const limits = { requests_per_minute: 10, concurrent_calls: 2, budgets: { day: '5' } };
  await ask(ADMIN, 'createKey', { body: { limits } });
  await scopes.updateProject(projectId(1), { limits: { tokensPerMinute: 1000, budgets: { month: parseUsd('3') } } });
  await bank.post(entry({ amount: parseUsd('100') }));
  await use(subject, '1');
  bank.hold({ ...spending, bound: bound('0.5') });
  const key = { id: 1, limits: { requestsPerMinute: 10, concurrentCalls: 2 } };
  limiter.take(key, { id: 1, limits: { tokensPerMinute: 1000 } }, { id: 1, limits: {} }, 7);
  const { data } = await ask(ADMIN, 'readKeyLimits', { key: 1 });
  assert.deepEqual(data.budgets, [
    { scope: 'key', window: 'day', limit: 5, spent: 1, held: 0.5, remaining: 4, resets_at: '2026-11-22T00:00:00.000Z' },
    {
      scope: 'project',
      window: 'month',
      limit: 3,
      spent: 1,
      held: 0.5,
      remaining: 2,
      resets_at: '2026-12-01T00:00:00.000Z',
    },
  ]);
  assert.deepEqual(data.rates, [
    { scope: 'key', kind: 'requests_per_minute', limit: 10, used: 1 },
    { scope: 'key', kind: 'concurrent_calls', limit: 2, used: 1 },
    { scope: 'project', kind: 'tokens_per_minute', limit: 1000, used: 7 },
  ]);
  assert.deepEqual(data.binding, { kind: 'budget', scope: 'project', window: 'month', available: 1.5 });
});

test('without a budget the balance is the limit', async () => {
  const { ask, bank } = await openKeys();
  await ask(ADMIN, 'createKey');
  await bank.post(entry({ amount: parseUsd('0.000000001') }));
  const { data } = await ask(ADMIN, 'readKeyLimits', { key: 1 });
  assert.deepEqual(data.binding, { kind: 'balance', scope: 'account', window: null, available: 1e-9 });
});

const spending = call({ accountId: accountId(1), projectId: projectId(1), keyId: keyId(1) });

async function use({ bank }: KeyFixture, usd: string): Promise<void> {
  const request = call({ accountId: accountId(1), projectId: projectId(1), keyId: keyId(1), bound: bound(usd) });
  await spend(bank, request, usd);
}

test('keys are listed in slices, so that other work can run in between', async () => {
  const { ask, fill } = await openKeys();
  await fill(10_001);
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 0);
  const asker: Asker = ADMIN;
  const page = await ask(asker, 'listKeys', { query: { limit: '1' } });
  clearInterval(count);
  assert.equal(page.total_count, 10_001);
  assert.ok(turns > 0, 'a timer was served meanwhile');
});
