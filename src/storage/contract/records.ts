/** The contract of every storage for records: they are read as they were appended, in order. */
import assert from 'node:assert/strict';
import type { CallRecord } from '../../stats/ports.ts';
import {
  callIds,
  fromCache,
  HAD_MEDIA,
  MADE_IMAGES,
  sampleRecord,
  sampleSettlement,
  USED_TOOLS,
} from './sample-rows.ts';
import type { Promising } from './storage-under-test.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

export function recordPromises(promise: Promising): void {
  promise('a record is read as it was appended, immediately and after reopening', async (subject) => {
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

  promise('a record is found among those that are waiting, or on disk', async ({ storage: { records, stats } }) => {
    const first = sampleRecord(sampleSettlement(NOW, { usage: USED_TOOLS }));
    const second = sampleRecord(sampleSettlement(NOW + 1, { usage: HAD_MEDIA }));
    const third = sampleRecord(fromCache(sampleSettlement(NOW + 2)));
    const fourth = sampleRecord(sampleSettlement(NOW + 3, { usage: MADE_IMAGES }));
    const all = [first, second, fourth, third];
    const find = async ({ callId }: CallRecord) =>
      records.waiting((each) => each.callId === callId) ?? (await stats.call(callId));
    for (const row of all) records.append(row);
    assert.deepEqual(await Promise.all(all.map(find)), all);
    assert.equal(
      records.waiting(() => true),
      third,
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

  promise('records after a given one start with the next, across days', async ({ storage: { records } }) => {
    const rows = Array.from({ length: 6 }, (_, index) => sampleRecord(sampleSettlement(NOW + index * 9 * 3_600_000)));
    for (const row of rows) records.append(row);
    await records.drain();
    const after = rows[1]?.callId ?? null;
    assert.deepEqual(callIds(await records.tail({ after, limit: 3 })), callIds(rows.slice(2, 5)));
    assert.deepEqual(await records.tail({ after: rows.at(-1)?.callId ?? null, limit: 3 }), []);
    return undefined;
  });

  promise('a thousand records are all readable after drain', async ({ storage: { records } }) => {
    const rows = Array.from({ length: 1_000 }, (_, index) => sampleRecord(sampleSettlement(NOW + index)));
    for (const row of rows) records.append(row);
    await records.drain();
    assert.equal((await records.tail({ after: null, limit: 2_000 })).length, rows.length);
    return undefined;
  });
}
