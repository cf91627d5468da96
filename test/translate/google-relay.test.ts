/**
 * Goal: a caller of Google's format whose model is at Google gets Google's bytes. Method: requests as Google's clients send them, and the
 * bytes that a strict provider received and sent.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COUNTED_TOKENS, LONG_TEXT } from '../support/strict-commands.ts';
import type { JsonObject } from '../support/strict-server.ts';
import { GEMINI, openTranslateBench, type TranslateBench } from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

async function ask(verb: string, command: string, more: object = {}, model = GEMINI): Promise<Response> {
  const body = { contents: [{ role: 'user', parts: [{ text: command }] }], ...more };
  return fetch(`${bench.url}/v1beta/models/${model}:${verb}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': bench.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

function textsOf(messages: readonly JsonObject[]): string {
  return messages.map((message) => JSON.stringify(message)).join('');
}

test('a whole answer is Google’s, with the model that was asked for', async () => {
  const response = await ask('generateContent', 'say hi', { safetySettings: [], generationConfig: { seed: 7 } });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const answer = JSON.parse(text);
  assert.equal(answer.modelVersion, GEMINI);
  assert.match(answer.responseId, /^strict-response-\d+$/);
  assert.deepEqual(answer.candidates[0].content, { parts: [{ text: 'hi' }], role: 'model' });
  const { path, body } = bench.strictGemini.last();
  assert.equal(path, '/v1beta/models/gemini-3-strict:generateContent');
  assert.deepEqual(body['safetySettings'], []);
});

test('a stream is one of events, or one array of the same objects', async () => {
  const events = await (await ask('streamGenerateContent?alt=sse', 'long')).text();
  const response = await ask('streamGenerateContent', 'long');
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  const array = await response.text();
  assert.equal(bench.strictGemini.last().path, '/v1beta/models/gemini-3-strict:streamGenerateContent?alt=sse');
  // Each answer of the provider has an id of its own.
  const [, first = ''] = /"responseId":"([^"]+)"/.exec(events) ?? [];
  const [, second = ''] = /"responseId":"([^"]+)"/.exec(array) ?? [];
  assert.notEqual(first, second);
  const sent = events
    .replaceAll(first, second)
    .split(/\r?\n\r?\n/)
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length));
  assert.ok(sent.length > 10);
  for (const message of sent) assert.ok(array.includes(message));
  const list = JSON.parse(array) as JsonObject[];
  assert.equal(textsOf(list), sent.join(''));
  assert.ok(textsOf(list).includes(LONG_TEXT.split(' ').at(-1) as string));
  assert.ok(!array.includes('gemini-3-strict'));
});

test('signatures go and come to the byte', async () => {
  const tools = [
    {
      functionDeclarations: [
        { name: 'look', description: 'Looks.', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } },
      ],
    },
  ];
  const first = (await (await ask('generateContent', 'call look', { tools })).json()) as {
    candidates: { content: object }[];
  };
  const contents = [
    { role: 'user', parts: [{ text: 'call look' }] },
    first.candidates[0]?.content,
    { role: 'user', parts: [{ functionResponse: { name: 'look', response: { result: 'seen' } } }] },
  ];
  const response = await ask('generateContent', '', { contents, tools });
  assert.match(await response.text(), /results: seen/);
  assert.deepEqual(bench.strictGemini.last().body['contents'], contents);
});

test('a prompt is counted by Google', async () => {
  const response = await ask('countTokens', 'say hi');
  assert.equal(((await response.json()) as JsonObject)['totalTokens'], COUNTED_TOKENS);
  assert.equal(response.headers.get('x-turnpike-estimated'), null);
});

test('a refusal is Google’s, byte for byte, but one of the operator’s credential', async () => {
  const response = await ask('generateContent', 'overflow');
  assert.equal(response.status, 400);
  const { error } = (await response.json()) as { error: JsonObject };
  assert.equal(error['status'], 'INVALID_ARGUMENT');
  assert.match(String(error['message']), /exceeds the maximum number of tokens/);
});
