/**
 * Goal: every change by a command has an audit entry; reading, and changes without an effect, have none. Method: the routes of the control
 * plane through `inject`, over keys, scopes and a bank in memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf } from '../../../../test/support/control-plane.ts';
import { openFixture, record } from '../../../../test/support/control-services.ts';
import { generationId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

async function open() {
  const fixture = await openFixture();
  const control = controlOf(fixture.services);
  const settlement = { ...record(fixture.clock.now(), 2_000_000_000n), hold: nanoUsd(2_000_000_000n) };
  await fixture.ledger.commit([{ type: 'settlement', settlement, hadHold: false, replay: null }]);
  /** Makes a request and returns the audit entries written since the last one. */
  const change = async (method: Method, url: string, payload?: object) => {
    const answer = await control.inject({ method, url, ...(payload && { payload }) });
    const auditEntries = fixture.auditEntries.splice(0);
    assert.ok(answer.statusCode < 300, `${method} ${url}: ${answer.body}`);
    return { key: answer.json().key as string | undefined, auditEntries };
  };
  return { ...fixture, control, change, call: generationId(settlement.callId) };
}

test('each change by a command is audited once, in its account, with the values before and after', async () => {
  const { change, call } = await open();
  const limits = { budgets: { day: '5' } };
  const cases: readonly (readonly [Method, string, object | undefined, string, object | null, object | null])[] = [
    [
      'POST',
      '/control/api/keys',
      { name: 'ci', limits },
      'key.create key:ci of 1',
      null,
      { name: 'ci', kind: 'inference' },
    ],
    [
      'PATCH',
      '/control/api/keys/1',
      { disabled: true },
      'key.update key:ci of 1',
      { disabled: false },
      { disabled: true },
    ],
    [
      'PATCH',
      '/control/api/keys/1',
      { disabled: false },
      'key.update key:ci of 1',
      { disabled: true },
      { disabled: false },
    ],
    [
      'POST',
      '/control/api/keys/1/rotate',
      { grace_ms: 0 },
      'key.rotate key:ci of 1',
      { retiring_at: null },
      { successor: 2 },
    ],
    ['DELETE', '/control/api/keys/2', undefined, 'key.revoke key:ci of 1', { revoked: false }, { revoked: true }],
    [
      'DELETE',
      '/control/api/keys/2?now=true',
      undefined,
      'key.revoke key:ci of 1',
      { revoked: true },
      { calls_cut: true },
    ],
    [
      'POST',
      '/control/api/projects',
      { name: 'bots', limits },
      'project.create project:bots of 1',
      null,
      { name: 'bots' },
    ],
    [
      'PATCH',
      '/control/api/projects/bots',
      { archived: true },
      'project.update project:bots of 1',
      { archived: false },
      { archived: true },
    ],
    [
      'PATCH',
      '/control/api/accounts/1',
      { name: 'Acme' },
      'account.update account:Acme of 1',
      { name: 'Default' },
      { name: 'Acme' },
    ],
    [
      'POST',
      '/control/api/balance/entries',
      { amount: '9', reference: 'r1', note: 'paid' },
      'balance.add entry:r1 of 1',
      null,
      { kind: 'topup', amount: 9, note: 'paid' },
    ],
    [
      'POST',
      '/control/api/balance/refunds',
      { call, amount: '1.5', reference: 'r2' },
      'balance.refund entry:r2 of 1',
      null,
      { kind: 'refund', amount: 1.5, call },
    ],
    [
      'POST',
      '/control/api/ledger/seal',
      { month: '2026-10' },
      'ledger.seal ledger:2026-10 of null',
      null,
      { entries: 3 },
    ],
    [
      'POST',
      '/control/api/ledger/adopt',
      undefined,
      'ledger.adopt ledger:nodes of null',
      null,
      { nodes: 2, returned: 1.5 },
    ],
    [
      'POST',
      '/control/api/backup',
      { folder: '/backup/a' },
      'backup.create backup:/backup/a of null',
      null,
      { files: 4, secrets: true },
    ],
    [
      'POST',
      '/control/api/credentials/rotate',
      undefined,
      'sealing_key.rotate sealing_key:0123456789abcdef of null',
      null,
      { sealed: 2 },
    ],
  ];
  for (const [method, url, body, expected, before, after] of cases) {
    const { key, auditEntries } = await change(method, url, body);
    const [entry, ...others] = auditEntries;
    assert.ok(entry !== undefined && others.length === 0, `${method} ${url}: ${auditEntries.length} entries`);
    const { action, subject, accountId } = entry;
    assert.equal(`${action} ${subject.kind}:${subject.name ?? subject.id} of ${accountId}`, expected);
    const kept: unknown = JSON.parse(JSON.stringify({ before: entry.before, after: entry.after }));
    assert.partialDeepStrictEqual(kept, { before, after }, url);
    if (key !== undefined) assert.ok(!JSON.stringify(auditEntries).includes(key), 'no secret');
  }
});

test('what changes nothing, is refused, or is only read is not audited', async () => {
  const { control, change, auditEntries, maintenance } = await open();
  const entry = { amount: '9', reference: 'r1' };
  await change('POST', '/control/api/keys', { name: 'ci' });
  await change('DELETE', '/control/api/keys/1');
  await change('POST', '/control/api/keys', { name: 'kept' });
  await change('POST', '/control/api/balance/entries', entry);
  maintenance.seal = async (month) => ({
    ...{ month, accounts: 0, settlements: 0, entries: 0 },
    archive: '/x',
    wasSealed: true,
  });
  const quiet: readonly (readonly [Method, string, object?])[] = [
    ['DELETE', '/control/api/keys/1'],
    ['PATCH', '/control/api/keys/2', { name: 'kept' }],
    ['PATCH', '/control/api/projects/1', { archived: false }],
    ['PATCH', '/control/api/accounts/1', { name: 'Default' }],
    ['POST', '/control/api/balance/entries', entry],
    ['POST', '/control/api/ledger/seal', { month: '2026-10' }],
    ['POST', '/control/api/ledger/verify'],
    ['POST', '/control/api/providers/mine/test'],
    ...[
      'status',
      'all/keys',
      'all/projects',
      'accounts',
      'balance',
      'ledger',
      'ledger/check',
      'ledger/transfers',
      'records',
      'offered-models',
      'credentials',
    ].map((path) => ['GET', `/control/api/${path}`] as const),
  ];
  for (const [method, url, body] of quiet) assert.deepEqual((await change(method, url, body)).auditEntries, [], url);
  await control.inject({ method: 'POST', url: '/control/api/keys', payload: { name: 'x', project: 'none' } });
  await control.inject({ method: 'POST', url: '/control/api/projects', payload: { name: 'Default' } });
  assert.deepEqual(auditEntries, []);
});

test('a change that cannot be audited is an error', async () => {
  const { services } = await open();
  const control = controlOf({ ...services, audit: () => Promise.reject(new Error('the disk is full')) });
  assert.equal((await control.inject({ method: 'POST', url: '/control/api/keys' })).statusCode, 500);
});

test('a key rotated by a command keeps its maker; a management key becomes the operator’s, who knows the secret', async () => {
  const { services, control } = await open();
  const makers = { inference: 'user:2', management: 'operator' } as const;
  for (const kind of ['inference', 'management'] as const) {
    const { key } = await services.keys.create({ projectId: projectId(1), name: kind, kind, createdBy: 'user:2' });
    const answer = await control.inject({
      method: 'POST',
      url: `/control/api/keys/${key.id}/rotate`,
      payload: { grace_ms: 0 },
    });
    assert.equal(answer.json().data.creator_user_id, makers[kind]);
  }
});
