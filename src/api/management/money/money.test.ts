/**
 * Goal: the control plane's routes for limits, projects, accounts, balances and the ledger work, and refuse invalid requests. Method: real
 * handlers through `inject`, over keys, scopes and a bank in memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf } from '../../../../test/support/control-plane.ts';
import { openFixture, record } from '../../../../test/support/control-services.ts';
import { generationId, newCallId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';

async function open() {
  const fixture = await openFixture();
  const control = controlOf(fixture.services);
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: Record<string, unknown>) => {
    const answer = await control.inject({ method, url, ...(payload && { payload }) });
    return { status: answer.statusCode, text: answer.body, body: JSON.parse(answer.body) };
  };
  return { ...fixture, call };
}

interface Listed {
  readonly name: string;
  readonly account: { readonly name: string };
}

/** A call that was charged `nano`. */
async function settle({ ledger, clock }: Awaited<ReturnType<typeof open>>, nano: bigint) {
  const settlement = { ...record(clock.now(), nano), hold: nanoUsd(nano) };
  await ledger.commit([{ type: 'settlement', settlement, hadHold: false, replay: null }]);
  return generationId(settlement.callId);
}

test('limits and permissions of a key are set, changed field by field, and returned', async () => {
  const { call } = await open();
  const limits = { requests_per_minute: 60, budgets: { day: '5', total: '100.000000001' } };
  const made = await call('POST', '/control/api/keys', {
    name: 'a',
    limits,
    permissions: { models_allow: ['acme/*'] },
  });
  assert.deepEqual(made.body.data.limits.budgets, { day: 5, total: 100.000000001 });
  assert.deepEqual(made.body.data.permissions.models_allow, ['acme/*']);
  const changes = { limits: { requests_per_minute: null, concurrent_calls: 3, budgets: { day: null, week: '7' } } };
  const { body } = await call('PATCH', '/control/api/keys/1', changes);
  assert.deepEqual(body.data.limits, {
    requests_per_minute: null,
    requests_per_day: null,
    tokens_per_minute: null,
    concurrent_calls: 3,
    budgets: { week: 7, total: 100.000000001 },
  });
  assert.deepEqual(body.data.permissions.models_allow, ['acme/*']);
  const none = await call('PATCH', '/control/api/keys/1', { limits: { budgets: { week: null, total: null } } });
  assert.deepEqual(none.body.data.limits.budgets, {});
});

test('invalid limits are refused, with their field', async () => {
  const { call } = await open();
  const cases: [object, object, string][] = [
    [{ requests_per_minute: 0 }, {}, 'limits.requests_per_minute'],
    [{ requests_per_minut: 1 }, {}, 'requests_per_minut'],
    [{ budgets: { day: '1e3' } }, {}, 'limits.budgets.day'],
    [{ budgets: { day: 5 } }, {}, 'limits.budgets.day'],
    [{ budgets: { day: '-5' } }, {}, 'limits.budgets.day'],
    [{ budgets: { year: '5' } }, {}, 'year'],
    [{}, { operations: ['chatt'] }, 'permissions.operations[0]'],
    [{}, { ips: ['300.0.0.1'] }, 'permissions.ips[0]'],
    [{}, { models_allow: ['a*b'] }, 'permissions.modelsAllow[0]'],
  ];
  for (const [limits, permissions, param] of cases) {
    const answer = await call('POST', '/control/api/keys', { limits, permissions });
    assert.equal(answer.status, 400, param);
    assert.equal(answer.body.error.param, param);
  }
});

test('a key is disabled, enabled, rotated and then revoked', async () => {
  const { call, clock } = await open();
  await call('POST', '/control/api/keys', { name: 'ci' });
  assert.equal((await call('PATCH', '/control/api/keys/1', { disabled: true })).body.data.status, 'disabled');
  assert.equal((await call('POST', '/control/api/keys/1/rotate', { grace_ms: 1000 })).status, 409);
  assert.equal((await call('PATCH', '/control/api/keys/1', { disabled: false })).body.data.status, 'active');
  const rotated = await call('POST', '/control/api/keys/1/rotate', { grace_ms: 3_600_000 });
  assert.equal(rotated.status, 201);
  assert.match(rotated.body.key, /^sk-tp-/);
  assert.deepEqual([rotated.body.retiring.status, rotated.body.data.status], ['retiring', 'active']);
  assert.equal(rotated.body.data.root_id, 1);
  clock.advance(3_600_000);
  assert.equal((await call('DELETE', '/control/api/keys/2?now=true')).body.data.id, 2);
  assert.equal((await call('PATCH', '/control/api/keys/2', { name: 'x' })).status, 409);
  assert.equal((await call('POST', '/control/api/keys/1/rotate', { grace_ms: -1 })).status, 400);
});

test('a key of an archived project cannot be rotated at this door either', async () => {
  const { call } = await open();
  await call('POST', '/control/api/keys', { name: 'ci', project: 'staging' });
  await call('PATCH', '/control/api/projects/staging', { archived: true });
  assert.equal((await call('POST', '/control/api/keys/1/rotate')).status, 409);
});

