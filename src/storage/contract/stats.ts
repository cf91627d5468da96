/** The contract of every storage for reports: they add up to what was settled and posted. */
import assert from 'node:assert/strict';
import { dayOf } from '../../core/calendar.ts';
import { newCallId, projectId } from '../../core/ids.ts';
import { completionTokens, promptTokens } from '../../core/usage.ts';
import type { CallRecord, Movement, UsageSums } from '../../stats/ports.ts';
import { bareRecord, callIds, sampleRecord, sampleSettlement, settlementRow } from './sample-rows.ts';
import { ACME, callsQuery, fillStats, movementsQuery, OTHER, usageQuery } from './stats-rows.ts';
import type { Promising } from './storage-under-test.ts';

export function statsPromises(promise: Promising): void {
  promise(
    'a call is returned completely, without its details if it has no record, and null if it does not exist',
    async (subject) => {
      const { storage } = subject;
      const { records } = await fillStats(subject);
      const [first] = records as [CallRecord, ...CallRecord[]];
      assert.deepEqual(await storage.stats.call(first.callId), first);
      const alone = sampleSettlement(subject.clock.now());
      await storage.ledger.commit([settlementRow(alone)]);
      assert.deepEqual(await storage.stats.call(alone.callId), bareRecord(alone));
      assert.equal(await storage.stats.call(newCallId(subject.clock.now())), null);
      const mine = records.filter((record) => record.accountId === ACME);
      const owner = { accountId: ACME, projectId: null };
      assert.deepEqual(await storage.stats.callByUpstreamId('msg_0123', owner), mine.at(-1));
      assert.equal(await storage.stats.callByUpstreamId('msg_0123', { ...owner, projectId: projectId(99) }), null);
      assert.deepEqual(
        await storage.stats.firstCall(OTHER),
        records.find((record) => record.accountId === OTHER),
      );
    },
  );

  promise('usage adds up by hour and by day, by group, and in exports', async (subject) => {
    const { records } = await fillStats(subject);
    const { stats } = subject.storage;
    const mine = records.filter((record) => record.accountId === ACME);
    for (const interval of ['hour', 'day'] as const) {
      const days = usageQuery(subject.clock.now(), { interval, groupBy: 'model', groups: 2 });
      const each = interval === 'hour' ? 24 : 1;
      const query = { ...days, first: days.first * each, end: days.end * each };
      const report = await stats.usage(query);
      assert.deepEqual(report.totals, sumsOf(mine));
      assert.equal(report.previous.calls, 0);
      assert.deepEqual(
        report.groups.map(({ kind }) => kind),
        ['one', 'one', 'rest'],
      );
      const charges = report.groups.flatMap(({ series }) => [...series.charge]);
      assert.equal(sum(charges), report.totals.charge);
      const ofModel = await stats.usage({ ...query, model: 'acme/model-1' });
      assert.deepEqual(ofModel.totals, sumsOf(mine.filter(({ model }) => model === 'acme/model-1')));
      const rows = (await Array.fromAsync(stats.allUsage(query))).flat();
      assert.equal(sum(rows.map(({ sums }) => sums.charge)), report.totals.charge);
    }
    const { groups, count } = await stats.usageGroups({
      query: usageQuery(subject.clock.now(), { groupBy: 'key' }),
      sort: { by: 'charge', descending: true },
      offset: 0,
      limit: 2,
    });
    const byKey = Map.groupBy(mine, ({ keyId }) => String(keyId));
    assert.deepEqual([groups.length, count], [2, byKey.size]);
    for (const { id, sums } of groups) assert.deepEqual(sums, sumsOf(byKey.get(id) ?? []));
    const bytes = await stats.firstBytes({
      accountId: ACME,
      firstHour: 0,
      endHour: dayOf(subject.clock.now()) * 24 + 24,
    });
    const timed = mine.filter(({ firstByteMs }) => firstByteMs !== null);
    assert.equal(
      [...bytes.values()].reduce((calls, each) => calls + each.calls, 0),
      timed.length,
    );
  });

  promise('activity is listed by day, model and provider, newest day first', async (subject) => {
    const { records } = await fillStats(subject);
    const day = dayOf(subject.clock.now());
    const query = { accountId: ACME, projectId: null, keyId: null, firstDay: day - 30, lastDay: day };
    const rows = await subject.storage.stats.activity(query);
    const mine = records.filter((record) => record.accountId === ACME);
    assert.equal(sum(rows.map(({ charge }) => charge)), sumsOf(mine).charge);
    assert.equal(sum(rows.map(({ calls }) => BigInt(calls))), BigInt(mine.length));
    const days = rows.map((row) => row.day);
    assert.deepEqual(
      days,
      days.toSorted((left, right) => right - left),
    );
  });

  promise('pages of calls walk through all of them, newest first, with and without a filter', async (subject) => {
    const { records } = await fillStats(subject);
    const { stats } = subject.storage;
    const mine = records.filter((record) => record.accountId === ACME).toReversed();
    const walk = async (changes: Parameters<typeof callsQuery>[0]) => {
      const found = [];
      for (let before = null as ReturnType<typeof callsQuery>['before']; ; ) {
        const { calls, next } = await stats.calls(callsQuery({ limit: 7, ...changes, before }));
        found.push(...calls);
        if (next === null) return found;
        before = next;
      }
    };
    assert.deepEqual(callIds(await walk({})), callIds(mine));
    const failed = mine.filter(({ ending }) => ending !== 'complete' && ending !== 'empty');
    assert.deepEqual(callIds(await walk({ outcome: 'failed' })), callIds(failed));
    const { before: _before, limit: _limit, ...all } = callsQuery();
    // A call whose record is not on disk yet.
    const newest = sampleRecord(sampleSettlement(subject.clock.now()));
    await subject.storage.ledger.commit([settlementRow(newest)]);
    subject.storage.records.append(newest);
    assert.deepEqual(callIds((await Array.fromAsync(stats.allCalls(all))).flat()), callIds([newest, ...mine]));
  });

  promise(
    'pages of movements walk through all of them and add up to the balance, and so do months',
    async (subject) => {
      const { entries } = await fillStats(subject);
      const { stats, ledger } = subject.storage;
      const found: Movement[] = [];
      for (let before = null as ReturnType<typeof movementsQuery>['before']; ; ) {
        const { movements, next } = await stats.movements(movementsQuery({ limit: 7, before }));
        found.push(...movements);
        if (next === null) break;
        before = next;
      }
      const { balances } = await ledger.load();
      assert.equal(sum(found.map(({ amount }) => amount)), balances.get(ACME)?.balance);
      assert.equal(found.filter(({ kind }) => kind !== 'charge').length, entries);
      const { before: _before, limit: _limit, ...all } = movementsQuery();
      const batches = await Array.fromAsync(stats.allMovements(all));
      assert.deepEqual(
        batches.flatMap(({ movements }) => movements),
        found,
      );
      const { months } = await stats.months({ accountId: ACME, before: null, limit: 12, nowMs: subject.clock.now() });
      assert.equal(months[0]?.closing, balances.get(ACME)?.balance);
      assert.equal(months.at(-1)?.opening, 0n);
    },
  );
}

function sumsOf(records: readonly CallRecord[]): UsageSums {
  const count = (of: (record: CallRecord) => number) => records.reduce((total, record) => total + of(record), 0);
  return {
    calls: records.length,
    failed: count(({ ending }) => (ending === 'complete' || ending === 'empty' ? 0 : 1)),
    promptTokens: count(({ usage }) => promptTokens(usage)),
    completionTokens: count(({ usage }) => completionTokens(usage)),
    cachedTokens: count(({ usage }) => usage.cacheReadTokens),
    reasoningTokens: count(({ usage }) => usage.reasoningTokens),
    charge: sum(records.map(({ charge }) => charge)) as UsageSums['charge'],
    cacheHits: count(({ usageSource }) => (usageSource === 'cache' ? 1 : 0)),
    saved: sum(records.map(({ saved }) => saved)) as UsageSums['saved'],
    borneCost: sum(
      records.map(({ ownCredential, cost }) => (ownCredential ? 0n : (cost ?? 0n))),
    ) as UsageSums['borneCost'],
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
