/**
 * Goal: the audit log contains what changed, in plain JSON of a bounded size, and no secrets. Method: given fields, and a recording store.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUsd, usdLiteral } from '../core/money.ts';
import { Secret } from '../core/secret.ts';
import { AuditLog, changedFields } from './audit-log.ts';
import type { NewAuditEntry } from './ports.ts';

test('only fields that differ are included, also within objects', () => {
  const before = { name: 'a', limits: { rpm: 5, budgets: { day: '1', month: '30' } }, models: ['x'], gone: 1 };
  const after = { name: 'a', limits: { rpm: 5, budgets: { day: '2', month: '30' } }, models: ['x', 'y'], come: true };
  assert.deepEqual(changedFields(before, after), {
    before: { limits: { budgets: { day: '1' } }, models: ['x'], gone: 1, come: null },
    after: { limits: { budgets: { day: '2' } }, models: ['x', 'y'], gone: null, come: true },
  });
});

test('without differences nothing is included', () => {
  const nothing = { before: null, after: null };
  assert.deepEqual(changedFields({}, {}), nothing);
  assert.deepEqual(changedFields({ a: 1, b: { c: [] } }, { b: { c: [] }, a: 1 }), nothing);
  assert.deepEqual(changedFields({ a: null }, { b: undefined }), nothing);
  assert.deepEqual(changedFields({ limit: parseUsd('5') }, { limit: parseUsd('5.00') }), nothing);
});

test('an object that is added or removed is included as a whole', () => {
  assert.deepEqual(changedFields({ capture: null }, { capture: { on: true } }), {
    before: { capture: null },
    after: { capture: { on: true } },
  });
});

test('money keeps its digits, and values that are not JSON become text', async () => {
  const after = await kept({
    amount: parseUsd('12345678901234.000000001'),
    literal: usdLiteral(parseUsd('0.1')),
    when: new Date(0),
    bytes: new Uint8Array(3),
    list: [1n, Number.NaN, undefined],
    call: () => {},
    absent: undefined,
  });
  const digits = JSON.stringify(after);
  assert.match(digits, /"amount":12345678901234\.000000001,"literal":0\.1,/);
  assert.match(digits, /"list":\[0\.000000001,"NaN",null\]/);
  assert.partialDeepStrictEqual(JSON.parse(JSON.stringify(after)), {
    when: '1970-01-01T00:00:00.000Z',
    bytes: '[3 bytes]',
    call: null,
  });
});

test('fields with names of secrets are hidden at any level; others are not', async () => {
  const after = await kept({
    password: 'hunter2hunter2',
    passwordHash: '$argon2id$',
    totp_secret: 'JBSWY3DPEHPK3PXP',
    token: 'abc',
    accessToken: 'abc',
    apiKey: 'sk-tp-1',
    key: 'sk-tp-1',
    credential: { value: 'sk-upstream' },
    digest: 'ffff',
    deep: [{ settings: { 'api-key': 'sk-1' } }],
    any: new Secret('x'),
    key_id: 7,
    keys: 3,
    tokens_per_minute: 100,
    password_set: true,
    totp_secret_confirmed: null,
    new_key: { id: 7, name: 'ci' },
  });
  const hidden = '[secret]';
  assert.deepEqual(after, {
    password: hidden,
    passwordHash: hidden,
    totp_secret: hidden,
    token: hidden,
    accessToken: hidden,
    apiKey: hidden,
    key: hidden,
    credential: hidden,
    digest: hidden,
    deep: [{ settings: { 'api-key': hidden } }],
    any: hidden,
    key_id: 7,
    keys: 3,
    tokens_per_minute: 100,
    password_set: true,
    totp_secret_confirmed: null,
    new_key: { id: 7, name: 'ci' },
  });
});

test('fields that are too large or nested too deeply are replaced by a note', async () => {
  const small = { text: 'é'.repeat(4080) };
  assert.deepEqual(await kept(small), small);
  const note = await kept({ name: 'x', text: 'é'.repeat(4200) });
  assert.match(String(note?.['note']), /^These fields are 84\d\d bytes of JSON; the limit is 8192\.$/);
  assert.deepEqual(note?.['fields'], ['name', 'text']);
  assert.match(String(note?.['sha256']), /^[0-9a-f]{64}$/);

  let nested: unknown = 'bottom';
  for (let depth = 0; depth < 50; depth += 1) nested = { in: nested };
  assert.match(JSON.stringify(await kept({ nested })), /^.{40,80}\[nested too deeply\]"\}+$/);
});

test('long names are truncated', async () => {
  const entries: NewAuditEntry[] = [];
  const log = new AuditLog({ append: async (entry) => void entries.push(entry) });
  const long = 'x'.repeat(5000);
  await log.append({
    ...ENTRY,
    actor: { kind: 'key', id: 1, name: long },
    subject: { kind: 'key', id: long, name: long },
  });
  const [entry] = entries;
  assert.deepEqual([entry?.actor.name.length, entry?.subject.id.length, entry?.subject.name?.length], [300, 300, 300]);
  assert.deepEqual([entry?.before, entry?.after, entry?.at], [null, null, 5]);
});

test('if an entry cannot be written, the change fails', async () => {
  const log = new AuditLog({ append: () => Promise.reject(new Error('the disk is gone')) });
  await assert.rejects(log.append(ENTRY), /disk is gone/);
});

test('an entry that cannot be written is passed to onLost, with secrets hidden', async () => {
  const lost: NewAuditEntry[] = [];
  const log = new AuditLog({ append: () => Promise.reject(new Error('the disk is gone')) }, (entry) =>
    lost.push(entry),
  );
  await assert.rejects(log.append({ ...ENTRY, after: { password: 'hunter2', name: 'x' } }), /disk is gone/);
  assert.deepEqual(lost, [{ ...ENTRY, after: { password: '[secret]', name: 'x' } }]);
});

const ENTRY: NewAuditEntry = {
  at: 5,
  actor: { kind: 'operator', id: null, name: 'operator' },
  action: 'key.update',
  subject: { kind: 'key', id: '1', name: null },
  accountId: null,
  before: null,
  after: null,
  ip: null,
  requestId: null,
};

async function kept(after: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>> | null> {
  const entries: NewAuditEntry[] = [];
  const log = new AuditLog({ append: async (entry) => void entries.push(entry) });
  await log.append({ ...ENTRY, after });
  return entries[0]?.after ?? null;
}
