/**
 * Goal: what a model thinks reaches the caller and is sent back to the model, signature included, through
 * loops of tools; thoughts of another vendor do not. Method: the strict providers sign each thought, check
 * what comes back, and refuse an open loop that does not begin with its own.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { isSigned } from '../support/strict-commands.ts';
import { type JsonObject, listOf } from '../support/strict-server.ts';
import {
  CLAUDE,
  CLAUDE_ADAPTIVE,
  CLAUDE_BUDGET,
  CLAUDE_NEWEST,
  GPT,
  openTranslateBench,
  ROUTED,
  type TranslateBench,
} from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

type Thinking = Anthropic.ThinkingConfigParam;
const budget: Thinking = { type: 'enabled', budget_tokens: 1_024 };
const adaptive: Thinking = { type: 'adaptive', display: 'summarized' };
const openaiTools = [{ type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }];
const anthropicTools = [{ name: 'look', input_schema: { type: 'object' as const } }];

/** What OpenRouter adds to a message; the package passes it on unchanged. */
interface Reasoned {
  readonly reasoning?: string;
  readonly reasoning_details?: readonly JsonObject[];
}

for (const model of [CLAUDE_BUDGET, CLAUDE_ADAPTIVE, CLAUDE_NEWEST, ROUTED]) {
  for (const streamed of [false, true]) {
    test(`an OpenAI caller keeps the thoughts of ${model} through a loop of five turns${streamed ? ', streamed' : ''}`, async () => {
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'think then loop 4 look' }];
      const thoughts: string[] = [];
      for (let turn = 1; ; turn += 1) {
        const message = await openaiTurn(model, messages, streamed);
        const reasoned = message as Reasoned;
        thoughts.push(reasoned.reasoning ?? '');
        const [detail] = reasoned.reasoning_details ?? [];
        assert.ok(isSigned(reasoned.reasoning ?? '', detail?.['signature']), 'the signature is of this text');
        messages.push(message);
        const [call] = message.tool_calls ?? [];
        if (call === undefined) {
          assert.equal(turn, 5);
          assert.match(message.content as string, /^results: got 1 \| got 2 \| got 3 \| got 4$/);
          break;
        }
        messages.push({ role: 'tool', tool_call_id: call.id, content: `got ${turn}` });
      }
      assert.deepEqual(
        thoughts,
        [0, 1, 2, 3, 4].map((round) => `Round ${round} of loop 4 look.`),
      );
    });
  }
}

/** A turn as an OpenAI caller keeps it: the deltas of a stream joined as OpenRouter's clients join them. */
async function openaiTurn(
  model: string,
  messages: OpenAI.ChatCompletionMessageParam[],
  streamed: boolean,
): Promise<OpenAI.ChatCompletionAssistantMessageParam> {
  const request = {
    model,
    messages,
    tools: openaiTools,
    reasoning_effort: 'medium' as const,
    max_completion_tokens: 8_000,
  };
  if (!streamed) {
    const completion = await bench.openai.chat.completions.create(request);
    assert.ok(completion.choices[0] !== undefined);
    return completion.choices[0].message as OpenAI.ChatCompletionAssistantMessageParam;
  }
  let reasoning = '';
  let text = '';
  const details = new Map<unknown, Record<string, unknown>>();
  const calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = [];
  for await (const chunk of await bench.openai.chat.completions.create({ ...request, stream: true })) {
    const delta = chunk.choices[0]?.delta;
    if (delta === undefined) continue;
    const reasoned = delta as Reasoned;
    reasoning += reasoned.reasoning ?? '';
    text += delta.content ?? '';
    for (const piece of reasoned.reasoning_details ?? []) {
      const known = details.get(piece['index']) ?? { text: '' };
      details.set(piece['index'], { ...known, ...piece, text: `${known['text']}${piece['text'] ?? ''}` });
    }
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      calls[index] ??= { id: id ?? '', type: 'function', function: { name: called?.name ?? '', arguments: '' } };
      calls[index].function.arguments += called?.arguments ?? '';
    }
  }
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...{ reasoning, reasoning_details: [...details.values()] },
  };
}

for (const [model, thinking] of [
  [CLAUDE_BUDGET, budget],
  [CLAUDE_ADAPTIVE, adaptive],
  [CLAUDE_NEWEST, adaptive],
  [ROUTED, budget],
] as const) {
  for (const streamed of [false, true]) {
    test(`an Anthropic caller keeps the thoughts of ${model} through a loop of five turns${streamed ? ', streamed' : ''}`, async () => {
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'think then loop 4 look' }];
      for (let turn = 1; ; turn += 1) {
        const request = { model, max_tokens: 8_000, thinking, messages, tools: anthropicTools };
        const answer = streamed
          ? await bench.anthropic.messages.stream(request).finalMessage()
          : await bench.anthropic.messages.create(request);
        const [thought] = answer.content;
        assert.equal(thought?.type, 'thinking');
        assert.equal(thought.thinking, `Round ${turn - 1} of loop 4 look.`);
        assert.ok(isSigned(thought.thinking, thought.signature), 'the signature is of this text');
        messages.push({ role: 'assistant', content: answer.content });
        const call = answer.content.find((block) => block.type === 'tool_use');
        if (call === undefined) {
          assert.equal(turn, 5);
          break;
        }
        messages.push({
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: call.id, content: `got ${turn}` }],
        });
      }
    });
  }
}

