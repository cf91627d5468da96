/**
 * Goal: permitted actors can read, change and close an account, and the audit log records it. Method: the handlers with the contract's
 * checks, over a real database.
 */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { bound, call, entry, spend } from '../../../billing/bank-under-test.ts';
import { balanceOf } from '../../../billing/money-view.ts';
import type { GatewayError } from '../../../core/errors.ts';
import { projectId } from '../../../core/ids.ts';
import { parseUsd } from '../../../core/money.ts';
import { openStoresUnderTest } from '../../../storage/sqlite/engine/kysely-under-test.ts';
import { ACME, accountsOn, asKey, asUser, OPERATOR, OTHER } from './account-fixture.ts';

const openAccounts = async (context: TestContext) => accountsOn(await openStoresUnderTest(context));

test('an account is read with its settings, also by its management key', async (context) => {
  const { ask, member, key } = await openAccounts(context);
  const expected = {
    data: {
      id: 1,
      name: 'Acme',
      created_at: '2026-11-21T12:00:00.000Z',
      closed_at: null,
      billing_mode: 'prepaid',
      limits: {
        requests_per_minute: null,
        requests_per_day: null,
        tokens_per_minute: null,
        concurrent_calls: null,
        budgets: {},
      },
      permissions: { operations: null, models_allow: null, models_deny: null, ips: null },
      rates: { markup: null, models: {}, own_credential_fee: null },
      capture: { on: false, retention_days: 7, redact: true },
    },
  };
  assert.deepEqual(await ask(asUser(await member('viewer')), 'readAccount'), expected);
  assert.deepEqual(await ask(asKey(await key(projectId(1), 'management')), 'readAccount'), expected);
});

test('name and capture change; the capture store gets the settings even if they stay the same', async (context) => {
  const { ask, member, captures, auditEntries } = await openAccounts(context);
  const owner = asUser(await member('owner'));
  const first = await ask(owner, 'updateAccount', { body: { name: 'Acme Ltd', capture: { on: true } } });
  assert.deepEqual([first.data.name, first.data.capture], ['Acme Ltd', { on: true, retention_days: 7, redact: true }]);
  const shorter = { on: true, retention_days: 2, redact: true };
  for (let time = 0; time < 2; time += 1) {
    const changed = await ask(owner, 'updateAccount', { body: { capture: { retention_days: 2 } } });
    assert.deepEqual(changed.data.capture, shorter);
  }
  await ask(owner, 'updateAccount', { body: { capture: { on: false } } });
  await ask(owner, 'updateAccount', { body: { name: 'Acme Ltd' } });
  const settings = (on: boolean, retentionDays: number) => ({ account: ACME, on, retentionDays, redact: true });
  assert.deepEqual(captures, [settings(true, 7), settings(true, 2), settings(true, 2), settings(false, 2)]);
  assert.deepEqual(
    (await auditEntries()).map(({ action, before, after }) => [action, before, after]),
    [
      ['account.update', { name: 'Acme', capture: { on: false } }, { name: 'Acme Ltd', capture: { on: true } }],
      ['account.update', { capture: { retention_days: 7 } }, { capture: { retention_days: 2 } }],
      ['account.update', { capture: { on: true } }, { capture: { on: false } }],
    ],
  );
});

test('an admin deletes stored bodies, which is audited', async (context) => {
  const { ask, member, captures, auditEntries } = await openAccounts(context);
  await ask(asUser(await member('admin')), 'deleteCaptures');
  assert.deepEqual(captures, [{ account: ACME, deleted: 'all' }]);
  assert.deepEqual(
    (await auditEntries()).map(({ action, after }) => [action, after]),
    [['capture.delete', { deleted: 1 }]],
  );
});

test('closing needs the name; it ends keys, projects and invitations, and the balance stays', async (context) => {
  const { ask, member, key, keys, bank, cut, auditEntries, members, clock } = await openAccounts(context);
  const ada = asUser(await member('owner', ACME, 'ada'));
  const mine = await key();
  const theirs = await key(projectId(2));
  await bank.post(entry({ amount: parseUsd('12.5') }));
  await ask(ada, 'createInvitation', { body: {} });
  for (const name of ['', 'acme', 'Other'])
    assert.equal(await codeOf(ask(ada, 'closeAccount', { body: { name } })), 'invalid_value');
  assert.equal(keys.get(mine.id)?.revokedAt, null);

  const { data } = await ask(ada, 'closeAccount', { body: { name: 'Acme' } });
  assert.equal(data.closed_at, new Date(clock.now()).toISOString());
  assert.deepEqual([keys.get(mine.id)?.revokedAt, keys.get(theirs.id)?.revokedAt], [clock.now(), null]);
  assert.deepEqual(cut, [mine.id]);
  assert.deepEqual(await members.invitations(ACME), []);
  assert.equal((await balanceOf(bank.money, ACME))?.balance, parseUsd('12.5'));
  assert.equal((await ask(ada, 'readAccount')).data.closed_at, data.closed_at);
  assert.deepEqual((await ask(ada, 'listProjects')).data, []);
  const { before, after } = (await auditEntries()).at(-1) ?? {};
  assert.deepEqual(before, { closed: false });
  assert.deepEqual(after, {
    closed: true,
    keys_revoked: 1,
    invitations_void: 1,
    projects_archived: 1,
    balance: 12.5,
  });
});

