/** The contract of every storage for aliases. A part of `contract.ts`. */
import assert from 'node:assert/strict';
import type { AliasTopics, NewAlias } from '../../catalog/ports.ts';
import { accountId, aliasId, projectId } from '../../core/ids.ts';
import type { Promising } from './storage-under-test.ts';

const SHARED: NewAlias = {
  accountId: null,
  projectId: null,
  name: 'fast',
  choice: 'key',
  targets: [
    { model: 'vendor/a', provider: null, weight: 95 },
    { model: 'vendor/b', provider: 'mine', weight: 5 },
  ],
  createdAt: 1000,
};
const OF_ACCOUNT: NewAlias = { ...SHARED, accountId: accountId(1), name: 'team/default', choice: 'random' };
const OF_PROJECT: NewAlias = { ...OF_ACCOUNT, projectId: projectId(1), createdAt: 1001 };

export function aliasPromises(promise: Promising): void {
  promise('aliases are read as they were written, in order of id, even after reopening', async (subject) => {
    for (const each of [SHARED, OF_ACCOUNT, OF_PROJECT]) await subject.storage.aliases.create(each);
    const reopened = await subject.reopen();
    assert.deepEqual(
      await reopened.storage.aliases.list(),
      [SHARED, OF_ACCOUNT, OF_PROJECT].map((each, index) => ({
        ...each,
        id: index + 1,
        updatedAt: each.createdAt,
        seq: index + 1,
      })),
    );
    return reopened;
  });

  promise('a name can be used once in each scope', async ({ storage: { aliases } }) => {
    const scopes = [SHARED, { ...SHARED, accountId: accountId(1) }, { ...SHARED, accountId: accountId(2) }];
    for (const each of [...scopes, { ...SHARED, accountId: accountId(1), projectId: projectId(1) }]) {
      const made = await aliases.create(each);
      assert.notEqual(made, null);
      assert.equal(await aliases.create({ ...each, targets: [] }), null);
      assert.deepEqual(await aliases.named(each, 'fast'), made);
    }
    assert.equal(await aliases.named({ accountId: accountId(3), projectId: null }, 'fast'), null);
    assert.deepEqual(
      await Promise.all([null, accountId(1), accountId(2), accountId(3)].map((id) => aliases.count(id))),
      [1, 2, 1, 0],
    );
    return undefined;
  });

  promise('a change of an alias affects the given fields only', async ({ storage: { aliases, feed } }) => {
    const made = await aliases.create(SHARED);
    await aliases.create(OF_ACCOUNT);
    const targets = [{ model: 'vendor/c', provider: null, weight: 1 }];
    const changed = await aliases.update(aliasId(1), { targets, updatedAt: 2000 });
    assert.deepEqual(changed, { ...made, targets, updatedAt: 2000, seq: await feed.last() });
    const renamed = await aliases.update(aliasId(1), { name: 'quick', choice: 'random' });
    assert.deepEqual(renamed, { ...changed, name: 'quick', choice: 'random', seq: await feed.last() });
    assert.deepEqual(await aliases.find(aliasId(1)), renamed);
    assert.deepEqual(await aliases.update(aliasId(1), {}), renamed);
    assert.equal(await aliases.update(aliasId(9), { name: 'x' }), null);
    return undefined;
  });

  promise('an alias can be deleted once, and its id is not used again', async ({ storage: { aliases } }) => {
    await aliases.create(SHARED);
    assert.deepEqual([await aliases.delete(aliasId(1)), await aliases.delete(aliasId(1))], [true, false]);
    assert.equal(await aliases.find(aliasId(1)), null);
    assert.equal((await aliases.create(SHARED))?.id, 2);
    return undefined;
  });

  promise('each change of an alias is published once, when it is committed', async ({ storage }) => {
    const { aliases, feed, transactions } = storage;
    const heard: AliasTopics['alias'][] = [];
    feed.subscribe('alias', (news) => heard.push(news));
    const made = await aliases.create(SHARED);
    const changed = await aliases.update(aliasId(1), { choice: 'random' });
    await assert.rejects(
      transactions.run(async () => {
        await aliases.delete(aliasId(1));
        throw new Error('changed my mind');
      }),
    );
    await aliases.delete(aliasId(1));
    assert.deepEqual(
      heard,
      [made, changed, null].map((alias, index) => ({ id: 1, seq: index + 1, alias })),
    );
    return undefined;
  });
}
