/**
 * Goal: calls reach Vertex with a token that is good, at the path of the model's publisher. Method: the whole gateway over loopback, with a
 * service account whose token service stands there too.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { endsProperly, errorCode, type OpenBench } from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { anthropicBody, anthropicFrames, openaiBody, refuse, stream } from '../support/upstream-scripts.ts';
import { byPath, CLAUDE, openCloud, pathOf, sentHeader } from './cloud-bench.ts';

const GEMINI = 'google/gemini-2.5-pro';
const LLAMA = 'meta/llama-4-maverick';
const MODELS = '/v1/projects/their-project/locations/europe-west1/publishers';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let bench: OpenBench;
let tokens = 0;
before(async () => {
  bench = await openCloud({
    kind: 'vertex',
    models: {
      [CLAUDE]: 'claude-sonnet-4-5@20250929',
      [GEMINI]: 'gemini-2.5-pro',
      [LLAMA]: 'meta/llama-4-maverick-17b-128e-instruct-maas',
    },
    fields: (origin) => ({ location: 'europe-west1', credential: serviceAccount(origin) }),
  });
});
beforeEach(() => bench.upstream.play(answerWell));
after(() => bench.close());

function serviceAccount(origin: string): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: 'their-project',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: 'caller@their-project.iam.gserviceaccount.com',
    token_uri: `${origin}/token`,
  });
}

const token: Script = (exchange) => {
  tokens += 1;
  return exchange.whole(200, JSON.stringify({ access_token: `ya29.canary-${tokens}`, expires_in: 3600 }));
};
const geminiBody = JSON.stringify({
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi you' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
  modelVersion: 'gemini-2.5-pro',
  responseId: 'r1',
});
const scripts: [RegExp, Script][] = [
  [/^\/token$/, token],
  [/count-tokens:rawPredict$/, (exchange) => exchange.whole(200, '{"input_tokens":42}')],
  [/:rawPredict$/, (exchange) => exchange.whole(200, anthropicBody('Hi you', 'claude-sonnet-4-5'))],
  [/:streamRawPredict$/, stream(anthropicFrames(['Hi', ' you'], 'claude-sonnet-4-5'))],
  [/:generateContent$/, (exchange) => exchange.whole(200, geminiBody)],
  [/:streamGenerateContent\?alt=sse$/, stream([`data: ${geminiBody}\r\n\r\n`])],
  [/\/endpoints\/openapi\/chat\/completions$/, (exchange) => exchange.whole(200, openaiBody('Hi you'))],
];
const answerWell = byPath(scripts);

const messages = (model: string, more: object = {}) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
});

/** What was asked of the model: the last request. */
async function ask(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await bench.post(path, body, headers);
  const text = await response.text();
  const exchange = bench.upstream.exchanges.findLast((each) => pathOf(each) !== '/token');
  assert(exchange !== undefined, `nothing arrived: ${text}`);
  return { status: response.status, headers: response.headers, text, exchange };
}

test('a burst of first calls fetches one token, and each call carries it', async () => {
  const burst = await Promise.all(Array.from({ length: 20 }, () => bench.post('/v1/messages', messages(CLAUDE))));
  assert.ok(burst.every(({ status }) => status === 200));
  assert.equal(tokens, 1);
  const calls = bench.upstream.exchanges.filter((each) => pathOf(each) !== '/token');
  assert.deepEqual(new Set(calls.map((each) => sentHeader(each, 'authorization'))), new Set(['Bearer ya29.canary-1']));
});

test('Claude is relayed at its publisher’s path: the version in the place of the model, the betas in the header', async () => {
  const { exchange, headers } = await ask('/v1/messages', messages(CLAUDE, { stream: false }), {
    'anthropic-beta': 'context-management-2025-06-27,context-1m-2025-08-07,claude-code-20250219',
    'anthropic-version': '2023-06-01',
  });
  assert.equal(pathOf(exchange), `${MODELS}/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`);
  assert.equal(
    exchange.request.body.toString(),
    '{"anthropic_version":"vertex-2023-10-16","anthropic_beta":["context-1m-2025-08-07"],"max_tokens":100,"messages":[{"role":"user","content":"hi"}],"stream":false}',
  );
  assert.equal(sentHeader(exchange, 'anthropic-beta'), 'context-management-2025-06-27');
  assert.equal(sentHeader(exchange, 'anthropic-version'), null);
  assert.match(headers.get('x-turnpike-warnings') ?? '', /claude-code-20250219: left out/);
});

