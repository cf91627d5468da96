/**
 * A balance for exactly 100 calls and a thousand requests at once, each on a connection that was open before:
 * a hundred are sent to the provider, and the money is right to the nano when all is over.
 */

import assert from 'node:assert/strict';
import { balanceOf } from '../../../src/billing/money-view.ts';
import { accountId } from '../../../src/core/ids.ts';
import { nanoUsd } from '../../../src/core/money.ts';
import { headerOf } from '../../support/http-reader.ts';
import { errorCode, OPEN_MODEL, type OpenBench, openBench, PATHS } from '../../support/open-gateway.ts';
import { type RawConnection, statusOf } from '../../support/raw-connection.ts';
import type { Exchange } from '../../support/scripted-upstream.ts';
import { until } from '../../support/turns.ts';
import { data, event, isMessages } from '../../support/upstream-scripts.ts';
import { inLedger } from './ledger-file.ts';
import { between, seeded } from './seeded.ts';

const REQUESTS = 1_000;
const ADMITTED = 100;
const OUTPUT_CAP = 50;
/** Nano-USD a token, of `scripted/model`. */
const INPUT_NANO = 1_000n;
const OUTPUT_NANO = 5_000n;
/** What a hold adds to the bytes of a prompt without tools: see the billing guide. */
const OVERHEAD_TOKENS = 64;
const ACCOUNT = accountId(1);

/** Returns figures; throws at the first violation. */
export async function races(rounds: number, seed: number): Promise<string> {
  const random = seeded(seed);
  const bench = await openBench({ billing: { firstRunCredit: '0' }, limits: { badKeysBurst: REQUESTS } });
  const connections = await Promise.all(Array.from({ length: REQUESTS }, () => bench.connect()));
  let decidedMs = 0;
  try {
    for (let round = 1; round <= rounds; round += 1) decidedMs += await race(bench, connections, round, random);
  } finally {
    for (const connection of connections) connection.close();
    await bench.close();
  }
  const mean = (decidedMs / rounds).toFixed(0);
  return `${rounds} races of ${REQUESTS} requests for ${ADMITTED} holds: ${ADMITTED} admitted in each, 0 nano-USD off, decided in ${mean} ms`;
}

/** Returns how long it took until all were decided, in ms. */
async function race(
  bench: OpenBench,
  connections: readonly RawConnection[],
  round: number,
  random: () => number,
): Promise<number> {
  const { bank } = bench.app.gateway;
  const hold = BigInt(BODY_BYTES + OVERHEAD_TOKENS) * INPUT_NANO + BigInt(OUTPUT_CAP) * OUTPUT_NANO;
  // A little is left over: too little for another call.
  const whole = hold * BigInt(ADMITTED) + BigInt(between(random, 0, Number(hold) - 1));
  await setBalance(bench, whole, round);
  const before = await balanceOf(bank.money, ACCOUNT);
  assert.deepEqual([before?.balance, before?.held], [whole, 0n]);

  const waiting: Exchange[] = [];
  bench.upstream.play(async (exchange) => {
    // The head of a stream arrives, and the answer waits.
    if (exchange.json['stream'] === true) await exchange.openStream();
    waiting.push(exchange);
  });
  const answered = () => connections.reduce((count, { answers }) => count + (answers.length === round ? 1 : 0), 0);
  const startedAt = performance.now();
  for (const [number, connection] of connections.entries()) void connection.write(requestBytes(bench, number));
  await until('all requests to be decided', () => answered() + waiting.length >= REQUESTS);
  const decidedMs = performance.now() - startedAt;
  assert.equal(waiting.length, ADMITTED, 'requests that reached the provider');
  const during = await balanceOf(bank.money, ACCOUNT);
  assert.equal(during?.held, hold * BigInt(ADMITTED));
  assert.ok((during?.available ?? -1n) >= 0n, 'available is not negative');
  inLedger(bench.dataFolder, (file) => file.check());

  let expected = 0n;
  for (const exchange of waiting) {
    // For an answer with words, an output of zero is not a count: see docs/guide/endings.md.
    const usage = { prompt: between(random, 1, BODY_BYTES), completion: between(random, 1, OUTPUT_CAP) };
    expected += BigInt(usage.prompt) * INPUT_NANO + BigInt(usage.completion) * OUTPUT_NANO;
    void answer(exchange, usage.prompt, usage.completion);
  }
  const answers = await Promise.all(connections.map((connection) => connection.answer(round)));
  for (const refusal of answers.filter((each) => each !== null && statusOf(each) !== 200)) {
    assert.ok(refusal !== null && headerOf(refusal, 'retry-after') !== null);
    assert.equal(errorCode(JSON.parse(String(refusal.body))), 'balance_reserved');
  }
  for (const [status, count] of [
    [200, ADMITTED],
    [402, REQUESTS - ADMITTED],
  ])
    assert.equal(answers.filter((each) => statusOf(each) === status).length, count);
  await until('all calls to end', () => bench.app.gateway.running.count === 0);

  const after = await balanceOf(bank.money, ACCOUNT);
  assert.deepEqual([after?.balance, after?.held, after?.available], [whole - expected, 0n, whole - expected]);
  const totals = inLedger(bench.dataFolder, (file) => file.check());
  assert.deepEqual([totals.balance, totals.openHolds], [whole - expected, 0]);
  assert.equal(totals.settlements, round * ADMITTED);
  return decidedMs;
}

