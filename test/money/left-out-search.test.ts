/**
 * Goal: a search that nothing limits, which Codex offers with every request, is left out of what a prepaid balance pays for, and of nothing
 * else; what remains is held for and charged as a request without it. Method: relayed Responses calls, with the bytes that reach a provider.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';

const WAYS = ['prepaid', 'postpaid', 'off'] as const;
const PRICES = { input: 1, output: 5, webSearch: 0.01 };
const USAGE = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
/** 100 × $1 and 10 × $5 a million, in nano-USD. */
const CALL_COST = 150_000n;
const PATH = '/api/v1/responses';

const search = { type: 'web_search', external_web_access: false };
const clock = { type: 'function', name: 'clock', strict: false, parameters: { type: 'object', properties: {} } };
/** As Codex sends it. */
const codex = { input: 'hi', tools: [clock, search], tool_choice: 'auto', parallel_tool_calls: true, store: false };

let isFailing = false;
let upstream: ScriptedUpstream;
const gateways = new Map<(typeof WAYS)[number], OpenGateway>();

before(async () => {
  upstream = await startScriptedUpstream((exchange) => {
    if (isFailing && exchange.json['model'] === 'first') return exchange.whole(500, '{"error":{"message":"no"}}');
    return exchange.whole(
      200,
      JSON.stringify({
        ...{ id: 'resp_1', object: 'response', created_at: 1_795_000_000, status: 'completed' },
        model: exchange.json['model'],
        output: [{ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }],
        usage: USAGE,
      }),
    );
  });
  const model = { contextWindow: 20_000, outputCap: 1_000 };
  const lab = { kind: 'custom', origin: upstream.origin, dialects: ['openai-responses'] };
  const providers = [
    {
      ...{ name: 'lab', ...lab },
      models: [
        { id: 'lab/paid', upstream: 'first', prices: PRICES, ...model },
        { id: 'lab/without-fee', upstream: 'first', prices: { input: 1, output: 5 }, ...model },
        { id: 'lab/free', upstream: 'first', prices: 'free', ...model },
      ],
    },
    { ...{ name: 'other', ...lab }, models: [{ id: 'lab/paid', upstream: 'second', prices: PRICES, ...model }] },
  ];
  for (const mode of WAYS) {
    const billing = mode === 'off' ? { mode } : { mode, firstRunCredit: '5' };
    gateways.set(mode, await openGateway({ providers, billing }));
  }
});
after(async () => {
  for (const gateway of gateways.values()) await gateway.close();
  await upstream.close();
});

async function ask(fields: object, model = 'lab/paid', mode: (typeof WAYS)[number] = 'prepaid') {
  const gateway = gateways.get(mode) ?? assert.fail();
  const [sentBefore, recordsBefore] = [upstream.exchanges.length, gateway.records.length];
  const response = await gateway.post(PATH, { model, ...codex, ...fields });
  const text = await response.text();
  const record = response.status === 200 ? (gateway.records[recordsBefore] ?? (await gateway.nextRecord())) : null;
  return {
    status: response.status,
    text,
    record,
    warnings: response.headers.get('x-turnpike-warnings') ?? '',
    sent: upstream.exchanges.slice(sentBefore).map(({ json }) => json),
  };
}

describe('from a prepaid balance', () => {
  for (const model of ['lab/paid', 'lab/without-fee'])
    test(`${model} gets the request without the search, and the caller a warning`, async () => {
      const { status, text, record, warnings, sent } = await ask({}, model);
      assert.equal(status, 200, text);
      assert.deepEqual(sent, [{ model: 'first', ...codex, tools: [clock] }]);
      assert.match(warnings, /"web_search" was left out/);
      assert.deepEqual(record?.warnings, [warnings]);
      assert.equal(record?.charge, CALL_COST);
    });

  test('no more is held than for the tools that remain', async () => {
    const { record } = await ask({});
    const { record: plain } = await ask({ tools: [clock, clock] });
    assert.ok(record?.hold != null && plain?.hold != null);
    const difference = record.hold - plain.hold;
    assert.ok(difference < 100_000n && difference > -100_000n, String(difference));
  });

  test('each target that is tried gets it without the search', async () => {
    isFailing = true;
    const { status, text, sent } = await ask({});
    isFailing = false;
    assert.equal(status, 200, text);
    assert.deepEqual(
      sent.map(({ model, tools }) => [model, tools]),
      [
        ['first', [clock]],
        ['second', [clock]],
      ],
    );
  });

  test('a free model keeps its search', async () => {
    const { sent, warnings } = await ask({}, 'lab/free');
    assert.deepEqual([sent[0]?.['tools'], warnings], [codex.tools, '']);
  });

  test('a limited search stays, and is held for', async () => {
    const { sent, warnings, record } = await ask({ max_tool_calls: 2 });
    assert.deepEqual([sent[0]?.['tools'], warnings], [codex.tools, '']);
    // Three readings of the window, two searches, and the cap.
    assert.equal(record?.hold, 3n * 20_000_000n + 2n * 10_000_000n + 5_000_000n);
  });

  for (const [what, fields] of [
    ['chosen', { tool_choice: { type: 'web_search' } }],
    ['required, as there is no other tool', { tool_choice: 'required', tools: [search] }],
    ['all that is allowed', { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }] } }],
    ['of the earlier version', { tools: [clock, { type: 'web_search_preview' }] }],
    [
      'offered with another unlimited tool',
      { tools: [search, { type: 'code_interpreter', container: { type: 'auto' } }] },
    ],
  ] as const)
    test(`a search that is ${what} is refused, and nothing is sent`, async () => {
      const { status, text, sent } = await ask(fields);
      assert.equal(status, 400, text);
      assert.match(text, /cannot be paid from a balance/);
      assert.deepEqual(sent, []);
    });
});

for (const mode of ['postpaid', 'off'] as const)
  test(`the search stays if billing is ${mode}`, async () => {
    const { status, sent, warnings } = await ask({}, 'lab/paid', mode);
    assert.equal(status, 200);
    assert.deepEqual([sent[0]?.['tools'], warnings], [codex.tools, '']);
  });