test('keys of all accounts are found by id, label and name, and listed in pages', async () => {
  const { call, scopes } = await open();
  const { id } = await scopes.createAccount({ name: 'Acme' });
  await scopes.createProject({ accountId: id, name: 'Default' });
  for (const [name, account] of [
    ['a', 1],
    ['2', id],
    ['b', 1],
  ] as const)
    await call('POST', `/control/api/keys?account=${account}`, { name });
  const found = async (query: string) => {
    const { body } = await call('GET', `/control/api/all/keys?${query}`);
    const keys = body.data as readonly { id: number; label: string; account: { name: string } }[];
    return { ids: keys.map((key) => key.id), keys, next: body.next_cursor as string | null };
  };
  const all = await found('');
  assert.deepEqual(all.ids, [3, 2, 1]);
  assert.deepEqual(
    all.keys.map(({ account }) => account.name),
    ['Default', 'Acme', 'Default'],
  );
  assert.deepEqual((await found('reference=a')).ids, [1]);
  assert.deepEqual((await found('reference=2')).ids, [2]);
  assert.deepEqual((await found(`reference=${encodeURIComponent(all.keys[0]?.label ?? '')}`)).ids, [3]);
  assert.deepEqual((await found('reference=nobody')).ids, []);
  const first = await found('limit=2');
  assert.deepEqual(first.ids, [3, 2]);
  assert.deepEqual(await found(`limit=2&cursor=${first.next}`).then(({ ids, next }) => [ids, next]), [[1], null]);
  await call('DELETE', '/control/api/keys/3');
  assert.deepEqual((await found('')).ids, [2, 1]);
  assert.deepEqual((await found('include_revoked=true')).ids, [3, 2, 1]);
});

test('projects are created, changed and archived; accounts are changed', async () => {
  const { call } = await open();
  const made = await call('POST', '/control/api/projects', { name: 'bots', limits: { tokens_per_minute: 5 } });
  assert.equal(made.status, 201);
  assert.equal(made.body.data.limits.tokens_per_minute, 5);
  assert.equal((await call('POST', '/control/api/projects', { name: 'bots' })).status, 409);
  assert.equal((await call('PATCH', '/control/api/projects/bots', { name: 'robots' })).body.data.name, 'robots');
  const archived = await call('PATCH', '/control/api/projects/robots', { archived: true });
  assert.notEqual(archived.body.data.archived_at, null);
  assert.equal((await call('GET', '/control/api/all/projects')).body.data.length, 2);
  const all = (await call('GET', '/control/api/all/projects?include_archived=true')).body.data;
  assert.deepEqual(
    all.map(({ name, account }: Listed) => [name, account.name]),
    [
      ['Default', 'Default'],
      ['staging', 'Default'],
      ['robots', 'Default'],
    ],
  );
  assert.equal((await call('PATCH', '/control/api/projects/nobody', {})).status, 404);
  const account = await call('PATCH', '/control/api/accounts/Default', { limits: { budgets: { month: '50' } } });
  assert.deepEqual(account.body.data.limits.budgets, { month: 50 });
  assert.equal((await call('GET', '/control/api/accounts')).body.data[0].balance, 0);
});

test('an entry is posted once per reference, exactly', async () => {
  const { call } = await open();
  const first = await call('POST', '/control/api/balance/entries', {
    amount: '5.000000001',
    reference: 'pay-1',
    note: 'hi',
  });
  assert.equal(first.body.is_new, true);
  assert.match(first.text, /"balance":5\.000000001,/);
  const again = await call('POST', '/control/api/balance/entries', { amount: '5.000000001', reference: 'pay-1' });
  assert.deepEqual([again.body.is_new, again.body.data.entry], [false, first.body.data.entry]);
  assert.equal((await call('POST', '/control/api/balance/entries', { amount: '6', reference: 'pay-1' })).status, 409);
  const taken = { kind: 'adjustment', amount: '-1.5', reference: 'fix-1' };
  assert.match((await call('POST', '/control/api/balance/entries', taken)).text, /"available":3\.500000001,/);
  const cases: [Record<string, unknown>, number][] = [
    [{ amount: '-1', reference: 'x' }, 400],
    [{ amount: '0', reference: 'x' }, 400],
    [{ amount: 5, reference: 'x' }, 400],
    [{ amount: '5', reference: '' }, 400],
    [{ amount: '5' }, 400],
    [{ amount: '5', reference: 'x', kind: 'refund' }, 400],
    [{ amount: '-100', reference: 'x', kind: 'adjustment' }, 409],
    [{ amount: '5', reference: 'x', account: 1 }, 400],
  ];
  for (const [body, status] of cases)
    assert.equal((await call('POST', '/control/api/balance/entries', body)).status, status, JSON.stringify(body));
  const entries = await call('GET', '/control/api/ledger?kind=entries');
  assert.deepEqual(
    entries.body.data.map(({ reference }: { reference: string }) => reference),
    ['fix-1', 'pay-1'],
  );
  assert.match((await call('GET', '/control/api/balance')).text, /"credited":3\.500000001,"charged":0/);
});

