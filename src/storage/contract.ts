/** What every storage promises, as tests: each member runs this suite against itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewKey } from '../accounts/ports.ts';
import type { PricedTarget } from '../billing/ports.ts';
import type { ManualClock } from '../core/clock.ts';
import { accountId, firstCallIdAt, keyId, projectId } from '../core/ids.ts';
import { picoUsd } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import { callIds, sampleRecord, sampleSettlement } from './sample-rows.ts';
import type { Storage } from './storage.ts';

export interface StorageUnderTest {
  readonly storage: Storage;
  readonly clock: ManualClock;
  /** Every settlement in the storage, read past its ports, in order of call id. */
  settlements(): Promise<readonly Settlement[]>;
  /** Closes the storage and opens it again on the same data. */
  reopen(): Promise<StorageUnderTest>;
  /** Closes it and removes its data. */
  dispose(): Promise<void>;
}

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
  settlementPromises(promise);
  recordPromises(promise);
}

type Promising = (sentence: string, run: (subject: StorageUnderTest) => Promise<StorageUnderTest | undefined>) => void;

const NOW = Date.UTC(2026, 10, 21, 12);

function accountPromises(promise: Promising): void {
  promise('accounts, projects and keys are read back as they were made, also after reopening', async (subject) => {
    const { accounts } = subject.storage;
    const account = await accounts.createAccount({ name: 'Acme', billingMode: 'postpaid', createdAt: NOW });
    const project = await accounts.createProject({ accountId: account.id, name: 'Web', createdAt: NOW + 1 });
    const key = await accounts.createKey(newKey(1, { projectId: project.id, name: 'Server', createdBy: 'ada' }));
    assert.deepEqual(project, {
      id: project.id,
      accountId: account.id,
      name: 'Web',
      createdAt: NOW + 1,
      archivedAt: null,
    });
    assert.deepEqual(key, {
      ...newKey(1, { projectId: project.id, name: 'Server', createdBy: 'ada' }),
      id: key.id,
      accountId: account.id,
      disabled: false,
      revokedAt: null,
      retiringAt: null,
    });
    const again = await subject.reopen();
    assert.deepEqual(await again.storage.accounts.accounts(), [account]);
    assert.deepEqual(await again.storage.accounts.projects(), [project]);
    assert.deepEqual(await Array.fromAsync(again.storage.accounts.keys()), [key]);
    return again;
  });

  promise('keys without a name are numbered within their project', async ({ storage: { accounts } }) => {
    const account = await accounts.createAccount({ name: 'Acme', billingMode: 'off', createdAt: NOW });
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
    const account = await accounts.createAccount({ name: 'Acme', billingMode: 'off', createdAt: NOW });
    const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
    const key = await accounts.createKey(newKey(1, { projectId: project.id }));
    assert.equal((await accounts.revokeKey(key.id, NOW + 5))?.revokedAt, NOW + 5);
    assert.equal((await accounts.revokeKey(key.id, NOW + 9))?.revokedAt, NOW + 5);
    assert.deepEqual(await Array.fromAsync(accounts.keys()), [{ ...key, revokedAt: NOW + 5 }]);
    assert.equal(await accounts.revokeKey(keyId(999), NOW), null);
    return undefined;
  });

  promise(
    'two keys never share a digest, and no key belongs to a project that is not there',
    async ({ storage: { accounts } }) => {
      const account = await accounts.createAccount({ name: 'Acme', billingMode: 'off', createdAt: NOW });
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
      target(10n),
      target(10n, 'acme/small'),
      target(11n),
    ]);
    assert.equal(new Set([first, other, changed]).size, 3);
    const again = await subject.reopen();
    assert.deepEqual(await again.storage.prices.pin([target(11n), target(10n)]), [changed, first]);
    assert.deepEqual(await again.storage.prices.pin([target(12n), target(12n)]).then((ids) => ids[0] === ids[1]), true);
    assert.deepEqual(await again.storage.prices.pin([]), []);
    return again;
  });

  promise('any number of targets is pinned at once, in the order given', async ({ storage: { prices } }) => {
    const targets = Array.from({ length: 1_201 }, (_, index) => target(BigInt(index)));
    const ids = await prices.pin(targets);
    assert.equal(new Set(ids).size, targets.length);
    assert.deepEqual(await prices.pin(targets.toReversed()), ids.toReversed());
    return undefined;
  });
}

