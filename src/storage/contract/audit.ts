/** The contract of every storage for the audit log: entries are listed completely, by page and by filter, and form one chain. */
import assert from 'node:assert/strict';
import { accountId } from '../../core/ids.ts';
import type { AuditQuery, NewAuditEntry } from '../../members/ports.ts';
import type { Promising } from './storage-under-test.ts';

const ALL: AuditQuery = { accountId: null, before: null, limit: 100, action: null, actorId: null };

export function auditPromises(promise: Promising): void {
  promise('an entry is read as it was written', async ({ storage }) => {
    const store = storage.audit;
    const whole = sampleAuditEntry({
      before: { name: 'a', limits: { budgets: { day: '5' } } },
      after: { name: 'b' },
      ip: '::1',
    });
    const bare = sampleAuditEntry({
      actor: { kind: 'operator', id: null, name: 'operator' },
      subject: { kind: 'provider', id: 'mine', name: null },
      accountId: null,
      requestId: null,
    });
    await store.append(whole);
    await store.append(bare);
    assert.deepEqual(await store.list(ALL), [
      { ...bare, id: 2 },
      { ...whole, id: 1 },
    ]);
    assert.equal(await store.verify(), null);
  });

  promise(
    'entries are listed newest first, by page, account, actor and the beginning of an action',
    async ({ storage }) => {
      const store = storage.audit;
      for (let index = 1; index <= 6; index += 1)
        await store.append(
          sampleAuditEntry({
            accountId: accountId((index % 2) + 1),
            action: index <= 3 ? 'key.create' : 'key_ring.turn',
            actor: { kind: 'user', id: index % 3, name: 'ada@example.com' },
          }),
        );
      const ids = async (query: Partial<AuditQuery>) => (await store.list({ ...ALL, ...query })).map(({ id }) => id);
      assert.deepEqual(await ids({ limit: 2 }), [6, 5]);
      assert.deepEqual(await ids({ limit: 2, before: 5 }), [4, 3]);
      assert.deepEqual(await ids({ accountId: accountId(1) }), [6, 4, 2]);
      assert.deepEqual(await ids({ accountId: accountId(9) }), []);
      assert.deepEqual(await ids({ action: 'key.' }), [3, 2, 1]);
      assert.deepEqual(await ids({ action: 'key.create' }), [3, 2, 1]);
      assert.deepEqual(await ids({ action: 'KEY' }), []);
      assert.deepEqual(await ids({ action: '%' }), []);
      assert.deepEqual(await ids({ actorId: 1 }), [4, 1]);
    },
  );

  promise('concurrent entries form one chain', async ({ storage }) => {
    const store = storage.audit;
    await Promise.all(Array.from({ length: 450 }, (_, index) => store.append(sampleAuditEntry({ at: index }))));
    assert.equal(await store.verify(), null);
    assert.deepEqual(
      (await store.list({ ...ALL, limit: 2 })).map(({ id }) => id),
      [450, 449],
    );
  });

  promise('texts that are not stored as they are do not break the chain', async ({ storage }) => {
    const store = storage.audit;
    for (const text of ['half \ud83d', 'a\0b', '\u2028', 'a\ufffe'])
      await store.append(
        sampleAuditEntry({
          actor: { kind: 'user', id: 7, name: text },
          subject: { kind: 'key', id: text, name: text },
          before: { name: text },
          after: { [text]: text },
        }),
      );
    assert.equal(await store.verify(), null);
    assert.deepEqual(
      (await store.list(ALL)).map(({ subject }) => subject.name),
      ['a\ufffe', '\u2028', 'a\ufffdb', 'half \ufffd'],
    );
  });

  promise('an empty log is valid', async ({ storage }) => {
    const store = storage.audit;
    assert.equal(await store.verify(), null);
  });
}

/** A change of a member's role, as a person made it. */
export function sampleAuditEntry(changes: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return {
    at: Date.UTC(2026, 10, 21),
    actor: { kind: 'user', id: 7, name: 'ada@example.com' },
    action: 'member.update',
    subject: { kind: 'member', id: '8', name: 'bob@example.com' },
    accountId: accountId(1),
    before: null,
    after: null,
    ip: null,
    requestId: 'req_1',
    ...changes,
  };
}
