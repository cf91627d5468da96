/**
 * Goal: if nobody set a cap on the output, the held cap is the one that is sent, in every lane. Method: providers
 * in either format that write as much as they are allowed to, and the body that reached them compared with the hold.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DialectUnderTest, type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { anthropicBody, isMessages, openaiBody } from '../support/upstream-scripts.ts';

const ASSUMED = 8192;
/** How much a provider without a cap writes. */
const UNCAPPED_TOKENS = 500_000;
const PRICES = { input: 3, output: 15 };
const CALLS = 50;

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
before(async () => {
  upstream = await startScriptedUpstream(writeAll);
  gateway = await openGateway({
    providers: (['openai-chat', 'anthropic-messages'] as const).map((dialect) => ({
      name: dialect,
      kind: 'custom',
      origin: upstream.origin,
      dialects: [dialect],
      models: [
        { upstream: 'unknown', prices: PRICES },
        { upstream: 'small', prices: PRICES, contextWindow: 4000 },
        { upstream: 'known', prices: PRICES, outputCap: 20_000 },
        { upstream: 'free', prices: 'free' },
      ],
    })),
    billing: { firstRunCredit: '5' },
  });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});

for (const dialect of ['openai-chat', 'anthropic-messages'] as const) {
  describe(`a chat completions caller, a provider of ${dialect}`, () => {
    for (const [model, sent, held] of [
      ['unknown', ASSUMED, ASSUMED],
      ['small', 1000, 1000],
      ['known', dialect === 'openai-chat' ? null : 20_000, 20_000],
    ] as const)
      test(`${model}: ${held} tokens are held for, and ${sent ?? 'none'} sent as a cap`, async () => {
        upstream.play((exchange) => answer(exchange, 3));
        const recorded = gateway.nextRecord();
        const response = await ask(dialect, model);
        assert.equal(response.status, 200, await response.text());
        assert.equal(capOf(upstream.exchanges.at(-1)), sent);
        const { hold } = await recorded;
        const output = BigInt(held) * 15_000n;
        assert.ok(hold !== null && hold >= output && hold < output + 3_000_000n, `${hold} for ${output}`);
        const warning = response.headers.get('x-turnpike-warnings');
        if (model === 'known') assert.equal(warning, null);
        else assert.match(warning ?? '', new RegExp(`capped at ${held} tokens`));
      });

    test(`${CALLS} calls at once pass on $5, and none costs more than was held`, async () => {
      const exchanges: Exchange[] = [];
      const allHere = new Promise<void>((resolve) => {
        upstream.play((exchange) => {
          exchanges.push(exchange);
          if (exchanges.length === CALLS) resolve();
        });
      });
      const records = Array.from({ length: CALLS }, () => gateway.nextRecord());
      const answers = Array.from({ length: CALLS }, () => ask(dialect, 'unknown'));
      await Promise.race([allHere, firstRefusal(answers)]);
      for (const exchange of exchanges) void writeAll(exchange, 50);
      for (const response of await Promise.all(answers)) assert.equal(response.status, 200, await response.text());
      for (const record of await Promise.all(records)) assert.equal(record.variance, 0n);
    });
  });
}

test('a free model is not capped', async () => {
  upstream.play((exchange) => answer(exchange, 3));
  const response = await ask('openai-chat', 'free');
  assert.equal(response.status, 200, await response.text());
  assert.equal(capOf(upstream.exchanges.at(-1)), null);
});

function ask(dialect: DialectUnderTest, model: string): Promise<Response> {
  const body = { model: `${dialect}/${model}`, messages: [{ role: 'user', content: 'hi' }] };
  return gateway.post('/api/v1/chat/completions', body);
}

/** Rejects with the first answer that is not 200; else never ends. */
function firstRefusal(answers: readonly Promise<Response>[]): Promise<never> {
  return new Promise((_, reject) => {
    for (const answer of answers)
      void answer.then(async (response) => {
        if (response.status !== 200) reject(new Error(await response.clone().text()));
      });
  });
}

function capOf(exchange: Exchange | undefined): unknown {
  return exchange?.json['max_tokens'] ?? exchange?.json['max_completion_tokens'] ?? null;
}

/** As many tokens as its share of the cap allows, so that money is left for the next test. */
function writeAll(exchange: Exchange, share = 1): Promise<void> {
  return answer(exchange, Math.floor(Number(capOf(exchange) ?? UNCAPPED_TOKENS) / share));
}

function answer(exchange: Exchange, tokens: number): Promise<void> {
  const body = isMessages(exchange) ? anthropicBody('hello', 'm') : openaiBody('hello', 'm');
  return exchange.whole(200, body.replace(/"(completion|output)_tokens":\d+/g, `"$1_tokens":${tokens}`));
}
