/**
 * Goal: callers of Responses use providers of every other format as if these were OpenAI: text, tools of every kind, thoughts, schemas,
 * counts and errors; what only OpenAI has is refused by name. Method: OpenAI's package and requests as Codex sends them, against strict
 * providers; every stream passes a strict reader.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { checkResponse, checkStream } from '../support/check-response-stream.ts';
import { COUNTED_TOKENS, LONG_TEXT, REFUSAL_TEXT, STRUCTURED_TEXT } from '../support/strict-commands.ts';
import {
  BEDROCK_NOVA,
  CLAUDE,
  CLAUDE_BUDGET,
  GEMINI,
  GPT,
  GPT_NEW,
  openTranslateBench,
  RESPONSES,
  type TranslateBench,
} from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

type Fields = Readonly<Record<string, unknown>>;
type Item = Fields & { readonly type: string };

const PATH = '/api/v1/responses';
const WAYS = [false, true] as const;
const nameOf = (streamed: boolean) => (streamed ? 'streamed' : 'whole');

/** The response object, checked, with the headers. */
async function respond(body: Fields, streamed: boolean) {
  const answer = await bench.post(PATH, { ...body, stream: streamed });
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(answer.status, 200, bytes.toString());
  const response = streamed ? checkStream(bytes) : checkResponse(JSON.parse(bytes.toString()));
  return {
    response,
    items: response['output'] as readonly Item[],
    warnings: answer.headers.get('x-turnpike-warnings') ?? '',
  };
}

async function refusal(body: Fields, path = PATH): Promise<OpenAI.ErrorObject & { readonly status: number }> {
  const answer = await bench.post(path, body);
  const { error } = (await answer.json()) as { readonly error: OpenAI.ErrorObject };
  return { status: answer.status, ...error };
}

const textOf = (items: readonly Item[]) =>
  items
    .flatMap(({ content }) => (Array.isArray(content) ? (content as readonly Fields[]) : []))
    .map(({ text, refusal: refused }) => text ?? refused)
    .join('');
const said = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const schema = { type: 'object', properties: { city: { type: 'string' } } };
const clock = { type: 'function', name: 'get_time', description: 'Tells it.', parameters: schema, strict: false };
const space = { type: 'namespace', name: 'home', description: 'All about the house.', tools: [clock] };
const patch = { type: 'custom', name: 'apply_patch', description: 'Edits.', format: { type: 'text' } };

