/**
 * Goal: models at Google serve callers of the other formats, in Google's own format. Method: the official packages call a provider that is
 * as strict as Google; what it received is looked at.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { textOf } from '../support/strict-answer.ts';
import { COUNTED_TOKENS, LONG_TEXT, PROMPT_TOKENS, STRUCTURED_TEXT } from '../support/strict-commands.ts';
import { type JsonObject, listOf } from '../support/strict-server.ts';
import {
  GEMINI,
  GEMINI_BUDGET,
  GEMINI_OLD,
  openTranslateBench,
  type TranslateBench,
} from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

const MODELS = [GEMINI, GEMINI_BUDGET, GEMINI_OLD];
const schema = {
  type: 'object' as const,
  properties: { city: { type: 'string' }, near: { $ref: '#/$defs/near' } },
  required: ['city'],
  additionalProperties: false,
  $defs: { near: { type: ['array', 'null'], items: { type: 'string', const: 'sea' } } },
};
const openaiTools = ['look', 'other'].map((name) => ({
  type: 'function' as const,
  function: { name, description: 'Looks.', parameters: schema },
}));
const anthropicTools = openaiTools.map(({ function: { name } }) => ({ name, input_schema: schema }));

type ChatMessage = OpenAI.ChatCompletionMessageParam;

/** Answers calls until there are none, and returns the last answer's text. */
async function chatLoop(model: string, command: string, more: object = {}): Promise<string | null> {
  const messages: ChatMessage[] = [{ role: 'user', content: command }];
  for (let round = 0; round < 5; round += 1) {
    const { choices } = await bench.openai.chat.completions.create({ model, messages, tools: openaiTools, ...more });
    const message = choices[0]?.message;
    assert(message !== undefined);
    if ((message.tool_calls ?? []).length === 0) return message.content;
    messages.push(message);
    for (const call of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: call.id, content: `seen ${round}` });
  }
  return null;
}

async function messagesLoop(model: string, command: string, more: object = {}): Promise<string> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: command }];
  for (let round = 0; round < 5; round += 1) {
    const stream = bench.anthropic.messages.stream({
      model,
      max_tokens: 9_000,
      messages,
      tools: anthropicTools,
      ...more,
    });
    const message = await stream.finalMessage();
    if (message.stop_reason !== 'tool_use') return textOf({ content: message.content });
    const calls = message.content.filter((block) => block.type === 'tool_use');
    messages.push({ role: 'assistant', content: message.content });
    const results = calls.map(({ id }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: `seen ${round}`,
    }));
    messages.push({ role: 'user', content: results });
  }
  return '';
}

/** Both calls have a signature of the provider's, if it makes any. */
function assertSigned(body: JsonObject, signs: boolean): void {
  const parts = listOf(body['contents']).flatMap(({ parts: list }) => listOf(list));
  const calls = parts.filter(({ functionCall }) => functionCall !== undefined);
  const signatures = calls.map(({ thoughtSignature }) => thoughtSignature);
  assert.equal(calls.length, 2);
  assert.ok(!signatures.includes('skip_thought_signature_validator'));
  assert.deepEqual(
    signatures.map((signature) => typeof signature === 'string'),
    [signs, signs],
  );
}

