/**
 * Goal: the dialect keeps the contract of its family, and every answer is metered correctly. Method: fixtures written and counted by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE, type Usage } from '../../core/usage.ts';
import { type AnswerFixture, dialectContract, type Metered } from '../contract.ts';
import { fixtureNames, readFixture } from './fixtures/read-fixture.ts';
import { gemini } from './gemini.ts';
import { quirksOfModel, usualQuirks } from './quirks.ts';

const SPOKEN = 'Fog over the "Straße":\n\t\\o/ {"text":"x"} 灯台 🗼 é🗼';

const streams: Record<string, Metered> = {
  'text.sse': finished('STOP', Buffer.byteLength(SPOKEN), { inputTokens: 9, outputTokens: 20 }),
  'thinking.sse': finished('STOP', '**Counting** the lamps.Four lamps.'.length, {
    inputTokens: 24,
    cacheReadTokens: 16,
    outputTokens: 35,
    reasoningTokens: 30,
  }),
  'tool-use.sse': finished('STOP', 'I look. {"name":"Brest","id":12345678901234567000}'.length, {
    inputTokens: 55,
    outputTokens: 81,
    reasoningTokens: 60,
  }),
  'streamed-arguments.sse': finished('STOP', 'High "water"4.25true2'.length, {
    inputTokens: 31,
    outputTokens: 49,
    reasoningTokens: 9,
  }),
  // What the search read is part of the prompt.
  'grounded.sse': finished('STOP', Buffer.byteLength('Hoch🗼 am Mittag.'), {
    inputTokens: 912,
    outputTokens: 7,
    webSearches: 3,
  }),
  'blocked-prompt.sse': {
    ...finished('PROHIBITED_CONTENT', 0, { inputTokens: 14 }),
    upstreamId: 'lantern-6',
  },
  'safety.sse': finished('SAFETY', 'First you'.length, { inputTokens: 8, outputTokens: 2 }),
  'thoughts-ate-cap.sse': finished('MAX_TOKENS', 0, { inputTokens: 10, outputTokens: 64, reasoningTokens: 64 }),
  'error-in-stream.sse': {
    ...finished(null, 'Half a sen'.length, { inputTokens: 12, outputTokens: 3 }),
    state: 'failed',
  },
  'cut.sse': { ...finished(null, 'Half a sen'.length, { inputTokens: 12, outputTokens: 3 }), state: 'open' },
  'malformed-call.sse': finished('MALFORMED_FUNCTION_CALL', 0, {
    inputTokens: 12,
    outputTokens: 3,
    reasoningTokens: 3,
  }),
  // The image counts as 1,290 tokens of four bytes.
  'image.sse': finished('STOP', 'Here. '.length + 5160, {
    inputTokens: 6,
    outputTokens: 1292,
    outputImageTokens: 1290,
  }),
  // LF, a comment, and the end of another format. The cached tokens were all sound.
  'audio.sse': finished('STOP', 'Heard.'.length, {
    inputTokens: 10,
    inputAudioTokens: 70,
    cacheReadTokens: 30,
    cachedAudioTokens: 30,
    outputTokens: 2,
    outputAudioTokens: 40,
  }),
};

const answers: Record<string, Metered> = {
  'text.json': finished('STOP', Buffer.byteLength('**Counting**Vier. 灯2+2'), {
    inputTokens: 6,
    cacheReadTokens: 4,
    outputTokens: 42,
    reasoningTokens: 30,
  }),
  'tools.json': finished('STOP', '{"name":"Brest"}{"name":"Lorient"}'.length, {
    inputTokens: 29,
    outputTokens: 85,
    reasoningTokens: 70,
  }),
  'blocked-prompt.json': { ...finished('MODEL_ARMOR', 0, {}), usage: null, upstreamId: 'lantern-9' },
};

test('every fixture is in the tables', () => {
  assert.deepEqual([...Object.keys(streams), ...Object.keys(answers)].sort(), [...fixtureNames].sort());
});

const request = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Ahoy' }] }] });

dialectContract(gemini, {
  quirks: usualQuirks,
  requests: [
    request,
    '{ "generation_config" : {"temperature":1,"max_output_tokens":null} ,\n "contents":{"parts":{"text":"h\\u00e9"}} , "n":12345678901234567890 }',
    '{"contents":[{}],"generationConfig":null,"newField":{"model":"inner","maxOutputTokens":1}}',
    '{"contents":[{}],"generationConfig":{}}',
  ],
  streams: Object.entries(streams).map(fixture),
  answers: Object.entries(answers).map(fixture),
  errors: [
    { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.', isSafe: true },
    { code: 500, status: 'INTERNAL', message: 'An internal error has occurred.', isSafe: true },
    { code: 400, status: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.', isSafe: true },
    { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Limit of organization org-Ab12Cd34Ef56', isSafe: false },
    { code: 400, status: 'FAILED_PRECONDITION', message: 'Please enable billing on your credit plan', isSafe: false },
    { code: 403, status: 'PERMISSION_DENIED', message: 'No credit in projects/481516', isSafe: false },
  ].map(({ isSafe, ...error }) => ({
    event: `data: ${JSON.stringify({ error })}\r\n\r\n`,
    isSafe,
    adds: null,
  })),
});

test('a model is known by its version', () => {
  assert.deepEqual(quirksOfModel('gemini-3.1-pro-preview'), {});
  assert.deepEqual(quirksOfModel('gemini-flash-latest'), {});
  assert.equal(quirksOfModel('gemini-2.5-flash-lite').thinking, 'budget');
  assert.equal(quirksOfModel('gemini-robotics-er-1.5-preview').thinking, 'budget');
  for (const name of ['gemini-2.0-flash', 'gemini-1.5-pro', 'gemma-3-27b-it'])
    assert.deepEqual([quirksOfModel(name).thinking, quirksOfModel(name).jsonSchema], ['none', false], name);
});

function fixture([name, metered]: [string, Metered]): AnswerFixture {
  return { name, bytes: readFixture(name), upstreamModel: 'gemini-lighthouse-3', request, metered };
}

function finished(finishReason: string | null, outputBytes: number, usage: Partial<Usage>): Metered {
  return { state: 'finished', upstreamId: 'lantern-1', finishReason, outputBytes, usage: { ...NO_USAGE, ...usage } };
}
