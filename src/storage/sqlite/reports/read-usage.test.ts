/** Goal: usage reports add up exactly to what was settled, and percentiles are close to the exact ones. Method: a real storage, compared with sums of the records. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { hourOf } from '../../../core/calendar.ts';
import { keyId, projectId } from '../../../core/ids.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import type { CallRecord, UsageGrouping, UsageQuery, UsageReport, UsageSums } from '../../../stats/ports.ts';
import { bareRecord, sampleSettlement, settlementRows } from '../../contract/sample-rows.ts';
import { ACME, DAY_MS, HOUR_MS, OTHER, usageQuery } from '../../contract/stats-rows.ts';
import { openReports, shareReports } from './reports-under-test.ts';

const openFull = shareReports(300);

test('totals, and those of the preceding period, are sums of an account’s calls', async () => {
  const { subject, reader, records } = await openFull();
  const query = usageQuery(subject.clock.now());
  const report = await reader.usage(query);
  assert.deepEqual(report.totals, sumsOf(within(records, query, 0)));
  assert.deepEqual(report.previous, sumsOf(within(records, query, -1)));
  assert.ok(report.totals.calls > 0 && report.previous.calls > 0);
});

for (const interval of ['hour', 'day'] as const)
  for (const groupBy of ['none', 'model', 'key', 'project', 'provider'] as const)
    test(`groups by ${groupBy} and ${interval} and the rest add up to the totals`, async () => {
      const { subject, reader, records } = await openFull();
      const query = spanIn(interval, usageQuery(subject.clock.now(), { groupBy, groups: 2 }));
      const report = await reader.usage(query);
      const meant = within(records, query, 0);
      assert.deepEqual(report.totals, sumsOf(meant));
      assertAddsUp(report);
      const kinds = report.groups.map(({ kind }) => kind);
      const names = new Set(meant.map((record) => groupOf(groupBy, record)));
      assert.deepEqual(kinds, groupBy === 'none' ? ['all'] : names.size > 2 ? ['one', 'one', 'rest'] : ['one', 'one']);
      for (const group of report.groups.filter(({ kind }) => kind === 'one'))
        assert.deepEqual(group.totals, sumsOf(meant.filter((record) => groupOf(groupBy, record) === group.id)));
    });

for (const hour of [1, 5, 12, 13, 18, 23])
  test(`days that begin at ${hour} o’clock UTC are sums of their calls, group by group, in exports too`, async () => {
    const { subject, reader, records } = await openFull();
    const today = Math.floor(subject.clock.now() / DAY_MS);
    // With a change of daylight saving time: a day of 23 hours and one of 25.
    const days = [5, 4, 3, 2, 1, 0].map((ago) => (today - ago) * 24 + hour - 24 + (ago === 3 ? 1 : 0));
    const span = { interval: 'hour', first: days[0], end: days.at(-1), days } as const;
    const query = usageQuery(subject.clock.now(), { ...(span as Partial<UsageQuery>), groupBy: 'model', groups: 50 });
    const report = await reader.usage(query);
    assert.deepEqual(report.totals, sumsOf(within(records, query, 0)));
    assert.deepEqual(report.previous, sumsOf(within(records, query, -1)));
    assertAddsUp(report);
    const reported = new Map(report.groups.map((group) => [group.id, group]));
    const exported = new Map<string, UsageSums>();
    for await (const batch of reader.allUsage(query))
      for (const { start, id, sums } of batch) exported.set(`${start} ${id}`, sums);
    let count = 0;
    for (const [index, first] of days.slice(0, -1).entries()) {
      const meant = within(records, { ...query, first, end: days[index + 1] as number }, 0);
      for (const model of new Set(meant.map((record) => record.model))) {
        const sums = sumsOf(meant.filter((record) => record.model === model));
        assert.equal(reported.get(model)?.series.calls[index], sums.calls);
        assert.equal(reported.get(model)?.series.charge[index], sums.charge);
        assert.deepEqual(exported.get(`${first} ${model}`), sums);
        count += 1;
      }
    }
    assert.equal(exported.size, count, 'a group without calls on a day has no row');
    assert.ok(count > 10);
  });

test('minutes are sums of the calls that were admitted in them', async (context) => {
  const { subject, reader, records } = await openReports(context, 40);
  const first = Math.floor((records.at(-4)?.admittedAt ?? 0) / MINUTE_MS);
  const query = usageQuery(subject.clock.now(), { interval: 'minute', first, end: first + 120, groupBy: 'key' });
  const report = await reader.usage(query);
  assert.ok(report.totals.calls > 0);
  assert.deepEqual(report.totals, sumsOf(within(records, query, 0)));
  assert.deepEqual(report.previous, sumsOf(within(records, query, -1)));
  assertAddsUp(report);
});

test('pages of groups walk through all of them, in any sort order', async () => {
  const { subject, reader, records } = await openFull();
  const query = usageQuery(subject.clock.now(), { groupBy: 'model' });
  const meant = within(records, query, 0);
  const expected = [...new Set(meant.map(({ model }) => model))].map((id) => ({
    id,
    sums: sumsOf(meant.filter(({ model }) => model === id)),
  }));
  const by = {
    charge: (sums: UsageSums) => sums.charge,
    calls: (sums: UsageSums) => BigInt(sums.calls),
    tokens: (sums: UsageSums) => BigInt(sums.promptTokens + sums.completionTokens),
    failed: (sums: UsageSums) => BigInt(sums.failed),
  };
  for (const name of ['charge', 'calls', 'tokens', 'failed'] as const)
    for (const descending of [true, false]) {
      const walked: { readonly id: string; readonly sums: UsageSums }[] = [];
      for (let offset = 0; ; offset += 2) {
        const page = await reader.usageGroups({ query, sort: { by: name, descending }, offset, limit: 2 });
        assert.equal(page.count, expected.length);
        walked.push(...page.groups);
        if (page.groups.length < 2) break;
      }
      const figures = walked.map(({ sums }) => by[name](sums));
      assert.deepEqual(
        figures,
        figures.toSorted((left, right) => (left < right ? -1 : 1) * (descending ? -1 : 1)),
      );
      assert.deepEqual(
        new Map(walked.map(({ id, sums }) => [id, sums])),
        new Map(expected.map(({ id, sums }) => [id, sums])),
      );
    }
});

test('each filter keeps only matching calls', async () => {
  const { subject, reader, records } = await openFull();
  const query = usageQuery(subject.clock.now());
  const filters: [Partial<UsageQuery>, (record: CallRecord) => boolean][] = [
    [{ projectId: projectId(2) }, (record) => record.projectId === 2],
    [{ keyId: keyId(5) }, (record) => record.keyId === 5],
    [{ model: 'acme/model-3' }, (record) => record.model === 'acme/model-3'],
    [{ provider: 'other' }, (record) => record.provider === 'other'],
    [{ model: 'acme/none' }, () => false],
  ];
  for (const [filter, matches] of filters) {
    const report = await reader.usage({ ...query, ...filter });
    const meant = within(records, query, 0).filter(matches);
    assert.deepEqual(report.totals, sumsOf(meant));
    const timed = meant.filter(({ firstByteMs }) => firstByteMs !== null).length;
    // Without a histogram for the filter, the newest records are read, as many as time permits.
    if ('model' in filter) assert.equal(report.firstBytes.calls, timed);
    else assert.ok(report.firstBytes.calls > 0 && report.firstBytes.calls <= timed);
  }
});

test('another account has its own numbers, and one without calls has zeros', async (context) => {
  const { subject, reader, records } = await openReports(context, 100);
  const query = usageQuery(subject.clock.now(), { accountId: OTHER });
  assert.deepEqual((await reader.usage(query)).totals, sumsOf(within(records, query, 0)));
  const none = await reader.usage({ ...query, accountId: 77 as typeof OTHER, groupBy: 'key' });
  assert.deepEqual([none.totals.calls, none.groups, none.firstBytes], [0, [], { calls: 0, p50Ms: null, p95Ms: null }]);
});

test('percentiles have an error of at most 1.3 %, and calls without timings are not counted', async (context) => {
  const { subject, reader, records } = await openReports(context, 400);
  const query = usageQuery(subject.clock.now(), { first: usageQuery(subject.clock.now()).first - 30 });
  for (const filter of [{}, { keyId: keyId(3) }, { model: 'acme/model-2' }]) {
    const { firstBytes } = await reader.usage({ ...query, ...filter });
    const times = within(records, query, 0)
      .filter((record) => !('keyId' in filter) || record.keyId === filter.keyId)
      .filter((record) => !('model' in filter) || record.model === filter.model)
      .flatMap(({ firstByteMs }) => (firstByteMs === null ? [] : [firstByteMs]))
      .toReversed()
      // For a key the newest records are read, as many as time permits.
      .slice(0, 'keyId' in filter ? firstBytes.calls : undefined)
      .sort((left, right) => left - right);
    assert.ok(firstBytes.calls > 0);
    assert.equal(firstBytes.calls, times.length);
    for (const [reported, part] of [
      [firstBytes.p50Ms, 0.5],
      [firstBytes.p95Ms, 0.95],
    ] as const) {
      const exact = times[Math.ceil(part * times.length) - 1] as number;
      assert.ok(
        reported !== null && Math.abs(reported - exact) <= 0.013 * exact,
        `${reported} is reported for ${exact}`,
      );
    }
  }
});

test('identical concurrent questions share one read, and a later one reads again', async (context) => {
  const { subject, reader } = await openReports(context, 5);
  const query = usageQuery(subject.clock.now());
  const [first, second] = await Promise.all([reader.usage(query), reader.usage({ ...query })]);
  assert.equal(first, second);
  assert.notEqual(await reader.usage(query), first);
});

test('a call settled late is in the next report, however long ago its day was', async (context) => {
  const { subject, reader, records } = await openReports(context, 300);
  const end = hourOf(subject.clock.now()) + 1;
  const query = usageQuery(subject.clock.now(), { interval: 'hour', first: end - 60, end, groupBy: 'model' });
  const before = await reader.usage(query);
  assert.deepEqual(before.totals, sumsOf(within(records, query, 0)));
  assert.deepEqual(before.previous, sumsOf(within(records, query, -1)));
  const late = [30, 90].map((hoursAgo) =>
    bareRecord(sampleSettlement((end - hoursAgo) * HOUR_MS, { accountId: ACME, model: 'acme/late' })),
  );
  await subject.storage.ledger.commit(settlementRows(late));
  const after = await reader.usage(query);
  assert.deepEqual(after.totals, sumsOf(within([...records, ...late], query, 0)));
  assert.deepEqual(after.previous, sumsOf(within([...records, ...late], query, -1)));
  assert.deepEqual([after.totals.calls, after.previous.calls], [before.totals.calls + 1, before.previous.calls + 1]);
});

test('times to first byte are reported by model', async (context) => {
  const { subject, reader, records } = await openReports(context, 200);
  const endHour = hourOf(subject.clock.now()) + 1;
  const reported = await reader.firstBytes({ accountId: ACME, firstHour: endHour - 48, endHour });
  const meant = records.filter(
    ({ accountId, admittedAt, firstByteMs }) =>
      accountId === ACME && firstByteMs !== null && admittedAt >= (endHour - 48) * HOUR_MS,
  );
  assert.deepEqual([...reported.keys()].sort(), [...new Set(meant.map(({ model }) => model))].sort());
  for (const [model, { calls }] of reported)
    assert.equal(calls, meant.filter((record) => record.model === model).length);
});

test('a day file of a version without a histogram is left out, and records rebuilt from settlements are not counted', async (context) => {
  const { subject, reader } = await openReports(context, 0);
  const now = subject.clock.now();
  const { records } = await openReports(context, 20);
  const [kept, bare] = records.slice(-2) as [CallRecord, CallRecord];
  subject.storage.records.append(kept);
  subject.storage.records.append(bareRecord(bare));
  await subject.storage.records.drain();
  const timed = kept.firstByteMs === null ? 0 : 1;
  assert.equal((await reader.usage(usageQuery(now, { accountId: kept.accountId }))).firstBytes.calls, timed);
  const file = new DatabaseSync(join(subject.folder, 'records', '2026-11-21.db'));
  file.exec('PRAGMA user_version = 2');
  file.close();
  assert.equal((await reader.usage(usageQuery(now, { accountId: kept.accountId }))).firstBytes.calls, 0);
});

const MINUTE_MS = 60_000;

function spanIn(interval: 'hour' | 'day', query: UsageQuery): UsageQuery {
  return interval === 'day' ? query : { ...query, interval, first: query.first * 24, end: query.end * 24 };
}

/** The records in the range, shifted by `shift` times its length. */
function within(records: readonly CallRecord[], { accountId, interval, first, end }: UsageQuery, shift: number) {
  const each = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS }[interval];
  const from = (first + shift * (end - first)) * each;
  return records.filter(
    (record) =>
      record.accountId === accountId && record.admittedAt >= from && record.admittedAt < from + (end - first) * each,
  );
}

