/**
 * Goal: the audit log is read in pages, and only operators see more than their own account. Method: the handlers with the contract's
 * checks, over a real database.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { GatewayError } from '../../../core/errors.ts';
import { openStoresUnderTest } from '../../../storage/sqlite/engine/kysely-under-test.ts';
import { accountsOn, asUser, OPERATOR, OTHER } from '../accounts/account-fixture.ts';

const openAccounts = async (context: TestContext) => accountsOn(await openStoresUnderTest(context));

const idsOf = (answer: { data: readonly { id: number }[] }) => answer.data.map(({ id }) => id);

test('changes are listed newest first, with actor, subject, before and after', async (context) => {
  const { ask, member } = await openAccounts(context);
  const ada = asUser(await member('owner', undefined, 'ada'));
  await ask(ada, 'createProject', { body: { name: 'bots' } });
  await ask(ada, 'updateProject', { params: { project: 'bots' }, body: { name: 'robots' } });
  const { data, next_cursor: next } = await ask(ada, 'listAudit');
  assert.equal(next, null);
  assert.deepEqual(data[0], {
    id: 2,
    at: '2026-11-21T12:00:00.000Z',
    actor: { kind: 'user', id: 1, name: 'ada@example.com' },
    action: 'project.update',
    subject: { kind: 'project', id: '3', name: 'robots' },
    account_id: 1,
    before: { name: 'bots' },
    after: { name: 'robots' },
    ip: '192.0.2.7',
    request_id: 'req_1',
  });
  assert.deepEqual([data[1].action, data[1].before, data[1].after.name], ['project.create', null, 'bots']);
});

test('pages continue by cursor without gaps, while entries are added', async (context) => {
  const { ask, member } = await openAccounts(context);
  const ada = asUser(await member('owner'));
  const write = (name: string) => ask(ada, 'createProject', { body: { name } });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await write(name);
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: { id: number }[]; next_cursor: string | null } = await ask(ada, 'listAudit', {
      query: { limit: 2, ...(cursor === null ? {} : { cursor }) },
    });
    seen.push(...idsOf(page));
    cursor = page.next_cursor;
    await write(`later ${seen.length}`);
  } while (cursor !== null);
  assert.deepEqual(seen, [5, 4, 3, 2, 1]);
  for (const bad of ['x', '-1', '1; DROP TABLE audit', '']) {
    const refused = await ask(ada, 'listAudit', { query: { cursor: bad } }).catch((error: GatewayError) => error.code);
    assert.equal(refused, 'invalid_value');
  }
});

test('each account sees its own changes, filtered by action and actor; operators see all', async (context) => {
  const { ask, member, person } = await openAccounts(context);
  const ada = asUser(await member('owner'));
  const bob = asUser(await member('admin'));
  const eve = asUser(await member('owner', OTHER));
  await ask(ada, 'createProject', { body: { name: 'one' } });
  await ask(eve, 'createProject', { body: { name: 'two' } });
  await ask(bob, 'createInvitation', { body: {} });
  await ask(OPERATOR, 'createAccount', { body: { name: 'Third' } });
  assert.deepEqual(idsOf(await ask(ada, 'listAudit')), [3, 1]);
  assert.deepEqual(idsOf(await ask(eve, 'listAudit')), [2]);
  assert.deepEqual(idsOf(await ask(ada, 'listAudit', { query: { action: 'project.' } })), [1]);
  assert.deepEqual(idsOf(await ask(ada, 'listAudit', { query: { actor: 2 } })), [3]);
  assert.deepEqual(idsOf(await ask(ada, 'listAudit', { query: { actor: 3 } })), []);
  const root = asUser(await person('root', true));
  assert.deepEqual(idsOf(await ask(root, 'listAudit', { query: { everywhere: 'true' } })), [4, 3, 2, 1]);
  assert.deepEqual(idsOf(await ask(root, 'listAudit', { query: { account: OTHER } })), [2]);
  for (const query of [{ everywhere: 'true' }, { account: OTHER }]) {
    const code = await ask(ada, 'listAudit', { query }).catch((error: GatewayError) => error.code);
    assert.equal(code, 'everywhere' in query ? 'permission_denied' : 'not_found');
  }
});
