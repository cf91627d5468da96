/**
 * Goal: each ending costs what the table of the billing guide says. Method: calls through the whole program, in all
 * lanes, streamed and whole, ended in each way; what is compared are the rows of the ledger.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Ending } from '../../src/core/settlement.ts';
import type { Task } from '../../src/core/turns/turn-queue.ts';
import type { Cancellable } from '../../src/gateway/call.ts';
import type { SettledCall } from '../prove/support/ledger-file.ts';
import { laneAnswers, REPORTED_PROMPT } from '../support/lane-answers.ts';
import { ALL_LANES, type AnyLane, countedPrompt, type LedgerBench, openLedgerBench } from '../support/ledger-bench.ts';
import { endsProperly } from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { countOf, type StreamReader } from '../support/stream-reader.ts';
import { until } from '../support/turns.ts';
import { lyingLength, refuse, resetAtOnce, silent } from '../support/upstream-scripts.ts';

const WORDS = [' one', ' two', ' three', ' four'];

let bench: LedgerBench;
/** Does not wait for providers. */
let hasty: LedgerBench;
/** Does not wait for callers; one limit each, or on a busy machine the other could end the call first. */
let brisk: LedgerBench;
before(async () => {
  bench = await openLedgerBench();
  hasty = await openLedgerBench({ timeouts: { idleMs: 300, firstByteStreamedMs: 300, firstByteMs: 300 } });
  brisk = await openLedgerBench({ timeouts: { writeStallMs: 300 } });
});
after(async () => {
  for (const each of [bench, hasty, brisk]) await each.close();
});

/** Nano-USD at $1 and $5 a million. */
function price(prompt: number, output: number): bigint {
  return BigInt(prompt) * 1_000n + BigInt(output) * 5_000n;
}

interface Shares {
  readonly ending: Ending;
  readonly charge?: bigint;
  readonly fault?: bigint;
  readonly variance?: bigint;
}

function expectShares(settled: SettledCall, { ending, charge = 0n, fault = 0n, variance = 0n }: Shares): void {
  const { charge: charged, fault: borne, variance: above } = settled;
  assert.deepEqual(
    { ending: settled.ending, charged, borne, above },
    { ending, charged: charge, borne: fault, above: variance },
  );
  assert.equal(settled.cost, charge + fault + variance);
}

/** What is known of the prompt once a stream has begun. */
function promptOf(lane: AnyLane): number {
  return laneAnswers[lane.upstream].reportsPromptFirst ? REPORTED_PROMPT : countedPrompt(lane);
}

/** A stream in the format of the lane's provider. */
function streamOf({ upstream }: AnyLane, frames: readonly (string | Buffer)[], then?: Script): Script {
  const { contentType } = laneAnswers[upstream];
  return async (exchange) => {
    await exchange.openStream({ 'content-type': contentType });
    for (const frame of frames) await exchange.chunk(frame);
    await (then ?? (() => exchange.lastChunk()))(exchange);
  };
}

const framesOf = ({ upstream }: AnyLane, words: readonly string[]) => laneAnswers[upstream].frames(words);

/** All words, and then `then`. */
function wordsThen(lane: AnyLane, then: Script): Script {
  return streamOf(lane, framesOf(lane, WORDS).slice(0, laneAnswers[lane.upstream].lead + WORDS.length), then);
}

const wholeOf =
  ({ upstream }: AnyLane, output = 1): Script =>
  (exchange) =>
    exchange.whole(200, JSON.stringify(laneAnswers[upstream].body('one', output)));

const stays = () => undefined;
const allWords = (reader: StreamReader) => reader.sees((text) => countOf(text, '" four"') === 1);

/** A bench has one call at a time. */
const ALONE = { concurrency: 1 };

