/**
 * Goal: whatever a file of requests has in it, the gateway stays well: it is bounded, and other calls run meanwhile. Method: files of many lines, of long
 * ones and of bytes that are no text, and the delay of the event loop.
 */
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { type ConfigFile, chatBody, openBench } from '../support/open-gateway.ts';
import { silent } from '../support/upstream-scripts.ts';
import { asker, awaitEnd, createBatch, inputOf, json, results, upload } from './batch-fixture.ts';

test('a file of 50,000 lines is taken, and one of more is refused', { timeout: 120_000 }, async (context) => {
  await using bench = await opened({}, silent);
  const line = inputOf([chatBody(false)]).trim();
  const lines = Array.from({ length: 50_001 }, (_, at) => line.replace('line-0', `an id of some length ${at}`));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const refused = await createBatch(bench.ask, await upload(bench.ask, lines.join('\n')));
  const failed = await awaitEnd(bench.ask, refused.id);
  assert.deepEqual([failed.status, failed.errors?.data.map(({ code }) => code)], ['failed', ['too_many_requests']]);
  const taken = await createBatch(bench.ask, await upload(bench.ask, lines.slice(1).join('\n')));
  let { status, request_counts } = taken;
  while (status === 'validating')
    ({ status, request_counts } = await json<typeof taken>(await bench.ask(`/v1/batches/${taken.id}`)));
  delay.disable();
  context.diagnostic(
    `the longest turn took ${(delay.max / 1e6).toFixed(1)} ms, the 99th percentile ${(delay.percentile(99) / 1e6).toFixed(1)} ms`,
  );
  assert.deepEqual([status, request_counts.total], ['in_progress', 50_000]);
  await bench.ask(`/v1/batches/${taken.id}/cancel`, { method: 'POST' });
});

test('a line may be as long as a request, and no longer', async () => {
  const bytesMax = 1024 * 1024;
  await using bench = await opened({ limits: { bodyBytesMax: bytesMax } });
  const around = JSON.stringify(chatBody(false, '')).length;
  const input = inputOf([
    chatBody(false, 'x'.repeat(bytesMax - around)),
    chatBody(false, 'x'.repeat(bytesMax - around + 1)),
  ]);
  const ended = await awaitEnd(bench.ask, (await createBatch(bench.ask, await upload(bench.ask, input))).id);
  assert.deepEqual(ended.request_counts, { total: 2, completed: 1, failed: 1 });
  const [error] = await results(bench.ask, ended.error_file_id);
  assert.equal(error?.response?.status_code, 413);
  const longer = inputOf([chatBody(false, 'x'.repeat(2 * bytesMax))]);
  const failed = await awaitEnd(bench.ask, (await createBatch(bench.ask, await upload(bench.ask, longer))).id);
  assert.deepEqual(
    failed.errors?.data.map(({ code, line }) => [code, line]),
    [['line_too_long', 1]],
  );
});

test('bytes that are no text, and files without lines, fail', async () => {
  await using bench = await opened();
  const good = Buffer.from(inputOf([chatBody(false)]));
  const files: readonly (readonly [file: Buffer, code: string])[] = [
    [Buffer.from(good.toString('latin1').replace('hi', 'h\xff'), 'latin1'), 'invalid_utf8'],
    [Buffer.from('\n \n\r\n'), 'empty_file'],
    [Buffer.alloc(100_000, 0), 'invalid_json_line'],
    // At the start of a file it is left out.
    [Buffer.from(`${good}\ufeff${good}`), 'invalid_json_line'],
    [Buffer.from(`[${good}]`), 'invalid_json_line'],
  ];
  for (const [file, code] of files) {
    const batch = await createBatch(bench.ask, await upload(bench.ask, new Uint8Array(file)));
    const ended = await awaitEnd(bench.ask, batch.id);
    assert.deepEqual([ended.status, ended.errors?.data[0]?.code], ['failed', code]);
  }
  assert.equal(bench.records.length, 0);
});

async function opened(file: ConfigFile = {}, script?: typeof silent) {
  const bench = await openBench(file, {}, script);
  return { ...bench, ask: asker(bench.url, bench.key), [Symbol.asyncDispose]: () => bench.close() };
}
