/**
 * Goal: a batch gives each of its lines one result, at OpenAI's paths and in its forms, whatever becomes of single lines. Method: the whole gateway in
 * this process, a scripted provider, and requests as HTTP clients send them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatBody, OPEN_MODEL, type OpenBench, openBench } from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';
import { asker, awaitEnd, createBatch, inputOf, json, results, upload, usageOf } from './batch-fixture.ts';

test('every line of a batch has its result, in order, and one settlement', async () => {
  await using bench = await opened();
  const bodies = Array.from({ length: 40 }, (_, at) => chatBody(false, `number ${at}`));
  const batch = await createBatch(bench.ask, await upload(bench.ask, inputOf(bodies)));
  assert.deepEqual([batch.status, batch.usage, batch.model], ['validating', null, null]);
  const ended = await awaitEnd(bench.ask, batch.id);
  assert.deepEqual(ended.request_counts, { total: 40, completed: 40, failed: 0 });
  assert.equal(ended.status, 'completed');
  assert.equal(ended.error_file_id, null);
  const lines = await results(bench.ask, ended.output_file_id);
  assert.deepEqual(
    lines.map((line) => line.custom_id),
    bodies.map((_, at) => `line-${at}`),
  );
  for (const line of lines) {
    assert.equal(line.response?.status_code, 200);
    assert.equal(line.response?.body['object'], 'chat.completion');
    assert.equal(line.error, null);
    const generation = await bench.ask(`/api/v1/generation?id=gen-${line.id.slice(-26)}`);
    assert.equal(generation.status, 200);
  }
  assert.deepEqual([ended.usage, ended.model], [usageOf(lines), OPEN_MODEL]);
  assert.ok((ended.usage?.total_tokens ?? 0) > 40);
  assert.equal(bench.records.length, 40);
  assert.equal(bench.app.gateway.replays.size, 0);
});

test('lines that fail are in the error file with their answers', async () => {
  await using bench = await opened();
  const unknown = { ...chatBody(false), model: 'no/such-model' };
  const batch = await createBatch(bench.ask, await upload(bench.ask, inputOf([chatBody(false), unknown])));
  const ended = await awaitEnd(bench.ask, batch.id);
  assert.deepEqual(ended.request_counts, { total: 2, completed: 1, failed: 1 });
  const [error] = await results(bench.ask, ended.error_file_id);
  assert.equal(error?.custom_id, 'line-1');
  assert.equal(error?.response?.status_code, 404);
  assert.ok(error?.response?.body.error);
  assert.deepEqual(
    (await results(bench.ask, ended.output_file_id)).map(({ custom_id }) => custom_id),
    ['line-0'],
  );
});

test('an input that is wrong runs nothing, and says what is wrong in which line', async () => {
  await using bench = await opened();
  const good = inputOf([chatBody(false)]);
  const lines = [
    good.trim(),
    'not JSON',
    good.trim(),
    '',
    good.trim().replace('line-0', 'a').replace('/v1/chat', '/v2/chat'),
    inputOf([chatBody(true)])
      .trim()
      .replace('line-0', 'b'),
    good.trim().replace('line-0', 'c').replace('POST', 'GET'),
    good.trim().replace('line-0', 'd').replace('"body"', '"nobody"'),
    good.trim().replace('"line-0"', '7'),
  ];
  const batch = await createBatch(bench.ask, await upload(bench.ask, lines.join('\n')));
  const ended = await awaitEnd(bench.ask, batch.id);
  assert.equal(ended.status, 'failed');
  assert.deepEqual(
    ended.errors?.data.map(({ code, line }) => [line, code]),
    [
      [2, 'invalid_json_line'],
      [3, 'duplicate_custom_id'],
      [5, 'mismatched_endpoint'],
      [6, 'unsupported_value'],
      [7, 'invalid_method'],
      [8, 'missing_required_parameter'],
      [9, 'invalid_value'],
    ],
  );
  assert.equal(bench.records.length, 0);
});

test('a byte order mark before the first line is left out', async () => {
  await using bench = await opened();
  const batch = await createBatch(bench.ask, await upload(bench.ask, `\ufeff${inputOf([chatBody(false)])}`));
  const ended = await awaitEnd(bench.ask, batch.id);
  assert.deepEqual([ended.status, ended.request_counts.completed], ['completed', 1]);
});

test('metrics say which batches are open, and what came of lines', async () => {
  await using bench = await opened();
  const unknown = { ...chatBody(false), model: 'no/such-model' };
  const { id } = await createBatch(bench.ask, await upload(bench.ask, inputOf([chatBody(false), unknown])));
  await awaitEnd(bench.ask, id);
  const text = await (await bench.ask('/metrics')).text();
  for (const result of ['completed', 'failed'])
    assert.match(text, new RegExp(`^turnpike_batch_lines_total\\{result="${result}"\\} 1$`, 'm'));
  for (const status of ['validating', 'in_progress', 'finalizing', 'cancelling'])
    assert.match(text, new RegExp(`^turnpike_batches_open\\{status="${status}"\\} [01]$`, 'm'));
  assert.match(text, /^turnpike_batch_lines_running 0$/m);
  assert.match(text, /^turnpike_batch_lines_waiting 0$/m);
});

test('what a provider limits is waited for', async () => {
  let asked = 0;
  await using bench = await opened((exchange) => {
    asked += 1;
    return asked % 3 === 0 ? TOO_MANY(exchange) : answerWell(exchange);
  });
  const bodies = Array.from({ length: 6 }, () => chatBody(false));
  const batch = await createBatch(bench.ask, await upload(bench.ask, inputOf(bodies)));
  const ended = await awaitEnd(bench.ask, batch.id);
  assert.deepEqual(ended.request_counts, { total: 6, completed: 6, failed: 0 });
});

test('a batch of another project, or of nobody, is not found; the list has those of the project', async () => {
  await using bench = await opened();
  const fileId = await upload(bench.ask, inputOf([chatBody(false)]));
  const first = await createBatch(bench.ask, fileId);
  const second = await createBatch(bench.ask, fileId);
  const page = await json<{ data: { id: string }[]; has_more: boolean }>(await bench.ask('/v1/batches?limit=1'));
  assert.deepEqual([page.data.map(({ id }) => id), page.has_more], [[second.id], true]);
  const next = await json<{ data: { id: string }[] }>(await bench.ask(`/v1/batches?after=${second.id}`));
  assert.deepEqual(
    next.data.map(({ id }) => id),
    [first.id],
  );
  assert.equal((await bench.ask('/v1/batches/batch_nothing')).status, 404);
  await awaitEnd(bench.ask, first.id);
  await awaitEnd(bench.ask, second.id);
});

const TOO_MANY = refuse(429, { error: { message: 'slow down' } }, { 'retry-after': '1' });

interface Bench extends OpenBench, AsyncDisposable {
  readonly ask: ReturnType<typeof asker>;
}

async function opened(script: Script = answerWell): Promise<Bench> {
  const bench = await openBench({}, {}, script);
  return { ...bench, ask: asker(bench.url, bench.key), [Symbol.asyncDispose]: () => bench.close() };
}
