/** Goal: reports are correct, complete and finish in time. Method: a real storage with a separate reader. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { dayOf } from '../../../core/calendar.ts';
import { GatewayError } from '../../../core/errors.ts';
import { accountId, keyId, newCallId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import type { ActivityQuery } from '../../../stats/ports.ts';
import { bareRecord, sampleRecord, sampleSettlement, settlementRows } from '../../contract/sample-rows.ts';
import type { QuestionReader } from '../../stats/question-reader.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../sqlite-under-test.ts';
import { openSqliteReader, type SqliteReaderParts } from './sqlite-answerer.ts';

const DAY_MS = 86_400_000;
const ACME = { accountId: accountId(1), projectId: null };

test('a call is found completely as soon as it is recorded', async (context) => {
  const { subject, reader } = await open(context);
  const record = sampleRecord(sampleSettlement(subject.clock.now()));
  subject.storage.records.append(record);
  assert.deepEqual(await reader.call(record.callId), record);
  assert.deepEqual(await reader.callByUpstreamId('msg_0123', ACME), record);
});

test('a call without a record is read from its settlement', async (context) => {
  const { subject, reader } = await open(context);
  const settlement = sampleSettlement(subject.clock.now());
  await subject.storage.ledger.commit(settlementRows([settlement]));
  assert.deepEqual(await reader.call(settlement.callId), bareRecord(settlement));
});

test('unknown calls are not found', async (context) => {
  const { subject, reader } = await open(context);
  assert.equal(await reader.call(newCallId(subject.clock.now())), null);
  assert.equal(await reader.callByUpstreamId('msg_none', ACME), null);
});

test('the newest call with a provider’s id is found, among its owner’s calls only', async (context) => {
  const { subject, reader } = await open(context);
  const now = subject.clock.now();
  const own = [3, 2, 2].map((days) => sampleRecord(sampleSettlement(now - days * DAY_MS)));
  const others = [
    sampleSettlement(now, { accountId: accountId(9) }),
    sampleSettlement(now - DAY_MS, { projectId: projectId(9) }),
  ].map((settlement) => sampleRecord(settlement));
  for (const record of [...own, ...others]) subject.storage.records.append(record);
  const inProject = { accountId: accountId(1), projectId: projectId(2) };
  assert.deepEqual(await reader.callByUpstreamId('msg_0123', inProject), own[2]);
  assert.deepEqual(await reader.callByUpstreamId('msg_0123', ACME), others[1]);
  assert.deepEqual(await reader.callByUpstreamId('msg_0123', { accountId: accountId(9), projectId: null }), others[0]);
});

test('activity sums up an account’s days by model and provider, newest first', async (context) => {
  const { subject, reader } = await open(context);
  const now = subject.clock.now();
  const settlements = [
    sampleSettlement(now - DAY_MS),
    sampleSettlement(now),
    sampleSettlement(now + 1, { keyId: keyId(4), ending: 'caller_left' }),
    sampleSettlement(now, { model: 'acme/small', provider: 'other', projectId: projectId(5) }),
    sampleSettlement(now, { accountId: accountId(9) }),
    sampleSettlement(now - 40 * DAY_MS),
  ];
  await subject.storage.ledger.commit(settlementRows(settlements));
  const { usage, cost, charge } = settlements[0] as (typeof settlements)[0];
  const today = dayOf(now);
  const expected = (day: number, calls: number, failed: number, model = 'acme/large', provider = 'acme') => ({
    day,
    model,
    provider,
    calls,
    failed,
    promptTokens: calls * promptTokens(usage),
    completionTokens: calls * completionTokens(usage),
    cachedTokens: calls * usage.cacheReadTokens,
    reasoningTokens: calls * usage.reasoningTokens,
    cost: nanoUsd(BigInt(calls) * (cost ?? 0n)),
    charge: nanoUsd(BigInt(calls) * charge),
    ownCost: nanoUsd(BigInt(calls) * (cost ?? 0n)),
  });
  const query = lastMonth(today);
  assert.deepEqual(await reader.activity(query), [
    expected(today, 2, 1),
    expected(today, 1, 0, 'acme/small', 'other'),
    expected(today - 1, 1, 0),
  ]);
  assert.deepEqual(await reader.activity({ ...query, projectId: projectId(5) }), [
    expected(today, 1, 0, 'acme/small', 'other'),
  ]);
  assert.deepEqual(await reader.activity({ ...query, keyId: keyId(4) }), [expected(today, 1, 1)]);
  assert.deepEqual(await reader.activity({ ...query, projectId: projectId(2), lastDay: today - 1 }), [
    expected(today - 1, 1, 0),
  ]);
});

test('concurrent questions are all answered', async (context) => {
  const { subject, reader } = await open(context);
  const records = Array.from({ length: 20 }, () => sampleRecord(sampleSettlement(subject.clock.now())));
  for (const record of records) subject.storage.records.append(record);
  assert.deepEqual(await Promise.all(records.map(({ callId }) => reader.call(callId))), records);
});

test('questions beyond an account’s share of the queue are refused; others’ and later ones are answered', async (context) => {
  const { subject, reader } = await open(context);
  const query = lastMonth(dayOf(subject.clock.now()));
  const flood = Array.from({ length: 70 }, () => reader.activity(query).catch((error: unknown) => error));
  const others = [2, 3, 4].map((account) => reader.activity({ ...query, accountId: accountId(account) }));
  assert.deepEqual(await Promise.all(others), [[], [], []]);
  const refused = (await Promise.all(flood)).filter((each) => each instanceof Error);
  assert.equal(refused.length, 70 - 32);
  for (const reason of refused) assert.ok(reason instanceof GatewayError && reason.status === 503);
  assert.deepEqual(await reader.activity(query), []);
});

test('accounts take turns: an account that asks much delays only itself', async (context) => {
  const { subject, reader } = await open(context);
  const query = lastMonth(dayOf(subject.clock.now()));
  let answered = 0;
  const flood = Array.from({ length: 30 }, () => reader.activity(query).then(() => (answered += 1)));
  await reader.activity({ ...query, accountId: accountId(2) });
  assert.ok(answered < 20, `${answered} of 30 were answered before`);
  await Promise.all(flood);
});

test('a question that takes too long is refused with a 503', async (context) => {
  const { subject, reader } = await open(context, { deadlineMs: 1e-6 });
  await subject.storage.ledger.commit(settlementRows([sampleSettlement(subject.clock.now())]));
  await assert.rejects(reader.activity(lastMonth(dayOf(subject.clock.now()))), { code: 'shedding', status: 503 });
});

test('a question does not wait for records that cannot be written: the call is read from its settlement', async (context) => {
  const { subject, reader } = await open(context, { drainRecords: () => new Promise(() => {}) });
  const settlement = sampleSettlement(subject.clock.now());
  await subject.storage.ledger.commit(settlementRows([settlement]));
  const found = reader.call(settlement.callId);
  subject.clock.advance(500);
  assert.deepEqual(await found, bareRecord(settlement));
});

test('a closed reader refuses questions', async (context) => {
  const { reader, subject } = await open(context);
  assert.equal(await reader.call(newCallId(subject.clock.now())), null);
  await reader.close();
  await assert.rejects(reader.call(newCallId(subject.clock.now())), { status: 503 });
});

function lastMonth(today: number): ActivityQuery {
  return { accountId: accountId(1), projectId: null, keyId: null, firstDay: today - 30, lastDay: today };
}

async function open(
  context: TestContext,
  changes: Partial<SqliteReaderParts> = {},
): Promise<{ subject: SqliteUnderTest; reader: QuestionReader }> {
  const subject = await openSqliteUnderTest();
  const reader = openSqliteReader({
    paths: { ledger: subject.databasePath, records: join(subject.folder, 'records') },
    clock: subject.clock,
    drainRecords: () => subject.storage.records.drain(),
    ...changes,
  });
  context.after(async () => {
    await reader.close();
    await subject.dispose();
  });
  return { subject, reader };
}