test('a closed account accepts nothing new, not even from operators', async (context) => {
  const { ask, member, keys, auditEntries } = await openAccounts(context);
  const ada = asUser(await member('owner'));
  await ask(ada, 'closeAccount', { body: { name: 'Acme' } });
  const before = (await auditEntries()).length;
  for (const actor of [ada, OPERATOR])
    for (const [name, question] of [
      ['createProject', { body: { name: 'late' } }],
      ['updateProject', { params: { project: 1 }, body: { archived: false } }],
      ['createInvitation', { body: {} }],
      ['updateAccount', { body: { name: 'Phoenix' } }],
    ] as const)
      assert.equal(await codeOf(ask(actor, name, { ...question, query: { account: ACME } })), 'conflict', name);
  assert.equal(await codeOf(keys.create({ projectId: projectId(1), name: null })), 'conflict');
  assert.equal((await auditEntries()).length, before);
});

test('an operator finishes an interrupted closing by closing again', async (context) => {
  const { ask, key, keys, scopes, auditEntries } = await openAccounts(context);
  const { id } = await key();
  await scopes.markClosed(ACME);
  await ask(OPERATOR, 'closeAccount', { query: { account: ACME }, body: { name: 'Acme' } });
  assert.notEqual(keys.get(id)?.revokedAt, null);
  assert.deepEqual(
    (await auditEntries()).map(({ before, after }) => [before, after?.['keys_revoked']]),
    [[{ closed: true }, 1]],
  );
});

test('operators list all accounts with balance, monthly usage, members and good keys', async (context) => {
  const { ask, member, key, keys, bank, clock } = await openAccounts(context);
  await member('owner');
  await member('viewer');
  const [first] = [await key(), await key(), await key(projectId(2))];
  await keys.revoke((await key()).id);
  await bank.post(entry({ amount: parseUsd('3') }));
  await spend(
    bank,
    call({
      accountId: ACME,
      projectId: projectId(1),
      keyId: first.id,
      admittedAt: clock.now(),
      bound: bound('2.000000001'),
    }),
    '2.000000001',
  );
  const { data } = await ask(OPERATOR, 'listAccounts');
  assert.deepEqual(
    data.map((each: Record<string, unknown>) => [
      each['id'],
      each['balance'],
      each['usage_monthly'],
      each['members'],
      each['keys'],
    ]),
    [
      [1, 0.999999999, 2.000000001, 2, 2],
      [2, 0, 0, 0, 1],
    ],
  );
});

test('an account is created with a first project; its name cannot be used again while it is open', async (context) => {
  const { ask, person, scopes, auditEntries } = await openAccounts(context);
  const operator = asUser(await person('root', true));
  const { data } = await ask(operator, 'createAccount', { body: { name: 'Third' } });
  assert.deepEqual([data.id, data.name, data.billing_mode], [3, 'Third', 'prepaid']);
  assert.deepEqual(
    scopes
      .projects()
      .filter((each) => each.accountId === 3)
      .map(({ name }) => name),
    ['Default'],
  );
  assert.equal(await codeOf(ask(operator, 'createAccount', { body: { name: 'Third' } })), 'conflict');
  await ask(OPERATOR, 'closeAccount', { query: { account: 3 }, body: { name: 'Third' } });
  assert.equal((await ask(operator, 'createAccount', { body: { name: 'Third' } })).data.id, 4);
  assert.deepEqual(
    (await auditEntries()).map(({ action, accountId: account, actor }) => [action, account, actor.kind]),
    [
      ['account.create', 3, 'user'],
      ['account.close', 3, 'operator'],
      ['account.create', 4, 'user'],
    ],
  );
});

test('an account whose creation was interrupted gets its project when it is created again', async (context) => {
  const { ask, scopes } = await openAccounts(context);
  const { id } = await scopes.createAccount({ name: 'Half' });
  assert.equal((await ask(OPERATOR, 'createAccount', { body: { name: 'Half' } })).data.id, id);
  assert.equal(scopes.projects().at(-1)?.accountId, id);
  assert.equal(await codeOf(ask(OPERATOR, 'createAccount', { body: { name: 'Half' } })), 'conflict');
});

test('operators limit an account by id or name, and only changed fields are audited', async (context) => {
  const { ask, auditEntries, mirror } = await openAccounts(context);
  const limited = await ask(OPERATOR, 'limitAccount', {
    params: { account: 'Other' },
    body: { limits: { requests_per_minute: 60, budgets: { month: '100' } }, permissions: { models_allow: ['acme/*'] } },
  });
  assert.equal(limited.data.limits.requests_per_minute, 60);
  assert.equal(mirror.scopes.account(OTHER).limits.requestsPerMinute, 60);
  await ask(OPERATOR, 'limitAccount', { params: { account: 2 }, body: { limits: { requests_per_minute: 60 } } });
  await ask(OPERATOR, 'limitAccount', { params: { account: 2 }, body: { limits: { requests_per_minute: null } } });
  assert.deepEqual(
    (await auditEntries()).map(({ accountId: account, before, after }) => [account, before, after]),
    [
      [
        2,
        { limits: { requests_per_minute: null, budgets: { month: null } }, permissions: { models_allow: null } },
        { limits: { requests_per_minute: 60, budgets: { month: 100 } }, permissions: { models_allow: ['acme/*'] } },
      ],
      [2, { limits: { requests_per_minute: 60 } }, { limits: { requests_per_minute: null } }],
    ],
  );
  const unknown = ask(OPERATOR, 'limitAccount', { params: { account: 'nobody' }, body: {} });
  assert.equal(await codeOf(unknown), 'not_found');
});

async function codeOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'ok',
    (error: GatewayError) => error.code ?? String(error),
  );
}
