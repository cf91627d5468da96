/** Goal: tampering is detected, and rare entries are found in a long log. Method: the store on a real database, whose rows are changed behind its back. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditQuery } from '../../members/ports.ts';
import { sampleAuditEntry } from '../contract/audit.ts';
import { openKyselyUnderTest } from '../sqlite/engine/kysely-under-test.ts';
import { SqlAuditStore } from './audit.ts';

const ALL: AuditQuery = { accountId: null, before: null, limit: 100, action: null, actorId: null };

test('rare entries are found in a long log, page by page', async (context) => {
  const { store, database } = await open(context);
  const insert = database.prepare(
    `INSERT INTO audit (id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, hash)
     VALUES (?, 0, 'user', ?, 'ada', ?, 'key', '1', x'00')`,
  );
  for (let id = 1; id <= 3500; id += 1) insert.run(id, id % 1000, id % 1200 === 0 ? 'account.close' : 'key.update');
  const ids = async (query: Partial<AuditQuery>) => (await store.list({ ...ALL, ...query })).map(({ id }) => id);
  assert.deepEqual(await ids({ action: 'account.' }), [2400, 1200]);
  assert.deepEqual(await ids({ actorId: 7, limit: 3 }), [3007, 2007, 1007]);
  assert.deepEqual(await ids({ actorId: 7, before: 1007 }), [7]);
  assert.deepEqual(await ids({ actorId: 7, action: 'account.' }), []);
  assert.deepEqual(await ids({ actorId: 0, limit: 1 }), [3000]);
});

for (const [what, sql, found] of [
  ['a changed name', "UPDATE audit SET actor_name = 'eve' WHERE id = 3", 3],
  ['a changed field', `UPDATE audit SET after = '{"role":"viewer"}' WHERE id = 2`, 2],
  ['a changed time', 'UPDATE audit SET at = at + 1 WHERE id = 5', 5],
  ['a deleted row', 'DELETE FROM audit WHERE id = 3', 3],
  ['a deleted first row', 'DELETE FROM audit WHERE id = 1', 1],
  ['deleted last rows', 'DELETE FROM audit WHERE id > 3', 4],
  ['the deletion of all rows', 'DELETE FROM audit', 1],
  [
    'two swapped rows',
    'UPDATE audit SET id = CASE id WHEN 2 THEN -3 ELSE -2 END WHERE id IN (2, 3); UPDATE audit SET id = -id WHERE id < 0',
    2,
  ],
] as const)
  test(`verify finds ${what}`, async (context) => {
    const { store, database } = await open(context);
    for (let index = 0; index < 5; index += 1)
      await store.append(sampleAuditEntry({ at: index, after: { role: 'owner' } }));
    assert.equal(await store.verify(), null);
    database.exec(sql);
    assert.equal(await store.verify(), found);
  });

test('later entries do not hide that the last ones before them were deleted', async (context) => {
  const { store, database } = await open(context);
  for (let index = 0; index < 5; index += 1) await store.append(sampleAuditEntry({ at: index }));
  database.exec('DELETE FROM audit WHERE id > 3');
  for (let index = 0; index < 5; index += 1) await store.append(sampleAuditEntry({ at: index }));
  assert.equal(await store.verify(), 4);
});

async function open(context: { after(run: () => Promise<void>): void }) {
  const under = await openKyselyUnderTest();
  context.after(() => under.dispose());
  return { ...under, store: new SqlAuditStore(under.kysely) };
}