for (const model of [CLAUDE, GPT, GPT_NEW, GEMINI, BEDROCK_NOVA]) {
  for (const streamed of WAYS) {
    describe(`${model}, ${nameOf(streamed)}`, () => {
      test('answers with text, its usage and its cost', async () => {
        const record = bench.nextRecord();
        const { response, items, warnings } = await respond({ model, input: 'say Hello you', store: false }, streamed);
        assert.deepEqual([textOf(items), response['status'], response['model']], ['Hello you', 'completed', model]);
        const usage = response['usage'] as Fields;
        assert.deepEqual([usage['input_tokens'], usage['output_tokens']], [100, 2]);
        const { cost, charge } = await record;
        assert.deepEqual([cost, charge], [220_000n, 220_000n]);
        assert.equal(warnings, '');
      });

      test('calls the tool of a namespace, and takes its result', async () => {
        const input = [said('call home__get_time {"city":"Rome"}')];
        const request = { model, tools: [space], input };
        const { items } = await respond(request, streamed);
        const call = items.find(({ type }) => type === 'function_call');
        assert.deepEqual([call?.['namespace'], call?.['name']], ['home', 'get_time']);
        assert.deepEqual(JSON.parse(String(call?.['arguments'])), { city: 'Rome' });
        const result = { type: 'function_call_output', call_id: call?.['call_id'], output: 'noon' };
        const next = await respond({ ...request, input: [...input, ...items, result] }, streamed);
        assert.equal(textOf(next.items), 'results: noon');
      });

      test('calls a custom tool with a text, and takes its result', async () => {
        const input = [said('call apply_patch {"input":"*** Begin\\n\\"Patch\\""}')];
        const request = { model, tools: [clock, patch], input };
        const { items } = await respond(request, streamed);
        const call = items.find(({ type }) => type === 'custom_tool_call');
        assert.deepEqual([call?.['name'], call?.['input']], ['apply_patch', '*** Begin\n"Patch"']);
        const result = { type: 'custom_tool_call_output', call_id: call?.['call_id'], output: 'Done' };
        const next = await respond({ ...request, input: [...input, ...items, result] }, streamed);
        assert.equal(textOf(next.items), 'results: Done');
      });

      test('calls two tools at once', async () => {
        const tools = [clock, { ...clock, name: 'get_weather' }];
        const input = [said('call two')];
        const { items } = await respond({ model, tools, input }, streamed);
        const calls = items.filter(({ type }) => type === 'function_call');
        assert.deepEqual(
          calls.map(({ name }) => name),
          ['get_weather', 'get_time'],
        );
        const results = calls.map(({ call_id, name }) => ({ type: 'function_call_output', call_id, output: name }));
        const next = await respond({ model, tools, input: [...input, ...items, ...results] }, streamed);
        assert.equal(textOf(next.items), 'results: get_weather | get_time');
      });

      test('is incomplete at the cap, and says what the schema asks for', async () => {
        const cut = await respond({ model, input: 'long', max_output_tokens: 20 }, streamed);
        assert.deepEqual(
          [cut.response['status'], cut.response['incomplete_details']],
          ['incomplete', { reason: 'max_output_tokens' }],
        );
        assert.ok(LONG_TEXT.startsWith(textOf(cut.items)));
        const city = { type: 'object', properties: {}, required: [], additionalProperties: false };
        const format = { type: 'json_schema', name: 'city', schema: city, strict: true };
        const { items } = await respond({ model, input: 'json', text: { format } }, streamed);
        assert.equal(textOf(items), STRUCTURED_TEXT);
      });
    });
  }
}

describe('OpenAI’s package', () => {
  for (const model of [CLAUDE, GPT, GEMINI]) {
    test(`raises what ${model} reports in a stream, and the response has failed`, async () => {
      for (const command of ['fail-in-stream', 'cut']) {
        const answer = await bench.post(PATH, { model, input: command, stream: true });
        const response = checkStream(Buffer.from(await answer.arrayBuffer()));
        assert.equal(response['status'], 'failed', command);
        assert.equal(textOf(response['output'] as readonly Item[]), 'as far as it goes', command);
        const stream = await bench.openai.responses.create({ model, input: command, stream: true });
        await assert.rejects(Array.fromAsync(stream), OpenAI.APIError);
      }
    });
  }

  test('has errors before an answer in their own class', async () => {
    const ask = (model: string, input: string) => bench.openai.responses.create({ model, input });
    await assert.rejects(ask(CLAUDE, 'status 429'), OpenAI.RateLimitError);
    await assert.rejects(ask(CLAUDE, 'overflow'), { status: 400, code: 'context_length_exceeded' });
    await assert.rejects(ask('strict/none', 'say x'), { status: 404, code: 'model_not_found' });
    await assert.rejects(
      new OpenAI({ baseURL: `${bench.url}/api/v1`, apiKey: 'x' }).responses.create({ model: CLAUDE }),
      {
        status: 401,
      },
    );
  });

  test('has a refusal as one', async () => {
    for (const streamed of WAYS) {
      const { items } = await respond({ model: CLAUDE, input: 'refuse' }, streamed);
      assert.equal(textOf(items), REFUSAL_TEXT);
    }
  });

  test('goes through a loop with thoughts, which come back to Claude signed', async () => {
    for (const streamed of WAYS) {
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'think then loop 2 get_time' }];
      for (let round = 1; round <= 3; round += 1) {
        const request = {
          ...{ model: CLAUDE_BUDGET, input, store: false, include: ['reasoning.encrypted_content' as const] },
          reasoning: { effort: 'low' as const, summary: 'auto' as const },
          tools: [{ type: 'function' as const, name: 'get_time', parameters: schema, strict: false }],
        };
        const answer: OpenAI.Responses.Response = streamed
          ? await bench.openai.responses.stream(request).finalResponse()
          : await bench.openai.responses.create(request);
        assert.ok(answer.output.some((item) => item.type === 'reasoning' && item.encrypted_content != null));
        input.push(...(answer.output as OpenAI.Responses.ResponseInput));
        const [call] = answer.output.filter((item) => item.type === 'function_call');
        if (call === undefined) assert.equal(answer.output_text, 'results: r1 | r2');
        else input.push({ type: 'function_call_output', call_id: call.call_id, output: `r${round}` });
        assert.equal(call === undefined, round === 3);
      }
    }
  });
});

