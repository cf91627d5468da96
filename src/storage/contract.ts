/** What every storage promises, as tests: each member runs this suite against itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, keyId, priceVersionId, projectId } from '../core/ids.ts';
import { nanoUsd } from '../core/money.ts';
import type { CallRecord } from '../stats/record.ts';
import { ledgerPromises } from './contract/ledger.ts';
import { moneyPromises } from './contract/money.ts';
import { providerPromises } from './contract/providers.ts';
import { replayPromises } from './contract/replays.ts';
import { callIds, newKey, pricedTarget, sampleRecord, sampleSettlement } from './contract/sample-rows.ts';
import type { Promising, StorageUnderTest } from './contract/storage-under-test.ts';

export function storageContract(name: string, open: () => Promise<StorageUnderTest>): void {
  const promise = (sentence: string, run: (subject: StorageUnderTest) => Promise<StorageUnderTest | undefined>) =>
    test(`${name}: ${sentence}`, async () => {
      let subject = await open();
      try {
        subject = (await run(subject)) ?? subject;
      } finally {
        await subject.dispose();
      }
    });
  accountPromises(promise);
  pricePromises(promise);
  ledgerPromises(promise);
  moneyPromises(promise);
  replayPromises(promise);
  recordPromises(promise);
  providerPromises(promise);
}

const NOW = Date.UTC(2026, 10, 21, 12);

function accountPromises(promise: Promising): void {
  promise('accounts, projects and keys are read back as they were made, also after reopening', async (subject) => {
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
    });
    const again = await subject.reopen();
    assert.deepEqual(await again.storage.accounts.accounts(), [account]);
    assert.deepEqual(await again.storage.accounts.projects(), [project]);
    assert.deepEqual(await Array.fromAsync(again.storage.accounts.keys()), [key]);
    return again;
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

  promise('a revoked key stays, with the time of the first revocation', async ({ storage: { accounts } }) => {
    const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
    const key = await accounts.createKey(newKey(1, { projectId: project.id }));
    assert.equal((await accounts.revokeKey(key.id, NOW + 5))?.revokedAt, NOW + 5);
    assert.equal((await accounts.revokeKey(key.id, NOW + 9))?.revokedAt, NOW + 5);
    assert.deepEqual(await Array.fromAsync(accounts.keys()), [{ ...key, revokedAt: NOW + 5 }]);
    assert.equal(await accounts.revokeKey(keyId(999), NOW), null);
    return undefined;
  });

  promise('a key that is taken back was never there', async ({ storage: { accounts } }) => {
    const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
    const kept = await accounts.createKey(newKey(1, { projectId: project.id }));
    const key = await accounts.createKey(newKey(2, { projectId: project.id }));
    await accounts.deleteKey(key.id);
    assert.deepEqual(await Array.fromAsync(accounts.keys()), [kept]);
    const again = await accounts.createKey(newKey(2, { projectId: project.id }));
    assert.equal(again.name, 'Key 2');
    return undefined;
  });

  promise(
    'what is changed of a key, a project or an account replaces what was there, and nothing else',
    async (subject) => {
      const { accounts } = subject.storage;
      const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
      const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
      const key = await accounts.createKey(newKey(1, { projectId: project.id }));
      const limits = { concurrentCalls: 3, budgets: { week: nanoUsd(1n), month: nanoUsd(9_007_199_254_740_993n) } };
      const permissions = { modelsDeny: ['acme/*'] };
      const changed = [
        await accounts.updateKey(key.id, {
          name: 'B',
          disabled: true,
          expiresAt: null,
          retiringAt: NOW + 5,
          updatedAt: NOW + 3,
          limits,
        }),
        await accounts.updateProject(project.id, { archivedAt: NOW + 6, limits, permissions }),
        await accounts.updateAccount(account.id, { name: 'Acme 2', limits }),
      ];
      const expected = [
        { ...key, name: 'B', disabled: true, expiresAt: null, retiringAt: NOW + 5, updatedAt: NOW + 3, limits },
        { ...project, archivedAt: NOW + 6, limits, permissions },
        { ...account, name: 'Acme 2', limits },
      ];
      assert.deepEqual(changed, expected);
      assert.deepEqual(await accounts.updateKey(key.id, {}), expected[0]);
      assert.equal(await accounts.updateKey(keyId(999), { disabled: true }), null);
      assert.equal(await accounts.updateProject(projectId(999), { limits }), null);
      assert.equal(await accounts.updateAccount(accountId(999), { permissions }), null);
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
    },
  );

  promise('a rotated key has one successor of the same chain; one that is revoked has none', async (subject) => {
    const { accounts } = subject.storage;
    const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
    const first = await accounts.createKey(newKey(1, { projectId: project.id }));
    const next = (seed: number) => newKey(seed, { projectId: project.id });
    const rotated = await accounts.rotateKey(first.id, NOW + 7, next(2));
    assert.deepEqual(rotated?.retiring, { ...first, retiringAt: NOW + 7 });
    assert.equal(rotated?.successor.rootId, first.id);
    assert.equal(await accounts.rotateKey(first.id, NOW + 8, next(3)), null);
    const second = rotated?.successor ?? first;
    await assert.rejects(accounts.rotateKey(second.id, NOW + 8, next(1)), 'the digest is taken');
    const last = await accounts.rotateKey(second.id, NOW + 9, next(3));
    assert.deepEqual(last?.retiring, { ...second, retiringAt: NOW + 9 }, 'what failed changed nothing');
    assert.equal(last?.successor.rootId, first.id);
    await accounts.revokeKey(last?.successor.id ?? first.id, NOW);
    assert.equal(await accounts.rotateKey(last?.successor.id ?? first.id, NOW, next(4)), null);
    assert.equal((await Array.fromAsync(accounts.keys())).length, 3);
    const some = [last?.successor.id ?? first.id, first.id, keyId(999)];
    assert.deepEqual(await accounts.keysById(some), [
      { ...first, retiringAt: NOW + 7 },
      { ...last?.successor, revokedAt: NOW },
    ]);
    assert.deepEqual(await accounts.keysById([]), []);
    return undefined;
  });

  promise(
    'two keys never share a digest, and no key belongs to a project that is not there',
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

function pricePromises(promise: Promising): void {
  promise('the same prices of the same target are one version, also after reopening', async (subject) => {
    const [first, other, changed] = await subject.storage.prices.pin([
      pricedTarget(10n),
      pricedTarget(10n, 'acme/small'),
      pricedTarget(11n),
    ]);
    assert.equal(new Set([first, other, changed]).size, 3);
    const again = await subject.reopen();
    assert.deepEqual(await again.storage.prices.pin([pricedTarget(11n), pricedTarget(10n)]), [changed, first]);
    assert.deepEqual(
      await again.storage.prices.pin([pricedTarget(12n), pricedTarget(12n)]).then((ids) => ids[0] === ids[1]),
      true,
    );
    assert.deepEqual(await again.storage.prices.pin([]), []);
    assert.deepEqual(await again.storage.prices.read(changed ?? priceVersionId(0)), pricedTarget(11n).prices);
    assert.equal(await again.storage.prices.read(priceVersionId(999)), null);
    return again;
  });

  promise('any number of targets is pinned at once, in the order given', async ({ storage: { prices } }) => {
    const targets = Array.from({ length: 1_201 }, (_, index) => pricedTarget(BigInt(index)));
    const ids = await prices.pin(targets);
    assert.equal(new Set(ids).size, targets.length);
    assert.deepEqual(await prices.pin(targets.toReversed()), ids.toReversed());
    return undefined;
  });
}

function recordPromises(promise: Promising): void {
  promise('a record is read back as it was, at once and after reopening', async (subject) => {
    const record = sampleRecord(sampleSettlement(NOW));
    const plain = sampleRecord(sampleSettlement(NOW + 1, { cost: null, priceVersion: null }), {
      attempts: [],
      warnings: [],
      streamed: false,
      upstreamDialect: null,
      upstreamId: null,
      errorCode: 'upstream_timeout',
      finishReason: null,
      firstByteMs: null,
    });
    subject.storage.records.append(record);
    subject.storage.records.append(plain);
    assert.deepEqual(await subject.storage.records.tail({ after: null, limit: 10 }), [record, plain]);
    const again = await subject.reopen();
    assert.deepEqual(await again.storage.records.tail({ after: null, limit: 10 }), [record, plain]);
    return again;
  });

  promise('the tail is the newest records, oldest first, across days', async ({ storage: { records } }) => {
    const hours = [-30, -20, -2, 0, 11];
    const rows = hours.map((hour) => sampleRecord(sampleSettlement(NOW + hour * 3_600_000)));
    for (const row of rows.toReversed()) records.append(row);
    assert.deepEqual(callIds(await records.tail({ after: null, limit: 10 })), callIds(rows));
    assert.deepEqual(callIds(await records.tail({ after: null, limit: 4 })), callIds(rows.slice(1)));
    return undefined;
  });

  promise('a record is found among those that wait, or else on disk', async ({ storage: { records, stats } }) => {
    const [first, second] = [0, 1].map((ms) => sampleRecord(sampleSettlement(NOW + ms))) as [CallRecord, CallRecord];
    const all = [first, second];
    const find = async ({ callId }: CallRecord) =>
      records.waiting((each) => each.callId === callId) ?? (await stats.call(callId));
    for (const row of all) records.append(row);
    assert.deepEqual(await Promise.all(all.map(find)), all);
    assert.equal(
      records.waiting(() => true),
      second,
      'the newest first',
    );
    await records.drain();
    assert.equal(
      records.waiting(() => true),
      null,
    );
    assert.deepEqual(await Promise.all(all.map(find)), all);
    return undefined;
  });

  promise('records after a given one begin with the next, across days', async ({ storage: { records } }) => {
    const rows = Array.from({ length: 6 }, (_, index) => sampleRecord(sampleSettlement(NOW + index * 9 * 3_600_000)));
    for (const row of rows) records.append(row);
    await records.drain();
    const after = rows[1]?.callId ?? null;
    assert.deepEqual(callIds(await records.tail({ after, limit: 3 })), callIds(rows.slice(2, 5)));
    assert.deepEqual(await records.tail({ after: rows.at(-1)?.callId ?? null, limit: 3 }), []);
    return undefined;
  });

  promise('a thousand records are all there after drain', async ({ storage: { records } }) => {
    const rows = Array.from({ length: 1_000 }, (_, index) => sampleRecord(sampleSettlement(NOW + index)));
    for (const row of rows) records.append(row);
    await records.drain();
    assert.equal((await records.tail({ after: null, limit: 2_000 })).length, rows.length);
    return undefined;
  });
}
