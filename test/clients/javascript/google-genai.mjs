/** The package `@google/genai`. */
import assert from 'node:assert/strict';
import { ApiError, GoogleGenAI } from '@google/genai';
import { assertResults, BASE, CITY, check, KEY, MODEL, PIXEL, RESULTS, WEATHER, ZONE } from './check.mjs';

const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: BASE } });
const tools = [
  {
    functionDeclarations: [
      { name: 'get_weather', parametersJsonSchema: CITY },
      { name: 'get_time', parametersJsonSchema: ZONE },
    ],
  },
];

await check('a whole answer', async () => {
  const response = await client.models.generateContent({ model: MODEL, contents: 'say hello there' });
  assert.equal(response.text, 'hello there');
  assert.equal(response.usageMetadata.promptTokenCount, 100);
  assert.equal(response.candidates[0].finishReason, 'STOP');
});

await check('a streamed answer', async () => {
  const stream = await client.models.generateContentStream({ model: MODEL, contents: 'say one two three' });
  const chunks = await Array.fromAsync(stream);
  assert.ok(chunks.length > 1);
  assert.equal(chunks.map(({ text }) => text ?? '').join(''), 'one two three');
  assert.equal(chunks.at(-1).usageMetadata.candidatesTokenCount, 3);
});

for (const streamed of [false, true]) {
  const how = streamed ? 'streamed' : 'whole';

  await check(`a chat with parallel tools, ${how}`, async () => {
    const chat = client.chats.create({ model: MODEL, config: { tools } });
    const first = await send(chat, 'call two', streamed);
    assert.deepEqual(
      first.calls.map(({ name, args }) => [name, args]),
      [
        ['get_weather', { city: 'Rome' }],
        ['get_time', { zone: 'CET' }],
      ],
    );
    const second = await send(chat, resultsOf(first.calls), streamed);
    assertResults(second.text);
  });

  await check(`thoughts given back in a tool loop, ${how}`, async () => {
    const config = { tools, thinkingConfig: { includeThoughts: true, thinkingBudget: 4096 } };
    const chat = client.chats.create({ model: MODEL, config });
    let answer = await send(chat, 'think then loop 2 get_weather', streamed);
    assert.ok(answer.thoughts !== '', 'thoughts are shown');
    for (let round = 1; round <= 2; round += 1) {
      assert.equal(answer.calls.length, 1);
      answer = await send(chat, resultsOf(answer.calls), streamed);
    }
    assert.match(answer.text, /^results: /);
  });
}

await check('an output in a schema', async () => {
  const config = { responseMimeType: 'application/json', responseJsonSchema: WEATHER };
  const response = await client.models.generateContent({ model: MODEL, contents: 'json', config });
  assert.deepEqual(JSON.parse(response.text), { city: 'Rome', degrees: 21 });
});

await check('a picture', async () => {
  const contents = [{ inlineData: { mimeType: 'image/png', data: PIXEL } }, { text: 'say seen' }];
  assert.equal((await client.models.generateContent({ model: MODEL, contents })).text, 'seen');
});

await check('an output cap', async () => {
  const config = { maxOutputTokens: 20 };
  const response = await client.models.generateContent({ model: MODEL, contents: 'long', config });
  assert.equal(response.candidates[0].finishReason, 'MAX_TOKENS');
});

await check('a refusal', async () => {
  const response = await client.models.generateContent({ model: MODEL, contents: 'refuse' });
  assert.notEqual(response.candidates?.[0]?.finishReason, 'STOP');
});

await check('a failing provider', async () => {
  await assert.rejects(client.models.generateContent({ model: MODEL, contents: 'status 500' }), isApiError(500));
  await assert.rejects(client.models.generateContent({ model: MODEL, contents: 'status 429' }), isApiError(429));
});

await check('a failure in a stream', async () => {
  await assert.rejects(async () => {
    await Array.fromAsync(await client.models.generateContentStream({ model: MODEL, contents: 'fail-in-stream' }));
  });
});

await check('an unknown model, an unknown key', async () => {
  await assert.rejects(client.models.generateContent({ model: 'no/such', contents: 'x' }), isApiError(404));
  const stranger = new GoogleGenAI({ apiKey: 'sk-wrong', httpOptions: { baseUrl: BASE } });
  await assert.rejects(stranger.models.generateContent({ model: MODEL, contents: 'x' }), isApiError(401));
});

await check('counting tokens', async () => {
  const { totalTokens } = await client.models.countTokens({ model: MODEL, contents: 'say hello there' });
  assert.ok(totalTokens > 0);
});

await check('the list of models, and one of them', async () => {
  const names = [];
  for await (const { name } of await client.models.list()) names.push(name);
  assert.ok(names.includes(`models/${MODEL}`), names.join());
  assert.equal((await client.models.get({ model: MODEL })).name, `models/${MODEL}`);
});

function resultsOf(calls) {
  return calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { output: RESULTS[name] } } }));
}

async function send(chat, message, streamed) {
  const chunks = streamed
    ? await Array.fromAsync(await chat.sendMessageStream({ message }))
    : [await chat.sendMessage({ message })];
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  const join = (wanted) =>
    parts.flatMap(({ text, thought = false }) => (thought === wanted ? [text ?? ''] : [])).join('');
  return {
    text: join(false),
    thoughts: join(true),
    calls: parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall])),
  };
}

/** Ours are in the same class of statuses as the provider's. */
function isApiError(status) {
  return (error) => error instanceof ApiError && (error.status === status || (status === 500 && error.status >= 500));
}
