/**
 * Goal: OpenAI's package calls Responses through the gateway as it calls OpenAI: the bytes of both sides pass, apart from the published edits,
 * and the money is right. Method: the official package against a provider as strict as OpenAI.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { COUNTED_TOKENS } from '../support/strict-commands.ts';
import { isObject, type JsonObject, listOf } from '../support/strict-server.ts';
import {
  CLAUDE_BUDGET,
  openTranslateBench,
  RESPONSES,
  RESPONSES_NEW,
  type TranslateBench,
} from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

type Request = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'>;

async function asked(request: Request, streamed: boolean): Promise<OpenAI.Responses.Response> {
  const whole = { store: false, ...request };
  return streamed ? bench.openai.responses.stream(whole).finalResponse() : bench.openai.responses.create(whole);
}

const sent = (): JsonObject => bench.strictResponses.last().body;
const WAYS = [false, true] as const;
const nameOf = (streamed: boolean) => (streamed ? 'streamed' : 'whole');
const parameters = { type: 'object', properties: {}, required: [], additionalProperties: false };
const tools: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'look', parameters, strict: true },
  { type: 'custom', name: 'sql' },
];

for (const streamed of WAYS) {
  describe(`a relayed call, ${nameOf(streamed)}`, () => {
    test('has the caller’s model, the provider’s id, and its usage is charged', async () => {
      const record = bench.nextRecord();
      const answer = await asked({ model: RESPONSES, input: 'cached', max_output_tokens: 100 }, streamed);
      assert.deepEqual([answer.output_text, answer.model, answer.id], ['from the cache', RESPONSES, 'resp_strict']);
      assert.deepEqual([answer.usage?.input_tokens, answer.usage?.output_tokens], [150, 3]);
      const { cost, charge, upstreamId, ending } = await record;
      assert.deepEqual([cost, charge, upstreamId, ending], [263_000n, 263_000n, 'resp_strict', 'complete']);
    });

    test('reaches the provider with everything that the caller sent', async () => {
      const request = {
        ...{ model: RESPONSES_NEW, instructions: 'Be brief.', max_output_tokens: 500, parallel_tool_calls: false },
        ...{
          temperature: 0.5,
          prompt_cache_key: 'k',
          metadata: { a: 'b' },
          include: ['reasoning.encrypted_content' as const],
        },
        ...{
          text: { verbosity: 'low' as const },
          tools,
          tool_choice: 'auto' as const,
          input: [{ role: 'user' as const, content: 'say x' }],
        },
      };
      await asked(request, streamed);
      const { stream, ...body } = sent();
      assert.equal(stream === true, streamed);
      assert.deepEqual(body, { ...request, store: false, model: 'responses-new' });
    });

    test('keeps the thoughts of a loop of tools, whose items are sent back as they came', async () => {
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'think then loop 3 look' }];
      const reasoning = { effort: 'low' as const, summary: 'auto' as const };
      const include = ['reasoning.encrypted_content' as const];
      for (let turn = 1; ; turn += 1) {
        const answer = await asked({ model: RESPONSES_NEW, input, tools, reasoning, include }, streamed);
        const [thought, next] = answer.output;
        assert.ok(thought?.type === 'reasoning' && thought.summary[0]?.text === `Round ${turn - 1} of loop 3 look.`);
        input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]).map(withoutParsed));
        if (next?.type !== 'function_call') {
          assert.equal(answer.output_text, 'results: got 1 | got 2 | got 3');
          break;
        }
        input.push({ type: 'function_call_output', call_id: next.call_id, output: `got ${turn}` });
      }
    });

    test('leaves a custom tool what it is', async () => {
      const answer = await asked({ model: RESPONSES, input: 'call sql {"input":"SELECT 1"}', tools }, streamed);
      const [call] = answer.output;
      assert.ok(call?.type === 'custom_tool_call' && call.input === 'SELECT 1');
    });

    test('that reaches its cap is incomplete', async () => {
      const answer = await asked({ model: RESPONSES, input: 'long', max_output_tokens: 20 }, streamed);
      assert.deepEqual([answer.status, answer.incomplete_details?.reason], ['incomplete', 'max_output_tokens']);
    });

    test('is refused in the provider’s words', async () => {
      await assert.rejects(
        asked({ model: RESPONSES, input: 'x', max_output_tokens: 5 }, streamed),
        (error) => error instanceof OpenAI.BadRequestError && error.code === 'integer_below_min_value',
      );
      await assert.rejects(
        asked({ model: RESPONSES, input: 'status 429' }, streamed),
        (error) => error instanceof OpenAI.RateLimitError && error.headers.get('retry-after') === '17',
      );
    });
  });
}

/** What the package adds to the items of a streamed answer. */
function withoutParsed(item: OpenAI.Responses.ResponseInputItem): OpenAI.Responses.ResponseInputItem {
  const { parsed_arguments: _parsed, ...rest } = item as unknown as JsonObject;
  if (isObject(rest) && Array.isArray(rest['content']))
    return { ...rest, content: listOf(rest['content']).map(({ parsed: _inside, ...part }) => part) } as never;
  return rest as never;
}

test('a stream that fails ends with both events, costs nothing, and the package reports it', async () => {
  const record = bench.nextRecord();
  const response = await bench.post('/v1/responses', {
    model: RESPONSES,
    input: 'fail-in-stream',
    stream: true,
    store: false,
  });
  const events = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
  assert.deepEqual(events.slice(-2), ['error', 'response.failed']);
  const { charge, ending } = await record;
  assert.deepEqual([charge, ending], [0n, 'upstream_failed']);
  await assert.rejects(async () => {
    for await (const event of await bench.openai.responses.create({
      model: RESPONSES,
      input: 'fail-in-stream',
      stream: true,
      store: false,
    }))
      if (event.type === 'response.failed') throw new Error(event.response.error?.message);
  }, /server had an error/);
});

test('a call without a cap gets none as long as the balance is large', async () => {
  await asked({ model: RESPONSES, input: 'say x' }, false);
  assert.equal('max_output_tokens' in sent(), false);
});

test('tokens are counted by the provider', async () => {
  const count = await bench.openai.responses.inputTokens.count({ model: RESPONSES, input: 'Hello' });
  assert.equal(count.input_tokens, COUNTED_TOKENS);
  assert.deepEqual(bench.strictResponses.last().path, '/v1/responses/input_tokens');
});

test('the thoughts of a model of another vendor do not reach the provider when the caller changes the model', async () => {
  const reasoning = { effort: 'high' as const, summary: 'auto' as const };
  const look: OpenAI.Responses.Tool[] = [{ type: 'function', name: 'look', parameters, strict: false }];
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'think then call look' }];
  const first = await asked({ model: CLAUDE_BUDGET, input, tools: look, reasoning, max_output_tokens: 8_000 }, true);
  const [thought, call] = first.output;
  assert.ok(thought?.type === 'reasoning' && call?.type === 'function_call');
  input.push(...(first.output as OpenAI.Responses.ResponseInputItem[]).map(withoutParsed));
  input.push({ type: 'function_call_output', call_id: call.call_id, output: 'a cat' });
  const second = await asked({ model: RESPONSES, input, tools: look }, false);
  assert.equal(second.output_text, 'results: a cat');
  assert.deepEqual(
    listOf(sent()['input']).map(({ type, role }) => type ?? role),
    ['user', 'function_call', 'function_call_output'],
  );
  const third = await asked({ model: CLAUDE_BUDGET, input, tools: look, reasoning, max_output_tokens: 8_000 }, false);
  assert.match(third.output_text, /a cat/);
});
