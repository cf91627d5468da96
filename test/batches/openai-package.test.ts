/**
 * Goal: OpenAI's own package makes batches, follows them and reads their results here as at OpenAI. Method: the `openai` package against the gateway in
 * process, with the demo's models.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI, { toFile } from 'openai';
import type { Batch } from 'openai/resources/batches';
import { control } from '../support/control.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { inputOf, pause } from './batch-fixture.ts';

const CHAT = { model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 20 };

let gateway: OpenGateway;
let client: OpenAI;
before(async () => {
  gateway = await openGateway({ demo: true });
  client = clientOf(gateway.key);
});
after(() => gateway.close());

test('a batch is made, followed and read', async () => {
  const input = inputOf([CHAT, { ...CHAT, model: 'no/such' }, CHAT]);
  const file = await client.files.create({ file: await toFile(Buffer.from(input), 'input.jsonl'), purpose: 'batch' });
  const made = await client.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    metadata: { team: 'a' },
    output_expires_after: { anchor: 'created_at', seconds: 3_600 },
  });
  assert.equal(made.object, 'batch');
  assert.equal(made.expires_at, made.created_at + 86_400);
  const batch = await ended(made.id);
  assert.deepEqual(batch.request_counts, { total: 3, completed: 2, failed: 1 });
  assert.deepEqual(batch.metadata, { team: 'a' });
  assert.ok((batch.completed_at ?? 0) >= (batch.in_progress_at ?? 0));
  const output = await client.files.retrieve(batch.output_file_id ?? '');
  assert.deepEqual([output.purpose, output.status], ['batch_output', 'processed']);
  const content = await client.files.content(output.id);
  const text = await content.text();
  assert.equal(Buffer.byteLength(text), output.bytes);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map((line) => line.custom_id),
    ['line-0', 'line-2'],
  );
  assert.equal(lines[0].response.body.choices[0].message.role, 'assistant');
  const errors = await (await client.files.content(batch.error_file_id ?? '')).text();
  assert.equal(JSON.parse(errors).response.status_code, 404);
  const listed: string[] = [];
  for await (const each of client.batches.list({ limit: 1 })) listed.push(each.id);
  assert.ok(listed.includes(batch.id));
  await client.files.delete(output.id);
});

for (const [endpoint, body] of [
  ['/v1/messages', { model: 'demo/echo', max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] }],
  ['/v1/responses', { model: 'demo/echo', input: 'Hello' }],
  ['/v1/embeddings', { model: 'demo/embed', input: 'Hello' }],
] as const)
  test(`lines go to ${endpoint}`, async () => {
    const file = await client.files.create({
      file: await toFile(Buffer.from(inputOf([body], endpoint)), 'input.jsonl'),
      purpose: 'batch',
    });
    const asked = { input_file_id: file.id, endpoint, completion_window: '24h' };
    const batch = await ended((await client.batches.create(asked as OpenAI.BatchCreateParams)).id);
    const failed = batch.error_file_id ? await (await client.files.content(batch.error_file_id)).text() : '';
    assert.deepEqual(batch.request_counts, { total: 1, completed: 1, failed: 0 }, failed);
  });

test('what is wrong with a request is said in the package’s errors', async () => {
  const good = { input_file_id: 'file-x', endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
  const wrong: readonly (readonly [changes: object, status: number, param: string])[] = [
    [{}, 404, 'id'],
    [{ endpoint: '/v1/audio/speech' }, 400, 'endpoint'],
    [{ completion_window: '1h' }, 400, 'completion_window'],
    [{ input_file_id: undefined }, 400, 'input_file_id'],
    [{ metadata: { a: 1 } }, 400, 'metadata'],
    [{ output_expires_after: { anchor: 'created_at', seconds: 1 } }, 400, 'output_expires_after'],
  ];
  for (const [changes, status, param] of wrong) {
    const error = await client.batches.create({ ...good, ...changes }).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof OpenAI.APIError, JSON.stringify(changes));
    assert.deepEqual([error.status, error.param], [status, param], JSON.stringify(changes));
  }
  await assert.rejects(client.batches.retrieve('batch_x'), OpenAI.NotFoundError);
  await assert.rejects(client.batches.cancel('batch_x'), OpenAI.NotFoundError);
});

test('a key without the permission may not, and results cannot be an input', async () => {
  const made = await control(gateway.dataFolder, 'POST', '/control/api/keys', {
    name: 'k',
    permissions: { operations: ['chat'] },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const other = clientOf((made.body as { key: string }).key);
  await assert.rejects(other.batches.list(), OpenAI.PermissionDeniedError);
  const input = inputOf([CHAT]);
  const file = await client.files.create({ file: await toFile(Buffer.from(input), 'input.jsonl'), purpose: 'batch' });
  const asked = { endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
  const batch = await ended((await client.batches.create({ ...asked, input_file_id: file.id })).id);
  await assert.rejects(
    client.batches.create({ ...asked, input_file_id: batch.output_file_id ?? '' }),
    OpenAI.BadRequestError,
  );
  await assert.rejects(client.batches.cancel(batch.id), OpenAI.ConflictError);
});

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey, maxRetries: 0 });
}

async function ended(id: string): Promise<Batch> {
  for (let time = 0; time < 2_000; time += 1) {
    const batch = await client.batches.retrieve(id);
    if (['completed', 'failed', 'expired', 'cancelled'].includes(batch.status)) return batch;
    await pause(20);
  }
  return assert.fail('it has not ended');
}
