/**
 * Goal: tool loops work in both directions: parallel calls, calls without arguments, failed ones. Method:
 * the official packages run the loops; the strict providers refuse calls without results and results without calls.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { wireToolName } from '../../src/dialects/kit/request/tool-names.ts';
import { isObject, listOf } from '../support/strict-server.ts';
import {
  CLAUDE,
  CLAUDE_NEWEST,
  GPT,
  GPT_NEW,
  openTranslateBench,
  ROUTED,
  type TranslateBench,
} from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const schema = {
  type: 'object' as const,
  properties: { city: { type: 'string' }, round: { type: 'integer', minimum: 0 } },
  required: [],
};
const NAMES = ['get_weather', 'get_time'];
const openaiTools = NAMES.map((name) => ({ type: 'function' as const, function: { name, parameters: { ...schema } } }));
const anthropicTools = NAMES.map((name) => ({ name, description: `The tool ${name}.`, input_schema: schema }));

type Answer<Call> = (calls: readonly Call[]) => readonly string[];

/** Runs an OpenAI loop until there is text; returns the text and the calls of each turn. */
async function openaiLoop(model: string, command: string, streamed: boolean, results: Answer<OpenAICall>) {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: command }];
  const turns: (readonly OpenAICall[])[] = [];
  for (;;) {
    const request = { model, messages, tools: openaiTools };
    const completion = streamed
      ? await bench.openai.chat.completions.stream(request).finalChatCompletion()
      : await bench.openai.chat.completions.create(request);
    const choice = completion.choices[0];
    assert.ok(choice !== undefined);
    const calls = (choice.message.tool_calls ?? []).filter((call) => call.type === 'function');
    if (calls.length === 0) return { text: choice.message.content, turns, finish: choice.finish_reason, messages };
    assert.equal(choice.finish_reason, 'tool_calls');
    turns.push(calls);
    const answers = results(calls);
    // Sent back in the opposite order: each names the call it answers.
    const replies = calls.map((call, index) => ({
      role: 'tool' as const,
      tool_call_id: call.id,
      content: answers[index] ?? '',
    }));
    messages.push(choice.message, ...replies.reverse());
  }
}
type OpenAICall = OpenAI.ChatCompletionMessageFunctionToolCall;

async function anthropicLoop(
  model: string,
  command: string,
  streamed: boolean,
  results: Answer<Anthropic.ToolUseBlock>,
  isError = false,
) {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: command }];
  const turns: (readonly Anthropic.ToolUseBlock[])[] = [];
  for (;;) {
    const request = { model, max_tokens: 1_000, messages, tools: anthropicTools };
    const answer = streamed
      ? await bench.anthropic.messages.stream(request).finalMessage()
      : await bench.anthropic.messages.create(request);
    const calls = answer.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return { content: answer.content, turns, messages };
    assert.equal(answer.stop_reason, 'tool_use');
    turns.push(calls);
    const answers = results(calls);
    const replies = calls.map((call, index) => ({
      type: 'tool_result' as const,
      tool_use_id: call.id,
      content: answers[index] ?? '',
      ...(isError ? { is_error: true } : {}),
    }));
    messages.push({ role: 'assistant', content: answer.content }, { role: 'user', content: replies.reverse() });
  }
}

const textIn = (content: readonly Anthropic.ContentBlock[]) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

for (const model of [GPT, GPT_NEW, ROUTED, CLAUDE, CLAUDE_NEWEST]) {
  for (const streamed of [false, true]) {
    describe(`of ${model}${streamed ? ', streamed' : ''}`, () => {
      test('an OpenAI caller goes through a loop of four turns', async () => {
        const { text, turns } = await openaiLoop(model, 'loop 3 get_weather', streamed, ([call]) => [
          `got ${call?.function.arguments}`,
        ]);
        assert.equal(text, 'results: got {"round":1} | got {"round":2} | got {"round":3}');
        assert.deepEqual(
          turns.map(([call]) => call?.function.name),
          Array(3).fill('get_weather'),
        );
        assert.equal(new Set(turns.flat().map((call) => call.id)).size, 3);
      });

      test('an Anthropic caller goes through a loop of four turns', async () => {
        const { content, turns } = await anthropicLoop(model, 'loop 3 get_weather', streamed, ([call]) => [
          `got ${JSON.stringify(call?.input)}`,
        ]);
        assert.equal(textIn(content), 'results: got {"round":1} | got {"round":2} | got {"round":3}');
        assert.equal(new Set(turns.flat().map((call) => call.id)).size, 3);
      });

      test('parallel calls stay separate and get their results, whatever the order', async () => {
        const first = await openaiLoop(model, 'call two', streamed, () => ['sunny', 'noon']);
        assert.deepEqual(
          first.turns[0]?.map((call) => [call.function.name, JSON.parse(call.function.arguments)]),
          [
            ['get_weather', { city: 'Rome' }],
            ['get_time', { zone: 'CET' }],
          ],
        );
        assertAnswered(first.text ?? '');
        const second = await anthropicLoop(model, 'call two', streamed, () => ['sunny', 'noon']);
        assert.deepEqual(
          second.turns[0]?.map((call) => [call.name, call.input]),
          [
            ['get_weather', { city: 'Rome' }],
            ['get_time', { zone: 'CET' }],
          ],
        );
        assertAnswered(textIn(second.content));
      });

      test('a call without arguments is an empty object', async () => {
        const first = await openaiLoop(model, 'call get_time', streamed, () => ['noon']);
        assert.ok(['{}', ''].includes(first.turns[0]?.[0]?.function.arguments ?? 'none'));
        assert.equal(first.text, 'results: noon');
        const second = await anthropicLoop(model, 'call get_time', streamed, () => ['noon']);
        assert.deepEqual(second.turns[0]?.[0]?.input, {});
        assert.equal(textIn(second.content), 'results: noon');
      });

      test('words before a call stay before it', async () => {
        const { messages } = await openaiLoop(model, 'note then call get_time {}', streamed, () => ['noon']);
        assert.equal(messages[1]?.content, 'Let me look.');
        const second = await anthropicLoop(model, 'note then call get_time {}', streamed, () => ['noon']);
        const blocks = second.messages[1]?.content;
        assert.ok(Array.isArray(blocks));
        assert.deepEqual(
          blocks.map((block) => block.type),
          ['text', 'tool_use'],
        );
      });

      test('an empty tool result is an answer too', async () => {
        assert.match((await openaiLoop(model, 'call get_time', streamed, () => [''])).text ?? '', /^results: /);
        assert.match(textIn((await anthropicLoop(model, 'call get_time', streamed, () => [''])).content), /^results: /);
      });

      test('a failed tool is reported as failed', async () => {
        const { content } = await anthropicLoop(model, 'call get_time', streamed, () => ['no clock'], true);
        assert.match(textIn(content), /error.*no clock/is);
      });
    });
  }
}

