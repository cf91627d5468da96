/**
 * Goal: what a provider's own tools cost is held before they can run, and charged by the uses that the answer reports, whole and streamed;
 * what has no limit or no price is not paid from a balance. Method: relayed Responses calls against a provider that reports given uses; the
 * hold, the charge and the balance are compared to the nano-dollar.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { control } from '../support/control.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';

const PATH = '/api/v1/responses';
const WINDOW = 20_000;
const CAP = 1_000;
/** Per million tokens, and per use. */
const PRICES = { input: 1, output: 5, webSearch: 0.01, fileSearch: 0.0025, codeInterpreter: 0.03 };
/** In nano-USD. */
const [INPUT, OUTPUT] = [1_000n, 5_000n];
const USES_MAX = 3;

interface Hosted {
  readonly type: string;
  readonly fee: bigint;
  readonly tool: object;
  /** The item that reports a use. */
  item(index: number): object;
}

const hosted: readonly Hosted[] = [
  {
    type: 'web_search',
    fee: 10_000_000n,
    tool: { search_context_size: 'low' },
    item: (index) => ({ type: 'web_search_call', id: `ws_${index}`, action: { type: 'search', query: 'q' } }),
  },
  {
    type: 'file_search',
    fee: 2_500_000n,
    tool: { max_num_results: 3 },
    item: (index) => ({ type: 'file_search_call', id: `fs_${index}`, queries: ['q'] }),
  },
  {
    type: 'code_interpreter',
    fee: 30_000_000n,
    tool: { container: { type: 'auto' } },
    item: (index) => ({ type: 'code_interpreter_call', id: `ci_${index}`, container_id: `cntr_${index}`, code: 'x' }),
  },
  {
    type: 'mcp',
    fee: 0n,
    tool: { server_label: 's', server_url: 'https://s.example' },
    item: (index) => ({ type: 'mcp_call', id: `mcp_${index}`, name: 'look', arguments: '{}', server_label: 's' }),
  },
];

interface Answer {
  readonly items: readonly object[];
  readonly input: number;
  readonly output: number;
}

let answer: Answer = { items: [], input: 0, output: 0 };
let upstream: ScriptedUpstream;
let prepaid: OpenGateway;
let postpaid: OpenGateway;

before(async () => {
  upstream = await startScriptedUpstream((exchange) => {
    const body = responseOf(exchange.json['model']);
    if (exchange.json['stream'] !== true) return exchange.whole(200, JSON.stringify(body));
    return exchange.whole(200, eventsOf(body), { 'content-type': 'text/event-stream' });
  });
  const limits = { contextWindow: WINDOW, outputCap: CAP };
  const modelsOf = (vendor: string) => [
    { id: `${vendor}/one`, upstream: 'one', prices: PRICES, ...limits },
    { id: `${vendor}/free`, upstream: 'two', prices: 'free', ...limits },
  ];
  const dialects = ['openai-responses'];
  const providers = [
    { ...{ name: 'lab', kind: 'custom', origin: upstream.origin }, dialects, models: modelsOf('lab') },
  ];
  for (const name of ['xai', 'openrouter'])
    providers.push({ ...{ name, kind: name, origin: upstream.origin }, dialects, models: modelsOf(name) });
  prepaid = await openGateway({ providers, billing: { mode: 'prepaid', firstRunCredit: '50' } });
  postpaid = await openGateway({ providers, billing: { mode: 'postpaid' } });
});
after(async () => {
  await prepaid.close();
  await postpaid.close();
  await upstream.close();
});

function responseOf(model: unknown): Record<string, unknown> {
  const { items, input, output } = answer;
  const said = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] };
  return {
    ...{ id: 'resp_1', object: 'response', created_at: 1_795_000_000, status: 'completed', model },
    output: [...items, said],
    usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
  };
}

