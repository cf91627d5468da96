/** The package `@ai-sdk/google`. */
import assert from 'node:assert/strict';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import { assertResults, BASE, CITY, check, KEY, MODEL, RESULTS, WEATHER, ZONE } from './check.mjs';

const model = createGoogleGenerativeAI({ baseURL: `${BASE}/v1beta`, apiKey: KEY })(MODEL);
const tools = {
  get_weather: tool({ inputSchema: jsonSchema(CITY), execute: async () => RESULTS.get_weather }),
  get_time: tool({ inputSchema: jsonSchema(ZONE), execute: async () => RESULTS.get_time }),
};
const common = { model, maxRetries: 0 };
const loop = { ...common, tools, stopWhen: stepCountIs(5) };
const providerOptions = { google: { thinkingConfig: { includeThoughts: true } } };

await check('a whole answer', async () => {
  const { text, usage } = await generateText({ ...common, prompt: 'say hello there' });
  assert.equal(text, 'hello there');
  assert.equal(usage.inputTokens, 100);
});

await check('a streamed answer', async () => {
  const pieces = await Array.fromAsync(streamText({ ...common, prompt: 'say one two three' }).textStream);
  assert.ok(pieces.length > 1);
  assert.equal(pieces.join(''), 'one two three');
});

await check('a loop of parallel tools', async () => {
  assertResults((await generateText({ ...loop, prompt: 'call two' })).text);
});

await check('a streamed loop that thinks before each call', async () => {
  const result = streamText({ ...loop, prompt: 'think then loop 2 get_weather {"city":"Rome"}', providerOptions });
  assert.match(await result.text, /^results: /);
});

await check('an output in a schema', async () => {
  const output = Output.object({ schema: jsonSchema(WEATHER) });
  assert.deepEqual((await generateText({ ...common, prompt: 'json', output })).output, { city: 'Rome', degrees: 21 });
});

await check('a failing provider', async () => {
  await assert.rejects(generateText({ ...common, prompt: 'status 500' }), (error) => error.statusCode >= 500);
});