function assertAnswered(text: string): void {
  assert.match(text, /^results: (sunny \| noon|noon \| sunny)$/);
}

describe('what is said about tools', () => {
  test('a forced tool of an OpenAI caller is forced at Anthropic', async () => {
    await bench.openai.chat.completions.create({
      model: CLAUDE,
      messages: [{ role: 'user', content: 'call get_time' }],
      tools: openaiTools,
      tool_choice: { type: 'function', function: { name: 'get_time' } },
      parallel_tool_calls: false,
    });
    assert.deepEqual(bench.strictAnthropic.last().body['tool_choice'], {
      type: 'tool',
      name: 'get_time',
      disable_parallel_tool_use: true,
    });
  });

  test('a forced tool of an Anthropic caller is forced at OpenAI', async () => {
    await bench.anthropic.messages.create({
      model: GPT,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'call get_time' }],
      tools: anthropicTools,
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    const { body } = bench.strictOpenai.last();
    assert.equal(body['tool_choice'], 'required');
    assert.equal(body['parallel_tool_calls'], false);
  });

  test('a tool without parameters has the schema of an empty object at Anthropic', async () => {
    await bench.openai.chat.completions.create({
      model: CLAUDE,
      messages: [{ role: 'user', content: 'call ping' }],
      tools: [{ type: 'function', function: { name: 'ping' } }],
    });
    const [tool] = listOf(bench.strictAnthropic.last().body['tools']);
    assert.ok(isObject(tool?.['input_schema']) && tool['input_schema']['type'] === 'object');
  });

  test('ids of another vendor, too long or with other characters, are changed to what the provider accepts', async () => {
    const id = `functions.get time:${'0'.repeat(60)}`;
    const answer = await bench.openai.chat.completions.create({
      model: CLAUDE,
      messages: [
        { role: 'user', content: 'call get_time' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: 'get_time', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: id, content: 'noon' },
      ],
      tools: openaiTools,
    });
    assert.equal(answer.choices[0]?.message.content, 'results: noon');
    const toolId = `toolu_${'x'.repeat(60)}`;
    const second = await bench.anthropic.messages.create({
      model: GPT,
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'call get_time' },
        { role: 'assistant', content: [{ type: 'tool_use', id: toolId, name: 'get_time', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolId, content: 'noon' }] },
      ],
      tools: anthropicTools,
    });
    assert.equal(textIn(second.content), 'results: noon');
  });

  test('text after the results in one turn stays after them', async () => {
    const second = await bench.anthropic.messages.create({
      model: GPT,
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'call get_time' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_time', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'noon' },
            { type: 'text', text: 'say never mind' },
          ],
        },
      ],
      tools: anthropicTools,
    });
    assert.equal(textIn(second.content), 'never mind');
    assert.deepEqual(
      listOf(bench.strictOpenai.last().body['messages']).map((each) => each['role']),
      ['user', 'assistant', 'tool', 'user'],
    );
  });
});

test('a tool with a name too long for OpenAI is called by the caller’s name for it', async () => {
  const name = `mcp__a_server_with_a_long_name__${'find_toll_gates_'.repeat(4)}`;
  const tools = [{ name, description: 'Finds gates.', input_schema: schema }];
  const question = { role: 'user' as const, content: `call ${wireToolName(name)} {"city":"Ulm"}` };
  for (const streamed of [false, true]) {
    const request = { model: GPT, max_tokens: 200, tools, messages: [question] };
    const first = streamed
      ? await bench.anthropic.messages.stream(request).finalMessage()
      : await bench.anthropic.messages.create(request);
    const call = first.content.find((block) => block.type === 'tool_use');
    assert.equal(call?.name, name);
    const result = { type: 'tool_result' as const, tool_use_id: call.id, content: 'none left' };
    const second = await bench.anthropic.messages.create({
      ...request,
      messages: [question, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }],
    });
    assert.equal(second.stop_reason, 'end_turn');
  }
});
