/**
 * Goal: the log shows which model was asked for, whatever the request contains. Method: calls for unknown models, on a
 * gateway whose log is read.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OPEN_MODEL, type OpenBench, openBench } from '../../../test/support/open-gateway.ts';

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

/** The log line of a call for `model`. */
async function logged(model: unknown): Promise<Record<string, unknown>> {
  const from = bench.log.length;
  const response = await bench.post('/api/v1/chat/completions', {
    model,
    messages: [{ role: 'user', content: 'Hi' }],
  });
  await response.text();
  // The line is written some turns after the last byte.
  while (bench.log.length === from) await new Promise((resolve) => setImmediate(resolve));
  return JSON.parse(bench.log.at(-1) ?? '');
}

test('the name of an unknown model is in the line', async () => {
  const { model, error, status } = await logged('acme/no-such-model');
  assert.deepEqual([model, error, status], ['acme/no-such-model', 'model_not_found', 404]);
});

test('a known model is logged by its id, however it was written', async () => {
  assert.equal((await logged(`${OPEN_MODEL}[1m]`)).model, OPEN_MODEL);
});

test('control characters, including those that only terminals interpret, are escaped', async () => {
  const { model } = await logged('a\u001b[2J\n\u009b\u202e\u2028\ud800b');
  assert.equal(model, String.raw`a\u{1b}[2J\u{a}\u{9b}\u{202e}\u{2028}\u{d800}b`);
});

test('a long name is cut at 128 characters, after escaping', async () => {
  assert.equal((await logged('x'.repeat(128))).model, 'x'.repeat(128));
  assert.equal((await logged('x'.repeat(129))).model, `${'x'.repeat(127)}…`);
  assert.equal(String((await logged('\u009b'.repeat(100))).model).length, 128);
});

test('a call without a model has none in its line', async () => {
  assert.equal((await logged(undefined)).model, null);
});
