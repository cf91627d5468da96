/**
 * Callers that leave a stream after reading k tokens of it, when the provider has sent k and waits: each pays for
 * its prompt and k tokens, and the provider's connection is closed immediately.
 */
import assert from 'node:assert/strict';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  type OpenGateway,
  openGateway,
  PATHS,
} from '../../support/open-gateway.ts';
import { type Exchange, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { settledCalls } from '../../support/settled-calls.ts';
import { countOf, StreamReader } from '../../support/stream-reader.ts';
import { until } from '../../support/turns.ts';
import { anthropicFrames, isMessages, openaiFrames } from '../../support/upstream-scripts.ts';
import { inLedger } from './ledger-file.ts';
import { numberedProviders } from './numbered-provider.ts';
import { between, seeded } from './seeded.ts';

const TOKENS_MAX = 50;
const AT_ONCE = 4;
const CLOSED_WITHIN_MS = 100;
/** A word with the space before it: one token of a tokenizer that counts words. */
const WORD = ' word';
const INPUT_NANO = 1_000n;
const OUTPUT_NANO = 5_000n;
/** What a prompt takes that such a tokenizer was not shown: see `billing/estimate.ts`. */
const PROMPT_BYTES_PER_TOKEN = 6;
/** What a provider of the Messages API reports in its first event. */
const REPORTED_PROMPT = 5;

interface Left {
  readonly keptMs: number;
  readonly id: string;
  /** Nano-USD. */
  readonly expected: bigint;
}

/**
 * Returns figures; throws at the first violation. `quantile` of the provider connections must close in time: what
 * else the machine does at the same moment makes the slowest slower.
 */
export async function aborts(count: number, seed: number, quantile = 0.99): Promise<string> {
  const random = seeded(seed);
  // Called by each script with its exchange, by the number in the caller's message.
  const arrived = new Map<number, (exchange: Exchange) => void>();
  const upstream = await startScriptedUpstream(async (exchange) => {
    const [, number, tokens] = /#(\d+) (\d+)#/.exec(exchange.request.body.toString()) ?? [];
    arrived.get(Number(number))?.(exchange);
    const words = Array<string>(TOKENS_MAX).fill(WORD);
    const frames = isMessages(exchange) ? anthropicFrames(words) : openaiFrames(words);
    const before = isMessages(exchange) ? 2 : 1;
    await exchange.openStream();
    await exchange.chunk(frames.slice(0, before).join(''));
    for (const frame of frames.slice(before, before + Number(tokens))) await exchange.chunk(frame);
  });
  const gateway = await openGateway({
    providers: numberedProviders(upstream.origin),
    billing: { firstRunCredit: '1000' },
  });
  countWords(gateway);
  const left: Left[] = [];
  let next = 0;
  try {
    const caller = async () => {
      while (next < count) {
        next += 1;
        const number = next;
        const exchange = new Promise<Exchange>((resolve) => arrived.set(number, resolve));
        left.push(await leaveAfter(gateway, number, between(random, 0, TOKENS_MAX), random, exchange));
        arrived.delete(number);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
    await until('all calls to end', () => gateway.app.gateway.running.count === 0);
    return await compare(gateway, left, quantile);
  } finally {
    await gateway.close();
    await upstream.close();
  }
}

/** The configuration does not say so for a provider other than the demo: the catalogue's targets are set here. */
function countWords({ app }: OpenGateway): void {
  for (const model of app.gateway.catalog.all())
    for (const target of model.targets) Object.assign(target, { tokenizer: 'words' });
}

async function leaveAfter(
  gateway: OpenGateway,
  number: number,
  tokens: number,
  random: () => number,
  arrived: Promise<Exchange>,
): Promise<Left> {
  const dialect = DIALECTS[between(random, 0, 1)] ?? 'openai-chat';
  const model = ['both', 'chat', 'messages'][between(random, 0, 2)] ?? 'both';
  const body = chatBody(true, `#${number} ${tokens}#`, `numbered/${model}`);
  const reader = await StreamReader.open(gateway.url, request(gateway, dialect, JSON.stringify(body)));
  const exchange = await arrived;
  // The first event reports the prompt; without it nothing is known but the request.
  await reader.sees('data: ');
  await reader.sees((text) => countOf(text, `"${WORD}"`) === tokens);
  const leftAt = reader.leave();
  const keptMs = (await exchange.closed) - leftAt;
  const [, id = ''] = /x-generation-id: (\S+)/i.exec(reader.text) ?? [];
  const prompt = isMessages(exchange) ? REPORTED_PROMPT : promptTokens(body);
  return { keptMs, id, expected: BigInt(prompt) * INPUT_NANO + BigInt(tokens) * OUTPUT_NANO };
}

function promptTokens(body: object): number {
  const { messages } = body as { messages: unknown };
  return Math.ceil(Buffer.byteLength(JSON.stringify(messages)) / PROMPT_BYTES_PER_TOKEN);
}

function request({ url, key }: OpenGateway, dialect: DialectUnderTest, body: string): string {
  return (
    `POST ${PATHS[dialect]} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

async function compare(gateway: OpenGateway, left: readonly Left[], quantile: number): Promise<string> {
  if (gateway.databaseUrl === null) assert.equal(inLedger(gateway.dataFolder, (file) => file.check()).openHolds, 0);
  const rows = await settledCalls(gateway, left.length);
  const settled = new Map(rows.map((each) => [each.id, each]));
  assert.equal(settled.size, left.length, 'one settlement each');
  let [sum, expectedSum] = [0n, 0n];
  for (const { id, expected } of left) {
    const found = settled.get(id);
    assert.ok(found, `${id} is not settled`);
    assert.deepEqual([found.ending, found.usageSource], ['caller_left', 'estimated'], id);
    assert.equal(found.charge, expected, `the charge of ${id}`);
    sum += found.charge;
    expectedSum += expected;
  }
  assert.equal(sum, expectedSum);
  const kept = left.map(({ keptMs }) => keptMs).sort((one, other) => one - other);
  const at = (share: number) => kept[Math.ceil(kept.length * share) - 1] ?? 0;
  assert.ok(at(quantile) < CLOSED_WITHIN_MS, `the provider was kept for ${at(quantile)} ms (p${quantile * 100})`);
  const [median, p99, slowest] = [at(0.5), at(0.99), at(1)];
  return `${left.length} streams left, ${sum} nano-USD charged, ${sum - expectedSum} off; provider kept p50 ${median.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${slowest.toFixed(1)} ms`;
}
