/**
 * Goal: the commands for accounts, `admin reset` and `audit verify` send the right requests and print the right text. Method: `runCli` with
 * a recording terminal, over the control plane with services in memory; the handlers that create and close accounts record their requests.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ControlParts, controlOf, type OwnHandlers } from '../../../../test/support/control-plane.ts';
import { openFixture } from '../../../../test/support/control-services.ts';
import { commandRunner } from '../../../../test/support/run-commands.ts';
import { GatewayError } from '../../../core/errors.ts';

async function openBench(changes: Partial<ControlParts> = {}) {
  const fixture = await openFixture();
  const asked: unknown[] = [];
  const recording: OwnHandlers = {
    createAccount: (_context, { body }: { readonly body: { readonly name: string } }) => {
      asked.push(['make', body]);
      return { data: { id: 2, name: body.name } };
    },
    closeAccount: (
      _context,
      { query, body }: { readonly query: { readonly account: number }; readonly body: { readonly name: string } },
    ) => {
      asked.push(['close', query, body]);
      if (body.name !== 'Default') throw new GatewayError('invalid_value', { param: 'name' });
      return { data: { id: 1, name: 'Default' } };
    },
  };
  const control = controlOf({ ...fixture.services, ...changes }, recording);
  const { run } = commandRunner({ control, now: () => fixture.clock.now() });
  return { ...fixture, asked, run };
}

test('an account is created', async () => {
  const { run, asked } = await openBench();
  const { code, out } = await run(['accounts', 'create', 'Acme Ltd']);
  assert.deepEqual([code, out], [0, 'Account 2 "Acme Ltd" created, with a project "Default".']);
  assert.deepEqual(asked, [['make', { name: 'Acme Ltd' }]]);
  assert.equal((await run(['accounts', 'create'])).code, 2);
  assert.equal((await run(['accounts', 'create', 'a\u001b[2J'])).code, 2);
});

test('an account is closed by id or name, confirmed by its name', async () => {
  const { run, asked, scopes } = await openBench();
  for (const named of ['Default', '1']) {
    const { code, out } = await run(['accounts', 'close', named, '--confirm', 'Default']);
    assert.equal(code, 0);
    assert.equal(out, 'Account 1 "Default" closed. Its balance of $0 stays in the ledger.');
  }
  assert.deepEqual(asked, Array(2).fill(['close', { account: 1 }, { name: 'Default' }]));
  assert.equal((await run(['accounts', 'close', 'Default'])).code, 2);
  assert.equal((await run(['accounts', 'close', 'Default', '--confirm', 'default'])).code, 2);
  assert.equal((await run(['accounts', 'close', 'nobody', '--confirm', 'nobody'])).code, 1);
  // An account whose name is another one's id does not hide that id.
  await scopes.createAccount({ name: '1' });
  await run(['accounts', 'close', '1', '--confirm', 'Default']);
  assert.deepEqual(asked.at(-1), ['close', { account: 1 }, { name: 'Default' }]);
  await scopes.createAccount({ name: 'Default' });
  const several = await run(['accounts', 'close', 'Default', '--confirm', 'Default']);
  assert.deepEqual([several.code, asked.length], [1, 4]);
  assert.match(several.notes, /ids: 1, 3\.$/);
});

test('the list shows which accounts are closed', async () => {
  const { run, scopes } = await openBench();
  assert.match((await run(['accounts', 'list'])).out, /Default +prepaid +open/);
  const [account] = scopes.accounts();
  assert.ok(account);
  await scopes.markClosed(account.id);
  assert.match((await run(['accounts', 'list'])).out, /Default +prepaid +closed/);
});

test('only the link for an operator is printed to standard output', async () => {
  const { run } = await openBench();
  const oldest = await run(['admin', 'reset']);
  assert.deepEqual([oldest.code, oldest.out], [0, 'http://x/#t=secret']);
  assert.match(oldest.notes, /sets a new password for root@example\.com. It works once, until 2026-12-02 00:00:00 UTC/);
  const named = await run(['admin', 'reset', '--email', ' Ada@Example.com', '--json']);
  assert.equal(JSON.parse(named.out).data.email, 'ada@example.com');
  assert.equal((await run(['admin', 'reset', '--email', 'ada'])).code, 2);
});

test('without an operator, the link creates the first one', async () => {
  const { run } = await openBench({ adminReset: async () => ({ email: null, url: 'http://x/#s', expiresAt: 0 }) });
  assert.match((await run(['admin', 'reset'])).notes, /creates the admin account/);
});

test('an unknown operator is an error', async () => {
  const adminReset = async () => {
    throw new GatewayError('not_found', { message: 'There is no operator of this address.' });
  };
  const { code, notes } = await (await openBench({ adminReset })).run(['admin', 'reset', '--email', 'x@y.z']);
  assert.deepEqual([code, notes], [1, 'turnpike: There is no operator of this address.']);
});

test('audit verify passes on an intact log, otherwise fails and names the entry', async () => {
  const whole = await (await openBench()).run(['audit', 'verify']);
  assert.deepEqual([whole.code, whole.out], [0, 'The audit log is intact.']);
  const broken = await (await openBench({ brokenAuditAt: 17 })).run(['audit', 'verify']);
  assert.equal(broken.code, 1);
  assert.match(broken.out, /entry 17/);
});
