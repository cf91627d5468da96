/**
 * Goal: vectors are asked for, held for, and charged for by what was sent, also if the provider counts nothing. Method: requests as Google's
 * clients send them, a strict provider that reports no usage, and the call's record.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../support/strict-server.ts';
import { GEMINI, GPT, openTranslateBench, type TranslateBench } from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

async function ask(verb: string, body: object, model = GEMINI): Promise<Response> {
  return fetch(`${bench.url}/v1beta/models/${model}:${verb}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': bench.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const content = { parts: [{ text: 'High water at noon, low water at six. '.repeat(20) }] };

test('one content becomes one vector, which passes unchanged', async () => {
  const response = await ask('embedContent', { model: `models/${GEMINI}`, content, taskType: 'RETRIEVAL_QUERY' });
  assert.equal(await response.text(), '{"embedding":{"values":[0.25,-0.5,0.125]}}');
  const { path, body } = bench.strictGemini.last();
  assert.equal(path, '/v1beta/models/gemini-3-strict:embedContent');
  assert.deepEqual(body, { model: 'models/gemini-3-strict', content, taskType: 'RETRIEVAL_QUERY' });
});

test('several contents go to the path for batches, each with the provider’s model', async () => {
  const requests = [{ model: `models/${GEMINI}`, content }, { content }];
  const response = await ask('batchEmbedContents', { requests });
  assert.equal(((await response.json()) as { embeddings: object[] }).embeddings.length, 2);
  const { path, body } = bench.strictGemini.last();
  assert.equal(path, '/v1beta/models/gemini-3-strict:batchEmbedContents');
  assert.deepEqual(body['requests'], [{ model: 'models/gemini-3-strict', content }, { content }]);
});

test('it is recorded and charged as an estimate of the prompt, never above the hold', async () => {
  const before = bench.records.length;
  await (await ask('embedContent', { content })).text();
  const record = bench.records[before];
  assert(record !== undefined);
  assert.equal(record.operation, 'embeddings');
  assert.equal(record.ending, 'complete');
  assert.equal(record.usageSource, 'estimated');
  assert.equal(record.usage.outputTokens, 0);
  const tokens = record.usage.inputTokens;
  assert.ok(tokens > 100 && tokens < JSON.stringify({ content }).length, String(tokens));
  assert.ok(record.charge > 0n && record.charge <= (record.hold ?? 0n));
});

test('a provider without this operation, another model in a batch, and a request without content are refused', async () => {
  const codeOf = async (response: Response) => {
    const { error } = (await response.json()) as { error: JsonObject };
    return [response.status, JSON.stringify(error)] as const;
  };
  const [unserved] = await codeOf(await ask('embedContent', { content }, GPT));
  assert.equal(unserved, 400);
  const [other, words] = await codeOf(
    await ask('batchEmbedContents', { requests: [{ model: 'models/other', content }] }),
  );
  assert.equal(other, 400);
  assert.match(words, /"param":"model"/);
  for (const body of [{}, { content: 'x' }, { requests: [] }])
    assert.equal((await codeOf(await ask('embedContent', body)))[0], 400);
  for (const body of [{}, { requests: {} }, { requests: [] }, { requests: [{}] }, { requests: ['x'] }])
    assert.equal((await codeOf(await ask('batchEmbedContents', body)))[0], 400);
});