describe('thoughts of another vendor', () => {
  test('a thought without a signature is shown to an Anthropic caller, and not sent to a provider that did not make it', async () => {
    const first = await bench.anthropic.messages.create({
      model: GPT,
      max_tokens: 8_000,
      thinking: budget,
      messages: [{ role: 'user', content: 'think life' }],
    });
    const [thought] = first.content;
    assert.equal(thought?.type, 'thinking');
    assert.equal(thought.thinking, 'Now about life.');
    for (const model of [GPT, ROUTED]) await goOn(model, first.content);
  });

  test('a thought of another vendor is not relayed to Anthropic after a change of model', async () => {
    const request = {
      max_tokens: 8_000,
      thinking: budget,
      messages: [{ role: 'user' as const, content: 'think life' }],
    };
    const first = await bench.anthropic.messages.create({ model: GPT, ...request });
    await goOn(CLAUDE_BUDGET, first.content);
  });

  async function goOn(model: string, content: Anthropic.ContentBlock[]): Promise<void> {
    const answer = await bench.anthropic.messages.create({
      model,
      max_tokens: 8_000,
      thinking: budget,
      messages: [
        { role: 'user', content: 'think life' },
        { role: 'assistant', content },
        { role: 'user', content: 'say done' },
      ],
    });
    assert.equal(answer.content.at(-1)?.type, 'text');
  }

  test('an Anthropic caller goes through a loop with a model that thinks without signatures', async () => {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'think then loop 3 look' }];
    for (let turn = 1; turn <= 4; turn += 1) {
      const request = { model: GPT, max_tokens: 8_000, thinking: budget, messages, tools: anthropicTools };
      const answer: Anthropic.Message = await bench.anthropic.messages.stream(request).finalMessage();
      assert.equal(answer.content[0]?.type, 'thinking');
      const call = answer.content.find((block) => block.type === 'tool_use');
      assert.equal(call === undefined, turn === 4);
      messages.push({ role: 'assistant', content: answer.content });
      if (call !== undefined) {
        messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'ok' }] });
      }
    }
  });

  test("an OpenAI caller's foreign reasoning_details are removed on the way to Anthropic", async () => {
    const foreign = [
      { type: 'reasoning.encrypted', data: 'opaque', format: 'openai-responses-v1', index: 0 },
      { type: 'reasoning.text', text: 'hm', signature: 'x', format: 'google-gemini-v1', index: 1 },
      { type: 'reasoning.text', text: 'plain', format: 'unknown', index: 2 },
    ];
    const assistant = { role: 'assistant', content: 'well', reasoning_details: foreign };
    const answer = await bench.openai.chat.completions.create({
      model: CLAUDE_BUDGET,
      reasoning_effort: 'low',
      max_completion_tokens: 8_000,
      messages: [
        { role: 'user', content: 'say well' },
        assistant as OpenAI.ChatCompletionAssistantMessageParam,
        { role: 'user', content: 'say done' },
      ],
    });
    assert.equal(answer.choices[0]?.message.content, 'done');
    assert.ok(!JSON.stringify(bench.strictAnthropic.last().body).includes('opaque'));
  });

  test('an open loop without its own thought is not refused: thinking is left out for that turn', async () => {
    const { data, response } = await bench.openai.chat.completions
      .create({
        model: CLAUDE_BUDGET,
        reasoning_effort: 'high',
        max_completion_tokens: 8_000,
        tools: openaiTools,
        messages: [
          { role: 'user', content: 'call look' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'seen' },
        ],
      })
      .withResponse();
    assert.equal(data.choices[0]?.message.content, 'results: seen');
    assert.match(response.headers.get('x-turnpike-warnings') ?? '', /think|reasoning/);
  });
});

test('a thought that is not shown is sent back unchanged', async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'redacted secret' }];
  const first = await openaiTurn(CLAUDE, messages, false);
  assert.equal((first as Reasoned).reasoning_details?.[0]?.['type'], 'reasoning.encrypted');
  const second = await openaiTurn(CLAUDE, [...messages, first, { role: 'user', content: 'say fine' }], true);
  assert.equal(second.content, 'fine');
  const turn = listOf(bench.strictAnthropic.last().body['messages'])[1];
  assert.equal(listOf(turn?.['content'])[0]?.['type'], 'redacted_thinking');
});

test('a caller that does not ask for thoughts gets none', async () => {
  const messages = [{ role: 'user' as const, content: 'think life' }];
  const first = await bench.openai.chat.completions.create({ model: CLAUDE, messages });
  assert.equal(((first.choices[0]?.message ?? {}) as Reasoned).reasoning ?? null, null);
  const second = await bench.anthropic.messages.create({ model: GPT, max_tokens: 100, messages });
  assert.deepEqual(
    second.content.map((block) => block.type),
    ['text'],
  );
});

test('tokens of thinking are reported separately, within the output', async () => {
  const messages = [{ role: 'user' as const, content: 'think life' }];
  const { usage } = await bench.openai.chat.completions.create({ model: CLAUDE, messages, reasoning_effort: 'medium' });
  assert.equal(usage?.completion_tokens, 4);
  assert.equal(usage.completion_tokens_details?.reasoning_tokens, 3);
});
