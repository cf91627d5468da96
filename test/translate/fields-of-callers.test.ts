/**
 * Goal: a caller finds the field that an error or a warning names in its own request, whatever format the provider speaks. Method: an image
 * that a provider of another format does not take, and a setting that it does not have.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OPEN_MODEL, type OpenGateway, openGateway, scriptedProvider } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  gateway = await openGateway({
    providers: [{ ...scriptedProvider('one', upstream.origin), dialects: ['anthropic-messages'] }],
  });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});

const BITMAP = { mimeType: 'image/bmp', data: 'AAAA' };
const URL_OF_IT = `data:${BITMAP.mimeType};base64,${BITMAP.data}`;

test('a caller of Chat Completions reads messages', async () => {
  const content = [{ type: 'image_url', image_url: { url: URL_OF_IT } }];
  const error = await refusal('/api/v1/chat/completions', { model: OPEN_MODEL, messages: [{ role: 'user', content }] });
  assert.equal((error as { param: string }).param, 'messages');
});

test('a caller of Responses reads input', async () => {
  const content = [{ type: 'input_image', image_url: URL_OF_IT }];
  const error = await refusal('/api/v1/responses', { model: OPEN_MODEL, input: [{ role: 'user', content }] });
  assert.equal((error as { param: string }).param, 'input');
});

test('a caller of Google’s format reads contents', async () => {
  const error = await refusal(`/v1beta/models/${OPEN_MODEL}:generateContent`, {
    contents: [{ parts: [{ inlineData: BITMAP }] }],
  });
  const { details } = error as { details: { fieldViolations?: { field: string }[] }[] };
  assert.deepEqual(
    details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field)),
    ['contents'],
  );
});

test('what routing obeys is not reported as left out', async () => {
  const route = { models: [OPEN_MODEL], route: 'fallback', provider: { order: ['one', 'two'] } };
  const messages = [{ role: 'user', content: 'x' }];
  const provided = { ...scriptedProvider('two', upstream.origin), dialects: ['openai-chat'] as const };
  const other = await openGateway({ providers: [provided] });
  try {
    for (const [by, path, body] of [
      [gateway, '/api/v1/chat/completions', { model: OPEN_MODEL, messages }],
      [gateway, '/api/v1/responses', { model: OPEN_MODEL, input: 'x' }],
      [other, '/v1/messages', { model: OPEN_MODEL, max_tokens: 9, messages }],
    ] as const) {
      const answer = await by.post(path, { ...body, ...route });
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('x-turnpike-warnings'), null, path);
    }
  } finally {
    await other.close();
  }
});

test('a warning has the caller’s name of the setting that was left out', async () => {
  const message = { role: 'user', content: 'x' };
  for (const [path, body, name] of [
    ['/api/v1/chat/completions', { model: OPEN_MODEL, messages: [message], seed: 7 }, 'seed'],
    [
      `/v1beta/models/${OPEN_MODEL}:generateContent`,
      { contents: [{ parts: [{ text: 'x' }] }], generationConfig: { seed: 7 } },
      'generationConfig.seed',
    ],
    ['/api/v1/responses', { model: OPEN_MODEL, input: 'x', text: { verbosity: 'low' } }, 'text.verbosity'],
  ] as const) {
    const response = await gateway.post(path, body);
    assert.equal(response.status, 200, await response.text());
    const warnings = response.headers.get('x-turnpike-warnings') ?? '';
    assert.ok(warnings.startsWith(`${name} is not supported by this provider`), warnings);
  }
});

async function refusal(path: string, body: object): Promise<unknown> {
  const response = await gateway.post(path, body);
  assert.equal(response.status, 400);
  return ((await response.json()) as { error: unknown }).error;
}
