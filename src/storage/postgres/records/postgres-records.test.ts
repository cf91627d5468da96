/**
 * Goal: records reach the table of their day after a moment, and neither a full memory, a bad row nor a database that is away affects
 * a call. Method: a real server, time by hand.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createDatabase } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { dayOf } from '../../../core/calendar.ts';
import { ManualClock } from '../../../core/clock.ts';
import type { CallRecord } from '../../../stats/ports.ts';
import { callIds, sampleRecord, sampleSettlement } from '../../contract/sample-rows.ts';
import type { StorageProblem } from '../../storage.ts';
import { openConnections } from '../engine/connections.ts';
import { type PostgresRecordParts, PostgresRecords } from './postgres-records.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

for (const server of serverNames) {
  const open = async (context: TestContext, changes: Partial<PostgresRecordParts> = {}) => {
    const database = await createDatabase(server);
    const connections = await openConnections({ url: database.url, readUrl: null, connections: 2 });
    const clock = new ManualClock(NOON);
    const problems: StorageProblem[] = [];
    const another = () =>
      new PostgresRecords({
        role: connections.records,
        clock,
        slot: () => 1,
        bytesMax: 1_000_000_000,
        onProblem: (problem) => problems.push(problem),
        afterSettlements: async () => undefined,
        ...changes,
      });
    const records = another();
    context.after(async () => {
      await records.close();
      await connections.close();
      await database.drop();
    });
    return { records, another, clock, problems, query: connections.query, database };
  };

  test(`PostgreSQL ${server}: records are written after half a second, each day in its partition, with partitions ahead`, async (context) => {
    const { records, clock, query } = await open(context);
    for (const hours of [-20, -2, 0, 11]) records.append(recordAt(NOON + hours * HOUR_MS));
    clock.advance(500);
    await records.drain();
    const { rows } = await query<{ day: string; calls: bigint }>(
      'select tableoid::regclass::text as day, count(*) as calls from records group by 1 order by 1',
    );
    assert.deepEqual(rows, [
      { day: 'records_2026_11_20', calls: 1n },
      { day: 'records_2026_11_21', calls: 3n },
    ]);
    const partitions = await query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relname like 'first_bytes_%' order by 1",
    );
    assert.deepEqual(
      partitions.rows.map(({ name }) => name),
      ['20', '21', '22', '23'].map((day) => `first_bytes_2026_11_${day}`),
    );
  });

  test(`PostgreSQL ${server}: the tail has the records of every node, and each adds up its own times to first byte`, async (context) => {
    const { records, another, query } = await open(context);
    const other = another();
    const [first, second, third] = [recordAt(NOON), recordAt(NOON + 1), recordAt(NOON + 2)];
    records.append(first);
    await records.drain();
    other.append(second);
    await other.drain();
    records.append(third);
    assert.deepEqual(await records.tail({ after: first.callId, limit: 9 }), [second, third]);
    assert.deepEqual(await other.tail({ after: null, limit: 9 }), [first, second, third]);
    const { rows } = await query<{ calls: bigint }>('select sum(calls) as calls from first_bytes');
    assert.deepEqual(rows, [{ calls: 3n }]);
    await other.close();
  });

  test(`PostgreSQL ${server}: a record that is sent twice, or twice at once, is stored and counted once`, async (context) => {
    const { records, another, query } = await open(context);
    const other = another();
    const record = recordAt(NOON);
    records.append(record);
    records.append(record);
    other.append(record);
    await Promise.all([records.drain(), other.drain()]);
    assert.deepEqual(await records.tail({ after: null, limit: 9 }), [record]);
    const { rows } = await query<{ calls: bigint }>('select sum(calls) as calls from first_bytes');
    assert.deepEqual(rows, [{ calls: 1n }]);
    await other.close();
  });

  test(`PostgreSQL ${server}: texts that PostgreSQL cannot store do not cost the record`, async (context) => {
    const { records, problems } = await open(context);
    const odd = recordAt(NOON, { upstreamId: 'a\0b', warnings: ['\0 \ud800 {"\\x'], finishReason: '\0' });
    records.append({ ...odd, provider: 'na\0me' });
    records.append(recordAt(NOON + 1, { model: 'half \ud83d', upstreamId: '\udc00' }));
    const [read, second] = await records.tail({ after: null, limit: 2 });
    assert.deepEqual([read?.upstreamId, read?.provider, read?.finishReason], ['a\u{fffd}b', 'na\u{fffd}me', '\0']);
    assert.deepEqual([second?.model, second?.upstreamId], ['half \u{fffd}', '\u{fffd}']);
    assert.deepEqual(problems, []);
  });

  test(`PostgreSQL ${server}: beyond the memory for waiting records they are counted as lost, the rest is written`, async (context) => {
    const { records, problems } = await open(context, { waitingBytesMax: 5_000 });
    const all = Array.from({ length: 6 }, (_, index) => recordAt(NOON + index));
    for (const record of all) records.append(record);
    const written = await records.tail({ after: null, limit: 9 });
    assert.ok(written.length > 0 && written.length < all.length, String(written.length));
    assert.deepEqual(callIds(written), callIds(all.slice(0, written.length)));
    assert.equal(records.lost, all.length - written.length);
    assert.equal(problems.filter(({ type }) => type === 'records_lost').length, records.lost);
    records.append(recordAt(NOON + 10));
    assert.equal((await records.tail({ after: null, limit: 9 })).length, written.length + 1, 'there is room again');
  });

  test(`PostgreSQL ${server}: above the limit the oldest days are dropped as a whole, today's never`, async (context) => {
    const { records, clock, problems, query } = await open(context, { bytesMax: 100_000 });
    for (const days of [-3, -2, -1, 0]) records.append(recordAt(NOON + days * DAY_MS));
    await records.drain();
    assert.equal(dayOf(clock.now()), dayOf(NOON));
    const { rows } = await query<{ day: string }>(
      'select distinct tableoid::regclass::text as day from records order by 1',
    );
    assert.deepEqual(rows, [{ day: 'records_2026_11_21' }]);
    assert.deepEqual(problems, []);
    records.append(recordAt(NOON - DAY_MS));
    await records.drain();
    assert.equal((await records.tail({ after: null, limit: 9 })).length, 2, 'a late record of a dropped day is stored');
  });

  test(`PostgreSQL ${server}: while the database is away records wait, which is reported once, and then they are written`, async (context) => {
    const { records, clock, problems, database, query } = await open(context);
    records.append(recordAt(NOON));
    await records.drain();
    await query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'away' using errcode = '57P03'; end $$`,
    );
    await query(`create trigger away before insert on records for each row execute function refuse()`);
    records.append(recordAt(NOON + 1));
    clock.advance(500);
    await records.tail({ after: null, limit: 1 });
    clock.advance(1_000);
    assert.equal((await records.tail({ after: null, limit: 9 })).length, 1, database.name);
    assert.deepEqual(
      problems.map(({ type, count }) => [type, count]),
      [['records_delayed', 1]],
    );
    await query('drop trigger away on records');
    clock.advance(1_000);
    await records.drain();
    assert.equal((await records.tail({ after: null, limit: 9 })).length, 2);
    assert.equal(records.lost, 0);
    const [, over, ...more] = problems;
    assert.deepEqual([over?.type, over?.count, more], ['records_delayed', 1, []], 'it says once that they are written');
    assert.ok((over?.overAfterMs ?? 0) >= 2_000, `${over?.overAfterMs} ms`);
  });
}

function recordAt(ms: number, changes: Partial<CallRecord> = {}): CallRecord {
  return sampleRecord(sampleSettlement(ms), changes);
}
