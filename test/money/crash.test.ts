/**
 * Goal: a call that a killed process had begun costs what its last checkpoint says was delivered, and no more than
 * that; one that had delivered nothing costs nothing. Method: the real program, streams in all lanes that pause
 * after some words, `kill -9` once their checkpoints are in the database, and a restart.
 */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { inLedger } from '../prove/support/ledger-file.ts';
import { numberedProviders } from '../prove/support/numbered-provider.ts';
import { spawnServer } from '../prove/support/spawned-server.ts';
import { LANES, type Lane, MESSAGES, requestBytes } from '../support/ledger-bench.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { newInstallation } from '../support/serve-process.ts';
import { StreamReader } from '../support/stream-reader.ts';
import { until } from '../support/turns.ts';
import { anthropicFrames, isMessages, openaiFrames } from '../support/upstream-scripts.ts';

const WORD = ' word';
const WORDS = Array<string>(40).fill(WORD);
const CREDIT = 1_000_000n * 1_000_000_000n;
/** For an unknown model: see the billing guide. */
const BYTES_PER_TOKEN = 4.3;
const REPORTED_PROMPT = 5;

/** Nano-USD at $1 and $5 a million, of the prompt and all words. */
function expectedCharge({ upstream }: Lane): bigint {
  const prompt =
    upstream === 'anthropic-messages' ? REPORTED_PROMPT : Math.ceil(JSON.stringify(MESSAGES).length / BYTES_PER_TOKEN);
  const output = Math.ceil((WORDS.length * WORD.length) / BYTES_PER_TOKEN);
  return BigInt(prompt) * 1_000n + BigInt(output) * 5_000n;
}

test('gateway_crashed: streams cost their checkpoint, whole answers nothing', { timeout: 60_000 }, async () => {
  let arrived = 0;
  const upstream = await startScriptedUpstream(async (exchange) => {
    arrived += 1;
    if (exchange.json['stream'] !== true) return;
    const [frames, before] = isMessages(exchange) ? [anthropicFrames(WORDS), 2] : [openaiFrames(WORDS), 1];
    await exchange.openStream();
    for (const frame of frames.slice(0, before + WORDS.length)) await exchange.chunk(frame);
  });
  const installation = await newInstallation({
    demo: false,
    providers: numberedProviders(upstream.origin),
    billing: { firstRunCredit: '1000000' },
  });
  const { dataFolder, key } = installation;
  const first = spawnServer(installation);
  let second: typeof first | null = null;
  try {
    const url = await first.ready;
    assert.ok(url !== null, first.printed());
    const readers: StreamReader[] = [];
    for (const lane of LANES)
      for (const streamed of [true, false])
        readers.push(await StreamReader.open(url, requestBytes({ url, key }, { lane, streamed })));
    const expected = LANES.map(expectedCharge).sort();
    const total = expected.reduce((sum, charge) => sum + charge, 0n);
    const charges = (rows: readonly { readonly charge: bigint }[]) => rows.map(({ charge }) => charge).sort();
    await until('all requests to arrive', () => arrived === 2 * LANES.length);
    await until('the checkpoints of all words', () => {
      const sum = inLedger(dataFolder, (file) => charges(file.holds()).reduce((all, each) => all + each, 0n));
      return sum >= total;
    });
    await first.kill();
    assert.deepEqual(
      inLedger(dataFolder, (file) => charges(file.holds())),
      expected,
    );

    second = spawnServer(installation);
    assert.ok((await second.ready) !== null, second.printed());
    inLedger(dataFolder, (file) => {
      const settled = file.settlements();
      assert.deepEqual(charges(settled), expected);
      for (const { ending, usageSource } of settled)
        assert.deepEqual([ending, usageSource], ['gateway_crashed', 'estimated']);
      assert.equal(file.check().balance, CREDIT - total);
    });
    for (const reader of readers) reader.leave();
  } finally {
    await first.kill();
    await second?.kill();
    await upstream.close();
    await rm(installation.folder, { recursive: true, force: true });
  }
});
