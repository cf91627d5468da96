/** The checks that LangChain's chat models share. */
import assert from 'node:assert/strict';
import { assertResults, CITY, check, RESULTS, ZONE } from './check.mjs';

const tools = [
  { type: 'function', function: { name: 'get_weather', description: 'The weather.', parameters: CITY } },
  { type: 'function', function: { name: 'get_time', description: 'The time.', parameters: ZONE } },
];

export async function converse(chat, { HumanMessage, ToolMessage }) {
  await check('a whole answer', async () => {
    const message = await chat.invoke('say hello there');
    assert.equal(message.text, 'hello there');
    assert.equal(message.usage_metadata.input_tokens, 100);
  });

  await check('a streamed answer', async () => {
    const chunks = await Array.fromAsync(await chat.stream('say one two three'));
    assert.ok(chunks.length > 1);
    assert.equal(chunks.map(({ text }) => text).join(''), 'one two three');
  });

  await check('parallel tools', async () => {
    const bound = chat.bindTools(tools);
    const question = new HumanMessage('call two');
    const first = await bound.invoke([question]);
    assert.deepEqual(
      first.tool_calls.map(({ name, args }) => [name, args]),
      [
        ['get_weather', { city: 'Rome' }],
        ['get_time', { zone: 'CET' }],
      ],
    );
    const results = first.tool_calls.map(
      ({ id, name }) => new ToolMessage({ tool_call_id: id, name, content: RESULTS[name] }),
    );
    assertResults((await bound.invoke([question, first, ...results])).text);
  });
}
