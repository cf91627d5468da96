/** Goal: lists of calls and movements show each once, newest first, for every filter and however short the time. Method: a real storage, compared with filtering records in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallId, keyId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { type CallFilter, matchesFilter } from '../../../stats/call-list.ts';
import type { CallSummary, CallsQuery, Movement, MovementsCursor, MovementsQuery } from '../../../stats/ports.ts';
import { NO_RULES, sampleEntry } from '../../contract/sample-rows.ts';
import { ACME, anyCall, callsQuery, DAY_MS, OTHER } from '../../contract/stats-rows.ts';
import type { QuestionReader } from '../../stats/question-reader.ts';
import { openReports, shareReports } from './reports-under-test.ts';

const openFull = shareReports(150);

const FILTERS: readonly Partial<CallFilter>[] = [
  {},
  { projectId: projectId(2) },
  { keyId: keyId(4) },
  { model: 'acme/model-3' },
  { provider: 'other' },
  { status: { from: 400, to: 499 } },
  { status: { from: 503, to: 503 } },
  { outcome: 'ok' },
  { outcome: 'failed' },
  { ending: 'caller_left' },
  { streamed: true },
  { streamed: false },
  { minCharge: nanoUsd(5_000_000n) },
  { minDurationMs: 600 },
  { model: 'acme/none' },
  { outcome: 'failed', streamed: true, provider: 'acme' },
  { labels: { user: 'user-1', app: null, metadata: null } },
  { labels: { user: null, app: 'Harbour 灯', metadata: null } },
  { labels: { user: null, app: null, metadata: { name: 'tide', value: 'high' } } },
  { labels: { user: 'user-1', app: 'Harbour 灯', metadata: { name: 'toString', value: '' } } },
];

for (const filter of FILTERS)
  test(`calls are listed by ${describeFilter(filter)}`, async () => {
    const { reader, records } = await openFull();
    const asked = { ...anyCall, ...filter };
    const expected = records.filter((record) => record.accountId === ACME && matchesFilter(asked, record));
    const { calls, next } = await reader.calls(callsQuery({ ...filter, limit: 200 }));
    assert.deepEqual(ids(calls), ids(expected).reverse());
    assert.equal(next, null);
  });

test('pages of calls walk through all of them once', async () => {
  const { reader, records } = await openFull();
  const walked = await walkCalls(reader, callsQuery({ limit: 7 }));
  assert.deepEqual(walked, ids(records.filter(({ accountId }) => accountId === ACME)).reverse());
  assert.deepEqual(
    await walkCalls(reader, callsQuery({ accountId: OTHER, limit: 1 })),
    ids(records.filter(({ accountId }) => accountId === OTHER)).reverse(),
  );
});

test('without time, pages are short and say how far the search got, and walking through them still finds all', async (context) => {
  const { reader, records } = await openReports(context, 10, { searchMs: 0 });
  const first = await reader.calls(callsQuery());
  assert.ok(first.next !== null && first.searchedToMs !== null);
  assert.ok(first.calls.every(({ admittedAt }) => admittedAt >= (first.searchedToMs as number)));
  const expected = records.filter(({ accountId }) => accountId === ACME);
  assert.deepEqual(await walkCalls(reader, callsQuery()), ids(expected).reverse());
});

test('a time range limits the list, its end not included', async () => {
  const { subject, reader, records } = await openFull();
  const [fromMs, toMs] = [subject.clock.now() - 3 * DAY_MS, records.at(-5)?.admittedAt as number];
  const expected = records.filter(
    (each) => each.accountId === ACME && each.admittedAt >= fromMs && each.admittedAt < toMs,
  );
  const { calls } = await reader.calls(callsQuery({ fromMs, toMs, limit: 200 }));
  assert.deepEqual(ids(calls), ids(expected).reverse());
});

test('pages of charges and entries walk through all of them once, newest first', async (context) => {
  for (const [count, searchMs] of [
    [80, 60_000],
    [8, 0],
  ] as const) {
    const { subject, reader, records } = await openReports(context, count, { searchMs });
    const refunded = records.find(({ accountId }) => accountId === ACME);
    for (let day = 5; day >= 0; day -= 1)
      await subject.storage.ledger.post(
        sampleEntry({
          reference: `day-${day}`,
          at: subject.clock.now() - day * DAY_MS,
          ...(day === 2 ? refundOf(refunded?.callId) : {}),
        }),
        NO_RULES,
      );
    await subject.storage.ledger.post(
      sampleEntry({ accountId: OTHER, reference: 'not theirs', at: subject.clock.now() }),
      NO_RULES,
    );
    const charges = records.filter(({ accountId }) => accountId === ACME);
    const query = { accountId: ACME, kind: 'all', fromMs: null, toMs: null, before: null, limit: 9 } as const;
    const walked = await walkMovements(reader, query);
    assert.equal(walked.length, charges.length + 6);
    const times = walked.map(({ at }) => at);
    assert.deepEqual(
      times,
      times.toSorted((left, right) => right - left),
    );
    const charged = walked.filter(({ kind }) => kind === 'charge');
    assert.deepEqual(
      charged.map(({ callId }) => callId),
      ids(charges).reverse(),
    );
    assert.equal(
      -charged.reduce((sum, { amount }) => sum + amount, 0n),
      charges.reduce((sum, { charge }) => sum + charge, 0n),
    );
    const refund = walked.find(({ kind }) => kind === 'refund');
    assert.deepEqual(
      [refund?.callId, refund?.model, refund?.keyId],
      [refunded?.callId, refunded?.model, refunded?.keyId],
    );
    assert.equal((await walkMovements(reader, { ...query, kind: 'entries' })).length, 6);
    assert.equal((await walkMovements(reader, { ...query, kind: 'charges' })).length, charges.length);
    const fromMs = subject.clock.now() - DAY_MS;
    assert.deepEqual(
      await walkMovements(reader, { ...query, fromMs }),
      walked.filter(({ at }) => at >= fromMs),
    );
  }
});

test('the first call of an account is found, not another account’s', async (context) => {
  const { reader, records } = await openReports(context, 30);
  for (const account of [ACME, OTHER])
    assert.deepEqual(
      await reader.firstCall(account),
      records.find(({ accountId }) => accountId === account),
    );
  assert.equal(await reader.firstCall(77 as typeof ACME), null);
});

function refundOf(callId: CallId | undefined) {
  return { kind: 'refund', callId: callId ?? null, amount: nanoUsd(1n) } as const;
}

async function walkCalls(reader: QuestionReader, query: CallsQuery): Promise<CallId[]> {
  const walked: CallSummary[] = [];
  for (let before: CallId | null = null; ; ) {
    const page = await reader.calls({ ...query, before });
    walked.push(...page.calls);
    before = page.next;
    if (before === null) return ids(walked);
  }
}

async function walkMovements(reader: QuestionReader, query: MovementsQuery): Promise<Movement[]> {
  const walked: Movement[] = [];
  for (let before: MovementsCursor | null = null; ; ) {
    const page = await reader.movements({ ...query, before });
    walked.push(...page.movements);
    before = page.next;
    if (before === null) return walked;
  }
}

function ids(calls: readonly { readonly callId: CallId }[]): CallId[] {
  return calls.map(({ callId }) => callId);
}

function describeFilter(filter: Partial<CallFilter>): string {
  return JSON.stringify(filter, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
}
