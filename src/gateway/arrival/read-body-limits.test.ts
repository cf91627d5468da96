/**
 * Goal: a body is read whole however it is split, and refused as soon as possible. Method: real requests on loopback, split
 * at every byte; a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { startCallServer } from '../../../test/support/call-server.ts';
import { until } from '../../../test/support/turns.ts';
import { ManualClock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { AccountId, KeyId } from '../../core/ids.ts';
import { TurnQueue } from '../../core/turns/turn-queue.ts';
import { MemoryBudget } from '../capacity/memory-budget.ts';
import { CallerLeft } from '../cut-error.ts';
import type { Identified } from '../phases.ts';
import { Watch } from '../watch.ts';
import { readBody } from './read-body.ts';

const BYTES_MAX = 512 * 1024;
const TOTAL_MS = 60_000;
const KIB = 1024;
const BODY = '{"model":"a/b","messages":[{"role":"user","content":"Grüße 🚀"}]}';

interface Read {
  readonly text: string | null;
  readonly error: unknown;
}

async function bench(context: TestContext, memoryBytes = 64 * 1024 * 1024) {
  const clock = new ManualClock();
  const memory = new MemoryBudget(memoryBytes);
  const watch = new Watch(clock);
  const ports = {
    limits: { bodyBytesMax: BYTES_MAX },
    timeouts: { totalMs: TOTAL_MS },
    memory,
    watch,
    turnQueues: { requests: new TurnQueue() },
  };
  const waiting: ((read: Read) => void)[] = [];
  const arriving: ((call: Identified) => void)[] = [];
  const server = await startCallServer((call) => {
    arriving.shift()?.(call);
    const finish = (read: Read) => {
      if (!call.response.destroyed) call.response.end('done');
      waiting.shift()?.(read);
    };
    readBody(ports, call).then(
      ({ bytes }) => finish({ text: bytes.toString(), error: null }),
      (error: unknown) => finish({ text: null, error }),
    );
  }, clock);
  context.after(async () => {
    watch.close();
    await server.close();
  });
  return {
    clock,
    memory,
    connection: await server.connect(),
    nextRead: () => new Promise<Read>((resolve) => waiting.push(resolve)),
    nextCall: () => new Promise<Identified>((resolve) => arriving.push(resolve)),
  };
}

function head(length: number, more = ''): string {
  return `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${more}\r\n`;
}

const CHUNKED_HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

function codeOf(read: Read): string {
  return errorOf(read).code;
}

function errorOf({ error }: Read): GatewayError {
  assert.ok(error instanceof GatewayError, String(error));
  return error;
}

test('a body is the same wherever it is split in two', async (context) => {
  const { connection, nextRead } = await bench(context);
  const bytes = Buffer.from(BODY);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const read = nextRead();
    await connection.write(head(bytes.length));
    await connection.write(bytes.subarray(0, cut));
    await connection.write(bytes.subarray(cut));
    assert.equal((await read).text, BODY, `cut at ${cut}`);
  }
});

test('chunks of one byte make the same body', async (context) => {
  const { connection, nextRead } = await bench(context);
  const read = nextRead();
  await connection.write(CHUNKED_HEAD);
  for (const byte of Buffer.from(BODY)) await connection.write(chunk(Buffer.from([byte])));
  await connection.write('0\r\n\r\n');
  assert.equal((await read).text, BODY);
});

for (const size of [16 * 1024, 16 * 1024 + 1, 100_000, 300_000, BYTES_MAX]) {
  for (const isDeclared of [true, false]) {
    test(`${size} bytes, ${isDeclared ? 'declared' : 'in chunks'}, grow into one body`, async (context) => {
      const { connection, nextRead } = await bench(context);
      const bytes = Buffer.alloc(size, ' ');
      bytes.write(`{"a":"${'é'.repeat(Math.floor((size - 10) / 2))}"}`);
      const read = nextRead();
      if (isDeclared) {
        await connection.write(Buffer.concat([Buffer.from(head(size)), bytes]));
      } else {
        await connection.write(CHUNKED_HEAD);
        for (let at = 0; at < size; at += 7001) await connection.write(chunk(bytes.subarray(at, at + 7001)));
        await connection.write('0\r\n\r\n');
      }
      const { text, error } = await read;
      assert.equal(error, null);
      assert.ok(Buffer.from(text ?? '').equals(bytes));
    });
  }
}

test('a body that is declared too large is refused before its first byte', async (context) => {
  const { connection, nextRead } = await bench(context);
  const read = nextRead();
  await connection.write(head(BYTES_MAX + 1));
  const refusal = errorOf(await read);
  assert.equal(refusal.code, 'request_too_large');
  assert.match(refusal.message, /limits\.bodyBytesMax/);
});

test('an invalid body is refused at the fault, not at its end', async (context) => {
  const { connection, nextRead } = await bench(context);
  const read = nextRead();
  await connection.write(`${head(100_000)}{"a":]`);
  assert.equal(codeOf(await read), 'invalid_json');
});

test('an empty body is not JSON', async (context) => {
  const { connection, nextRead } = await bench(context);
  const read = nextRead();
  await connection.write(head(0));
  assert.equal(codeOf(await read), 'invalid_json');
});

for (const [what, header] of [
  ['a compressed body', 'Content-Encoding: gzip\r\n'],
  ['a body of another type', 'Content-Type: text/plain\r\n'],
] as const) {
  test(`${what} is refused unread`, async (context) => {
    const { connection, nextRead } = await bench(context);
    const read = nextRead();
    await connection.write(head(100, header));
    assert.equal(codeOf(await read), 'unsupported_media_type');
  });
}

for (const type of ['application/json', 'application/json; charset=utf-8', 'application/vnd.api+json']) {
  test(`${type} is read`, async (context) => {
    const { connection, nextRead } = await bench(context);
    const read = nextRead();
    await connection.write(`${head(2, `Content-Type: ${type}\r\n`)}{}`);
    assert.equal((await read).text, '{}');
  });
}

test('if a caller disconnects in the middle, the read rejects, and nothing is watched any more', async (context) => {
  const { clock, connection, nextRead, nextCall } = await bench(context);
  const [read, entered] = [nextRead(), nextCall()];
  await connection.write(`${head(100)}{"a":`);
  const call = await entered;
  connection.close();
  assert.ok((await read).error instanceof CallerLeft);
  assert.equal(call.active, null);
  clock.advance(60_000);
});

for (const [what, ending, isExpected] of [
  ['a caller that disconnects', 'caller_left', (error: unknown) => error instanceof CallerLeft],
  ['a call that is cut off', 'drained', (error: unknown) => error instanceof GatewayError && error.code === 'draining'],
  [
    'a call whose key was revoked at once',
    'key_cut',
    (error: unknown) => error instanceof GatewayError && error.code === 'invalid_api_key',
  ],
] as const) {
  test(`${what} after its body is complete, while others are processed first, does not continue`, async (context) => {
    const { connection, nextRead, nextCall } = await bench(context);
    const [read, entered] = [nextRead(), nextCall()];
    let wasCut = false;
    const prepared = entered.then((call) =>
      call.request.on('end', () => {
        assert.ok(call.active, 'it can be cut off until it continues');
        call.active.cancel(ending);
        wasCut = true;
      }),
    );
    await connection.write(`${head(2)}`);
    await prepared;
    await connection.write('{}');
    const { error } = await read;
    assert.ok(wasCut && isExpected(error), String(error));
  });
}

test('a call that is cut off while its body is read gets the error of the shutdown', async (context) => {
  const { connection, nextRead, nextCall } = await bench(context);
  const [read, entered] = [nextRead(), nextCall()];
  await connection.write(`${head(100)}{"a":`);
  const call = await entered;
  call.active?.cancel('drained');
  assert.equal(codeOf(await read), 'draining');
});

test('a call that is cut off while its body is read because its key was revoked gets that error', async (context) => {
  const { connection, nextRead, nextCall } = await bench(context);
  const [read, entered] = [nextRead(), nextCall()];
  await connection.write(`${head(100)}{"a":`);
  (await entered).cancel('key_cut');
  assert.equal(codeOf(await read), 'invalid_api_key');
});

describe('a body that is slow', () => {
  /** A body of which `sent` bytes have arrived. */
  async function begun(context: TestContext, sent: number) {
    const made = await bench(context);
    const [read, entered] = [made.nextRead(), made.nextCall()];
    const start = `${head(BYTES_MAX)}{"a":"${'x'.repeat(sent)}`;
    await made.connection.write(start);
    const call = await entered;
    // Not all arrived bytes have been read: each turn of the loop reads a limited number.
    const untilArrived = async (bytes: number) => {
      await until('the bytes', () => call.request.socket.bytesRead >= bytes);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    await untilArrived(start.length);
    let isRefused = false;
    void read.then(() => {
      isRefused = true;
    });
    const settled = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return isRefused;
    };
    return { ...made, read, settled, start: start.length, untilArrived };
  }

  test('has ten seconds for its first 160 KiB', async (context) => {
    const { clock, read, settled } = await begun(context, 150 * KIB);
    clock.advance(9_750);
    assert.equal(await settled(), false);
    clock.advance(500);
    assert.equal(codeOf(await read), 'request_timeout');
  });

  test('continues as long as 160 KiB arrive every ten seconds, and is refused if they do not', async (context) => {
    const { clock, connection, read, settled, start, untilArrived } = await begun(context, 170 * KIB);
    clock.advance(10_250);
    assert.equal(await settled(), false);
    await connection.write('x'.repeat(170 * KIB));
    await untilArrived(start + 170 * KIB);
    clock.advance(10_250);
    assert.equal(await settled(), false);
    clock.advance(10_250);
    assert.equal(codeOf(await read), 'request_timeout');
  });

  test('is refused at the end of the time for a whole call, however steadily it arrives', async (context) => {
    const { clock, connection, read, start, untilArrived } = await begun(context, 0);
    for (let round = 1; round <= 6; round += 1) {
      await connection.write('x'.repeat(70 * KIB));
      await untilArrived(start + round * 70 * KIB);
      // As if each 70 KiB arrived in half the time: the pace is checked after ten seconds.
      clock.advance(round === 6 ? TOTAL_MS : 0);
    }
    assert.equal(codeOf(await read), 'request_timeout');
  });
});

