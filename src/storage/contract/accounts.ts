/** The contract of every storage for accounts, projects and keys. */
import assert from 'node:assert/strict';
import type { Key, NewKey } from '../../accounts/ports.ts';
import { accountId, keyId, projectId } from '../../core/ids.ts';
import { nanoUsd } from '../../core/money.ts';
import { newKey } from './sample-rows.ts';
import type { Promising } from './storage-under-test.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

export function accountPromises(promise: Promising): void {
  promise('accounts, projects and keys are read as they were created, even after reopening', async (subject) => {
    const { accounts } = subject.storage;
    const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    const project = await accounts.createProject({ accountId: account.id, name: 'Web', createdAt: NOW + 1 });
    const key = await accounts.createKey(newKey(1, { projectId: project.id, name: 'Server', createdBy: 'ada' }));
    assert.deepEqual(project, {
      id: project.id,
      accountId: account.id,
      name: 'Web',
      createdAt: NOW + 1,
      archivedAt: null,
      limits: {},
      permissions: {},
      seq: 2,
    });
    assert.deepEqual(key, {
      ...newKey(1, { projectId: project.id, name: 'Server', createdBy: 'ada' }),
      id: key.id,
      rootId: key.id,
      accountId: account.id,
      disabled: false,
      revokedAt: null,
      retiringAt: null,
      updatedAt: null,
      seq: 3,
    });
    const again = await subject.reopen();
    assert.deepEqual(await again.storage.accounts.accounts(), [account]);
    assert.deepEqual(await again.storage.accounts.projects(), [project]);
    assert.deepEqual(await Array.fromAsync(again.storage.accounts.keys()), [key]);
    return again;
  });

  promise('an id that no row can have is not found', async ({ storage: { accounts } }) => {
    for (const id of [2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      assert.equal(await accounts.account(accountId(id)), null);
      assert.equal(await accounts.project(projectId(id)), null);
      assert.equal(await accounts.key(keyId(id)), null);
      assert.deepEqual(await accounts.keysById([keyId(id), keyId(1)]), []);
      assert.equal(await accounts.changeAccount(accountId(id), { name: 'x' }), null);
    }
    return undefined;
  });

  promise('keys without a name are numbered within their project', async ({ storage: { accounts } }) => {
    const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    const first = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
    const second = await accounts.createProject({ accountId: account.id, name: 'B', createdAt: NOW });
    const names = await Promise.all(
      [first, first, second].map((project, index) =>
        accounts.createKey(newKey(index, { projectId: project.id })).then((key) => key.name),
      ),
    );
    assert.deepEqual(names, ['Key 1', 'Key 2', 'Key 1']);
    return undefined;
  });

  promise('a deleted key leaves no trace', async ({ storage: { accounts } }) => {
    const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
    const kept = await accounts.createKey(newKey(1, { projectId: project.id }));
    const key = await accounts.createKey(newKey(2, { projectId: project.id }));
    await accounts.deleteKey(key.id, NOW);
    assert.deepEqual(await Array.fromAsync(accounts.keys()), [kept]);
    const again = await accounts.createKey(newKey(2, { projectId: project.id }));
    assert.equal(again.name, 'Key 2');
    return undefined;
  });

  promise('the origins of a key are kept, replaced and removed', async ({ storage: { accounts } }) => {
    const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
    const origins = ['https://app.example.com', 'https://*.preview.example.com'];
    const key = await accounts.createKey(newKey(1, { projectId: project.id, origins }));
    assert.deepEqual(key.origins, origins);
    await accounts.changeKey(key.id, { name: 'B' });
    assert.deepEqual((await accounts.key(key.id))?.origins, origins);
    await accounts.changeKey(key.id, { origins: ['http://localhost:3000'] });
    assert.deepEqual((await Array.fromAsync(accounts.keys()))[0]?.origins, ['http://localhost:3000']);
    const without = await accounts.changeKey(key.id, { origins: null });
    assert.equal(without?.after.origins, undefined);
    return undefined;
  });

  promise('a change of a key, a project or an account affects the given fields only', async (subject) => {
    const { accounts } = subject.storage;
    const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
    const key = await accounts.createKey(newKey(1, { projectId: project.id }));
    const limits = { concurrentCalls: 3, budgets: { week: nanoUsd(1n), month: nanoUsd(9_007_199_254_740_993n) } };
    const permissions = { modelsDeny: ['acme/*'] };
    const changed = [
      await accounts.changeKey(key.id, {
        name: 'B',
        disabled: true,
        expiresAt: null,
        retiringAt: NOW + 5,
        updatedAt: NOW + 3,
        limits,
      }),
      await accounts.changeProject(project.id, { archivedAt: NOW + 6, limits, permissions }),
      await accounts.changeAccount(account.id, { name: 'Acme 2', limits }),
    ];
    const expected = [
      { ...key, name: 'B', disabled: true, expiresAt: null, retiringAt: NOW + 5, updatedAt: NOW + 3, limits, seq: 4 },
      { ...project, archivedAt: NOW + 6, limits, permissions, seq: 5 },
      { ...account, name: 'Acme 2', limits, seq: 6 },
    ];
    assert.deepEqual(
      changed.map((each) => [each?.before, each?.after]),
      [key, project, account].map((before, index) => [before, expected[index]]),
    );
    const unchanged = await accounts.changeKey(key.id, {});
    assert.deepEqual([unchanged?.before, unchanged?.after], [expected[0], expected[0]]);
    assert.equal(await accounts.changeKey(keyId(999), { disabled: true }), null);
    assert.equal(await accounts.changeProject(projectId(999), { limits }), null);
    assert.equal(await accounts.changeAccount(accountId(999), { permissions }), null);
    const again = await subject.reopen();
    assert.deepEqual(
      [
        ...(await Array.fromAsync(again.storage.accounts.keys())),
        ...(await again.storage.accounts.projects()),
        ...(await again.storage.accounts.accounts()),
      ],
      expected,
    );
    return again;
  });

  promise('keys are found by root, maker, account and restrictions', async (subject) => {
    const { accounts } = subject.storage;
    const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    const other = await accounts.createAccount({ name: 'Other', createdAt: NOW });
    const [a, b] = [account, other].map(({ id }) => ({ accountId: id, name: 'A', createdAt: NOW }));
    assert.ok(a !== undefined && b !== undefined);
    const [project, far] = [await accounts.createProject(a), await accounts.createProject(b)];
    const make = (seed: number, more: Partial<NewKey> = {}) =>
      accounts.createKey(newKey(seed, { projectId: project.id, createdBy: 'user:1', permissions: {}, ...more }));
    const first = await make(1, { permissions: { modelsAllow: ['acme/*', 'x'] } });
    const second = await make(2, { rootId: first.id });
    const restricted = await make(3, { createdBy: 'user:2', restrictions: { admin: { disabled: true } } });
    const elsewhere = await make(4, { projectId: far.id });
    const ids = (keys: readonly Key[]) => keys.map(({ id }) => id);
    const all = { after: 0, limit: 10 };
    assert.deepEqual(ids(await accounts.keysOfRoot(first.id)), [first.id, second.id]);
    assert.deepEqual(ids(await accounts.keysMadeBy(['user:1'], account.id, all)), [first.id, second.id]);
    assert.deepEqual(
      ids(await accounts.keysMadeBy(['user:1', 'user:2'], null, all)),
      ids([first, second, restricted, elsewhere]),
    );
    assert.deepEqual(ids(await accounts.keysMadeBy(['user:1'], null, { after: first.id, limit: 1 })), [second.id]);
    assert.deepEqual(ids(await accounts.restrictedKeysOf('user:2', account.id)), [restricted.id]);
    assert.deepEqual(await accounts.restrictedKeysOf('user:1', account.id), []);
    assert.deepEqual(ids(await accounts.keysById([restricted.id, first.id, keyId(999)])), [first.id, restricted.id]);
    assert.deepEqual(await accounts.keysById([]), []);
    assert.deepEqual(await accounts.keyCounts(account.id), { keys: 3, live: 3, standing: 3, listsLength: 7 });
    await accounts.changeKey(first.id, { retiringAt: NOW + 5 });
    await accounts.changeKey(second.id, { revokedAt: NOW });
    assert.deepEqual(await accounts.keyCounts(account.id), { keys: 3, live: 1, standing: 2, listsLength: 7 });
    await accounts.changeKey(first.id, { permissions: { ips: ['::1'] } });
    assert.equal((await accounts.keyCounts(account.id)).listsLength, 3);
    assert.deepEqual(
      ids(await accounts.keysMadeBy(['user:1'], account.id, all)),
      [first.id],
      'revoked keys are left out',
    );
    assert.deepEqual(ids(await accounts.standingKeysOf(account.id, all)), [first.id, restricted.id]);
    assert.deepEqual(ids(await accounts.standingKeysOf(account.id, { after: first.id, limit: 5 })), [restricted.id]);
    assert.deepEqual(await accounts.accountsNamed('Other'), [other]);
    assert.deepEqual(await accounts.projectsOf(other.id), [far]);
    return undefined;
  });

  promise(
    'two keys never share a digest, and a key cannot belong to a missing project',
    async ({ storage: { accounts } }) => {
      const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
      const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
      await accounts.createKey(newKey(1, { projectId: project.id }));
      await assert.rejects(accounts.createKey(newKey(1, { projectId: project.id })));
      await assert.rejects(accounts.createKey(newKey(2, { projectId: projectId(999) })));
      assert.equal((await Array.fromAsync(accounts.keys())).length, 1);
      return undefined;
    },
  );
}
