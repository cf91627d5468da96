/**
 * Goal: however a stream of Bedrock breaks off or is damaged, the caller sees an error after the words that came whole, and pays only for a
 * whole answer. Method: a provider that sends the first bytes of a stream and closes it, around each message's ends and in between; then one
 * that turns over a bit. (The dialect's own test does this at every byte.)
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { encodeEventLines } from '../support/event-stream.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

const STREAM = encodeEventLines(`
  messageStart {"role":"assistant"}
  contentBlockDelta {"contentBlockIndex":0,"delta":{"text":"High"}}
  contentBlockDelta {"contentBlockIndex":0,"delta":{"text":" water"}}
  contentBlockStop {"contentBlockIndex":0}
  messageStop {"stopReason":"end_turn"}
  metadata {"usage":{"inputTokens":7,"outputTokens":3,"totalTokens":10}}
`);
/** Where each message ends. */
const ENDS: number[] = [];
for (let at = 0; at < STREAM.length; at += STREAM.readUInt32BE(at)) ENDS.push(at + STREAM.readUInt32BE(at));
const STOPPED = ENDS[4] ?? 0;
const PLACES = Array.from({ length: STREAM.length }, (_, at) => at).filter(
  (at) => at % 11 === 0 || [0, ...ENDS].some((end) => Math.abs(at - end) < 2),
);

let bytes: Buffer = STREAM;
let provider: Server;
let gateway: OpenGateway;

before(async () => {
  provider = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      response.end(bytes);
    });
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  gateway = await openGateway({
    providers: [
      {
        name: 'bedrock',
        origin: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
        region: 'eu-central-1',
        credential: 'AKIACUTSPROVIDER0001:canary-secret-key',
        models: [
          { id: 'cut/nova', upstream: 'amazon.nova-lite-v1:0', prices: { input: 2, output: 10 }, outputCap: 100 },
        ],
      },
    ],
  });
});

after(async () => {
  await gateway.close();
  provider.close();
  provider.closeAllConnections();
});

/** What a caller of either format sees, and the record. */
async function call(path: string, events: (payload: Event) => string | undefined) {
  const ended = gateway.nextRecord();
  const body = { model: 'cut/nova', max_tokens: 50, stream: true, messages: [{ role: 'user', content: 'Tide?' }] };
  const response = await gateway.post(path, body);
  const payloads = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Event);
  const isError = response.status !== 200 || payloads.some((payload) => payload.error !== undefined);
  return { text: payloads.map((payload) => events(payload) ?? '').join(''), isError, record: await ended };
}

// biome-ignore lint/suspicious/noExplicitAny: an event of either format.
type Event = any;

const CALLERS = [
  () => call('/api/v1/chat/completions', ({ choices }) => choices?.[0]?.delta?.content),
  () => call('/v1/messages', ({ delta }) => delta?.text),
];

test('cut anywhere, it is an error that costs nothing, until the answer has stopped', async () => {
  for (const [turn, kept] of [...PLACES, STREAM.length].entries()) {
    bytes = STREAM.subarray(0, kept);
    const ask = CALLERS[turn % CALLERS.length];
    assert.ok(ask !== undefined);
    const { text, isError, record } = await ask();
    const whole = ENDS.filter((end) => end <= kept).length;
    assert.equal(text, ['', '', 'High', 'High water', 'High water', 'High water', 'High water'][whole], `${kept}`);
    assert.equal(isError, kept < STOPPED, `${kept}`);
    assert.equal(record.ending, kept < STOPPED ? 'upstream_failed' : 'complete', `${kept}`);
    if (kept < STOPPED) assert.equal(record.charge, 0n, `${kept}`);
    else assert.equal(record.usageSource, kept < STREAM.length ? 'estimated' : 'reported', `${kept}`);
    if (kept === STREAM.length) assert.equal(record.charge, 7n * 2_000n + 3n * 10_000n);
  }
});

test('with a wrong bit anywhere, it is an error that costs nothing, and nothing of the damaged message is shown', async () => {
  for (const [turn, at] of PLACES.entries()) {
    bytes = Buffer.from(STREAM);
    bytes[at] = (bytes[at] as number) ^ 0x10;
    const ask = CALLERS[turn % CALLERS.length];
    assert.ok(ask !== undefined);
    const { text, isError, record } = await ask();
    const whole = ENDS.filter((end) => end <= at).length;
    assert.equal(text, ['', '', 'High', 'High water', 'High water', 'High water'][whole], `${at}`);
    assert.deepEqual([isError, record.ending, record.charge], [true, 'upstream_failed', 0n], `${at}`);
  }
});
