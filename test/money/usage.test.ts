/**
 * Goal: a provider that reports no usage, or impossible usage, costs nobody more than the hold and raises an alert;
 * the gateway counts instead, and says so. Method: such providers called by the whole program, in all lanes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { COUNTED_PROMPT, LANES, type Lane, type LedgerBench, openLedgerBench } from '../support/ledger-bench.ts';
import { anthropicBody, anthropicFrames, openaiBody, openaiFrames, stream } from '../support/upstream-scripts.ts';

const WORDS = [' one', ' two', ' three'];

/** As JSON; null removes the whole usage. */
const REPORTS: readonly (readonly [name: string, count: string | null, alerts: boolean])[] = [
  ['none', null, false],
  ['-1', '-1', true],
  ['"x"', '"x"', true],
  ['1e30', '1e30', true],
  ['1.5', '1.5', true],
];

let bench: LedgerBench;
before(async () => {
  bench = await openLedgerBench();
});
after(() => bench.close());

for (const lane of LANES) {
  for (const streamed of [true, false]) {
    describe(`${lane.name}, ${streamed ? 'streamed' : 'whole'}`, () => {
      for (const [name, count, alerts] of REPORTS) {
        test(`usage ${name}: what was delivered is counted`, async () => {
          const before = await alertsSoFar();
          const settled = await bench.settle({ lane, streamed, outputCap: 50 }, (exchange) =>
            streamed
              ? stream(frames(lane).map((frame) => reporting(frame, count)))(exchange)
              : exchange.whole(200, reporting(body(lane), count)),
          );
          assert.equal(settled.ending, 'complete');
          assert.equal(settled.usageSource, 'estimated');
          assert.deepEqual([settled.inputTokens, settled.outputTokens], [COUNTED_PROMPT, WORDS.length]);
          assert.equal(settled.charge, BigInt(COUNTED_PROMPT) * 1_000n + BigInt(WORDS.length) * 5_000n);
          assert.ok(settled.hold !== null && settled.charge <= settled.hold);
          assert.equal(await alertsSoFar(), before + (alerts ? 1 : 0));
        });
      }
    });
  }
}

function frames({ upstream }: Lane): string[] {
  return upstream === 'openai-chat' ? openaiFrames(WORDS) : anthropicFrames(WORDS);
}

function body({ upstream }: Lane): string {
  return upstream === 'openai-chat' ? openaiBody(WORDS.join('')) : anthropicBody(WORDS.join(''));
}

/** With `count` instead of every count that is billed. */
function reporting(text: string, count: string | null): string {
  if (count === null) return text.replace(/,?"usage":\{(?:[^{}]|\{[^{}]*\})*\}/, '');
  return text.replace(/"(prompt|completion|input|output)_tokens":\d+/g, `"$1_tokens":${count}`);
}

async function alertsSoFar(): Promise<number> {
  const [, count] =
    /turnpike_alerts_total\{kind="usage_invalid"\} (\d+)/.exec(await bench.app.gateway.metrics.text()) ?? [];
  return Number(count ?? 0);
}
