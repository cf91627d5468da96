/** Goal: reports follow the contract, name revoked keys, and reveal nothing of other accounts. Method: the handlers over a real storage. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Account } from '../../../accounts/ports.ts';
import { LedgerBank } from '../../../billing/ledger-bank.ts';
import { type AccountId, accountId, generationId, newCallId } from '../../../core/ids.ts';
import { parseUsd } from '../../../core/money.ts';
import { LiveCalls } from '../../../stats/live-calls.ts';
import type { CallRecord } from '../../../stats/ports.ts';
import { Recorder } from '../../../stats/recorder.ts';
import { Refusals } from '../../../stats/refusals.ts';
import { bareRecord, NO_RULES, sampleEntry, settlementRows } from '../../../storage/contract/sample-rows.ts';
import { openReports } from '../../../storage/sqlite/reports/reports-under-test.ts';
import { balanceRoutes } from '../../contract/balance.ts';
import { callRoutes } from '../../contract/calls.ts';
import type { Declared } from '../../contract/route.ts';
import { usageRoutes } from '../../contract/usage.ts';
import { parseInput } from '../../parse-input.ts';
import { csvLine } from '../door/csv.ts';
import { type Change, type Context, EventAnswer, type Handler, TableAnswer } from '../door/handler.ts';
import { balanceHandlers } from '../money/balance.ts';
import { callHandlers } from './calls.ts';
import { usageHandlers } from './usage.ts';

const routes = { ...usageRoutes, ...callRoutes, ...balanceRoutes };
type Name = keyof typeof routes;

test('usage follows the contract, with names of keys', async (context) => {
  const { ask } = await open(context);
  const { data } = await ask('readUsage', {
    from: '2026-11-01T00:00:00Z',
    to: '2026-11-22T00:00:00Z',
    group_by: 'key',
  });
  assert.deepEqual([data.interval, data.starts.length], ['day', 21]);
  const names = data.groups.map((group: { name: string }) => group.name).sort();
  assert.deepEqual(names, ['=first', 'Key 2', 'Key 3', 'Key 4', 'Key 5', 'Key 6']);
  const table = await ask('readUsage', {
    from: '2026-11-01T00:00:00Z',
    to: '2026-11-22T00:00:00Z',
    group_by: 'key',
    format: 'csv',
  });
  const lines = await linesOf(table);
  assert.ok(lines.some((line) => line.includes(",1,'=first,")));
  // Two calls of one group on one day are one line; the totals are the page's.
  const { totals } = data;
  assert.equal(
    lines.at(-1),
    `total,,,${totals.spend},${totals.requests},${totals.failed},${totals.prompt_tokens},${totals.completion_tokens},${totals.cached_tokens},${totals.reasoning_tokens},${totals.cache_hits},${totals.saved}`,
  );
  await assert.rejects(
    ask('readUsage', { from: '2026-01-01T00:00:00Z', to: '2026-11-22T00:00:00Z', interval: 'hour' }),
    {
      code: 'invalid_value',
    },
  );
});

test('a call is shown in full to its account, and not found by another', async (context) => {
  const { ask, records } = await open(context);
  const record = records.find((each) => each.accountId === 1) as CallRecord;
  const call = generationId(record.callId);
  const { data } = await ask('readCall', {}, { params: { call } });
  assert.equal(data.request_id, call.replace(/^gen-/, 'req_'));
  assert.deepEqual([data.id, data.attempts.length, data.tokens.input, data.has_bodies], [call, 2, 412, true]);
  const { start_ms, end_ms, duration_ms } = data.attempts[0] ?? {};
  assert.deepEqual([start_ms, end_ms, duration_ms], [0.1, 12.3, 12.2]);
  for (const name of ['readCall', 'readBodies', 'deleteBodies'] as const)
    for (const params of [{ call }, { call: 'no id' }])
      await assert.rejects(ask(name, {}, { account: 2, params }), { code: 'not_found' });
  const { data: bodies } = await ask('readBodies', {}, { params: { call } });
  assert.deepEqual([bodies.request, bodies.response], ['hello', null]);
});

test('calls and movements are listed per account, in pages', async (context) => {
  const { ask, records } = await open(context);
  for (const account of [1, 2]) {
    const expected = records.filter((each) => each.accountId === account).map(({ callId }) => generationId(callId));
    const calls: string[] = [];
    const moved: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await ask('listCalls', { limit: 10, ...(cursor === '' ? {} : { cursor }) }, { account });
      calls.push(...page.data.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
    }
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await ask(
        'listMovements',
        { kind: 'charges', limit: 10, ...(cursor === '' ? {} : { cursor }) },
        { account },
      );
      moved.push(...page.data.map((each: { call: string }) => each.call));
      cursor = page.next_cursor;
    }
    assert.deepEqual([calls, moved], [expected.toReversed(), expected.toReversed()]);
  }
  for (const name of ['listCalls', 'listMovements'] as const)
    await assert.rejects(ask(name, { cursor: 'what?' }), { code: 'invalid_value' });
  const moved = await linesOf(await ask('listMovements', { format: 'csv' }));
  assert.ok(moved.length > 30 && moved.some((line) => line.includes(",'=first,")));
  const { data: balance } = await ask('readBalance', {});
  assert.equal(moved.at(-1), `total,,${balance.balance},,,,,,,${moved.length - 2} rows`);
  const listed = await linesOf(await ask('listCalls', { format: 'csv' }));
  const { data: totals } = await ask('readUsage', { from: '2026-11-01T00:00:00Z', to: '2026-11-22T00:00:00Z' });
  const { spend, requests, prompt_tokens, completion_tokens } = totals.totals;
  assert.equal(
    listed.at(-1),
    `total,${requests} calls,,,,,,,,,,,${prompt_tokens},${completion_tokens},${spend},,,,,,,`,
  );
});

test('calls are found by the caller’s labels, and shown and exported with them', async (context) => {
  const { ask, records } = await open(context);
  const ofAccount = records.filter(
    ({ labels, accountId: account }) => labels?.app === 'Harbour 灯' && account === accountId(1),
  );
  const { data } = await ask('listCalls', { app: 'Harbour 灯', limit: 100 });
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    ofAccount.map(({ callId }) => generationId(callId)).reverse(),
  );
  assert.ok(data.length > 0 && data.every(({ app }: { app: string }) => app === 'Harbour 灯'));
  const { data: tides } = await ask('listCalls', { metadata: 'tide:low', limit: 100 });
  assert.ok(tides.length > 0);
  const lines = await linesOf(await ask('listCalls', { user: 'user-1', format: 'csv' }));
  assert.ok(
    lines.length > 2 &&
      lines.slice(1, -1).every((line) => line.endsWith(',user-1,Harbour 灯,https://harbour.example/,')),
  );
});

test('the usage table has every group, no "Other", and all requested intervals', async (context) => {
  const { ask } = await open(context);
  const time = { from: '2026-11-01T00:00:00Z', to: '2026-11-22T00:00:00Z' };
  const query = { ...time, interval: 'hour', group_by: 'model', groups: 2 };
  const lines = await linesOf(await ask('readUsage', { ...query, format: 'csv' }));
  const groups = new Set(lines.slice(1, -1).map((line) => line.split(',')[1]));
  assert.deepEqual(
    [...groups].toSorted(),
    Array.from({ length: 7 }, (_, index) => `acme/model-${index}`),
  );
  const starts = lines.slice(1, -1).map((line) => line.split(',')[0] ?? '');
  assert.deepEqual(starts, starts.toSorted());
});

test('statements are paged, and the table of a month has its balances around its rows', async (context) => {
  const { ask, clock } = await open(context);
  const { data: balance } = await ask('readBalance', {});
  const months: Record<string, number & string & boolean>[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await ask('listMonths', { limit: 60, ...(cursor === '' ? {} : { cursor }) });
    months.push(...page.data);
    cursor = page.next_cursor;
  }
  const [running, before] = months;
  assert.deepEqual(
    [running?.['month'], running?.['from'], running?.['closing']],
    ['2026-11', '2026-11-01T00:00:00.000Z', balance.balance],
  );
  assert.equal(months.at(-1)?.['month'], '1970-01', 'where the first entry is');
  assert.equal(before?.['closing'], running?.['opening']);
  const lines = await linesOf(await ask('listMovements', { month: '2026-11', format: 'csv' }));
  const now = new Date(clock.now()).toISOString();
  assert.ok(now < '2026-12-01', 'the current month has no closing yet');
  assert.equal(lines[1], `${now},so far,${running?.['closing']},,,,,,,`);
  assert.equal(lines.at(-2), `2026-11-01T00:00:00.000Z,opening,${running?.['opening']},,,,,,,`);
  const over = await linesOf(await ask('listMovements', { month: '2026-10', format: 'csv' }));
  assert.equal(over[1], `2026-11-01T00:00:00.000Z,closing,${before?.['closing']},,,,,,,`);
  const moved = lines.slice(2, -2);
  assert.ok(moved.length > 10 && moved.every((line) => line.startsWith('2026-11-') && line.includes(',charge,')));
  assert.equal(lines.at(-1), `total,,${running?.['charges']},,,,,,,${moved.length} rows`);
  const { data: rows } = await ask('listMovements', { month: '2026-11', limit: 200 });
  assert.equal(rows.length, moved.length);
  for (const [name, query] of [
    ['listMovements', { month: '2026-11', from: '2026-11-01T00:00:00Z' }],
    ['listMovements', { month: '2026-13' }],
    ['listMonths', { cursor: 'what?' }],
    ['listMonths', { cursor: '20000.1e9' }],
  ] as const)
    await assert.rejects(ask(name, query), { code: 'invalid_value' });
});

test('a date bounds a time range like the start of that UTC day, and other texts get the accepted forms', async (context) => {
  const { ask } = await open(context);
  const days = { from: '2026-11-01', to: '2026-11-22' };
  const instants = { from: '2026-11-01T00:00:00Z', to: '2026-11-22T00:00:00Z' };
  for (const name of ['readUsage', 'listCalls', 'listMovements'] as const) {
    const answer = await ask(name, days);
    assert.deepEqual(answer, await ask(name, instants), name);
    for (const from of ['2026-11-01T00:00:00', '2026-02-30', '2026-11', 'yesterday', ''])
      await assert.rejects(ask(name, { ...days, from }), {
        code: 'invalid_value',
        param: 'from',
        message: 'from: it must be a date or a time with an offset, such as 2027-01-31 or 2027-01-31T12:00:00Z.',
      });
  }
  await assert.rejects(ask('readUsage', { to: days.to }), { message: 'from: it is missing.' });
});

test('days are in the requested time zone, also in the file', async (context) => {
  const { ask } = await open(context);
  const query = {
    from: '2026-11-10T23:00:00Z',
    to: '2026-11-21T23:00:00Z',
    time_zone: 'Europe/Berlin',
    interval: 'day',
    group_by: 'model',
  };
  const { data } = await ask('readUsage', query);
  assert.deepEqual(
    [data.from, data.to, data.time_zone, data.starts.length, data.starts[1]],
    ['2026-11-10T23:00:00.000Z', '2026-11-21T23:00:00.000Z', 'Europe/Berlin', 11, '2026-11-11T23:00:00.000Z'],
  );
  const lines = await linesOf(await ask('readUsage', { ...query, format: 'csv' }));
  for (const line of lines.slice(1, -1)) assert.ok(data.starts.includes(line.split(',')[0]));
  assert.ok(lines.at(-1)?.startsWith(`total,,,${data.totals.spend},${data.totals.requests},`));
  for (const interval of ['day', 'hour'])
    for (const time_zone of ['Europe/Nowhere', 'T00', '2026-11-01T00:00Z'])
      await assert.rejects(ask('readUsage', { ...query, interval, time_zone }), {
        code: 'invalid_value',
        param: 'time_zone',
      });
  await assert.rejects(ask('readUsage', { ...query, from: '9999-12-30T00:00:00Z', to: '9999-12-31T23:59:59Z' }), {
    code: 'invalid_value',
    param: 'to',
  });
});

test('an operator’s usage table ends with the margin, line by line and in total; other tables do not have it', async (context) => {
  const { ask } = await open(context);
  const query = { from: '2026-11-01T00:00:00Z', to: '2026-11-22T00:00:00Z', group_by: 'model' };
  const { data } = await ask('readUsage', query, { isOperator: true });
  const lines = await linesOf(await ask('readUsage', { ...query, format: 'csv' }, { isOperator: true }));
  const plain = await linesOf(await ask('readUsage', { ...query, format: 'csv' }));
  assert.deepEqual(
    lines.map((line) => line.slice(0, line.lastIndexOf(','))),
    plain,
  );
  const [head, ...margins] = lines.map((line) => line.slice(line.lastIndexOf(',') + 1));
  const total = margins.pop() ?? '';
  assert.deepEqual([head, Number(total)], ['margin_usd', data.totals.margin]);
  assert.equal(
    margins.reduce((sum, margin) => sum + parseUsd(margin), 0n),
    parseUsd(total),
  );
});

test('usage by the minute covers at most two hours', async (context) => {
  const { ask } = await open(context);
  const query = { interval: 'minute', from: '2026-11-21T08:00:30Z', group_by: 'none' };
  const { data } = await ask('readUsage', { ...query, to: '2026-11-21T09:00:00Z' });
  assert.deepEqual([data.interval, data.starts.length, data.starts[0]], ['minute', 60, '2026-11-21T08:00:00.000Z']);
  await assert.rejects(ask('readUsage', { ...query, to: '2026-11-21T11:00:00Z' }), { code: 'invalid_value' });
});

test('pages cover every group', async (context) => {
  const { ask } = await open(context);
  const time = { from: '2026-11-01T00:00:00Z', to: '2026-11-22T00:00:00Z', group_by: 'key' };
  const names: string[] = [];
  let spend = 0n;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await ask('listUsageGroups', {
      ...time,
      sort: 'requests',
      limit: 4,
      ...(cursor === '' ? {} : { cursor }),
    });
    assert.equal(page.total_count, 6);
    names.push(...page.data.map(({ name }: { name: string }) => name));
    for (const { totals } of page.data) spend += parseUsd(String(totals.spend));
    cursor = page.next_cursor;
  }
  assert.deepEqual(names.toSorted(), ['=first', 'Key 2', 'Key 3', 'Key 4', 'Key 5', 'Key 6']);
  assert.equal(spend, parseUsd(String((await ask('readUsage', time)).data.totals.spend)));
  await assert.rejects(ask('listUsageGroups', { ...time, cursor: '-1' }), { code: 'invalid_value' });
  await assert.rejects(ask('listUsageGroups', { ...time, group_by: 'none' }), { code: 'invalid_value' });
});

test('entries are posted once and audited once; another account’s call cannot be refunded', async (context) => {
  const { ask, records, audited } = await open(context);
  const body = { amount: '500', reference: 'invoice 1' };
  const [first, again] = [await ask('addEntry', {}, { body }), await ask('addEntry', {}, { body })];
  assert.deepEqual([first.is_new, again.is_new], [true, false]);
  const theirs = records.find((each) => each.accountId === 2 && each.charge > 1n) as CallRecord;
  const refund = { call: generationId(theirs.callId), reference: 'refund 1' };
  await assert.rejects(ask('refundCall', {}, { body: refund }), { code: 'not_found' });
  const { data } = await ask('refundCall', {}, { account: 2, body: refund });
  assert.deepEqual([data.kind, data.call, data.model], ['refund', refund.call, theirs.model]);
  assert.deepEqual(
    audited.map(({ action }) => action),
    ['balance.add', 'balance.refund'],
  );
  const { data: balance } = await ask('readBalance', {});
  assert.ok(balance.days_left > 0);
});

test('an account follows its calls live', async (context) => {
  const { ask, recorder, clock, records } = await open(context);
  const answer = await ask('followCalls', { status: 'ok' });
  assert.ok(answer instanceof EventAnswer);
  const events = answer.events[Symbol.asyncIterator]();
  const next = events.next();
  await Promise.resolve();
  for (const record of records.slice(-20)) recorder.append(record);
  clock.advance(200);
  const expected = records
    .slice(-20)
    .find((each) => each.accountId === 1 && /complete|empty/.test(each.ending)) as CallRecord;
  const { value } = await next;
  assert.deepEqual([value.event, value.data.id], ['call', generationId(expected.callId)]);
});

test('a call of which only the settlement is left has no status, times and sizes', async (context) => {
  const { ask, records, append } = await open(context);
  const newest = records.at(-1) as CallRecord;
  const admittedAt = newest.admittedAt + 1_000;
  const left = bareRecord({ ...newest, callId: newCallId(admittedAt), accountId: accountId(1), admittedAt });
  await append(left);
  const { data } = await ask('listCalls', { limit: 1 });
  const id = generationId(left.callId);
  assert.deepEqual([data[0].id, data[0].status, data[0].duration_ms], [id, null, null]);
  const { data: whole } = await ask('readCall', {}, { params: { call: id } });
  assert.deepEqual([whole.status, whole.duration_ms, whole.request_bytes, whole.response_bytes], Array(4).fill(null));
  const table = await linesOf(await ask('listCalls', { format: 'csv' }));
  const columns = table[0]?.split(',') ?? [];
  const line = table.find((each) => each.includes(id))?.split(',') ?? [];
  assert.deepEqual(
    ['status', 'duration_ms', 'ending'].map((name) => line[columns.indexOf(name)]),
    ['', '', left.ending],
  );
});

test('the checklist has the first call', async (context) => {
  const { ask, records } = await open(context);
  const { data } = await ask('readChecklist', {});
  const first = records.find((each) => each.accountId === 1) as CallRecord;
  assert.deepEqual([data.first_call.call, data.has_key, data.has_invited], [generationId(first.callId), true, false]);
});

interface Asked {
  readonly account?: number;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly isOperator?: boolean;
}

async function open(context: TestContext) {
  const { subject, reader, records } = await openReports(context, 60);
  const { storage, clock } = subject;
  for (const account of [1, 2])
    await storage.ledger.post(sampleEntry({ accountId: accountId(account), note: '=1' }), NO_RULES);
  const loaded = await storage.ledger.load();
  const bank = new LedgerBank({ store: storage.ledger, loaded, mode: 'prepaid', clock, isWritable: () => true });
  const recorder = new Recorder(storage.records);
  const names = {
    keys: { get: (id: number) => (id === 1 ? { name: '=first' } : null) },
    scopes: { findProject: () => undefined },
  } as never as { keys: never; scopes: never };
  const handlers = {
    ...usageHandlers({
      ...names,
      stats: reader,
      clock,
      firstSteps: {
        hasProvider: () => false,
        hasKey: async () => true,
        hasInvited: async () => false,
        model: () => null,
      },
    }),
    ...callHandlers({
      ...names,
      stats: reader,
      live: new LiveCalls({ recorder, clock }),
      refusals: new Refusals(),
      startedAt: clock.now(),
      prices: storage.prices,
      ledger: storage.ledger,
      captures: {
        hasBodies: async (account) => account === 1,
        bodiesOf: async (account) =>
          account === 1 ? { request: { text: 'hello', isTruncated: false }, response: null, keptUntil: 0 } : null,
        deleteBodies: async (account) => account === 1,
      },
      nodeOf: async () => 'node-a',
    }),
    ...balanceHandlers({
      ...names,
      stats: reader,
      clock,
      bank,
      ledger: storage.ledger,
      maintenance: { isArchivedReference: async () => false },
    }),
  };
  const audited: Change[] = [];
  const gone = new AbortController();
  context.after(() => gone.abort());
  const ask = async (
    name: Name,
    query: object,
    { account = 1, params = {}, body = {}, isOperator = false }: Asked = {},
    // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of many shapes, and each test checks what it expects.
  ): Promise<any> => {
    const route: Declared = routes[name];
    const asked: Partial<Context> = {
      account: accountOf(accountId(account)),
      gone: gone.signal,
      isOperator,
      audit: async (change) => void audited.push(change),
      checkStill: async () => undefined,
    };
    const input = {
      params: parseInput(route.params, params),
      query: parseInput(route.query, query),
      body: parseInput(route.body, body),
    };
    const answer = await (handlers[name] as unknown as Handler<Declared>)(asked as Context, input);
    if (!(answer instanceof TableAnswer) && !(answer instanceof EventAnswer)) {
      const written = JSON.parse(JSON.stringify(answer));
      parseInput(route.answer, written);
      return written;
    }
    return answer;
  };
  const append = async (record: CallRecord) => {
    await storage.ledger.commit(settlementRows([record]));
    storage.records.append(record);
    await storage.records.drain();
  };
  return { ask, records, recorder, append, clock, audited };
}

/** The lines of a table as written. */
async function linesOf(answer: unknown): Promise<string[]> {
  assert.ok(answer instanceof TableAnswer);
  const lines = [csvLine(answer.columns)];
  for (;;) {
    const next = await answer.batches.next();
    if (next.done === true) return [...lines, csvLine(next.value)];
    lines.push(...next.value.map(csvLine));
  }
}

function accountOf(id: AccountId): Account {
  return { id, createdAt: 0 } as Account;
}