/** The benches are independent, and two of them mostly wait. */
describe('each ending', { concurrency: true }, () => {
  describe('that comes at once', ALONE, () => {
    for (const lane of ALL_LANES) {
      describe(lane.name, ALONE, () => {
        test('complete, streamed: the cost', async () => {
          const settled = await bench.settle({ lane, streamed: true }, streamOf(lane, framesOf(lane, WORDS)));
          expectShares(settled, { ending: 'complete', charge: price(REPORTED_PROMPT, WORDS.length) });
          assert.equal(settled.usageSource, 'reported');
        });

        test('complete, whole: the cost', async () => {
          const settled = await bench.settle({ lane, streamed: false }, wholeOf(lane));
          expectShares(settled, { ending: 'complete', charge: price(REPORTED_PROMPT, 1) });
        });

        for (const ending of ['caller_left', 'key_cut'] as const) {
          test(`${ending} when a whole answer is complete, but is queued: the cost that was reported`, async () => {
            const { answers } = bench.app.gateway.turnQueues;
            const join = answers.join.bind(answers);
            answers.join = (relay) => {
              answers.join = join;
              join(relay);
              (relay as Task & Cancellable).cancel(ending);
            };
            const settled = await bench.settle({ lane, streamed: false }, wholeOf(lane));
            expectShares(settled, { ending: 'complete', charge: price(REPORTED_PROMPT, 1) });
            assert.equal(settled.usageSource, 'reported');
          });
        }

        for (const streamed of [true, false]) {
          const way = streamed ? 'streamed' : 'whole';

          test(`complete above what was held, ${way}: the hold, and the rest is the operator's`, async () => {
            const settled = await bench.settle(
              { lane, streamed, outputCap: OVERRUN_CAP },
              streamed ? streamOf(lane, framesOf(lane, Array(1_000).fill(' word'))) : wholeOf(lane, 1_000),
            );
            const { hold } = settled;
            const cost = price(REPORTED_PROMPT, 1_000);
            assert.ok(hold !== null && hold < cost);
            expectShares(settled, { ending: 'complete', charge: hold, variance: cost - hold });
          });

          const { empty, emptyPrompt } = laneAnswers[lane.upstream];
          if (empty !== null) {
            test(`empty, ${way}: nothing; the prompt is the operator’s`, async () => {
              const script: Script = (exchange) => exchange.whole(200, JSON.stringify(empty.body));
              const settled = await bench.settle({ lane, streamed }, streamed ? streamOf(lane, empty.frames) : script);
              expectShares(settled, { ending: 'empty', fault: price(emptyPrompt ?? countedPrompt(lane), 0) });
            });
          }

          test(`caller_left before the answer, ${way}: the prompt`, async () => {
            const arrived = bench.upstream.nextExchange();
            const settled = await bench.settle({ lane, streamed }, silent, async (reader) => {
              await arrived;
              reader.leave();
            });
            expectShares(settled, { ending: 'caller_left', charge: price(countedPrompt(lane), 0) });
          });

          test(`key_cut before the answer, ${way}: the prompt`, async () => {
            const arrived = bench.upstream.nextExchange();
            const settled = await bench.settle({ lane, streamed }, silent, async () => {
              await arrived;
              cutKey();
            });
            expectShares(settled, { ending: 'key_cut', charge: price(countedPrompt(lane), 0) });
          });

          test(`refused_upstream, ${way}: nothing`, async () => {
            const { refusal } = laneAnswers[lane.upstream];
            expectShares(await bench.settle({ lane, streamed }, refuse(400, refusal)), { ending: 'refused_upstream' });
          });

          test(`gateway_failed before the answer, ${way}: nothing`, async () => {
            const { upstream } = bench.app.gateway;
            const send = upstream.send.bind(upstream);
            upstream.send = () => {
              upstream.send = send;
              throw new RangeError('an error of the gateway');
            };
            expectShares(await bench.settle({ lane, streamed }, silent), { ending: 'gateway_failed' });
          });

          test(`upstream_failed before the answer, ${way}: nothing`, async () => {
            expectShares(await bench.settle({ lane, streamed }, resetAtOnce), { ending: 'upstream_failed' });
            expectShares(await bench.settle({ lane, streamed }, refuse(500, {})), { ending: 'upstream_failed' });
          });
        }

        test('caller_left in a stream: the prompt, and what was delivered', async () => {
          const settled = await bench.settle({ lane, streamed: true }, wordsThen(lane, stays), async (reader) => {
            await allWords(reader);
            reader.leave();
          });
          expectShares(settled, { ending: 'caller_left', charge: price(promptOf(lane), WORDS.length) });
        });

        test('key_cut in a stream: the prompt, and what was delivered', async () => {
          const settled = await bench.settle({ lane, streamed: true }, wordsThen(lane, stays), async (reader) => {
            await allWords(reader);
            cutKey();
          });
          expectShares(settled, { ending: 'key_cut', charge: price(promptOf(lane), WORDS.length) });
        });

        test('gateway_failed at the hold of a stream: nothing', async () => {
          const { bank } = bench.app.gateway;
          const secure = bank.persistHold.bind(bank);
          bank.persistHold = () => {
            bank.persistHold = secure;
            return Promise.reject(new Error('EIO: i/o error, write'));
          };
          const settled = await bench.settle({ lane, streamed: true }, wordsThen(lane, stays));
          expectShares(settled, { ending: 'gateway_failed', fault: settled.cost ?? 0n });
        });

        test('complete, if the hold was refused and the settlement was not: the answer, and its cost', async () => {
          const { bank } = bench.app.gateway;
          const secure = bank.persistHold.bind(bank);
          const hold = Promise.withResolvers<void>();
          bank.persistHold = () => hold.promise;
          const entered = bench.nextCall();
          const settled = await bench.settle(
            { lane, streamed: true },
            streamOf(lane, framesOf(lane, WORDS)),
            async (reader) => {
              const call = await entered;
              await until('the end to be written', () => call.settled !== null);
              await call.settled;
              bank.persistHold = secure;
              hold.reject(new Error('EIO: i/o error, write'));
              await reader.sees(endsProperly);
            },
          );
          expectShares(settled, { ending: 'complete', charge: price(REPORTED_PROMPT, WORDS.length) });
        });

        test('upstream_failed in a stream: nothing; what it delivered is the operator’s', async () => {
          const script = wordsThen(lane, (exchange) => exchange.finish());
          const settled = await bench.settle({ lane, streamed: true }, script);
          expectShares(settled, { ending: 'upstream_failed', fault: price(promptOf(lane), WORDS.length) });
        });

        test('upstream_failed by an error in the stream: nothing; what it delivered is the operator’s', async () => {
          const script = wordsThen(lane, async (exchange) => {
            await exchange.chunk(laneAnswers[lane.upstream].error);
            await exchange.lastChunk();
          });
          const settled = await bench.settle({ lane, streamed: true }, script);
          expectShares(settled, { ending: 'upstream_failed', fault: price(promptOf(lane), WORDS.length) });
        });

        test('upstream_failed in a whole answer: nothing; the prompt is the operator’s', async () => {
          const settled = await bench.settle({ lane, streamed: false }, lyingLength(10));
          expectShares(settled, { ending: 'upstream_failed', fault: price(countedPrompt(lane), 0) });
        });

        test('drained, streamed and whole: the prompt, and what was delivered', async () => {
          for (const streamed of [true, false]) {
            const arrived = bench.upstream.nextExchange();
            const settled = await bench.settle(
              { lane, streamed },
              streamed ? wordsThen(lane, stays) : silent,
              async (reader) => {
                await arrived;
                if (streamed) await allWords(reader);
                // What a shutdown does at its deadline, to this call alone: the other one is still to come.
                bench.calls.at(-1)?.active?.cancel('drained');
              },
            );
            const charge = streamed ? price(promptOf(lane), WORDS.length) : price(countedPrompt(lane), 0);
            expectShares(settled, { ending: 'drained', charge });
          }
          await until('all calls to end', () => bench.app.gateway.running.count === 0);
        });
      });
    }
  });

  describe('at a limit of the provider’s time', ALONE, () => {
    for (const lane of ALL_LANES)
      describe(lane.name, ALONE, () => {
        for (const streamed of [true, false])
          test(`upstream_timeout before the answer, ${streamed ? 'streamed' : 'whole'}: nothing`, async () => {
            expectShares(await hasty.settle({ lane, streamed }, silent), { ending: 'upstream_timeout' });
          });
        test('upstream_timeout in a stream: nothing; what it delivered is the operator’s', async () => {
          const settled = await hasty.settle({ lane, streamed: true }, wordsThen(lane, stays));
          expectShares(settled, { ending: 'upstream_timeout', fault: price(promptOf(lane), WORDS.length) });
        });
      });
  });

  describe('at a limit of the caller’s time', ALONE, () => {
    for (const lane of ALL_LANES)
      describe(lane.name, ALONE, () => {
        test('caller_slow: the prompt, and what was sent on', async () => {
          const settled = await brisk.settle({ lane, streamed: true }, pushesOn(lane), (reader) =>
            reader.socket.pause(),
          );
          expectShares(settled, { ending: 'caller_slow', charge: price(promptOf(lane), settled.outputTokens) });
          assert.ok(settled.outputTokens > 0);
        });
      });
  });
});

test('a cost above the hold raises an alert', async () => {
  const [, count] =
    /turnpike_alerts_total\{kind="cost_above_hold"\} (\d+)/.exec(await bench.app.gateway.metrics.text()) ?? [];
  assert.equal(Number(count), 2 * ALL_LANES.length);
});

function cutKey(): void {
  const { running } = bench.app.gateway;
  const id = bench.calls.at(-1)?.key?.id;
  assert.ok(id !== undefined);
  running.cutKey(id);
}

/** A little above the least that every format takes. */
const OVERRUN_CAP = 20;

/** Endless words, until the caller leaves. */
function pushesOn(lane: AnyLane): Script {
  const [frame = ''] = framesOf(lane, [' word'.repeat(2_000)]).slice(laneAnswers[lane.upstream].lead);
  return wordsThen(lane, async (exchange) => {
    for (let sent = 0; sent < 5_000 && !exchange.socket.destroyed; sent += 1) await exchange.chunk(frame);
  });
}
