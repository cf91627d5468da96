/**
 * Goal: conversations that one format allows and the other does not are still served, or get a clear
 * refusal. Method: the official packages send them to the strict provider of the other format.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { textOf } from '../support/strict-answer.ts';
import { CLAUDE, CLAUDE_NEWEST, GPT, openTranslateBench, type TranslateBench } from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const user = { role: 'user' as const, content: 'say hi' };
const openaiTools = [{ type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }];
const calling = (id: string, name = 'look'): OpenAI.ChatCompletionMessageParam => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
});
const openaiAsk = async (messages: OpenAI.ChatCompletionMessageParam[], more: object = {}, model = CLAUDE) =>
  (await bench.openai.chat.completions.create({ model, messages, ...more })).choices[0]?.message.content;
const anthropicAsk = async (messages: Anthropic.MessageParam[], more: object = {}) =>
  textOf({
    content: (await bench.anthropic.messages.create({ model: GPT, max_tokens: 99, messages, ...more })).content,
  });

describe('of an OpenAI caller to Anthropic', () => {
  test('several turns of one role follow each other', async () => {
    const two = [
      { role: 'user' as const, content: 'first' },
      { role: 'developer' as const, content: 'Be kind.' },
      user,
    ];
    assert.equal(await openaiAsk(two), 'hi');
  });

  test('the assistant speaks first', async () => {
    assert.equal(await openaiAsk([{ role: 'assistant', content: 'Welcome.' }, user]), 'hi');
  });

  test('there are only instructions', async () => {
    assert.notEqual(await openaiAsk([{ role: 'system', content: 'Say hi.' }]), null);
    assert.equal(bench.strictAnthropic.last().body['system'] === undefined, false);
  });

  test('ids of calls repeat in a later turn, as some servers number them', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'loop 2 look' },
      calling('call_0'),
      { role: 'tool', tool_call_id: 'call_0', content: 'one' },
      calling('call_0'),
      { role: 'tool', tool_call_id: 'call_0', content: 'two' },
    ];
    assert.equal(await openaiAsk(messages, { tools: openaiTools }), 'results: one | two');
  });

  test('a history of calls comes without the tools', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'call look' },
      calling('call_1'),
      { role: 'tool', tool_call_id: 'call_1', content: 'seen' },
    ];
    assert.equal(await openaiAsk(messages), 'results: seen');
  });

  test('arguments that are not JSON are sent back', async () => {
    const broken = calling('call_1') as { tool_calls: { function: { arguments: string } }[] };
    for (const call of broken.tool_calls) call.function.arguments = '{"city": "Ro';
    const messages = [
      { role: 'user' as const, content: 'call look' },
      broken as unknown as OpenAI.ChatCompletionMessageParam,
      { role: 'tool' as const, tool_call_id: 'call_1', content: 'that was no JSON' },
    ];
    assert.equal(await openaiAsk(messages, { tools: openaiTools }), 'results: that was no JSON');
  });

  test('a result without a call is a bad request that says where', async () => {
    const orphan: OpenAI.ChatCompletionMessageParam[] = [user, { role: 'tool', tool_call_id: 'call_9', content: 'x' }];
    await assert.rejects(openaiAsk(orphan, { tools: openaiTools }), (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.equal(error.param, 'messages[1].tool_call_id');
      return true;
    });
  });

  test('a call without a result, as in a cut conversation, is reported as failed', async () => {
    const request = { model: CLAUDE, messages: [user, calling('call_1'), user], tools: openaiTools };
    const { data, response } = await bench.openai.chat.completions.create(request).withResponse();
    assert.equal(data.choices[0]?.message.content, 'hi');
    assert.match(response.headers.get('x-turnpike-warnings') ?? '', /no result/);
  });

  test('a cap above the model’s maximum is lowered, and that is reported', async () => {
    const request = { model: CLAUDE, messages: [user], max_completion_tokens: 500_000 };
    const { response } = await bench.openai.chat.completions.create(request).withResponse();
    assert.match(response.headers.get('x-turnpike-warnings') ?? '', /cap|max_tokens/);
    assert.equal(bench.strictAnthropic.last().body['max_tokens'], 64_000);
  });

  test('in a stream the usage is sent without being requested, as from OpenRouter, but never without a choice', async () => {
    const stream = await bench.openai.chat.completions.create({ model: CLAUDE, messages: [user], stream: true });
    const chunks = await Array.fromAsync(stream);
    assert.ok(chunks.every((chunk) => chunk.choices.length === 1));
    assert.ok(
      chunks.every((chunk) => chunk.usage !== null),
      'a client of OpenRouter refuses a usage of null',
    );
  });

  test('stop sequences reach models of either kind', async () => {
    const messages = [{ role: 'user' as const, content: 'say one STOP two' }];
    for (const model of [CLAUDE, CLAUDE_NEWEST]) {
      assert.equal((await openaiAsk(messages, { stop: 'STOP' }, model))?.trim(), 'one');
    }
  });

  test('JSON of any shape is requested in the prompt', async () => {
    assert.equal(typeof JSON.parse((await openaiAsk([{ role: 'user', content: 'json' }], jsonMode)) ?? ''), 'object');
  });
});

const jsonMode = { response_format: { type: 'json_object' } };

describe('of an Anthropic caller to OpenAI', () => {
  test('results are in several turns', async () => {
    const use = (id: string) => ({ type: 'tool_use' as const, id, name: 'look', input: {} });
    const result = (id: string) => ({ type: 'tool_result' as const, tool_use_id: id, content: id });
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: 'call two' },
      { role: 'assistant', content: [use('a'), use('b')] },
      { role: 'user', content: [result('b')] },
      { role: 'user', content: [result('a')] },
    ];
    const tools = [{ name: 'look', input_schema: { type: 'object' } }];
    assert.match(await anthropicAsk(messages, { tools }), /^results: (a \| b|b \| a)$/);
  });

  test('a tool has a name that is too long for OpenAI, as those of MCP servers', async () => {
    const name = `mcp__a_server_with_a_long_name__${'a_tool_'.repeat(8)}end`;
    const tools = [{ name, input_schema: { type: 'object' as const } }];
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'loop 1 anything' }];
    const answer = bench.anthropic.messages.create({ model: GPT, max_tokens: 99, messages, tools });
    await answer.catch((error: unknown) => {
      assert.ok(error instanceof Anthropic.BadRequestError);
      assert.match(error.message, /name/);
    });
  });

  test('the conversation ends with the assistant', async () => {
    const messages: Anthropic.MessageParam[] = [user, { role: 'assistant', content: 'Well' }];
    const request = { model: GPT, max_tokens: 99, messages };
    const { response } = await bench.anthropic.messages.create(request).withResponse();
    assert.notEqual(response.headers.get('x-turnpike-warnings'), null);
  });

  test('there are turns of role system in between', async () => {
    const messages = [
      { role: 'user', content: 'first' },
      { role: 'system', content: [{ type: 'text', text: '# Environment', cache_control: { type: 'ephemeral' } }] },
      { role: 'assistant', content: 'second' },
      user,
    ] as Anthropic.MessageParam[];
    assert.equal(await anthropicAsk(messages), 'hi');
  });

  test('there are cache marks everywhere', async () => {
    const cache_control = { type: 'ephemeral' as const };
    const system = [{ type: 'text', text: 'Be kind.', cache_control }];
    const tools = [{ name: 'look', input_schema: { type: 'object' }, cache_control }];
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: [{ type: 'text', text: 'say hi', cache_control }] },
    ];
    assert.equal(await anthropicAsk(messages, { system, tools }), 'hi');
  });

  test('what Claude Code sends in addition to the conversation', async () => {
    const more = {
      metadata: { user_id: JSON.stringify({ device_id: 'x'.repeat(100), session_id: '0' }) },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'high' },
      thinking: { type: 'adaptive', display: 'omitted' },
      tools: [
        {
          name: 'Bash',
          description: 'Runs.',
          input_schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} },
        },
      ],
    };
    assert.equal(await anthropicAsk([user], more), 'hi');
  });
});