/** The last event does not repeat the items, as from some servers: the uses are known from the stream alone. */
function eventsOf(body: Record<string, unknown>): string {
  const items = body['output'] as readonly object[];
  const events = [
    { type: 'response.created', response: { ...body, status: 'in_progress', output: [], usage: null } },
    ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { ...body, output: [] } },
  ];
  return events.map((event, index) => `data: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`).join('');
}

async function balance(): Promise<bigint> {
  const { body } = await control(prepaid.dataFolder, 'GET', '/control/api/balance');
  const { balance: whole, held } = (body as { data: { balance: number; held: number } }).data;
  assert.equal(held, 0, 'nothing stays held');
  return BigInt(Math.round(whole * 1e9));
}

async function ask(fields: object, gateway = prepaid) {
  const [sentBefore, recordsBefore] = [upstream.exchanges.length, gateway.records.length];
  const response = await gateway.post(PATH, { model: 'lab/one', input: 'hi', ...fields });
  const text = await response.text();
  const record = response.status === 200 ? (gateway.records[recordsBefore] ?? (await gateway.nextRecord())) : null;
  return { status: response.status, text, record, sent: upstream.exchanges.length - sentBefore };
}

/** The same call over and over: each reading of the window, each use and the cap are paid for. */
const holdFor = (fee: bigint, uses: number) =>
  BigInt(uses + 1) * (BigInt(WINDOW) * INPUT + fee) - fee + BigInt(CAP) * OUTPUT;

for (const { type, fee, tool, item } of hosted)
  for (const stream of [false, true])
    describe(`${type}, ${stream ? 'streamed' : 'whole'}`, () => {
      const fields = { tools: [{ type, ...tool }], max_tool_calls: USES_MAX, stream };
      const use = (count: number, input: number, output: number) => {
        answer = { items: Array.from({ length: count }, (_, index) => item(index)), input, output };
      };

      for (const uses of [0, 1, USES_MAX])
        test(`is held for ${USES_MAX} uses, and ${uses} are charged`, async () => {
          use(uses, 700, 20);
          const before = await balance();
          const { status, text, record } = await ask(fields);
          assert.equal(status, 200, text);
          assert.equal(record?.hold, holdFor(fee, USES_MAX));
          assert.equal(record?.charge, 700n * INPUT + 20n * OUTPUT + BigInt(uses) * fee);
          assert.equal(before - (await balance()), record?.charge);
        });

      test('the most that the call can cost is exactly what is held', async () => {
        use(USES_MAX, (USES_MAX + 1) * WINDOW, CAP);
        const { record } = await ask(fields);
        assert.deepEqual([record?.charge, record?.cost], [holdFor(fee, USES_MAX), holdFor(fee, USES_MAX)]);
      });

      test('a provider that goes beyond the limit is not paid from the balance', async () => {
        use(USES_MAX + 2, (USES_MAX + 1) * WINDOW + 1, CAP);
        const before = await balance();
        const { record } = await ask(fields);
        assert.deepEqual([record?.charge, before - (await balance())], [record?.hold, record?.hold]);
        assert.equal(record?.cost, holdFor(fee, USES_MAX) + INPUT + 2n * fee);
      });

      test('without a limit it is held for only where calls are paid afterwards', async () => {
        use(2, 700, 20);
        const { max_tool_calls: _, ...unlimited } = fields;
        const { record } = await ask({ ...unlimited, tool_choice: { type } }, postpaid);
        assert.equal(record?.hold, holdFor(fee, 25));
        assert.equal(record?.charge, 700n * INPUT + 20n * OUTPUT + 2n * fee);
        const refused = await ask({ ...unlimited, tool_choice: { type } });
        assert.deepEqual([refused.status, refused.sent], [400, 0]);
        assert.match(refused.text, /max_tool_calls/);
      });
    });