describe('tools that a vendor runs', () => {
  const prompt = { model: CLAUDE, input: 'say hi' };

  test('the search that Codex sends is left out with a warning, and holds nothing for uses', async () => {
    const codex = { type: 'web_search', external_web_access: false };
    for (const model of [CLAUDE, GPT, GEMINI]) {
      const { items, warnings } = await respond({ ...prompt, model, tools: [clock, codex], tool_choice: 'auto' }, true);
      assert.equal(textOf(items), 'hi');
      assert.match(warnings, /web_search/);
    }
  });

  test('others are refused by their names', async () => {
    const tools = [
      ...[{ type: 'file_search' }, { type: 'code_interpreter', container: { type: 'auto' } }],
      { type: 'computer_use_preview', display_width: 1, display_height: 1, environment: 'linux' },
      ...[{ type: 'mcp', server_label: 's', server_url: 'https://s.example' }, { type: 'image_generation' }],
      ...[{ type: 'web_search_preview' }, { type: 'shell' }, { type: 'tool_search' }],
    ];
    for (const tool of tools) {
      const { status, code, param, message } = await refusal({ ...prompt, tools: [clock, tool], max_tool_calls: 2 });
      assert.deepEqual([status, code, param], [400, 'unsupported_value', 'tools[1].type'], message);
      assert.match(message, new RegExp(`"${tool.type}"`));
    }
  });
});

describe('tools that a provider of this format runs', () => {
  const ask = (type: string, max_tool_calls?: number) =>
    refusal({
      model: RESPONSES,
      input: 'say hi',
      tools: [{ type }],
      ...(max_tool_calls !== undefined && { max_tool_calls }),
    });

  test('without a limit of their uses are not paid from a balance', async () => {
    for (const type of ['code_interpreter', 'file_search', 'mcp', 'shell', 'something_new']) {
      const { status, code, param, message } = await ask(type);
      assert.deepEqual([status, code, param], [400, 'unsupported_value', 'tools'], message);
      assert.match(message, /max_tool_calls/);
    }
  });

  test('are left out if that is the search that Codex sends; this provider does not know it', async () => {
    const search = { type: 'web_search', external_web_access: false };
    for (const streamed of WAYS)
      for (const tools of [[clock, search], [search]]) {
        const fields = {
          tool_choice: 'auto',
          parallel_tool_calls: false,
          store: false,
          include: ['web_search_call.action.sources'],
        };
        const { items, warnings } = await respond({ model: RESPONSES, input: 'say hi', tools, ...fields }, streamed);
        assert.equal(textOf(items), 'hi');
        assert.match(warnings, /"web_search" was left out/);
      }
  });

  test('with a limit reach the provider if a use has a price', async () => {
    for (const type of ['web_search', 'file_search', 'code_interpreter', 'shell'])
      assert.match((await ask(type, 3)).message, /has no price/, type);
    // A use of MCP has no fee of its own; this provider does not know the tool.
    assert.equal((await ask('mcp', 3)).message, "Invalid value: 'mcp'.");
  });
});

