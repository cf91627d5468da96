/**
 * Goal: a model that its provider serves in Responses alone answers callers of every format: theirs is translated, and Responses is relayed.
 * Method: known models of OpenAI and a deployment of Azure, over a provider that has no other path, called in each format, whole and as a
 * stream.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { startStrictResponses } from '../support/strict-responses.ts';
import type { StrictServer } from '../support/strict-server.ts';

const CREDENTIAL = 'canary-credential-of-the-strict-provider';
const prices = { input: 2, output: 10 };
let provider: StrictServer;
let gateway: OpenGateway;
before(async () => {
  provider = await startStrictResponses(CREDENTIAL);
  const shared = { origin: provider.origin, credential: CREDENTIAL };
  gateway = await openGateway({
    providers: [
      { ...shared, name: 'openai' },
      {
        ...shared,
        name: 'own',
        kind: 'custom',
        dialects: ['openai-chat', 'openai-responses'],
        models: [
          { id: 'own/known', upstream: 'mine', prices, dialects: ['openai-responses'] },
          // What is known of the model holds for whoever else serves it.
          { id: 'openai/gpt-5.1-codex', upstream: 'my-deployment', prices },
        ],
      },
    ],
  });
});
after(async () => {
  await gateway.close();
  await provider.close();
});

const messages = [{ role: 'user', content: 'Hello.' }];
const calls = {
  'chat completions': (model: string, stream: boolean) =>
    gateway.post('/v1/chat/completions', { model, stream, messages }),
  messages: (model: string, stream: boolean) =>
    gateway.post('/v1/messages', { model, stream, messages, max_tokens: 999 }),
  generateContent: (model: string, stream: boolean) =>
    gateway.post(`/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, {
      contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }],
    }),
  responses: (model: string, stream: boolean) =>
    gateway.post('/v1/responses', { model, stream, input: 'Hello.', store: false }),
};

for (const [id, upstream] of [
  ['openai/gpt-5-codex', 'gpt-5-codex'],
  ['openai/gpt-5.5-pro', 'gpt-5.5-pro'],
  ['openai/o3-pro', 'o3-pro'],
  ['own/known', 'mine'],
  ['openai/gpt-5.1-codex', 'my-deployment'],
] as const)
  for (const [format, call] of Object.entries(calls))
    for (const stream of [false, true])
      test(`${id} answers a caller of ${format}, ${stream ? 'as a stream' : 'whole'}`, async () => {
        const response = await call(id, stream);
        const text = await response.text();
        assert.equal(response.status, 200, text);
        const { path, body } = provider.last();
        assert.deepEqual([path, body['model']], ['/v1/responses', upstream]);
        const record = gateway.records.at(-1);
        assert.equal(record?.ending, 'complete');
        assert.ok(record.charge > 0n && record.charge <= (record.hold ?? 0n));
      });
