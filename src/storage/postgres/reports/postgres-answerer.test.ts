/**
 * Goal: every question has the answer that SQLite gives, whatever is filtered; one that takes too long or cannot be asked is refused, and
 * what was just called, crashed or sealed is found. Method: the same calls in both databases, settled as two nodes in PostgreSQL.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type ServerName, serverNames } from '../../../../test/support/postgres/servers.ts';
import { dayOf } from '../../../core/calendar.ts';
import { GatewayError } from '../../../core/errors.ts';
import { callIdBytes, keyId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type {
  CallRecord,
  CallsPage,
  CallsQuery,
  MovementsPage,
  MovementsQuery,
  StatsReader,
  UsageQuery,
} from '../../../stats/ports.ts';
import {
  bareRecord,
  callIds,
  NO_RULES,
  sampleEntry,
  sampleRecord,
  sampleSettlement,
  settlementRow,
  settlementRows,
} from '../../contract/sample-rows.ts';
import { ACME, callsQuery, DAY_MS, fillCalls, HOUR_MS, movementsQuery, usageQuery } from '../../contract/stats-rows.ts';
import { openSqliteUnderTest } from '../../sqlite/sqlite-under-test.ts';
import { DayPartitions, idBounds } from '../records/day-partitions.ts';
import type { StoredCallsParts } from '../stored-calls.ts';
import { openReportsUnderTest } from './reports-under-test.ts';

const CALL_FILTERS: readonly Partial<CallsQuery>[] = [
  {},
  { outcome: 'ok', provider: 'acme' },
  { outcome: 'failed', streamed: true },
  { model: 'acme/model-3', projectId: projectId(1) },
  { model: 'no-such-model' },
  { model: 'nul \0 and \ud800', provider: "'; drop table records; --" },
  { keyId: keyId(2), status: { from: 400, to: 499 } },
  { ending: 'caller_left', minDurationMs: 300.5 },
  { minCharge: nanoUsd(5_000_001n) },
  { labels: { user: null, app: null, metadata: { name: 'tide', value: 'low' } } },
  { fromMs: Date.UTC(2026, 10, 19, 3), toMs: Date.UTC(2026, 10, 20, 1) },
];
/** Many of them add up to an amount that the database has room for. */
const CHEAP = { cost: nanoUsd(2n) };
const USAGES: readonly Partial<UsageQuery>[] = [
  { groupBy: 'model', groups: 3 },
  { groupBy: 'key' },
  { groupBy: 'provider', keyId: keyId(1) },
  { groupBy: 'project', model: 'acme/model-2' },
  { provider: 'nobody\0' },
];

