/**
 * Goal: no provider generates more than was held for: the cap it obeys is the cap that is held. Method: a provider that obeys
 * only its own field names for the cap, and reports as many tokens as they allow, for each kind of provider.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { openaiBody } from '../support/upstream-scripts.ts';

/** What the scripted provider gives to a caller that sets no cap it knows. */
const UNCAPPED_TOKENS = 4_000_000;
/** In pico-USD a token. */
const OUTPUT_PRICE = 5_000_000n;

const KINDS = [
  { kind: 'deepseek', obeys: ['max_tokens'] },
  { kind: 'ollama', obeys: ['max_tokens'] },
  { kind: 'mistral', obeys: ['max_tokens'] },
  { kind: 'google', obeys: ['max_tokens'] },
  { kind: 'custom', obeys: ['max_tokens'] },
  { kind: 'custom', name: 'newer', outputCapField: 'max_completion_tokens', obeys: ['max_completion_tokens'] },
  { kind: 'custom', name: 'either', outputCapField: 'either', obeys: ['max_completion_tokens', 'max_tokens'] },
  { kind: 'openai', obeys: ['max_completion_tokens', 'max_tokens'] },
  { kind: 'groq', obeys: ['max_completion_tokens', 'max_tokens'] },
  { kind: 'openrouter', obeys: ['max_completion_tokens', 'max_tokens'] },
  { kind: 'xai', obeys: ['max_completion_tokens', 'max_tokens'] },
].map((one) => ({ ...one, name: one.name ?? one.kind }));

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
before(async () => {
  upstream = await startScriptedUpstream(answer);
  const models = [
    { upstream: 'm', contextWindow: UNCAPPED_TOKENS, outputCap: UNCAPPED_TOKENS, prices: { input: 1, output: 5 } },
  ];
  gateway = await openGateway({
    providers: KINDS.map(({ obeys: _, ...entry }) => ({
      ...entry,
      origin: upstream.origin,
      credential: 'c-1',
      dialects: ['openai-chat'],
      models,
    })),
    billing: { firstRunCredit: '20' },
  });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});

for (const { name, obeys } of KINDS) {
  describe(name, () => {
    for (const [caps, allowed] of [
      [{ max_completion_tokens: 1 }, 1],
      [{ max_tokens: 1 }, 1],
      [{ max_completion_tokens: 1, max_tokens: 900 }, 1],
      [{ max_completion_tokens: 900, max_tokens: 1 }, 1],
      [{ max_completion_tokens: null, max_tokens: 7 }, 7],
      [{ max_completion_tokens: 7, max_tokens: null }, 7],
    ] as const)
      test(`${JSON.stringify(caps)}: what is held is what it may generate`, async () => {
        const { generated, held, charge } = await call(caps);
        assert.equal(generated, allowed);
        assert.ok(held >= charge, `${held} held for ${charge}`);
        assert.ok(charge >= (BigInt(allowed) * OUTPUT_PRICE) / 1000n, 'the cost is charged');
      });

    test('a cap that the gateway sets for lack of money is one that the provider obeys', async () => {
      const { generated, held, charge } = await call({});
      assert.ok(generated > 1 && generated < UNCAPPED_TOKENS, String(generated));
      assert.ok(held >= charge, `${held} held for ${charge}`);
    });
  });

  async function call(caps: object): Promise<{ generated: number; held: bigint; charge: bigint }> {
    upstream.play((exchange) => answer(exchange, obeys));
    const recorded = gateway.nextRecord();
    const body = { model: `${name}/m`, messages: [{ role: 'user', content: 'hi' }], ...caps };
    const response = await gateway.post('/api/v1/chat/completions', body);
    assert.equal(response.status, 200, await response.text());
    const { usage, hold, charge, variance } = await recorded;
    assert.equal(variance, 0n);
    return { generated: usage.outputTokens, held: hold ?? 0n, charge };
  }
}

function answer(exchange: Exchange, obeys: readonly string[] = ['max_tokens']): Promise<void> {
  const given = obeys.map((name) => exchange.json[name] ?? null).find((cap) => cap !== null);
  const tokens = given ?? UNCAPPED_TOKENS;
  return exchange.whole(
    200,
    openaiBody('hello', 'm').replace(/"completion_tokens":\d+/, `"completion_tokens":${tokens}`),
  );
}
