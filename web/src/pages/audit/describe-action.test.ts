// Goal: an entry reads as a sentence that says what happened. Method: entries as the server writes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '../../api/types.ts';
import { describeAction, describeSubject } from './describe-action.ts';

const ADA = { kind: 'user', id: 7, name: 'ada@example.com' } as const;

function sentence(entry: Pick<AuditEntry, 'action' | 'subject' | 'after'>): string {
  const whole: AuditEntry = {
    id: 1,
    at: '',
    actor: ADA,
    account_id: 1,
    before: null,
    ip: null,
    request_id: null,
    ...entry,
  };
  return `${describeAction(whole.action)} ${describeSubject(whole)}`.trim();
}

test('a balance change shows its amount', () => {
  const subject = { kind: 'entry', id: '3', name: 'topup-2026-11' };
  assert.equal(
    sentence({ action: 'balance.add', subject, after: { amount: '1000' } }),
    'changed the balance by $1,000.00',
  );
  assert.equal(
    sentence({ action: 'balance.add', subject, after: { amount: '-0.5' } }),
    'changed the balance by −$0.50',
  );
  assert.equal(sentence({ action: 'balance.add', subject, after: null }), 'changed the balance by topup-2026-11');
});

test('a person who joins is named once', () => {
  const subject = { kind: 'member', id: '7', name: ADA.name };
  assert.equal(sentence({ action: 'member.create', subject, after: { role: 'viewer' } }), 'joined');
  assert.equal(
    sentence({ action: 'user.create', subject: { ...subject, kind: 'user' }, after: null }),
    'joined Turnpike',
  );
});