for (const server of serverNames) {
  const open = async (context: TestContext, changes: Partial<StoredCallsParts> = {}) => {
    const subject = await openReportsUnderTest(server, changes);
    context.after(() => subject.dispose());
    return subject;
  };

  test(`PostgreSQL ${server}: lists, sums, times and statements are those of SQLite`, async (context) => {
    const { sqlite, postgres, rollups } = await openBoth(context, server);
    assert.deepEqual(rollups, [1, 2], 'both nodes have sums');
    const both = async (ask: (stats: StatsReader) => Promise<unknown>, what: unknown) =>
      assert.deepEqual(await ask(postgres.stats), await ask(sqlite.stats), JSON.stringify(what, replaceBig));
    for (const filter of CALL_FILTERS) await both((stats) => everyCall(stats, filter), filter);
    const now = Date.UTC(2026, 10, 21, 12);
    const first = Math.floor(now / HOUR_MS) - 30;
    for (const changes of USAGES) {
      await both((stats) => sums(stats, usageQuery(now, changes)), changes);
      const hours = usageQuery(now, { ...changes, interval: 'hour', first, end: first + 31 });
      await both((stats) => sums(stats, hours), hours);
      await both(
        (stats) => sums(stats, { ...hours, interval: 'minute', first: first * 60, end: first * 60 + 600 }),
        hours,
      );
      const days = [0, 24, 47, 71].map((hour) => first - 50 + hour);
      await both((stats) => sums(stats, { ...hours, interval: 'day', first: first - 50, end: first + 21, days }), days);
      await both(async (stats) => (await Array.fromAsync(stats.allUsage(hours))).flat(), hours);
    }
    const span = { accountId: ACME, firstHour: first, endHour: first + 31 };
    await both((stats) => stats.firstBytes(span), span);
    const everyDay = { accountId: ACME, projectId: null, keyId: null, firstDay: dayOf(now) - 9, lastDay: dayOf(now) };
    await both((stats) => stats.activity(everyDay), everyDay);
    await both(everyMovement, 'movements');
    await both((stats) => stats.months({ accountId: ACME, before: null, limit: 12, nowMs: now }), 'months');
    await both((stats) => stats.firstCall(ACME), 'first call');
  });

  test(`PostgreSQL ${server}: a question that takes too long is refused, and the next one is answered`, async (context) => {
    const subject = await open(context, { reports: { deadlineMs: 700 } });
    const [record] = await fillCalls(subject, 3);
    assert.ok(record);
    const holder = await subject.connections.control.acquire();
    await holder.query('begin; lock table records in access exclusive mode');
    const begunAt = performance.now();
    await assert.rejects(subject.calls.stats.call(record.callId), isShedding);
    assert.ok(performance.now() - begunAt < 10_000, 'the server ended the statement');
    await holder.query('rollback');
    holder.release(false);
    await eventually(async () => assert.deepEqual(await subject.calls.stats.call(record.callId), record));
  });

  test(`PostgreSQL ${server}: a connection that died is replaced by the next question`, async (context) => {
    const subject = await open(context);
    const [record] = await fillCalls(subject, 3);
    assert.ok(record);
    const name = new URL(subject.url).pathname.slice(1);
    assert.deepEqual(await subject.calls.stats.call(record.callId), record);
    await subject.connections.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'turnpike reports' and datname = $1",
      [name],
    );
    assert.deepEqual(await subject.calls.stats.call(record.callId), record);
  });

  test(`PostgreSQL ${server}: an export has what existed when it began, and its days are not dropped meanwhile`, async (context) => {
    const subject = await open(context);
    const { storage, connections, clock } = subject;
    const many = Array.from({ length: 2_500 }, (_, index) =>
      sampleRecord(sampleSettlement(clock.now() - DAY_MS + index * 1_000, CHEAP)),
    );
    await storage.ledger.commit(settlementRows(many));
    for (const record of many) storage.records.append(record);
    const { before: _before, limit: _limit, ...all } = callsQuery();
    const found = [];
    const partitions = new DayPartitions(connections.records, [{ name: 'records', boundsOf: idBounds }]);
    for await (const batch of storage.stats.allCalls(all)) {
      if (found.length === 0) {
        const late = sampleRecord(sampleSettlement(clock.now() - DAY_MS + 500, CHEAP));
        await storage.ledger.commit([settlementRow(late)]);
        storage.records.append(late);
        await storage.records.drain();
        assert.equal(await partitions.drop(dayOf(clock.now() - DAY_MS)), false);
      }
      found.push(...batch);
    }
    assert.deepEqual(callIds(found), callIds(many.toReversed()));
    await eventually(async () => assert.equal(await partitions.drop(dayOf(clock.now() - DAY_MS)), true));
  });

  test(`PostgreSQL ${server}: after a crash the records of settled calls are rebuilt, and one that comes late replaces its own`, async (context) => {
    const first = await openReportsUnderTest(server);
    const calls = [-30 * 60_000, -1_000, 0].map((ms) => sampleSettlement(first.clock.now() + ms));
    await first.storage.ledger.commit(settlementRows(calls));
    const kept = sampleRecord(calls[0] ?? sampleSettlement(0));
    first.storage.records.append(kept);
    const second = await first.crash();
    context.after(() => second.dispose());
    await eventually(async () => {
      await second.calls.records.drain();
      assert.equal((await second.calls.records.tail({ after: null, limit: 9 })).length, 3);
    });
    const rebuilt = calls.slice(1).map((call) => bareRecord(call));
    assert.deepEqual(await second.calls.records.tail({ after: null, limit: 9 }), [kept, ...rebuilt]);
    const late = sampleRecord(calls[2] ?? sampleSettlement(0));
    second.calls.records.append(late);
    assert.deepEqual(await second.calls.records.tail({ after: null, limit: 9 }), [kept, rebuilt[0], late]);
  });

  test(`PostgreSQL ${server}: a call that was not charged because another has its name says so, with and without its record`, async (context) => {
    const subject = await open(context);
    const { storage, connections, clock } = subject;
    const calls = [0, 1].map((ms) => sampleRecord(sampleSettlement(clock.now() - ms)));
    const [recorded, unrecorded] = calls as [CallRecord, CallRecord];
    for (const { callId } of calls)
      await connections.query('insert into superseded_calls (call_id, at) values ($1, 0)', [callIdBytes(callId)]);
    await storage.ledger.commit(settlementRows(calls));
    // Its node has made the record without knowing.
    storage.records.append(recorded);
    await storage.records.drain();
    assert.ok(recorded.charge > 0n);
    for (const { callId, charge, nodeLoss } of [recorded, unrecorded]) {
      const shown = await subject.calls.stats.call(callId);
      assert.deepEqual([shown?.charge, shown?.nodeLoss, shown?.isSuperseded], [0n, charge + nodeLoss, true]);
    }
    await connections.query('delete from superseded_calls');
    const late = await subject.calls.stats.call(recorded.callId);
    assert.deepEqual(
      [late?.charge, late?.nodeLoss, late?.isSuperseded],
      [0n, recorded.charge + recorded.nodeLoss, undefined],
    );
  });

  test(`PostgreSQL ${server}: the movements of a sealed month are read from where its rows are`, async (context) => {
    const subject = await open(context);
    const { storage, connections } = subject;
    const [fromMs, toMs] = [Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1)];
    await storage.ledger.commit([settlementRow(sampleSettlement(fromMs + DAY_MS))]);
    await storage.ledger.post(sampleEntry({ at: fromMs + 2 * DAY_MS }), NO_RULES);
    const october = movementsQuery({ fromMs, toMs });
    const before = await storage.stats.movements(october);
    assert.equal(before.movements.length, 2);
    await connections.query('create table if not exists archived_entries (like entries)');
    await connections.query('insert into archived_entries select * from entries');
    await connections.query('create table archived_settlements_2026_10 as select * from settlements');
    await connections.query('delete from settlements');
    await connections.query('delete from entries');
    assert.equal((await storage.stats.movements(october)).movements.length, 0);
    await connections.query(
      `insert into seals (month, account_id, closing_balance_nano, rows, hash, sealed_at) values ('2026-10', 1, 0, 2, '\\x00', 1)`,
    );
    assert.deepEqual(await storage.stats.movements(october), before);
  });
}

