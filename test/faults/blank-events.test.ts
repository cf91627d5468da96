/**
 * Goal: white space in a provider's stream breaks no answer. Method: an event without data in the middle of a valid stream, and
 * `[DONE]` with other white space around it, for every pair of formats.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chatBody, DIALECTS, type OpenBench, openBenchWith, PATHS } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, stream } from '../support/upstream-scripts.ts';
import { goodAnswers } from './fault.ts';

let upstream: ScriptedUpstream;
let bench: OpenBench;
before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  const providers = DIALECTS.map((dialect) => ({
    name: `only-${dialect}`,
    kind: 'custom',
    origin: upstream.origin,
    credential: 'canary-credential',
    dialects: [dialect],
    models: [{ id: `spoken/${dialect}`, upstream: 'scripted-1', prices: { input: 1, output: 5 }, outputCap: 128_000 }],
  }));
  bench = await openBenchWith(upstream, { providers });
});
after(() => bench.close());

const BLANK = ['data:\n\n', 'data\n\n', 'data: \n\n', 'data:   \n\n', 'data:\ndata:\n\n', 'event: notice\ndata:\n\n'];
const LAST = ['data:  [DONE]\n\n', 'data:\t[DONE]\n\n', 'data:[DONE] \r\n\r\n', 'data:\ndata: [DONE]\n\n'];

for (const spoken of DIALECTS) {
  for (const caller of DIALECTS) {
    describe(`${caller} to ${spoken}: an answer is complete and paid for with`, () => {
      const { frames } = goodAnswers[spoken];
      for (const blank of BLANK) {
        test(`${JSON.stringify(blank)} between its events`, async () => {
          await isWhole([...frames.slice(0, 3), blank, ...frames.slice(3, -1), blank, ...frames.slice(-1)]);
        });
      }
      for (const last of LAST) {
        test(`${JSON.stringify(last)} as its last event`, async () => {
          const before = spoken === 'openai-chat' ? frames.filter((frame) => !frame.includes('[DONE]')) : frames;
          const text = await isWhole([...before, last]);
          if (caller === 'openai-chat') assert.match(text, /\ndata: ?\[DONE\] ?\s+$/);
        });
      }
      async function isWhole(sent: readonly string[]): Promise<string> {
        const count = bench.records.length;
        upstream.play(stream(sent));
        const response = await bench.post(PATHS[caller], chatBody(true, 'hi', `spoken/${spoken}`));
        const text = await response.text();
        assert.match(text, /four/);
        assert.doesNotMatch(text, /"error"/);
        const record = bench.records[count] ?? (await bench.nextRecord());
        assert.equal(record.ending, 'complete');
        assert.ok(record.charge > 0n);
        return text;
      }
    });
  }
}