for (const model of MODELS)
  describe(`a caller of ${model}`, () => {
    test('gets text, whole and streamed, and its usage', async () => {
      const messages: ChatMessage[] = [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'say hi' },
      ];
      const whole = await bench.openai.chat.completions.create({ model, messages });
      assert.deepEqual([whole.choices[0]?.message.content, whole.choices[0]?.finish_reason], ['hi', 'stop']);
      assert.equal(whole.usage?.prompt_tokens, PROMPT_TOKENS);
      const stream = bench.anthropic.messages.stream({
        ...{ model, max_tokens: 9_000, system: 'Be kind.', messages: [{ role: 'user', content: 'long' }] },
      });
      assert.equal(textOf({ content: (await stream.finalMessage()).content }), LONG_TEXT);
      const { path, body } = bench.strictGemini.last();
      assert.match(path, /^\/v1beta\/models\/gemini-[\d.]+-strict:streamGenerateContent\?alt=sse$/);
      assert.deepEqual(body['systemInstruction'], { parts: [{ text: 'Be kind.' }] });
    });

    test('calls tools, several at once and several times, and signatures come back', async () => {
      assert.equal(await chatLoop(model, 'call two'), 'results: seen 0 | seen 0');
      assert.equal(await chatLoop(model, 'loop 2 look'), 'results: seen 0 | seen 1');
      assert.equal(await messagesLoop(model, 'loop 2 look'), 'results: seen 0 | seen 1');
      assert.equal(await messagesLoop(model, 'note then call look'), 'results: seen 0');
    });

    test('thinks in a loop of tools, and every signature comes back as it was', async () => {
      const thinking = { thinking: { type: 'enabled', budget_tokens: 2_000 } };
      assert.equal(await messagesLoop(model, 'think then loop 2 look', thinking), 'results: seen 0 | seen 1');
      assertSigned(bench.strictGemini.last().body, model === GEMINI);
      assert.equal(
        await chatLoop(model, 'think then loop 2 look', { reasoning_effort: 'high' }),
        'results: seen 0 | seen 1',
      );
      assertSigned(bench.strictGemini.last().body, model === GEMINI);
      // Without thoughts, too: this format's callers always get the signature.
      assert.equal(await messagesLoop(model, 'loop 2 look'), 'results: seen 0 | seen 1');
      assertSigned(bench.strictGemini.last().body, model === GEMINI);
    });

    test('may require a tool, or forbid them', async () => {
      const messages: ChatMessage[] = [{ role: 'user', content: 'say hi' }];
      for (const choice of ['auto', 'none', 'required', { type: 'function', function: { name: 'look' } }] as const)
        await bench.openai.chat.completions.create({ model, messages, tools: openaiTools, tool_choice: choice });
      assert.deepEqual(bench.strictGemini.last().body['toolConfig'], {
        functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] },
      });
    });

    test('gets JSON of a schema, also with tools', async () => {
      const format = { type: 'json_schema' as const, json_schema: { name: 'weather', schema, strict: true } };
      for (const more of [{}, { tools: openaiTools }]) {
        const messages: ChatMessage[] = [{ role: 'user', content: 'json' }];
        const answer = await bench.openai.chat.completions.create({
          model,
          messages,
          response_format: format,
          ...more,
        });
        assert.equal(answer.choices[0]?.message.content, STRUCTURED_TEXT);
      }
    });

    test('may send instructions only, an answer first, and a call without its signature', async () => {
      const ask = async (messages: ChatMessage[]) =>
        (await bench.openai.chat.completions.create({ model, messages, tools: openaiTools })).choices[0]?.message
          .content;
      assert.notEqual(await ask([{ role: 'system', content: 'Say hi.' }]), undefined);
      assert.equal(
        await ask([
          { role: 'assistant', content: 'Welcome.' },
          { role: 'user', content: 'say hi' },
        ]),
        'hi',
      );
      const call = { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{}' } };
      const answered: ChatMessage[] = [
        { role: 'user', content: 'call look' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'seen' },
      ];
      assert.equal(await ask(answered), 'results: seen');
      assert.equal(
        await ask([...answered, { role: 'system', content: 'Be kind.' }, { role: 'user', content: 'say hi' }]),
        'hi',
      );
    });

    test('learns why an answer ended', async () => {
      const reasonOf = async (content: string, more: object = {}) => {
        const messages: ChatMessage[] = [{ role: 'user', content }];
        const { choices } = await bench.openai.chat.completions.create({ model, messages, ...more });
        return choices[0]?.finish_reason;
      };
      assert.equal(await reasonOf('refuse'), 'content_filter');
      assert.equal(await reasonOf('long', { max_tokens: 5 }), 'length');
    });

    test('has its prompt counted exactly', async () => {
      const { data, response } = await bench.anthropic.messages
        .countTokens({
          model,
          system: 'Be kind.',
          tools: anthropicTools,
          messages: [{ role: 'user', content: 'say hi' }],
        })
        .withResponse();
      assert.equal(data.input_tokens, COUNTED_TOKENS);
      assert.equal(response.headers.get('x-turnpike-estimated'), null);
      assert.match(bench.strictGemini.last().path, /:countTokens$/);
    });

    test('gets the provider’s errors in its own format, before and in the stream', async () => {
      const ask = (content: string) =>
        bench.openai.chat.completions.create({ model, messages: [{ role: 'user', content }] });
      await assert.rejects(ask('overflow'), { status: 400, code: 'context_length_exceeded' });
      await assert.rejects(ask('status 429'), { status: 429 });
      await assert.rejects(ask('status 503'), { status: 503 });
      for (const command of ['fail-in-stream', 'cut']) {
        const stream = bench.anthropic.messages.stream({
          ...{ model, max_tokens: 99, messages: [{ role: 'user', content: command }] },
        });
        await assert.rejects(stream.finalMessage(), command);
      }
    });
  });