async function openBoth(context: TestContext, server: ServerName) {
  const sqlite = await openSqliteUnderTest();
  const postgres = await openReportsUnderTest(server);
  context.after(async () => {
    await sqlite.dispose();
    await postgres.dispose();
  });
  const records = await fillCalls(sqlite, 120);
  await postgres.storage.ledger.commit(settlementRows(records));
  for (const record of records) postgres.storage.records.append(record);
  for (const { ledger } of [sqlite.storage, postgres.storage])
    for (const index of [10, 50, 90])
      await ledger.post(
        sampleEntry({ accountId: ACME, at: (records[index]?.admittedAt ?? 0) + 1, reference: `${index}` }),
        NO_RULES,
      );
  const { rows } = await postgres.connections.query<{ slot: number }>(
    'select distinct slot from rollups_hour order by slot',
  );
  return { sqlite: sqlite.storage, postgres: postgres.storage, rollups: rows.map(({ slot }) => slot) };
}

/** Where a page ends depends on time. */
async function everyCall(stats: StatsReader, filter: Partial<CallsQuery>) {
  const found = [];
  for (let before: CallsQuery['before'] = null; ; ) {
    const { calls, next }: CallsPage = await stats.calls(callsQuery({ ...filter, limit: 9, before }));
    found.push(...calls);
    if (next === null) return found;
    before = next;
  }
}

async function everyMovement(stats: StatsReader) {
  const found = [];
  for (let before: MovementsQuery['before'] = null; ; ) {
    const { movements, next }: MovementsPage = await stats.movements(movementsQuery({ limit: 9, before }));
    found.push(...movements);
    if (next === null) return found;
    before = next;
  }
}

/** Without times to first byte, where those are read for a limited time. */
async function sums(stats: StatsReader, query: UsageQuery) {
  const report = await stats.usage(query);
  return query.keyId === null && query.provider === null ? report : { ...report, firstBytes: null };
}

function isShedding(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'shedding';
}

function replaceBig(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

const TRIES = 100;

/** Repeats what a busy machine may not have done yet. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await check();
    } catch (error) {
      if (tried === TRIES) throw error;
    }
  }
}
