/**
 * Goal: projects are read and changed within their account, by id or name. Method: the handlers with the contract's checks, over a real
 * database.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { bound, call, entry, spend } from '../../../billing/bank-under-test.ts';
import type { GatewayError } from '../../../core/errors.ts';
import { projectId } from '../../../core/ids.ts';
import { parseUsd } from '../../../core/money.ts';
import { openStoresUnderTest } from '../../../storage/sqlite/engine/kysely-under-test.ts';
import type { Actor } from '../door/handler.ts';
import { ACME, accountsOn, asKey, asUser, OPERATOR, OTHER } from './account-fixture.ts';

const openAccounts = async (context: TestContext) => accountsOn(await openStoresUnderTest(context));

test('a project is created with limits, and read with its usage and its good keys', async (context) => {
  const { ask, member, key, keys, bank, clock } = await openAccounts(context);
  const admin = asUser(await member('admin'));
  const made = await ask(admin, 'createProject', {
    body: { name: 'bots', limits: { budgets: { month: '20' } }, permissions: { models_deny: ['acme/x'] } },
  });
  assert.deepEqual([made.data.id, made.data.keys, made.data.usage, made.data.archived_at], [3, 0, 0, null]);
  assert.deepEqual(made.data.limits.budgets, { month: 20 });
  assert.deepEqual(made.data.permissions.models_deny, ['acme/x']);
  const [first, second] = [await key(projectId(3)), await key(projectId(3))];
  await keys.revoke(second.id);
  await bank.post(entry({ amount: parseUsd('9') }));
  await spend(
    bank,
    call({ accountId: ACME, projectId: projectId(3), keyId: first.id, admittedAt: clock.now(), bound: bound('1.5') }),
    '1.5',
  );
  for (const project of [3, 'bots']) {
    const { data } = await ask(admin, 'readProject', { params: { project } });
    assert.deepEqual(
      [data.keys, data.usage, data.usage_daily, data.usage_weekly, data.usage_monthly],
      [1, 1.5, 1.5, 1.5, 1.5],
    );
  }
});

test('an archived project is listed on request, and its keys are refused until it is unarchived', async (context) => {
  const { ask, member, key } = await openAccounts(context);
  const admin = asUser(await member('admin'));
  await key();
  const list = async (query: Record<string, string>) =>
    (await ask(admin, 'listProjects', { query })).data.map((each: { name: string; keys: number }) => [
      each.name,
      each.keys,
    ]);
  assert.deepEqual(await list({}), [['Default', 1]]);
  const { data } = await ask(admin, 'updateProject', { params: { project: 1 }, body: { archived: true } });
  assert.equal(data.archived_at, '2026-11-21T12:00:00.000Z');
  assert.deepEqual([await list({}), await list({ include_archived: 'true' })], [[], [['Default', 0]]]);
  await ask(admin, 'updateProject', { params: { project: 'Default' }, body: { archived: false } });
  assert.deepEqual(await list({}), [['Default', 1]]);
});

test('a name must be unique within its account only', async (context) => {
  const { ask, member } = await openAccounts(context);
  const admin = asUser(await member('admin'));
  assert.equal(await codeOf(ask(admin, 'createProject', { body: { name: 'Default' } })), 'conflict');
  await ask(admin, 'createProject', { body: { name: 'bots' } });
  const onto = (name: string) => ask(admin, 'updateProject', { params: { project: 'bots' }, body: { name } });
  assert.equal(await codeOf(onto('Default')), 'conflict');
  assert.equal(await codeOf(onto('bots')), 'ok');
  const other = asUser(await member('owner', OTHER));
  assert.equal(await codeOf(ask(other, 'createProject', { body: { name: 'bots' } })), 'ok');
});

test('another account’s project is not found, by id or by name', async (context) => {
  const { ask, member, key, mirror, auditEntries } = await openAccounts(context);
  await ask(asUser(await member('owner', OTHER)), 'createProject', { body: { name: 'secret plans' } });
  const before = (await auditEntries()).length;
  for (const actor of [asUser(await member('owner')), asKey(await key(projectId(1), 'management'))]) {
    for (const project of [2, 3, 99, 'secret plans', 'nothing']) {
      const errors = [];
      for (const [name, question] of [
        ['readProject', {}],
        ['updateProject', { body: { archived: true, name: 'mine' } }],
      ] as const) {
        const refused = await ask(actor, name, { ...question, params: { project } }).catch(
          (error: GatewayError) => error,
        );
        errors.push([refused.code, refused.message]);
      }
      assert.deepEqual(errors, Array(2).fill(['not_found', 'No project matches.']), String(project));
    }
    assert.deepEqual(
      (await ask(actor, 'listProjects')).data.map(({ id }: { id: number }) => id),
      [1],
    );
  }
  assert.deepEqual(
    [mirror.scopes.project(projectId(2)).name, mirror.scopes.project(projectId(2)).archivedAt],
    ['Default', null],
  );
  assert.equal((await auditEntries()).length, before);
});

test('a change is audited, and nothing if nothing changed', async (context) => {
  const { ask, member, auditEntries } = await openAccounts(context);
  const admin = asUser(await member('admin'));
  const update = (body: object) => ask(admin, 'updateProject', { params: { project: 1 }, body });
  await update({});
  await update({ name: 'Default', archived: false });
  await update({ name: 'main', archived: true, limits: { concurrent_calls: 4 } });
  assert.deepEqual(
    (await auditEntries()).map(({ action, subject, before, after, ip }) => [action, subject, before, after, ip]),
    [
      [
        'project.update',
        { kind: 'project', id: '1', name: 'main' },
        { name: 'Default', archived: false, limits: { concurrent_calls: null } },
        { name: 'main', archived: true, limits: { concurrent_calls: 4 } },
        '192.0.2.7',
      ],
    ],
  );
});

test('invalid limits and unknown fields are refused', async (context) => {
  const { ask, member } = await openAccounts(context);
  const admin = asUser(await member('admin'));
  const make = (body: object) => codeOf(ask(admin, 'createProject', { body: { name: 'x', ...body } }));
  assert.equal(await make({ limits: { requests_per_minute: 0 } }), 'invalid_value');
  assert.equal(await make({ permissions: { operations: ['fly'] } }), 'invalid_value');
  assert.equal(await make({ account: 2 }), 'field_not_allowed');
});

async function codeOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'ok',
    (error: GatewayError) => error.code ?? String(error),
  );
}

test('people below cannot undo what an owner or an operator set on a project', async (context) => {
  const { ask, member } = await openAccounts(context);
  const [owner, admin] = [asUser(await member('owner')), asUser(await member('admin'))];
  const change = (actor: Actor, body: object) =>
    ask(actor, 'updateProject', { params: { project: 1 }, query: { account: ACME }, body });
  await change(owner, { limits: { budgets: { month: '10' } } });
  const { data } = await change(OPERATOR, { archived: true });
  assert.deepEqual(
    data.restricted.map(({ field, by }: { field: string; by: string }) => `${field} ${by}`),
    ['limits.budgets.month owner', 'archived operator'],
  );
  await assert.rejects(change(admin, { limits: { budgets: { month: '11' } } }), /ask an owner/);
  await assert.rejects(change(owner, { archived: false }), /ask an operator/);
  await change(admin, { limits: { budgets: { month: '9' } } });
  assert.deepEqual((await change(owner, { limits: { budgets: { month: null } } })).data.limits.budgets, {});
  assert.equal((await change(OPERATOR, { archived: false })).data.archived_at, null);
});