test('a reference of a sealed month posts nothing', async () => {
  const { call, maintenance } = await open();
  maintenance.checked = { ...maintenance.checked, sealedThrough: '2026-10' };
  maintenance.archivedReferences.add('pay-0');
  const answer = await call('POST', '/control/api/balance/entries', { amount: '5', reference: 'pay-0' });
  assert.equal(answer.status, 409);
  assert.match(answer.body.error.message, /sealed month; nothing was changed/);
});

test('an entry is not posted if a month was sealed after its archive was searched', async () => {
  const { call, maintenance } = await open();
  maintenance.checked = { ...maintenance.checked, sealedThrough: '2026-10' };
  maintenance.isArchivedReference = async () => {
    maintenance.checked = { ...maintenance.checked, sealedThrough: '2026-11' };
    return false;
  };
  const pay = () => call('POST', '/control/api/balance/entries', { amount: '5', reference: 'pay-1' });
  const early = await pay();
  assert.deepEqual([early.status, early.body.error.code], [409, 'conflict']);
  assert.match((await call('GET', '/control/api/balance')).text, /"balance":0,"available":0,"held":0,/);
  assert.equal((await pay()).body.is_new, true);
});

test('an entry is of a month that is not sealed, also if the clock was set back', async () => {
  const { call, maintenance, clock } = await open();
  const today = new Date(clock.now()).toISOString();
  const postedAt = async (sealedThrough: string) => {
    maintenance.checked = { ...maintenance.checked, sealedThrough };
    const body = { amount: '5', reference: `after ${sealedThrough}` };
    return (await call('POST', '/control/api/balance/entries', body)).body.data.at;
  };
  assert.equal(await postedAt('2026-10'), today);
  assert.equal(await postedAt('2026-12'), '2027-01-01T00:00:00.000Z');
});

test('a call is refunded in part, then in full, and never beyond; sealed calls are refused as such', async () => {
  const fixture = await open();
  const { call, maintenance, clock } = fixture;
  const id = await settle(fixture, 10n);
  const part = await call('POST', '/control/api/balance/refunds', { call: id, amount: '0.000000004', reference: 'r1' });
  assert.equal(part.body.data.amount, 4e-9);
  const charged = await call('GET', `/control/api/all/charges/${id}`);
  assert.match(charged.text, /"account":\{"id":1,"name":"Default"\},"charge":0\.00000001,"refunded":0\.000000004/);
  assert.equal((await call('GET', '/control/api/all/charges/gen-x')).status, 400);
  const over = await call('POST', '/control/api/balance/refunds', { call: id, amount: '0.000000007', reference: 'r2' });
  assert.equal(over.body.error.param, 'amount');
  const rest = await call('POST', '/control/api/balance/refunds', { call: id, reference: 'r3' });
  assert.match(rest.text, /"amount":0\.000000006,/);
  assert.equal((await call('POST', '/control/api/balance/refunds', { call: id, reference: 'r3' })).body.is_new, false);
  assert.equal((await call('POST', '/control/api/balance/refunds', { call: id, reference: 'r4' })).status, 409);
  assert.equal((await call('POST', '/control/api/balance/refunds', { call: 'gen-x', reference: 'r5' })).status, 400);
  const unknown = generationId(newCallId(clock.now()));
  assert.equal((await call('POST', '/control/api/balance/refunds', { call: unknown, reference: 'r6' })).status, 404);
  maintenance.checked = { ...maintenance.checked, sealedThrough: '2026-12' };
  const sealed = await call('POST', '/control/api/balance/refunds', { call: unknown, reference: 'r7' });
  assert.equal(sealed.status, 409);
  assert.match(sealed.body.error.message, /is in the sealed month 2026-12/);
});

test('maintenance of the ledger is requested with the given parameters', async () => {
  const { call, maintenance } = await open();
  assert.equal((await call('POST', '/control/api/ledger/verify')).body.data.ok, true);
  assert.equal(
    (await call('POST', '/control/api/ledger/verify', { archive: true })).body.data.looked_at.settlements,
    2,
  );
  await call('POST', '/control/api/ledger/seal', { month: '2026-10' });
  await call('POST', '/control/api/backup', { folder: '/backup', secrets: false });
  assert.deepEqual(maintenance.asked, [
    { archive: false },
    { archive: true },
    '2026-10',
    { folder: '/backup', secrets: false },
  ]);
  assert.equal((await call('POST', '/control/api/backup', { folder: 'backup' })).status, 400);
  assert.equal((await call('GET', '/control/api/ledger/check')).body.data.backup_at, null);
  const page = await call('GET', '/control/api/ledger/transfers?of=1&from=2026-10-01T00:00:00Z');
  assert.equal(page.body.next_cursor, 'next');
  assert.deepEqual(
    (maintenance.asked.at(-1) as unknown as { accountId: number; fromMs: number }).fromMs,
    Date.UTC(2026, 9, 1),
  );
  assert.equal((await call('GET', '/control/api/ledger/transfers?limit=0')).status, 400);
});