describe('the choice of a tool', () => {
  const tools = [clock, patch, space];
  const chosen = async (tool_choice: unknown, command: string) => {
    await respond({ model: CLAUDE, input: command, tools, tool_choice, parallel_tool_calls: false }, false);
    const { tool_choice: choice, tools: sent } = bench.strictAnthropic.last().body;
    return [choice, (sent as readonly Fields[] | undefined)?.map(({ name }) => name)];
  };
  const all = ['get_time', 'apply_patch', 'home__get_time'];

  test('reaches Claude in every form', async () => {
    const rows: readonly (readonly [unknown, string, object, readonly string[]])[] = [
      ['auto', 'say hi', { type: 'auto' }, all],
      ['required', 'call get_time', { type: 'any' }, all],
      [{ type: 'function', name: 'get_time' }, 'call get_time', { type: 'tool', name: 'get_time' }, all],
      [
        { type: 'custom', name: 'apply_patch' },
        'call apply_patch {"input":"x"}',
        { type: 'tool', name: 'apply_patch' },
        all,
      ],
      [
        { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'get_time' }] },
        'call get_time',
        { type: 'any' },
        ['get_time'],
      ],
      [
        { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'namespace', name: 'home' }] },
        'say hi',
        { type: 'auto' },
        ['home__get_time'],
      ],
    ];
    for (const [choice, command, sent, names] of rows)
      assert.deepEqual(await chosen(choice, command), [{ ...sent, disable_parallel_tool_use: true }, names]);
  });

  test('"none" calls nothing', async () => {
    const [choice] = await chosen('none', 'say hi');
    assert.deepEqual(choice, { type: 'none' });
  });
});

describe('what needs a stored answer or a later one', () => {
  test('is a 400 that says to send the whole input', async () => {
    const rows: readonly (readonly [Fields, string])[] = [
      [{ previous_response_id: 'resp_1', input: 'x' }, 'previous_response_id'],
      [{ conversation: 'conv_1', input: 'x' }, 'conversation'],
      [{ input: [{ type: 'item_reference', id: 'rs_1' }, said('x')] }, 'input[].id'],
    ];
    for (const [fields, param] of rows) {
      const error = await refusal({ model: CLAUDE, ...fields });
      assert.deepEqual([error.status, error.param], [400, param]);
      assert.match(error.message, /whole input/);
    }
    const error = await refusal({ model: CLAUDE, input: 'x', background: true });
    assert.deepEqual([error.status, error.param], [400, 'background']);
    assert.match(error.message, /fetched later/);
  });
});

describe('counting tokens', () => {
  const path = `${PATH}/input_tokens`;
  const count = async (body: Fields) => {
    const answer = await bench.post(path, body);
    return { status: answer.status, body: (await answer.json()) as Fields, headers: answer.headers };
  };

  test('is exact where the provider counts, and costs nothing', async () => {
    for (const model of [CLAUDE, GEMINI]) {
      const { status, body } = await count({
        model,
        input: [said('say hi')],
        instructions: 'Be brief.',
        tools: [clock],
      });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body, { object: 'response.input_tokens', input_tokens: COUNTED_TOKENS });
    }
    const counted = await bench.openai.responses.inputTokens.count({ model: CLAUDE, input: 'say hi' });
    assert.equal(counted.input_tokens, COUNTED_TOKENS);
  });

  test('is an estimate elsewhere', async () => {
    const { status, body } = await count({ model: GPT, input: 'say hi' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(Number(body['input_tokens']) > 0 && body['input_tokens'] !== COUNTED_TOKENS);
  });

  test('refuses what an answer would refuse', async () => {
    assert.equal(
      (await refusal({ model: CLAUDE, input: 'x', previous_response_id: 'r' }, path)).param,
      'previous_response_id',
    );
    assert.equal((await refusal({ model: CLAUDE }, path)).param, 'input');
    assert.equal((await refusal({ model: CLAUDE, input: 'x', tools: [{ type: 'mcp' }] }, path)).param, 'tools[0].type');
  });
});
