/** What every storage promises, as tests: each member runs this suite against itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceVersionId } from '../core/ids.ts';
import type { CallRecord } from '../stats/record.ts';
import { accountPromises } from './contract/accounts.ts';
import { changePromises } from './contract/changes.ts';
import { ledgerPromises } from './contract/ledger.ts';
import { moneyPromises } from './contract/money.ts';
import { providerPromises } from './contract/providers.ts';
import { replayPromises } from './contract/replays.ts';
import { callIds, pricedTarget, sampleRecord, sampleSettlement } from './contract/sample-rows.ts';
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
  changePromises(promise);
  pricePromises(promise);
  ledgerPromises(promise);
  moneyPromises(promise);
  replayPromises(promise);
  recordPromises(promise);
  providerPromises(promise);
}

const NOW = Date.UTC(2026, 10, 21, 12);

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