async function setBalance(bench: OpenBench, wanted: bigint, round: number): Promise<void> {
  const { bank, clock } = bench.app.gateway;
  const amount = nanoUsd(wanted - ((await balanceOf(bank.money, ACCOUNT))?.balance ?? 0n));
  if (amount === 0n) return;
  const entry = { accountId: ACCOUNT, kind: 'adjustment', amount, callId: null, note: null } as const;
  await bank.post({ ...entry, reference: `race ${round}`, at: clock.now() });
}

/** Every request has as many bytes, so that each takes the same hold. */
const BODY_BYTES = 200;

/** Of two formats, streamed and whole, in turn. */
function requestBytes({ url, key }: OpenBench, number: number): string {
  const path = PATHS[number % 2 === 0 ? 'openai-chat' : 'anthropic-messages'];
  const bodyWith = (content: string) =>
    JSON.stringify({
      model: OPEN_MODEL,
      max_tokens: OUTPUT_CAP,
      stream: number % 4 < 2,
      messages: [{ role: 'user', content }],
    });
  const body = bodyWith('x'.repeat(BODY_BYTES - bodyWith('').length));
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

async function answer(exchange: Exchange, prompt: number, completion: number): Promise<void> {
  const isAnthropic = isMessages(exchange);
  if (exchange.json['stream'] !== true)
    return exchange.whole(200, JSON.stringify(isAnthropic ? message(prompt, completion) : chat(prompt, completion)));
  for (const frame of isAnthropic ? messageFrames(prompt, completion) : chatFrames(prompt, completion))
    await exchange.chunk(frame);
  await exchange.lastChunk();
}

function chat(prompt: number, completion: number): object {
  return {
    id: 'chatcmpl-race',
    object: 'chat.completion',
    created: 1,
    model: 'race',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  };
}

function chatFrames(prompt: number, completion: number): string[] {
  const { usage, choices: _whole, ...rest } = chat(prompt, completion) as { usage: object; choices: unknown };
  const head = { ...rest, object: 'chat.completion.chunk' };
  return [
    data({ ...head, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] }),
    data({ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    data({ ...head, choices: [], usage }),
    'data: [DONE]\n\n',
  ];
}

function message(prompt: number, completion: number): object {
  return {
    id: 'msg_race',
    type: 'message',
    role: 'assistant',
    model: 'race',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: prompt, output_tokens: completion },
  };
}

function messageFrames(prompt: number, completion: number): string[] {
  const started = { ...message(prompt, 0), content: [], stop_reason: null };
  return [
    event({ type: 'message_start', message: started }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: completion },
    }),
    event({ type: 'message_stop' }),
  ];
}