function sumsOf(records: readonly CallRecord[]): UsageSums {
  const sum = (of: (record: CallRecord) => number) => records.reduce((total, record) => total + of(record), 0);
  return {
    calls: records.length,
    failed: sum(({ ending }) => (ending === 'complete' || ending === 'empty' ? 0 : 1)),
    promptTokens: sum(({ usage }) => promptTokens(usage)),
    completionTokens: sum(({ usage }) => completionTokens(usage)),
    cachedTokens: sum(({ usage }) => usage.cacheReadTokens),
    reasoningTokens: sum(({ usage }) => usage.reasoningTokens),
    charge: records.reduce((total, { charge }) => total + charge, 0n) as UsageSums['charge'],
    cacheHits: sum(({ usageSource }) => (usageSource === 'cache' ? 1 : 0)),
    saved: records.reduce((total, { saved }) => total + saved, 0n) as UsageSums['saved'],
    borneCost: records.reduce(
      (total, { ownCredential, cost }) => total + (ownCredential ? 0n : (cost ?? 0n)),
      0n,
    ) as UsageSums['borneCost'],
  };
}

function groupOf(groupBy: UsageGrouping, record: CallRecord): string {
  if (groupBy === 'none') return '';
  return String(
    { model: record.model, provider: record.provider, key: record.keyId, project: record.projectId }[groupBy],
  );
}

function assertAddsUp({ totals, groups }: UsageReport): void {
  const count = (series: Float64Array) => series.reduce((sum, each) => sum + each, 0);
  const total = (of: (group: UsageReport['groups'][number]) => number) =>
    groups.reduce((sum, group) => sum + of(group), 0);
  assert.equal(
    groups.reduce((sum, group) => sum + group.totals.charge, 0n),
    totals.charge,
  );
  assert.equal(
    groups.reduce((sum, { series }) => series.charge.reduce((all, each) => all + each, sum), 0n),
    totals.charge,
  );
  assert.equal(
    total(({ series }) => count(series.calls)),
    totals.calls,
  );
  assert.equal(
    total(({ series }) => count(series.failed)),
    totals.failed,
  );
  assert.equal(
    total(({ series }) => count(series.promptTokens)),
    totals.promptTokens,
  );
  assert.equal(
    total(({ series }) => count(series.completionTokens)),
    totals.completionTokens,
  );
}
