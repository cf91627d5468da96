/**
 * Goal: a batch ends as its caller can rely on: expired, cancelled, without money, with a key that is revoked; and it is charged at the price of
 * batches. Method: the whole gateway in this process, a clock that the test moves, and a provider that does what the test says.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { verifyClean } from '../prove/support/verify-clean.ts';
import { createKey, revokeKey } from '../support/control.ts';
import { type ConfigFile, chatBody, type OpenBench, openBench } from '../support/open-gateway.ts';
import type { Exchange, Script } from '../support/scripted-upstream.ts';
import { standstill, until } from '../support/turns.ts';
import { answerWell, openaiBody, refuse } from '../support/upstream-scripts.ts';
import { type Ask, asker, awaitEnd, CHAT, createBatch, inputOf, json, results, upload } from './batch-fixture.ts';

const DAY_MS = 86_400_000;
const TOO_MANY = refuse(429, { error: { message: 'slow down' } }, { 'retry-after': '3600' });

test('what has not run when a batch expires gets an error, and what ran keeps its answer', async () => {
  let asked = 0;
  const script: Script = (exchange) => {
    asked += 1;
    return asked <= 3 ? answerWell(exchange) : TOO_MANY(exchange);
  };
  await using bench = await opened({ batches: { linesAtOnce: 1 } }, script);
  const { id } = await begin(bench.ask, 6);
  await until('the provider to refuse', () => asked > 3);
  await until('it to rest', () => bench.app.gateway.running.count === 0);
  bench.clock.advance(DAY_MS + 1);
  const ended = await awaitEnd(bench.ask, id, () => bench.clock.advance(250));
  assert.equal(ended.status, 'expired');
  assert.deepEqual(ended.request_counts, { total: 6, completed: 3, failed: 3 });
  assert.equal((await results(bench.ask, ended.output_file_id)).length, 3);
  for (const { response, error } of await results(bench.ask, ended.error_file_id))
    assert.deepEqual([response, error?.code], [null, 'batch_expired']);
  assert.equal(bench.records.filter(({ ending }) => ending === 'complete').length, 3);
});

test('a batch that is cancelled lets its running lines end, and begins no other', async () => {
  const held: Exchange[] = [];
  await using bench = await opened({ batches: { linesAtOnce: 2 } }, (exchange) => void held.push(exchange));
  const { id } = await begin(bench.ask, 6);
  await until('two lines to run', () => held.length === 2);
  const cancelling = await json<{ status: string }>(await bench.ask(`/v1/batches/${id}/cancel`, { method: 'POST' }));
  assert.equal(cancelling.status, 'cancelling');
  await standstill(() => held.length);
  for (const exchange of held) await answerWell(exchange);
  const ended = await awaitEnd(bench.ask, id, () => bench.clock.advance(250));
  assert.equal(ended.status, 'cancelled');
  assert.deepEqual(ended.request_counts, { total: 6, completed: 2, failed: 4 });
  assert.equal((await results(bench.ask, ended.output_file_id)).length, 2);
  const left = await results(bench.ask, ended.error_file_id);
  assert.deepEqual(
    left.map(({ custom_id, response, error }) => [custom_id, response, error?.code]),
    [2, 3, 4, 5].map((at) => [`line-${at}`, null, 'batch_cancelled']),
  );
  assert.equal(held.length, 2);
  assert.equal((await bench.ask(`/v1/batches/${id}/cancel`, { method: 'POST' })).status, 200);
});

test('results have no more space than the files of their account: the lines that are left get an error', async () => {
  const limits = { accountFilesBytesMax: 400_000, fileBytesMax: 100_000 };
  await using bench = await opened({ limits, batches: { linesAtOnce: 1 } }, (exchange) =>
    exchange.whole(200, openaiBody('x'.repeat(100_000))),
  );
  const { id } = await begin(bench.ask, 20);
  const ended = await awaitEnd(bench.ask, id, () => bench.clock.advance(250));
  const { completed, failed } = ended.request_counts;
  assert.equal(ended.status, 'completed');
  assert.ok(completed >= 3 && completed < 20 && completed + failed === 20, `${completed} and ${failed}`);
  assert.equal((await results(bench.ask, ended.output_file_id)).length, completed);
  const left = await results(bench.ask, ended.error_file_id);
  assert.deepEqual(new Set(left.map(({ error }) => error?.code)), new Set(['file_space_exceeded']));
  const again = await bench.ask('/v1/batches', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input_file_id: ended.input_file_id, endpoint: CHAT, completion_window: '24h' }),
  });
  assert.equal(again.status, 413);
  assert.equal(((await again.json()) as { error: { code: string } }).error.code, 'file_space_exceeded');
  await verifyClean(bench.dataFolder);
});

test('a balance that is used up fails the lines that are left', async () => {
  // Each holds 660,000 nano-dollars and costs 10,000.
  await using bench = await opened({ billing: { firstRunCredit: '0.0007' } });
  const { id } = await begin(bench.ask, 10);
  const ended = await awaitEnd(bench.ask, id, () => bench.clock.advance(250));
  assert.deepEqual([ended.status, ended.request_counts], ['completed', { total: 10, completed: 4, failed: 6 }]);
  for (const { response } of await results(bench.ask, ended.error_file_id)) assert.equal(response?.status_code, 402);
  await verifyClean(bench.dataFolder);
});

test('the lines that are left of a key that is revoked fail with 401', async () => {
  let asked = 0;
  const held: Exchange[] = [];
  await using bench = await opened({ batches: { linesAtOnce: 1 } }, (exchange) => {
    asked += 1;
    if (asked !== 3) return answerWell(exchange);
    held.push(exchange);
  });
  const ask = asker(bench.url, await createKey(bench.dataFolder, 'of the batch'));
  const { id } = await begin(ask, 6);
  await until('the third line to run', () => held.length === 1);
  await revokeKey(bench.dataFolder, 'of the batch');
  await answerWell(held[0] as Exchange);
  const ended = await awaitEnd(bench.ask, id, () => bench.clock.advance(250));
  assert.deepEqual(ended.request_counts.total, 6);
  const errors = await results(bench.ask, ended.error_file_id);
  assert.ok(errors.length >= 3);
  for (const { response } of errors) assert.equal(response?.status_code, 401);
  assert.equal(ended.request_counts.completed + ended.request_counts.failed, 6);
});

test('lines are held and charged at the price of batches, and other calls are not', async () => {
  await using bench = await opened({ billing: { markup: 10, batchPercent: 50 } });
  const { id } = await begin(bench.ask, 3);
  await awaitEnd(bench.ask, id, () => bench.clock.advance(250));
  assert.deepEqual(
    bench.records.map(({ rate, charge }) => [Number(rate), Number(charge)]),
    [1, 2, 3].map(() => [550_000, 5_500]),
  );
  const other = await bench.post('/v1/chat/completions', chatBody(false));
  await other.text();
  assert.equal(Number(bench.records.at(-1)?.rate), 1_100_000);
  const { data } = await json<{ data: { id: string; batch_pricing?: { prompt: string } }[] }>(
    await bench.ask('/api/v1/models'),
  );
  assert.equal(data.find((model) => model.id === 'scripted/model')?.batch_pricing?.prompt, '0.00000055');
  await verifyClean(bench.dataFolder);
});

test('accounts take turns, and callers come before batches', async () => {
  const held: Exchange[] = [];
  await using bench = await opened({ batches: { linesAtOnce: 2 } }, (exchange) => void held.push(exchange));
  const first = await begin(bench.ask, 3);
  await until('two lines to run', () => held.length === 2);
  const call = bench.post('/v1/chat/completions', chatBody(false));
  await until('the call to run', () => held.length === 3);
  bench.upstream.play(answerWell);
  for (const exchange of held) await answerWell(exchange);
  assert.equal((await call).status, 200);
  await awaitEnd(bench.ask, first.id, () => bench.clock.advance(250));
});

test('a file that a running batch reads cannot be deleted', async () => {
  const held: Exchange[] = [];
  await using bench = await opened({}, (exchange) => void held.push(exchange));
  const fileId = await upload(bench.ask, inputOf([chatBody(false)]));
  const { id } = await createBatch(bench.ask, fileId);
  await until('the line to run', () => held.length === 1);
  const refused = await bench.ask(`/v1/files/${fileId}`, { method: 'DELETE' });
  assert.equal(refused.status, 409);
  assert.ok((await refused.text()).includes(id));
  await answerWell(held[0] as Exchange);
  await awaitEnd(bench.ask, id, () => bench.clock.advance(250));
  assert.equal((await bench.ask(`/v1/files/${fileId}`, { method: 'DELETE' })).status, 200);
});

async function begin(ask: Ask, lines: number) {
  const bodies = Array.from({ length: lines }, (_, at) => chatBody(false, `number ${at}`));
  return createBatch(ask, await upload(ask, inputOf(bodies)));
}

interface Bench extends OpenBench, AsyncDisposable {
  readonly ask: Ask;
  readonly clock: ManualClock;
}

async function opened(file: ConfigFile = {}, script: Script = answerWell): Promise<Bench> {
  const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
  const bench = await openBench(file, { clock }, script);
  return { ...bench, clock, ask: asker(bench.url, bench.key), [Symbol.asyncDispose]: () => bench.close() };
}