describe('memory', () => {
  test('is counted as a body arrives, in steps, and released with its call', async (context) => {
    const { connection, memory, nextRead, nextCall } = await bench(context);
    const [read, entered] = [nextRead(), nextCall()];
    await connection.write(`${head(BYTES_MAX)}{"a":"${'x'.repeat(20 * KIB)}`);
    const call = await entered;
    await until('a first step', () => memory.used > 0);
    assert.ok(memory.used <= 32 * KIB, `${memory.used} bytes for 20 KiB`);
    await connection.write('x'.repeat(300 * KIB));
    await until('steps of 256 KiB', () => memory.used >= 320 * KIB);
    assert.ok(memory.used <= 512 * KIB);
    connection.close();
    await read;
    call.memory?.release();
    assert.equal(memory.used, 0);
  });

  test('is not counted for a body of up to 16 KiB', async (context) => {
    const { connection, memory, nextRead, nextCall } = await bench(context);
    const [read, entered] = [nextRead(), nextCall()];
    const body = `{"a":"${'x'.repeat(15 * KIB)}"}`;
    await connection.write(`${head(body.length)}${body}`);
    assert.equal((await read).text, body);
    assert.equal((await entered).memory, null);
    assert.equal(memory.used, 0);
  });

  test('taken by others is 503 in the middle of a body', async (context) => {
    const { connection, memory, nextRead } = await bench(context, 1024 * KIB);
    const other = memory.open(2 as AccountId, 2 as KeyId);
    other.take(256 * KIB);
    // What is left: half of 768 KiB for the account, half of that for the key.
    const read = nextRead();
    await connection.write(`${head(250 * KIB)}{"a":"${'x'.repeat(240 * KIB)}`);
    const refusal = errorOf(await read);
    assert.equal(refusal.code, 'overloaded');
    assert.match(refusal.message, /not have enough memory .*: requests of other accounts use too much of it/);
    assert.equal(refusal.facts?.['binding'], 'installation');
  });

  test('beyond what any key may have is 413 before the first byte of the body', async (context) => {
    const { connection, nextRead } = await bench(context, 1024 * KIB);
    const read = nextRead();
    await connection.write(head(300 * KIB));
    const refusal = errorOf(await read);
    assert.equal(refusal.code, 'request_too_large');
    assert.match(
      refusal.message,
      /needs at least 307200 bytes .* one key can use 262144 \(a quarter of limits\.memoryBytes\)/,
    );
  });
});

test('"100 Continue" is sent when the body is expected', async (context) => {
  const { connection, nextRead } = await bench(context);
  const read = nextRead();
  await connection.write(head(2, 'Expect: 100-continue\r\n'));
  assert.match((await connection.answer())?.startLine ?? '', / 100 /);
  await connection.write('{}');
  assert.equal((await read).text, '{}');
});
