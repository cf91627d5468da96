/**
 * Goal: a sound or a video of a translated request reaches a model that takes it, in whichever format of its provider has a part for it, and is
 * otherwise refused with the reason. Method: Google's callers, against a provider that serves a model in two formats, one that serves it in
 * one, and a strict Bedrock.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { listOf } from '../support/strict-server.ts';
import { BEDROCK_CLAUDE, BEDROCK_NOVA, openTranslateBench, type TranslateBench } from '../support/translate-bench.ts';
import { openaiBody, openaiFrames } from '../support/upstream-scripts.ts';

const SOUND = { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } };
const VIDEO = { inlineData: { mimeType: 'video/mp4', data: 'AAAAGGZ0eXA=' } };
const say = { text: 'say heard' };

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
let bench: TranslateBench;
before(async () => {
  upstream = await startScriptedUpstream(async (exchange) => {
    const { startLine } = exchange.request;
    if (startLine.includes('/input_tokens')) return exchange.whole(200, '{"object":"x","input_tokens":7}');
    assert.match(startLine, /\/chat\/completions /, 'the format that takes sound');
    if (exchange.json['stream'] !== true) return exchange.whole(200, openaiBody('heard'));
    await exchange.openStream();
    for (const frame of openaiFrames(['heard'])) await exchange.chunk(frame);
    await exchange.lastChunk();
  });
  const of = (name: string, dialects: readonly string[]) => ({
    name,
    kind: 'openai',
    origin: upstream.origin,
    credential: 'canary-of-hearing',
    dialects,
    models: [{ id: `hearing/${name}`, upstream: 'listener-1', prices: { input: 1, output: 5 } }],
  });
  gateway = await openGateway({
    providers: [of('both', ['openai-responses', 'openai-chat']), of('one', ['openai-responses'])],
  });
  bench = await openTranslateBench();
});
after(async () => {
  await gateway.close();
  await upstream.close();
  await bench.close();
});

function generate(
  to: OpenGateway,
  model: string,
  parts: readonly object[],
  verb = 'generateContent',
): Promise<Response> {
  return to.post(`/v1beta/models/${model}:${verb}`, { contents: [{ role: 'user', parts }] });
}

for (const verb of ['generateContent', 'streamGenerateContent?alt=sse'])
  test(`a sound goes to the format of the provider that has a part for it: ${verb}`, async () => {
    const answered = await generate(gateway, 'hearing/both', [SOUND, say], verb);
    assert.equal(answered.status, 200);
    assert.match(await answered.text(), /heard/);
    const [message] = listOf(upstream.exchanges.at(-1)?.json['messages']);
    assert.deepEqual(listOf(message?.['content'])[0], {
      type: 'input_audio',
      input_audio: { data: 'UklGRg==', format: 'wav' },
    });
  });

test('a sound for a provider that has none in any of its formats is refused with its name, and nothing is sent', async () => {
  const before_ = upstream.exchanges.length;
  const answered = await generate(gateway, 'hearing/one', [SOUND, say]);
  assert.equal(answered.status, 400);
  assert.match(await answered.text(), /OpenAI's Responses format, which has no sound/);
  assert.equal(upstream.exchanges.length, before_);
});

test('the tokens of a sound are estimated if the format that counts has none', async () => {
  const answered = await generate(gateway, 'hearing/both', [SOUND, say], 'countTokens');
  assert.equal(answered.status, 200, await answered.clone().text());
  assert.ok(((await answered.json()) as { totalTokens: number }).totalTokens > 0);
});

test('a video reaches Amazon’s models at Bedrock, and is refused for others and by its address', async () => {
  const seen = await generate(bench, BEDROCK_NOVA, [VIDEO, say]);
  assert.match(await seen.text(), /heard/);
  const [turn] = listOf(bench.strictBedrock.last().body['messages']);
  assert.deepEqual(listOf(turn?.['content'])[0], { video: { format: 'mp4', source: { bytes: 'AAAAGGZ0eXA=' } } });
  for (const [model, part, words] of [
    [BEDROCK_CLAUDE, VIDEO, /does not support video/],
    [BEDROCK_NOVA, { fileData: { fileUri: 'https://videos.example/a.mp4', mimeType: 'video/mp4' } }, /from an address/],
    [BEDROCK_NOVA, { inlineData: { mimeType: 'video/ogg', data: 'AAAA' } }, /must be an MP4/],
  ] as const) {
    const refused = await generate(bench, model, [part, say]);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), words);
  }
});
