/** The package `@ai-sdk/openai`, through the Responses API. */
import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import { assertResults, BASE, CITY, check, KEY, MODEL, RESULTS, WEATHER, ZONE } from './check.mjs';

const model = createOpenAI({ baseURL: `${BASE}/api/v1`, apiKey: KEY }).responses(MODEL);
const tools = {
  get_weather: tool({ inputSchema: jsonSchema(CITY), execute: async () => RESULTS.get_weather }),
  get_time: tool({ inputSchema: jsonSchema(ZONE), execute: async () => RESULTS.get_time }),
};
const common = { model, maxRetries: 0 };
const loop = { ...common, tools, stopWhen: stepCountIs(5) };
const providerOptions = { openai: { store: false } };

await check('a whole answer', async () => {
  const { text, usage } = await generateText({ ...common, prompt: 'say hello there' });
  assert.equal(text, 'hello there');
  assert.equal(usage.inputTokens, 100);
});

await check('a streamed answer', async () => {
  const { textStream } = streamText({ ...common, prompt: 'say one two three' });
  const pieces = await Array.fromAsync(textStream);
  assert.ok(pieces.length > 1);
  assert.equal(pieces.join(''), 'one two three');
});

await check('a loop of parallel tools', async () => {
  assertResults((await generateText({ ...loop, prompt: 'call two', providerOptions })).text);
});

await check('a streamed loop of parallel tools', async () => {
  assertResults(await streamText({ ...loop, prompt: 'call two', providerOptions }).text);
});

// By default it names items of earlier answers instead of sending them, which only a provider that stores answers understands.
await check('a loop that refers to stored items: served, or a clear refusal', async () => {
  try {
    assertResults((await generateText({ ...loop, prompt: 'call two' })).text);
  } catch (error) {
    assert.equal(error.statusCode, 400);
    assert.match(error.message, /whole input/);
  }
});

await check('an output in a schema', async () => {
  const output = Output.object({ schema: jsonSchema(WEATHER) });
  const result = await generateText({ ...common, prompt: 'json', output });
  assert.deepEqual(result.output, { city: 'Rome', degrees: 21 });
});

await check('a failing provider', async () => {
  await assert.rejects(generateText({ ...common, prompt: 'status 500' }), (error) => error.statusCode >= 500);
});