test('Claude’s stream passes as it is', async () => {
  const { exchange, text } = await ask('/v1/messages', messages(CLAUDE, { stream: true }));
  assert.match(pathOf(exchange), /:streamRawPredict$/);
  assert.ok(endsProperly(text) && text.includes(`"model":"${CLAUDE}"`));
});

test('a caller of Chat Completions is translated to Claude', async () => {
  const { exchange, text } = await ask('/api/v1/chat/completions', messages(CLAUDE));
  assert.match(pathOf(exchange), /:rawPredict$/);
  assert.equal(exchange.json['anthropic_version'], 'vertex-2023-10-16');
  assert.equal('model' in exchange.json, false);
  assert.ok(text.includes('Hi you'));
});

test('tokens of a prompt for Claude are counted by Vertex', async () => {
  const { exchange, text } = await ask('/v1/messages/count_tokens', {
    model: CLAUDE,
    messages: [{ role: 'user', content: 'hi' }],
  });
  assert.deepEqual(JSON.parse(text), { input_tokens: 42 });
  assert.equal(pathOf(exchange), `${MODELS}/anthropic/models/count-tokens:rawPredict`);
  assert.deepEqual(exchange.json, {
    anthropic_version: 'vertex-2023-10-16',
    model: 'claude-sonnet-4-5@20250929',
    messages: [{ role: 'user', content: 'hi' }],
  });
});

for (const streamed of [false, true])
  test(`Gemini is served in its own format, ${streamed ? 'streamed' : 'whole'}`, async () => {
    const { exchange, text } = await ask('/api/v1/chat/completions', messages(GEMINI, { stream: streamed }));
    const method = streamed ? 'streamGenerateContent?alt=sse' : 'generateContent';
    assert.equal(pathOf(exchange), `${MODELS}/google/models/gemini-2.5-pro:${method}`);
    assert.ok(text.includes('Hi you'), text);
  });

test('models of other publishers are served in OpenAI’s format', async () => {
  const { exchange, text } = await ask('/api/v1/chat/completions', messages(LLAMA));
  assert.equal(
    pathOf(exchange),
    '/v1/projects/their-project/locations/europe-west1/endpoints/openapi/chat/completions',
  );
  assert.equal(exchange.json['model'], 'meta/llama-4-maverick-17b-128e-instruct-maas');
  assert.ok(text.includes('Hi you'));
});

test('an error of Google’s is understood, and names nothing of the operator’s', async () => {
  const error = (code: number, status: string) => ({
    error: { code, status, message: 'Publisher Model `projects/their-project/locations/x/models/y` was not found.' },
  });
  for (const [status, word, expected] of [
    [404, 'NOT_FOUND', [404, 'model_not_found']],
    [403, 'PERMISSION_DENIED', [502, 'upstream_credential_rejected']],
    [429, 'RESOURCE_EXHAUSTED', [429, 'upstream_rate_limited']],
  ] as const) {
    bench.upstream.play(
      byPath([
        [/^\/token$/, token],
        [/./, refuse(status, error(status, word))],
      ]),
    );
    const response = await bench.post('/v1/messages', messages(CLAUDE));
    const text = await response.text();
    assert.deepEqual([response.status, errorCode(JSON.parse(text))], expected);
    assert.ok(!text.includes('their-project'), text);
  }
});

test('a connection test lists the publisher’s models with a token', async () => {
  bench.upstream.play(
    byPath([
      [/^\/token$/, token],
      [
        /./,
        (exchange) => exchange.whole(200, '{"publisherModels":[{"name":"publishers/google/models/gemini-2.5-pro"}]}'),
      ],
    ]),
  );
  const { testConnection } = await import('../../src/probe/test-connection.ts');
  const { gateway } = bench.app;
  const provider = gateway.providers.get('vertex');
  assert(provider !== undefined);
  const report = await testConnection(provider, {
    clock: gateway.clock,
    timeoutMs: 5000,
    send: ({ timeoutMs, ...request }) =>
      gateway.upstream.request({ ...request, body: null }, { timeoutMs, bytesMax: 10_000 }),
  });
  assert.deepEqual([report.problem, report.modelNames], [null, ['gemini-2.5-pro']]);
});
