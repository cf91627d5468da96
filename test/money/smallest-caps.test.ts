/**
 * Goal: a cap that the gateway lowers, because little money is left, is never one that a provider of the Responses format refuses: below 16
 * tokens. Method: keys with every budget from too little to plenty, callers of each format that need no cap, and what reaches the provider.
 *
 * https://platform.openai.com/docs/api-reference/responses/create (max_output_tokens)
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { control } from '../support/control.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';

/** Those that the gateway gives are far above the least that is accepted. */
const [ACCEPTED_MIN, LOWERED_MIN] = [16, 256];
const CAP = 4_000;

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
before(async () => {
  const output = [{ type: 'message', id: 'm_1', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }];
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const body = { id: 'resp_1', object: 'response', created_at: 1_795_000_000, status: 'completed', output, usage };
  upstream = await startScriptedUpstream((exchange) =>
    exchange.whole(200, JSON.stringify({ ...body, model: exchange.json['model'] })),
  );
  const model = { prices: { input: 1, output: 5 }, contextWindow: 20_000 };
  const models = [
    { id: 'lab/known', upstream: 'm', ...model, outputCap: CAP },
    { id: 'lab/unknown', upstream: 'm', ...model },
  ];
  gateway = await openGateway({
    providers: [{ name: 'lab', kind: 'custom', origin: upstream.origin, dialects: ['openai-responses'], models }],
    billing: { firstRunCredit: '5' },
  });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});

const callers = [
  { path: '/api/v1/responses', body: (model: string) => ({ model, input: 'hi' }) },
  {
    path: '/api/v1/chat/completions',
    body: (model: string) => ({ model, messages: [{ role: 'user', content: 'hi' }] }),
  },
  {
    path: (model: string) => `/v1beta/models/${model}:generateContent`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
  },
];

for (const model of ['lab/known', 'lab/unknown'])
  for (const { path, body } of callers) {
    const place = typeof path === 'string' ? path : path(model);
    test(`${place}, ${model}: too little money is 402, and otherwise the cap is accepted`, async () => {
      const seen = new Set<string>();
      for (let microUsd = 50; microUsd < 60_000; microUsd = Math.ceil(microUsd * 1.25)) {
        const key = await keyWith(microUsd / 1e6);
        const sentBefore = upstream.exchanges.length;
        const answer = await gateway.post(place, body(model), {
          authorization: `Bearer ${key}`,
          'x-goog-api-key': key,
        });
        const text = await answer.text();
        const sent = upstream.exchanges.slice(sentBefore);
        if (answer.status === 402) {
          assert.deepEqual(sent, [], 'refused before it is sent');
          seen.add('refused');
          continue;
        }
        assert.equal(answer.status, 200, text);
        const cap = sent[0]?.json['max_output_tokens'] ?? null;
        if (cap === null) seen.add('without a cap');
        else {
          assert.ok(Number(cap) >= LOWERED_MIN && LOWERED_MIN >= ACCEPTED_MIN, `${cap} for $${microUsd / 1e6}`);
          seen.add(cap === LOWERED_MIN ? 'the least' : 'more');
        }
      }
      assert.ok(seen.has('refused') && seen.has('the least') && seen.has('more'), [...seen].join(', '));
    });
  }

async function keyWith(total: number): Promise<string> {
  const { status, body } = await control(gateway.dataFolder, 'POST', '/control/api/keys?account=1', {
    name: 'little',
    limits: { budgets: { total: total.toFixed(6) } },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return (body as { key: string }).key;
}