test('of several tools each use is held as one of the most expensive, and charged as what it was', async () => {
  const [search, files, code] = hosted;
  assert.ok(search !== undefined && files !== undefined && code !== undefined);
  answer = { items: [search.item(0), files.item(1), code.item(2)], input: 700, output: 20 };
  const tools = [search, files, code].map(({ type, tool }) => ({ type, ...tool }));
  const { record } = await ask({ tools, max_tool_calls: USES_MAX });
  assert.equal(record?.hold, holdFor(code.fee, USES_MAX));
  assert.equal(record?.charge, 700n * INPUT + 20n * OUTPUT + search.fee + files.fee + code.fee);
});

for (const vendor of ['xai', 'openrouter'])
  describe(`${vendor}, which does not promise to keep max_tool_calls`, () => {
    const fields = { tools: [{ type: 'mcp', server_label: 's', server_url: 'https://s.example' }], max_tool_calls: 2 };

    test('runs no tool that a balance pays for, limited or not', async () => {
      answer = { items: [], input: 700, output: 20 };
      for (const limit of [fields.max_tool_calls, null]) {
        const { status, text, sent } = await ask({ ...fields, max_tool_calls: limit, model: `${vendor}/one` });
        assert.deepEqual([status, sent], [400, 0]);
        assert.match(text, /promises that .{1,2}max_tool_calls/);
      }
      assert.equal((await ask({ ...fields, model: `${vendor}/free` })).status, 200);
    });

    test('is held for as many uses as without a limit, where calls are paid afterwards', async () => {
      const { status, text, record } = await ask({ ...fields, model: `${vendor}/one` }, postpaid);
      assert.equal(status, 200, text);
      assert.equal(record?.hold, holdFor(0n, 25));
    });
  });

describe('a tool without a price', () => {
  const tools = [
    { type: 'image_generation' },
    { type: 'web_search_preview' },
    { type: 'shell', environment: { type: 'container_auto' } },
    { type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } },
  ];

  for (const tool of tools) {
    test(`is not paid from a balance, limited or not: ${JSON.stringify(tool)}`, async () => {
      for (const limit of [{ max_tool_calls: 1 }, {}]) {
        const { status, text, sent } = await ask({ tools: [tool], ...limit });
        assert.deepEqual([status, sent], [400, 0], text);
        assert.match(text, /cannot be paid from a balance/);
      }
    });

    test(`passes where it is free, or paid afterwards: ${JSON.stringify(tool)}`, async () => {
      answer = { items: [], input: 700, output: 20 };
      assert.equal((await ask({ tools: [tool], model: 'lab/free' })).status, 200);
      const { status, record } = await ask({ tools: [tool] }, postpaid);
      assert.equal(status, 200);
      assert.ok(record?.hold != null && record.hold >= holdFor(0n, 25));
    });
  }
});

test('a tool that the caller runs needs no limit', async () => {
  answer = { items: [], input: 700, output: 20 };
  const computer = { type: 'computer_use_preview', display_width: 800, display_height: 600, environment: 'browser' };
  for (const tool of [computer, { type: 'computer' }, { type: 'local_shell' }, { type: 'apply_patch' }]) {
    const { status, record } = await ask({ tools: [tool] });
    assert.equal(status, 200, tool.type);
    assert.ok(record?.hold != null && record.hold < holdFor(0n, 0), 'the body bounds the prompt');
  }
});

test('files that are stored at the provider cannot be searched: they are the operator’s', async () => {
  for (const gateway of [prepaid, postpaid]) {
    const tools = [{ type: 'file_search', vector_store_ids: ['vs_1'] }];
    const { status, text, sent } = await ask({ tools, max_tool_calls: 1 }, gateway);
    assert.deepEqual([status, sent], [400, 0]);
    const { error } = JSON.parse(text) as { readonly error: Readonly<Record<string, string>> };
    assert.deepEqual([error['code'], error['param']], ['field_not_allowed', 'tools[].vector_store_ids']);
    assert.match(
      error['message'] ?? '',
      /"vector_store_ids" is not accepted .* stored under the provider's credential/,
    );
  }
});
