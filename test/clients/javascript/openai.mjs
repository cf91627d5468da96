/** The package `openai`, through the Responses API. */
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { assertResults, BASE, CITY, check, KEY, MODEL, PIXEL, RESULTS, WEATHER, ZONE } from './check.mjs';

const client = new OpenAI({ baseURL: `${BASE}/api/v1`, apiKey: KEY, maxRetries: 0 });
const tools = [
  { type: 'function', name: 'get_weather', parameters: CITY, strict: false },
  { type: 'function', name: 'get_time', parameters: ZONE, strict: false },
];

await check('a whole answer', async () => {
  const response = await client.responses.create({ model: MODEL, input: 'say hello there' });
  assert.equal(response.output_text, 'hello there');
  assert.equal(response.status, 'completed');
  assert.equal(response.usage.input_tokens, 100);
  assert.equal(response.usage.output_tokens, 2);
});

await check('a streamed answer', async () => {
  const stream = client.responses.stream({ model: MODEL, input: 'say one two three' });
  const deltas = [];
  let expected = 0;
  for await (const event of stream) {
    assert.equal(event.sequence_number, expected);
    expected += 1;
    if (event.type === 'response.output_text.delta') deltas.push(event.delta);
  }
  assert.ok(deltas.length > 1);
  assert.equal(deltas.join(''), 'one two three');
  assert.equal((await stream.finalResponse()).output_text, 'one two three');
});

for (const streamed of [false, true]) {
  await check(`parallel tools, ${streamed ? 'streamed' : 'whole'}`, async () => {
    const input = [{ role: 'user', content: 'call two' }];
    const first = await ask({ input, tools }, streamed);
    const calls = first.output.filter((item) => item.type === 'function_call');
    assert.deepEqual(
      calls.map(({ name, arguments: text }) => [name, JSON.parse(text)]),
      [
        ['get_weather', { city: 'Rome' }],
        ['get_time', { zone: 'CET' }],
      ],
    );
    const outputs = calls.map(({ call_id, name }) => ({
      type: 'function_call_output',
      call_id,
      output: RESULTS[name],
    }));
    const said = first.output.map(({ parsed_arguments: _parsed, ...item }) => item);
    const second = await ask({ input: [...input, ...said, ...outputs], tools }, streamed);
    assertResults(second.output_text);
  });

  await check(`thoughts given back in a tool loop, ${streamed ? 'streamed' : 'whole'}`, async () => {
    const options = {
      tools,
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      store: false,
    };
    const input = [{ role: 'user', content: 'think then loop 2 get_weather' }];
    for (let round = 1; ; round += 1) {
      const response = await ask({ input, ...options }, streamed);
      const calls = response.output.filter((item) => item.type === 'function_call');
      if (round === 1)
        assert.ok(
          response.output.some((item) => item.type === 'reasoning'),
          'thoughts are shown',
        );
      if (calls.length === 0) {
        assert.equal(round, 3);
        assert.match(response.output_text, /^results: /);
        return;
      }
      // The package adds the arguments as an object, which OpenAI refuses.
      input.push(...response.output.map(({ parsed_arguments: _parsed, ...item }) => item));
      for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: `got ${round}` });
    }
  });
}

await check('an output in a schema', async () => {
  const response = await client.responses.parse({
    model: MODEL,
    input: 'json',
    text: { format: { type: 'json_schema', name: 'weather', schema: WEATHER, strict: true } },
  });
  assert.deepEqual(JSON.parse(response.output_text), { city: 'Rome', degrees: 21 });
});

await check('a picture', async () => {
  const content = [
    { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' },
    { type: 'input_text', text: 'say seen' },
  ];
  const response = await client.responses.create({ model: MODEL, input: [{ role: 'user', content }] });
  assert.equal(response.output_text, 'seen');
});

await check('an output cap', async () => {
  const response = await client.responses.create({ model: MODEL, input: 'long', max_output_tokens: 20 });
  assert.equal(response.status, 'incomplete');
  assert.deepEqual(response.incomplete_details, { reason: 'max_output_tokens' });
});

await check('a refusal', async () => {
  const response = await client.responses.create({ model: MODEL, input: 'refuse' });
  assert.ok(response.status === 'incomplete' || JSON.stringify(response.output).includes('refusal'));
});

await check('a failing provider', async () => {
  await assert.rejects(client.responses.create({ model: MODEL, input: 'status 500' }), OpenAI.InternalServerError);
  await assert.rejects(client.responses.create({ model: MODEL, input: 'status 429' }), OpenAI.RateLimitError);
});

await check('a failure in a stream', async () => {
  await assert.rejects(async () => {
    const stream = client.responses.stream({ model: MODEL, input: 'fail-in-stream' });
    for await (const event of stream) if (event.type === 'response.failed') throw new Error('failed');
    await stream.finalResponse();
  });
});

await check('an unknown model, an unknown key', async () => {
  await assert.rejects(client.responses.create({ model: 'no/such', input: 'x' }), OpenAI.NotFoundError);
  const stranger = new OpenAI({ baseURL: `${BASE}/api/v1`, apiKey: 'sk-wrong', maxRetries: 0 });
  await assert.rejects(stranger.responses.create({ model: MODEL, input: 'x' }), OpenAI.AuthenticationError);
});

await check('counting tokens', async () => {
  const { input_tokens } = await client.responses.inputTokens.count({ model: MODEL, input: 'say hello there' });
  assert.ok(input_tokens > 0);
});

async function ask(options, streamed) {
  if (!streamed) return client.responses.create({ model: MODEL, ...options });
  const stream = client.responses.stream({ model: MODEL, ...options });
  return stream.finalResponse();
}