function settlementPromises(promise: Promising): void {
  promise('a settlement is read back to the nano, also after reopening', async (subject) => {
    const rows = [
      sampleSettlement(NOW),
      sampleSettlement(NOW + 1, { priceVersion: null, cost: null, ending: 'caller_left', usageSource: 'estimated' }),
      sampleSettlement(NOW + 2, {
        model: 'other/model',
        provider: 'other',
        ending: 'gateway_failed',
        usageSource: 'none',
      }),
    ];
    await subject.storage.settlements.commit(rows);
    assert.deepEqual(await subject.settlements(), rows);
    const again = await subject.reopen();
    await again.storage.settlements.commit([]);
    assert.deepEqual(await again.settlements(), rows);
    return again;
  });

  promise('the first settlement of a call wins', async (subject) => {
    const first = sampleSettlement(NOW);
    await subject.storage.settlements.commit([first]);
    await subject.storage.settlements.commit([{ ...first, ending: 'empty', charge: first.cost ?? first.charge }]);
    assert.deepEqual(await subject.settlements(), [first]);
    return undefined;
  });

  promise('every one of many callers at once is committed, once', async (subject) => {
    const rows = Array.from({ length: 500 }, (_, index) => sampleSettlement(NOW + index));
    await Promise.all(rows.map((row) => subject.storage.settlements.commit([row])));
    assert.deepEqual(callIds(await subject.settlements()), callIds(rows));
    assert.equal(subject.storage.health(), 'ready');
    return undefined;
  });

  promise('a settlement that cannot be written is refused, and the next is not', async (subject) => {
    const broken = { ...sampleSettlement(NOW), accountId: accountId(null as unknown as number) };
    await assert.rejects(subject.storage.settlements.commit([broken]));
    const sound = sampleSettlement(NOW + 1, { model: 'met/in-the-refused-batch' });
    await assert.rejects(subject.storage.settlements.commit([sound, { ...broken, callId: firstCallIdAt(NOW) }]));
    await subject.storage.settlements.commit([sound]);
    assert.deepEqual(await subject.settlements(), [sound]);
    assert.equal(subject.storage.health(), 'ready', 'the disk is not at fault');
    return undefined;
  });

  promise('settlements and changes to keys do not get into each other', async (subject) => {
    const { accounts, settlements } = subject.storage;
    const account = await accounts.createAccount({ name: 'Acme', billingMode: 'off', createdAt: NOW });
    const rows = Array.from({ length: 50 }, (_, index) => sampleSettlement(NOW + index));
    await Promise.all([
      ...rows.map((row) => settlements.commit([row])),
      ...rows.map((row) => accounts.createProject({ accountId: account.id, name: row.callId, createdAt: NOW })),
      subject.storage.prices.pin(rows.map((_, index) => target(BigInt(index)))),
    ]);
    assert.equal((await subject.settlements()).length, rows.length);
    assert.equal((await accounts.projects()).length, rows.length);
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

function newKey(seed: number, changes: Partial<NewKey> = {}): NewKey {
  return {
    projectId: projectId(1),
    name: null,
    kind: 'inference',
    digest: Buffer.alloc(32, seed + 1),
    pepperId: 'a-pepper',
    label: 'sk-tp-…wXyZ',
    createdAt: NOW,
    createdBy: null,
    expiresAt: NOW + 1_000,
    limits: { requestsPerMinute: 60 },
    permissions: { modelsAllow: ['acme/*'], ips: ['10.0.0.0/8'] },
    ...changes,
  };
}

function target(input: bigint, model = 'acme/large'): PricedTarget {
  const lines = {
    input: picoUsd(input),
    output: picoUsd(4n * input),
    cacheRead: null,
    cacheWrite: picoUsd(2n * input),
    cacheWrite1h: null,
    inputAudio: null,
    outputAudio: null,
    reasoning: null,
    image: null,
    request: null,
    webSearch: null,
  };
  return {
    model,
    provider: 'acme',
    upstreamModel: 'large-1',
    prices: { ...lines, tiers: [{ ...lines, abovePromptTokens: 200_000 }] },
  };
}
