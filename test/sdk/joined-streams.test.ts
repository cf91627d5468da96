/**
 * Goal: what the stream helpers of the official packages join is complete (thoughts, signatures, citations), and is understood when it
 * is sent back unchanged. Method: strict providers, of which that of the Messages API signs each thought and refuses an open tool loop
 * that does not begin with its own.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type OpenAI from 'openai';
import { isSigned } from '../support/strict-commands.ts';
import { type JsonObject, listOf } from '../support/strict-server.ts';
import {
  CLAUDE,
  CLAUDE_ADAPTIVE,
  CLAUDE_BUDGET,
  GPT,
  openTranslateBench,
  type TranslateBench,
} from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const tools = [{ type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }];

/** The blocks of the provider's own thoughts in each assistant turn that the last request sent back. */
function thoughtsGivenBack(): readonly (readonly JsonObject[])[] {
  return listOf(bench.strictAnthropic.last().body['messages'])
    .filter((turn) => turn['role'] === 'assistant')
    .map((turn) => listOf(turn['content']).filter((block) => /thinking/.test(String(block['type']))));
}

describe("the npm package's stream helper", () => {
  for (const model of [CLAUDE, CLAUDE_BUDGET, CLAUDE_ADAPTIVE]) {
    for (const stream_options of [undefined, { include_usage: true }]) {
      test(`goes through a loop of tools with ${model}${stream_options === undefined ? '' : ' and asks for usage'}`, async () => {
        const messages: OpenAI.ChatCompletionMessageParam[] = [
          { role: 'user', content: 'think twice then loop 2 look' },
        ];
        for (let turn = 1; turn <= 3; turn += 1) {
          const message = await ask(model, messages, stream_options);
          assert.equal(message.role, 'assistant');
          messages.push(message);
          for (const call of message.tool_calls ?? []) {
            messages.push({ role: 'tool', tool_call_id: call.id, content: `got ${turn}` });
          }
        }
        assert.equal(messages.at(-1)?.content, 'results: got 1 | got 2');
        const back = thoughtsGivenBack();
        assert.equal(back.length, 2);
        for (const [shown, hidden, ...others] of back) {
          assert.ok(isSigned(String(shown?.['thinking']), shown?.['signature']));
          assert.equal(hidden?.['type'], 'redacted_thinking');
          assert.deepEqual(others, []);
        }
      });
    }
  }
});

test("the npm package's stream helper keeps all citations", async () => {
  const { annotations } = await ask(CLAUDE, [{ role: 'user', content: 'cite 3 well known' }]);
  assert.deepEqual(
    annotations?.map(({ url_citation }) => url_citation.url),
    [1, 2, 3].map((page) => `https://pages.example/${page}`),
  );
});

test("the stream helper of Anthropic's npm package keeps all citations, and takes them back", async () => {
  const question = { role: 'user' as const, content: 'cite 3 well known' };
  const request = { model: GPT, max_tokens: 100, messages: [question] };
  const { content } = await bench.anthropic.messages.stream(request).finalMessage();
  assert.deepEqual(
    content.map((block) => block.type === 'text' && block.citations?.map((it) => 'url' in it && it.url)),
    [[1, 2, 3].map((page) => `https://pages.example/${page}`)],
  );
  const messages = [question, { role: 'assistant' as const, content }, { role: 'user' as const, content: 'say fine' }];
  const next = await bench.anthropic.messages.create({ ...request, messages });
  assert.equal(next.content[0]?.type === 'text' && next.content[0].text, 'fine');
});

async function ask(
  model: string,
  messages: readonly OpenAI.ChatCompletionMessageParam[],
  stream_options?: OpenAI.ChatCompletionStreamOptions,
): Promise<OpenAI.ChatCompletionMessage> {
  const request = {
    model,
    messages: [...messages],
    tools,
    reasoning_effort: 'medium' as const,
    max_completion_tokens: 8_000,
  };
  const stream = bench.openai.chat.completions.stream({ ...request, ...(stream_options && { stream_options }) });
  const completion = await stream.finalChatCompletion();
  assert.ok(completion.choices[0] !== undefined);
  return completion.choices[0].message;
}
