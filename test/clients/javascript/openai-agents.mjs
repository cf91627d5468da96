/** The package `@openai/agents`: OpenAI's Agents SDK, which calls the Responses API. */
import assert from 'node:assert/strict';
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';
import { assertResults, BASE, check, KEY, MODEL, RESULTS } from './check.mjs';

setTracingDisabled(true);
const modelProvider = new OpenAIProvider({ baseURL: `${BASE}/api/v1`, apiKey: KEY, useResponses: true });
const runner = new Runner({ modelProvider, tracingDisabled: true });
const tools = [
  tool({
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: z.object({ city: z.string() }),
    execute: async () => RESULTS.get_weather,
  }),
  tool({
    name: 'get_time',
    description: 'The time of a zone.',
    parameters: z.object({ zone: z.string() }),
    execute: async () => RESULTS.get_time,
  }),
];
const agent = new Agent({ name: 'Helper', instructions: 'Be of use.', model: MODEL, tools });

await check('a whole run', async () => {
  const result = await runner.run(agent, 'say hello there');
  assert.equal(result.finalOutput, 'hello there');
});

await check('a run with parallel tools', async () => {
  assertResults((await runner.run(agent, 'call two')).finalOutput);
});

await check('a streamed run with parallel tools', async () => {
  const result = await runner.run(agent, 'call two', { stream: true });
  for await (const _event of result);
  await result.completed;
  assertResults(result.finalOutput);
});

await check('a run that thinks before each of its calls', async () => {
  const thinker = agent.clone({ modelSettings: { reasoning: { effort: 'medium', summary: 'auto' }, store: false } });
  const result = await runner.run(thinker, 'think then loop 2 get_weather {"city":"Rome"}');
  assert.match(result.finalOutput, /^results: /);
});

await check('a handoff', async () => {
  const second = new Agent({ name: 'Second', instructions: 'Be of use.', model: MODEL });
  const first = new Agent({ name: 'First', instructions: 'Hand over.', model: MODEL, handoffs: [second] });
  const result = await runner.run(first, 'call transfer_to_Second {}');
  assert.equal(result.lastAgent.name, 'Second');
});

await check('an output in a schema', async () => {
  const outputType = z.object({ city: z.string(), degrees: z.number().int() });
  const result = await runner.run(new Agent({ name: 'Typed', model: MODEL, outputType }), 'json');
  assert.deepEqual(result.finalOutput, { city: 'Rome', degrees: 21 });
});
