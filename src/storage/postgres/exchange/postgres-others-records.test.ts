/**
 * Goal: a node reads what others have written since its last reading, once, and neither its own records nor those that were rebuilt. Method:
 * two tables of records with different places, on every PostgreSQL that is here.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { dayOf } from '../../../core/calendar.ts';
import { systemClock } from '../../../core/clock.ts';
import { sampleRecord, sampleSettlement } from '../../contract/sample-rows.ts';
import { withoutDetail } from '../../sql/records/bare-record.ts';
import { openConnections } from '../engine/connections.ts';
import { DayPartitions, hourBounds, idBounds } from '../records/day-partitions.ts';
import { RecordTable } from '../records/record-table.ts';
import { PostgresOthersRecords } from './postgres-others-records.ts';

for (const name of serverNames)
  test(`PostgreSQL ${name}: records of other nodes are read once, and a thousand at most`, async (context) => {
    const database = await createDatabase(name);
    context.after(() => database.drop());
    const connections = await openConnections({ url: database.url, readUrl: null, connections: 2 });
    context.after(() => connections.close());
    const partitions = new DayPartitions(connections.records, [
      { name: 'records', boundsOf: idBounds },
      { name: 'first_bytes', boundsOf: hourBounds },
    ]);
    const today = dayOf(systemClock.now());
    await partitions.ensure([today - 1, today, today + 1]);
    const tableOf = (slot: number) => new RecordTable(connections.records, () => slot);
    const [mine, theirs] = [tableOf(1), tableOf(2)];
    const ended = (count: number) =>
      Array.from({ length: count }, () => {
        const now = systemClock.now();
        return sampleRecord(sampleSettlement(now));
      });
    const others = new PostgresOthersRecords({ role: connections.exchange, slot: () => 1, clock: systemClock });

    await theirs.insert(ended(1));
    const read = others.read();
    assert.deepEqual(await read(), { records: [], isComplete: true });
    // What is read begins with the millisecond after this one.
    await connections.exchange.query('select pg_sleep(0.002)');
    const [first, second] = [ended(2), ended(1)];
    await theirs.insert(first);
    await mine.insert(ended(3));
    const rebuilt = ended(1).map(withoutDetail);
    await theirs.insertRebuilt(rebuilt);
    assert.deepEqual(
      await Promise.all([first, rebuilt, ended(1)].map(([record]) => others.slotOf(record?.callId ?? assert.fail()))),
      [2, null, null],
      'who served it, not who rebuilt it',
    );
    const ids = async () => (await read()).records.map(({ callId }) => callId);
    assert.deepEqual(new Set(await ids()), new Set(first.map(({ callId }) => callId)));
    await theirs.insert(second);
    assert.deepEqual(
      await ids(),
      second.map(({ callId }) => callId),
    );
    assert.deepEqual(await ids(), []);

    await theirs.insert(ended(1_500));
    const { records, isComplete } = await read();
    assert.deepEqual([records.length, isComplete], [1_001, false]);
  });
