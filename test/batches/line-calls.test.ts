/**
 * Goal: a line of a batch is a call like any other, served and charged once, whatever is repeated. Method: the whole gateway in this process, its
 * lines called as the runner of batches does, with a scripted provider.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BatchId, keyId, newBatchId, parseCallId } from '../../src/core/ids.ts';
import type { Line } from '../../src/gateway/lines/line.ts';
import { LineCalls } from '../../src/gateway/lines/line-calls.ts';
import { lineHandler } from '../../src/gateway/routes.ts';
import { control } from '../support/control.ts';
import { chatBody, errorCode, OPEN_MODEL, type OpenBench, openBench } from '../support/open-gateway.ts';
import { openaiBody, silent } from '../support/upstream-scripts.ts';

const PATH = '/v1/chat/completions';

test('a line is served, charged and recorded as a call of its key', async () => {
  await using bench = await opened();
  const answer = await bench.call(0);
  assert.equal(answer.status, 200);
  assert.equal(JSON.parse(answer.body.toString()).object, 'chat.completion');
  const [record] = bench.records;
  assert.equal(record?.model, OPEN_MODEL);
  assert.equal(record?.ending, 'complete');
  assert.ok((record?.charge ?? 0n) > 0n);
  assert.equal(record?.callId, parseCallId(String(answer.headers['x-generation-id'])));
});

test('a line that is called again gets the same bytes, and is not charged again', async () => {
  await using bench = await opened();
  const first = await bench.call(7);
  const second = await bench.call(7);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers['x-generation-id'], first.headers['x-generation-id']);
  assert.equal(second.headers['idempotent-replayed'], 'true');
  assert.equal(bench.records.length, 1);
  // The same line of another batch is another one.
  const other = await bench.call(7, { batchId: newBatchId(1) });
  assert.equal(other.headers['idempotent-replayed'], undefined);
});

test('a line that runs is not run a second time', async () => {
  await using bench = await opened();
  const answers = await Promise.all([bench.call(1), bench.call(1), bench.call(1)]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409]);
  assert.equal(bench.records.length, 1);
});

test('an answer is stored for a line where those of callers are too long for it', async () => {
  await using bench = await opened();
  bench.upstream.play((exchange) => exchange.whole(200, openaiBody('x'.repeat(2_000_000))));
  const first = await bench.call(3);
  assert.deepEqual((await bench.call(3)).body, first.body);
  assert.equal(bench.app.gateway.replays.bytes, 0);
  assert.equal(bench.app.gateway.replays.size, 0);
});

test('what is forgotten of a line is served again', async () => {
  await using bench = await opened();
  const { replays } = bench.app.gateway;
  const first = await bench.call(3);
  const { projectId } = bench.key1;
  assert.equal((await replays.linesOf(projectId, bench.batchId)).length, 1);
  const stored = await replays.answerOf(projectId, { batchId: bench.batchId, number: 3 }, Date.now());
  assert.deepEqual(stored?.body, first.body);
  await replays.forgetLines([parseCallId(String(first.headers['x-generation-id'])) as never]);
  assert.equal((await replays.linesOf(projectId, bench.batchId)).length, 0);
  assert.equal((await bench.call(3)).headers['idempotent-replayed'], undefined);
});

test('a stream is refused, and nothing is charged', async () => {
  await using bench = await opened();
  const answer = await bench.call(0, {}, chatBody(true));
  assert.equal(answer.status, 400);
  assert.equal(errorCode(JSON.parse(answer.body.toString())), 'unsupported_value');
  assert.equal(bench.records.length, 0);
});

for (const [how, cut, status] of [
  ['its key is revoked at once', (bench: LineBench) => bench.app.gateway.running.cutKey(bench.key1.id), 401],
  ['the gateway ends', (bench: LineBench) => bench.app.gateway.running.cutAll(), 503],
] as const)
  test(`a line that is cut off because ${how} is not charged`, async () => {
    await using bench = await opened();
    const asked = bench.upstream.nextExchange();
    bench.upstream.play(silent);
    const answer = bench.call(0);
    await asked;
    cut(bench);
    assert.equal((await answer).status, status);
    const [record] = bench.records;
    assert.deepEqual([record?.ending, record?.charge], ['gateway_failed', 0n]);
    assert.equal((await bench.app.gateway.replays.linesOf(bench.key1.projectId, bench.batchId)).length, 0);
  });

test('a key that is not known gets 401 at once, without the wait for those who guess', async () => {
  await using bench = await opened();
  for (let time = 0; time < 30; time += 1) assert.equal((await bench.call(0, { keyId: keyId(99) })).status, 401);
});

test('a key from which the permission for batches was taken runs no more lines', async () => {
  await using bench = await opened();
  assert.equal((await bench.call(0)).status, 200);
  const changed = await control(bench.dataFolder, 'PATCH', `/control/api/keys/${bench.key1.id}`, {
    permissions: { operations: ['chat'] },
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const refused = await bench.call(1);
  assert.deepEqual([refused.status, errorCode(JSON.parse(refused.body.toString()))], [403, 'permission_denied']);
  assert.equal(bench.records.filter(({ ending }) => ending === 'complete').length, 1);
});

test('a body of megabytes passes both ways', async () => {
  await using bench = await opened();
  const answer = await bench.call(0, {}, chatBody(false, 'x'.repeat(3_000_000)));
  assert.equal(answer.status, 200);
});

interface LineBench extends OpenBench, AsyncDisposable {
  readonly batchId: BatchId;
  readonly key1: NonNullable<ReturnType<OpenBench['app']['gateway']['keys']['get']>>;
  call(number: number, changes?: Partial<Line>, body?: object): ReturnType<LineCalls['call']>;
}

async function opened(): Promise<LineBench> {
  const bench = await openBench();
  const { gateway } = bench.app;
  const lines = new LineCalls(lineHandler(gateway));
  const batchId = newBatchId(Date.now());
  const key1 = gateway.keys.get(keyId(1));
  assert.ok(key1);
  return {
    ...bench,
    batchId,
    key1,
    call: (number, changes = {}, body = chatBody(false)) =>
      lines.call(
        { batchId, number, keyId: key1.id, address: null, ...changes },
        { path: PATH, body: Buffer.from(JSON.stringify(body)) },
      ),
    [Symbol.asyncDispose]: () => bench.close(),
  };
}
