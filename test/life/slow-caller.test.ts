/**
 * Goal: a caller that stops reading pauses the provider, and costs the gateway at most 256 KiB a stream.
 * Method: providers that would push 100 MB, callers that do not read; what is counted is all memory
 * that buffers of this process hold, less what the same streams hold without a gateway.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  DIALECTS,
  type DialectUnderTest,
  endsProperly,
  type OpenBench,
  openBench,
  rawCall,
} from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { countOf, StreamReader } from '../support/stream-reader.ts';
import { standstill, until } from '../support/turns.ts';
import { anthropicFrames, data, event, isMessages, openaiFrames } from '../support/upstream-scripts.ts';

const PUSHED_BYTES = 100 * 1024 * 1024;
const BUFFERED_BYTES_MAX = 256 * 1024;
const STREAMS = 8;
const TEXT = 'a'.repeat(16 * 1024);
const [MESSAGE_START = '', BLOCK_START = '', ...MESSAGE_END] = anthropicFrames([]);
const [FIRST_CHUNK = '', ...LAST_CHUNKS] = openaiFrames([]);
/** How a stream begins, the frame that is pushed again and again, and how it ends. */
const STREAMS_OF: Readonly<Record<DialectUnderTest, readonly [start: string, frame: string, end: string]>> = {
  'openai-chat': [
    FIRST_CHUNK,
    data({ model: 'scripted-1', choices: [{ index: 0, delta: { content: TEXT }, finish_reason: null }] }),
    LAST_CHUNKS.join(''),
  ],
  'anthropic-messages': [
    MESSAGE_START + BLOCK_START,
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } }),
    MESSAGE_END.join(''),
  ],
};
const FRAMES = Math.ceil(PUSHED_BYTES / TEXT.length);

// Small buffers share slabs, and the test's own would keep those of the gateway alive: here each has its own memory.
Buffer.poolSize = 0;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const pushHard: Script = async (exchange) => {
  const [start, frame, end] = STREAMS_OF[isMessages(exchange) ? 'anthropic-messages' : 'openai-chat'];
  await exchange.openStream();
  await exchange.chunk(start);
  const chunk = Buffer.from(`${frame.length.toString(16)}\r\n${frame}\r\n`);
  for (let sent = 0; sent < FRAMES && !exchange.socket.destroyed; sent += 1) await exchange.raw(chunk);
  await exchange.chunk(end);
  await exchange.lastChunk();
};

let bench: OpenBench;
before(async () => {
  bench = await openBench({}, {}, pushHard);
});
after(() => bench.close());

/** What all buffers of this process take. Memory is released in the background, so the lowest of several readings is right. */
async function bufferBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 4; look += 1) {
    collectGarbage();
    await standstill(() => process.memoryUsage().arrayBuffers, 20);
    least = Math.min(least, process.memoryUsage().arrayBuffers);
  }
  return least;
}

/** Opens streams that nobody reads, waits until all have stopped, and returns the bytes of buffers per stream. */
async function stall(url: string, request: string) {
  const exchangesBefore = bench.upstream.exchanges.length;
  const before = await bufferBytes();
  const readers = await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const reader = await StreamReader.open(url, request);
      reader.socket.pause();
      return reader;
    }),
  );
  const exchanges = () => bench.upstream.exchanges.slice(exchangesBefore);
  const pushed = await standstill(() => exchanges().reduce((sum, { socket }) => sum + socket.bytesWritten, 0), 300);
  const heldBytes = ((await bufferBytes()) - before) / STREAMS;
  return {
    heldBytes,
    pushedBytes: pushed / STREAMS,
    async end() {
      assert.equal(exchanges().length, STREAMS);
      for (const reader of readers) reader.leave();
      await Promise.all(exchanges().map(({ closed }) => closed));
    },
  };
}

for (const dialect of DIALECTS) {
  test(`streams that nobody reads hold at most 256 KiB each, and their providers are paused: ${dialect}`, async (context) => {
    const request = rawCall(bench, dialect, true);
    // What the two ends of the test hold themselves is seen without a gateway between them.
    const direct = await stall(bench.upstream.origin, request);
    await direct.end();
    const through = await stall(bench.url, request);
    const queuedBytes = Math.max(...bench.calls.slice(-STREAMS).map(({ response }) => response.writableLength));
    const heldBytes = through.heldBytes - direct.heldBytes;
    context.diagnostic(
      `a stream: ${kib(heldBytes)} of buffers in the gateway, ${kib(queuedBytes)} of them queued for the caller; ` +
        `${kib(through.pushedBytes)} in all left the provider, the rest of it is in the kernel's four buffers`,
    );
    assert.ok(heldBytes <= BUFFERED_BYTES_MAX, `${heldBytes} bytes of buffers a stream`);
    assert.ok(queuedBytes <= BUFFERED_BYTES_MAX);
    assert.ok(through.pushedBytes < PUSHED_BYTES / 4, 'the providers were paused early');
    const recordsBefore = bench.records.length;
    await through.end();
    // Their calls end a little after their connections; the next test waits for a record of its own call.
    await until('the records of all of them', () => bench.records.length === recordsBefore + STREAMS);
  });
}

test('a caller that goes on reading gets everything', async () => {
  const settled = bench.nextRecord();
  const reader = await StreamReader.open(bench.url, rawCall(bench, 'anthropic-messages', true));
  reader.socket.pause();
  const exchange = await bench.upstream.nextExchange();
  await standstill(() => exchange.socket.bytesWritten);
  let tail = '';
  let bytes = 0;
  let frames = 0;
  reader.socket.removeAllListeners('data');
  reader.socket.on('data', (text: string) => {
    bytes += text.length;
    frames += countOf(tail + text, '"text_delta"') - countOf(tail, '"text_delta"');
    tail = (tail + text).slice(-200);
  });
  reader.socket.resume();
  const record = await settled;
  await standstill(() => bytes, 50);
  assert.equal(record.ending, 'complete');
  assert.equal(frames, FRAMES);
  assert.ok(bytes > FRAMES * TEXT.length);
  assert.ok(endsProperly(tail));
  reader.leave();
});

function kib(bytes: number): string {
  return `${Math.round(bytes / 1024)} KiB`;
}
