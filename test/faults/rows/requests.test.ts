/**
 * Goal: a request that is broken, hostile or absurd is refused in its format before any money is held, and reaches no provider. Method:
 * C5–C16, C18–C20, C22 and C24 of the fault table over raw sockets, in every format that callers speak.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { authenticate } from '../../../src/accounts/authenticate.ts';
import { newSecret } from '../../../src/accounts/secret/key-secret.ts';
import { errorTable, GatewayError } from '../../../src/core/errors.ts';
import { type CallerDialectName, callerDialects } from '../../../src/dialects/index.ts';
import { createKey } from '../../support/control.ts';
import { type FaultBench, openFaultBench } from '../../support/fault-bench.ts';
import { type HttpMessage, headerOf } from '../../support/http-reader.ts';
import { laneRequest } from '../../support/ledger-bench.ts';
import { outcomeOf } from '../../support/ledger-outcome.ts';
import { RawConnection, statusOf } from '../../support/raw-connection.ts';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { faultRow, type RowNotes } from './fault-row.ts';

const FILE = import.meta.filename;
const MIB = 1024 * 1024;
const FORMATS = Object.keys(callerDialects) as CallerDialectName[];
/** Where each format has its cap of output tokens. */
const CAPS: Readonly<Record<CallerDialectName, string>> = {
  'openai-chat': 'max_tokens',
  'anthropic-messages': 'max_tokens',
  'openai-responses': 'max_output_tokens',
  gemini: 'maxOutputTokens',
};

let bench: FaultBench;
before(async () => {
  bench = await openFaultBench({ file: { timeouts: { headersMs: 300 }, limits: { badKeysBurst: 100_000 } } });
});
after(() => bench.close());

interface Request {
  readonly path: string;
  /** Header lines, all correct but for the length. */
  readonly head: readonly string[];
  readonly body: string;
}

/** A good request of a format, for a case to spoil. */
function goodRequest(format: CallerDialectName): Request {
  const { path, body } = laneRequest(format, `lanes/${format}`, false, 77);
  const head = ['Host: gateway.test', `Authorization: Bearer ${bench.key}`, 'Content-Type: application/json'];
  return { path, head, body: JSON.stringify(body) };
}

function bytesOf({ path, head, body }: Omit<Request, 'body'> & { readonly body: string | Buffer }): Buffer {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\n${[...head, length].join('\r\n')}\r\n\r\n`),
    Buffer.from(body),
  ]);
}

const withBody = (format: CallerDialectName, change: (body: string) => string | Buffer) => {
  const request = goodRequest(format);
  return bytesOf({ ...request, body: change(request.body) });
};
const withHead = (format: CallerDialectName, change: (head: readonly string[]) => readonly string[]) => {
  const request = goodRequest(format);
  return bytesOf({ ...request, head: change(request.head) });
};

interface Answer {
  readonly connection: RawConnection;
  readonly answer: HttpMessage | null;
  readonly status: number | null;
  readonly code: string | null;
}

/** Sends bytes, and returns the first answer; the gateway may close before everything is sent. */
async function send(bytes: Buffer): Promise<Answer> {
  const connection = await bench.connect();
  void connection.write(bytes);
  const answer = await connection.answer();
  const codes = [...String(answer?.body).matchAll(/"(?:code|error_type)": ?"(\w+)"/g)].map(([, code = '']) => code);
  const code = codes.find((each) => Object.hasOwn(errorTable, each)) ?? null;
  return { connection, answer, status: statusOf(answer), code };
}

/** Each is refused with this code; nothing was held for any of them, and no provider was asked. */
async function refused(row: RowNotes, requests: readonly Buffer[], code: keyof typeof errorTable): Promise<void> {
  const asked = bench.upstream.exchanges.length;
  for (const [index, bytes] of requests.entries()) {
    const { connection, answer, ...got } = await send(bytes);
    connection.close();
    const { status } = errorTable[code];
    assert.deepEqual(got, { status, code }, `${index}: ${bytes.subarray(0, 300)} ${answer?.body}`);
    row.note(`${status} \`${code}\``, 'L0');
  }
  await bench.ledger.settled(0);
  assert.equal(bench.upstream.exchanges.length, asked, 'no provider was asked');
}

/** Each is served and paid for. */
async function served(row: RowNotes, requests: readonly Buffer[]): Promise<void> {
  for (const bytes of requests) {
    const { connection, status, answer } = await send(bytes);
    connection.close();
    assert.equal(status, 200, `${bytes.subarray(0, 300)} ${answer?.body}`);
    for (const settled of (await bench.ledger.settled(1)).values()) row.note('the answer', outcomeOf(settled));
  }
}

const each = (spoil: (format: CallerDialectName) => readonly Buffer[]) => FORMATS.flatMap(spoil);
/** A field more at the beginning of the body. */
const field = (text: string) => (format: CallerDialectName) =>
  withBody(format, (body) => body.replace('{', `{${text},`));

faultRow('C5', FILE, async (row) => {
  const slow = ['', 'POST /v1/chat', 'POST /v1/messages HTTP/1.1\r\nHost: x\r\n'].map(async (bytes) => {
    const connection = await bench.connect();
    if (bytes !== '') await connection.write(bytes);
    await connection.closed();
    assert.ok([null, 408].includes(statusOf(connection.answers[0] ?? null)));
  });
  await Promise.all(slow);
  row.note('a closed connection after 10 s without all headers', 'L0');
  for (const format of FORMATS) {
    const request = goodRequest(format);
    const whole = bytesOf(request);
    const connection = await bench.connect();
    const entered = bench.nextCall();
    await connection.write(whole.subarray(0, -10));
    await entered;
    bench.clock.advance(11_000);
    const answer = await connection.answer();
    assert.equal(statusOf(answer), 408, format);
    bench.clock.advance(2_000);
    await connection.closed();
    row.note('408 `request_timeout`', 'L0');
  }
  await bench.ledger.settled(0);
});

faultRow('C6', FILE, async (row) => {
  const declared = (format: CallerDialectName) => {
    const { path, head } = goodRequest(format);
    return Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${33 * MIB}\r\n\r\n{`);
  };
  const endless = (format: CallerDialectName) => {
    const { path, head } = goodRequest(format);
    const start = `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n`;
    const piece = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), Buffer.alloc(MIB, 'a'), Buffer.from('\r\n')]);
    return Buffer.concat([Buffer.from(start), ...Array<Buffer>(33).fill(piece)]);
  };
  await refused(
    row,
    // An endless one has to be sent, which takes a while.
    [...each((format) => [declared(format)]), endless('openai-chat'), endless('gemini')],
    'request_too_large',
  );
  // Less than declared, and more.
  for (const format of FORMATS) {
    const { path, head, body } = goodRequest(format);
    const start = `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n`;
    const short = await bench.connect();
    await short.write(`${start}Content-Length: ${body.length + 10}\r\n\r\n${body}`);
    short.socket.end();
    await short.closed();
    assert.deepEqual(short.answers.map(statusOf), [400], format);
    const long = await bench.connect();
    await long.write(`${start}Content-Length: 5\r\n\r\n${body}`);
    await long.closed();
    assert.ok(
      long.answers.every((answer) => statusOf(answer) === 400),
      format,
    );
  }
  row.note('400 for a body that is cut by its own length', 'L0');
  await bench.ledger.settled(0);
});

faultRow('C7', FILE, async (row) => {
  const packed = (format: CallerDialectName, coding: string, pack: (body: string) => Buffer) => {
    const request = goodRequest(format);
    return bytesOf({ ...request, head: [...request.head, `Content-Encoding: ${coding}`], body: pack(request.body) });
  };
  const bomb = () => gzipSync(Buffer.alloc(16 * MIB));
  await refused(
    row,
    each((format) => [
      packed(format, 'gzip', gzipSync),
      packed(format, 'br', brotliCompressSync),
      packed(format, 'gzip', bomb),
    ]),
    'unsupported_media_type',
  );
});

faultRow('C8', FILE, async (row) => {
  const inText = (bytes: readonly number[]) => (format: CallerDialectName) =>
    withBody(format, (body) => {
      const [head = '', tail = ''] = body.split('"hi"');
      return Buffer.concat([Buffer.from(`${head}"h`), Buffer.from(bytes), Buffer.from(`i"${tail}`)]);
    });
  const broken = [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]];
  await refused(
    row,
    each((format) => broken.map((bytes) => inText(bytes)(format))),
    'invalid_utf8',
  );
  await refused(
    row,
    each((format) => [withBody(format, (body) => Buffer.from(body, 'utf16le'))]),
    'invalid_json',
  );
  bench.play((exchange) => exchange.whole(400, JSON.stringify({ error: { message: 'no NUL, please' } })));
  for (const format of FORMATS) {
    const { answer, status, connection } = await send(inText([0])(format));
    connection.close();
    assert.equal(status, 400, format);
    assert.match(String(answer?.body), /no NUL/, 'it is the provider that refuses it');
    assert.ok(bench.upstream.exchanges.at(-1)?.request.body.includes(0), 'with the bytes as they are');
    for (const settled of (await bench.ledger.settled(1)).values())
      row.note('400 of the provider for a NUL inside a text', outcomeOf(settled));
  }
  bench.play('none');
  await served(
    row,
    each((format) => [withBody(format, (body) => body.replace('"hi"', '"\\ud800"'))]),
  );
});

faultRow('C9', FILE, async (row) => {
  const twice = (format: CallerDialectName) => {
    const fields = Object.entries(JSON.parse(goodRequest(format).body) as object);
    return fields.map(([name, value]) => field(`${JSON.stringify(name)}:${JSON.stringify(value)}`)(format));
  };
  await refused(row, each(twice), 'duplicate_key');
  // Written with an escape it is the same field.
  const escaped = (format: CallerDialectName) => {
    const [name = ''] = Object.keys(JSON.parse(goodRequest(format).body) as object);
    return [field(`"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}":1`)(format)];
  };
  await refused(row, each(escaped), 'duplicate_key');
});

faultRow('C10', FILE, async (row) => {
  const nested = (depth: number) => `"user":${'['.repeat(depth)}${']'.repeat(depth)}`;
  await refused(
    row,
    each((format) => [field(nested(128))(format), field(nested(1_000_000))(format)]),
    'json_too_deep',
  );
  const wide = Array.from({ length: 100_000 }, (_, index) => `"f${index}":${index}`).join(',');
  for (const format of FORMATS) {
    const { status, code, connection } = await send(field(wide)(format));
    connection.close();
    assert.deepEqual([status, code], [400, 'invalid_value'], format);
  }
  await bench.ledger.settled(0);
  await refused(
    row,
    each((format) => ['1e400', '-1e400'].map((value) => withBody(format, (body) => body.replace(':77', `:${value}`)))),
    'invalid_value',
  );
});

faultRow('C11', FILE, async (row) => {
  bench.play('none');
  // What relays pass on unread, translations ignore.
  await served(
    row,
    each((format) => [withHead(format, (head) => [...head, '__proto__: x', 'constructor: y'])]),
  );
  await served(row, [
    field('"__proto__":{"model":"x"}')('openai-chat'),
    field('"constructor":1')('anthropic-messages'),
  ]);
  assert.equal(({} as { model?: unknown }).model, undefined, 'no prototype was changed');
});

faultRow('C12', FILE, async (row) => {
  const capped = (value: string) => (format: CallerDialectName) =>
    withBody(format, (body) => body.replace(':77', `:${value}`));
  await refused(
    row,
    each((format) => ['-1', '1.5', '"10"', '1e30'].map((value) => capped(value)(format))),
    'invalid_value',
  );
  await refused(
    row,
    ['0', '-1', '"1"', '1000000'].map((value) => field(`"n":${value}`)('openai-chat')),
    'invalid_value',
  );
  for (const format of FORMATS) assert.ok(goodRequest(format).body.includes(`"${CAPS[format]}":77`));
});

/** A field more, at the beginning of each object of the body in turn. */
function inEveryObject(format: CallerDialectName, text: string): readonly Buffer[] {
  const { body } = goodRequest(format);
  const starts = [...body.matchAll(/\{/g)].map(({ index }) => index + 1);
  return starts.map((at) => withBody(format, () => `${body.slice(0, at)}${text},${body.slice(at)}`));
}

faultRow('C13', FILE, async (row) => {
  const decoy = row.owns(await startScriptedUpstream((exchange) => exchange.whole(200, '{}')));
  bench.play('none');
  const fields = { api_base: decoy.origin, base_url: decoy.origin, api_key: 'sk-x', extra_headers: { a: 'b' } };
  for (const format of FORMATS)
    for (const [name, value] of Object.entries(fields)) {
      const text = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
      for (const [index, bytes] of inEveryObject(format, text).entries()) {
        const asked = bench.upstream.exchanges.length;
        const { status, code, connection } = await send(bytes);
        connection.close();
        const named = `${format}: ${bytes}`;
        if (index === 0) assert.deepEqual([status, code], [400, 'field_not_allowed'], named);
        assert.ok(status === 200 || (status === 400 && code !== null), named);
        for (const settled of (await bench.ledger.settled(status === 200 ? 1 : 0)).values())
          row.note('deeper in the body: the answer of the operator’s provider', outcomeOf(settled));
        if (status === 400) row.note(`400 \`${code}\``, 'L0');
        for (const { request } of bench.upstream.exchanges.slice(asked)) {
          assert.equal(`http://${headerOf(request, 'host')}`, bench.upstream.origin);
          assert.equal(headerOf(request, 'a'), null);
          assert.doesNotMatch(JSON.stringify(request.rawHeaders), /sk-x/);
        }
      }
    }
  assert.equal(decoy.connections, 0);
});

faultRow('C14', FILE, async (row) => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: y`);
  await refused(
    row,
    each((format) => [
      withHead(format, (head) => [...head, ...many(97)]),
      withHead(format, (head) => [...head, ...many(1_100)]),
      withHead(format, (head) => [...many(1_100), ...head]),
      withHead(format, (head) => [...head, `X-Large: ${'a'.repeat(17 * 1024)}`]),
    ]),
    'headers_too_large',
  );
});

faultRow('C15', FILE, async (row) => {
  const second = await createKey(bench.dataFolder, 'second');
  const doubled = (format: CallerDialectName) => [
    withHead(format, (head) => [...head, `Authorization: Bearer ${bench.key}`]),
    withHead(format, (head) => [...head, `X-API-Key: ${bench.key}`, `x-api-key: ${bench.key}`]),
  ];
  await refused(row, each(doubled), 'duplicate_header');
  await refused(
    row,
    each((format) => [withHead(format, (head) => [...head, `X-API-Key: ${second}`])]),
    'conflicting_credentials',
  );
  for (const format of FORMATS)
    for (const line of ['Host: other.test', 'Content-Type: text/plain']) {
      const { status, code, connection } = await send(withHead(format, (head) => [...head, line]));
      connection.close();
      assert.deepEqual([status, code], [400, 'duplicate_header'], `${format} ${line}`);
    }
  await bench.ledger.settled(0);
});

faultRow('C18', FILE, async (row) => {
  bench.play('none');
  for (const format of FORMATS) {
    const { path, head, body } = goodRequest(format);
    const announced = (lines: readonly string[], bytes: number) =>
      Buffer.from(
        `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nExpect: 100-continue\r\nContent-Length: ${bytes}\r\n\r\n`,
      );
    const bad = await send(
      announced(
        head.map((line) => line.replace(bench.key, 'junk')),
        10,
      ),
    );
    assert.deepEqual([bad.status, bad.code], [401, 'invalid_api_key']);
    const large = await send(announced(head, 33 * MIB));
    assert.deepEqual([large.status, large.code], [413, 'request_too_large']);
    for (const { connection } of [bad, large]) {
      await connection.closed();
      assert.equal(connection.answers.length, 1, 'no 100 before it');
    }
    const unknown = await send(withHead(format, (lines) => [...lines, 'Expect: a-miracle']));
    assert.deepEqual([unknown.status, unknown.code], [417, 'expectation_failed']);
    unknown.connection.close();
    await bench.ledger.settled(0);
    const good = await send(announced(head, body.length));
    assert.equal(good.status, 100);
    await good.connection.write(body);
    assert.equal(statusOf(await good.connection.answer(2)), 200, format);
    good.connection.close();
    for (const settled of (await bench.ledger.settled(1)).values())
      row.note('100, then the answer', outcomeOf(settled));
  }
  row.note(
    '401 `invalid_api_key` and 413 `request_too_large` without 100; 417 `expectation_failed` for another expectation',
    'L0',
  );
});

faultRow('C19', FILE, async (row) => {
  const lines = 'Host: x\r\nConnection: close\r\n\r\n';
  for (const [bytes, expected] of [
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n${lines}`, 200],
    [`CONNECT elsewhere.test:443 HTTP/1.1\r\n${lines}`, null],
    [`TRACE / HTTP/1.1\r\n${lines}`, 404],
    [`OPTIONS * HTTP/1.1\r\n${lines}`, 400],
  ] as const) {
    const { connection, status } = await send(Buffer.from(bytes));
    assert.equal(status, expected, bytes);
    await connection.closed();
    assert.equal(connection.answers.length, status === null ? 0 : 1, bytes);
  }
  row.note('a refusal (4xx), a closed connection, or HTTP/1.1 as if nothing had been offered', 'L0');
  await bench.ledger.settled(0);
});

faultRow('C20', FILE, async (row) => {
  bench.play('none');
  const injected = 'a/b\\r\\nX-Injected: yes';
  const asModel = withBody('openai-chat', (body) => body.replace('lanes/openai-chat', injected));
  await refused(
    row,
    [asModel, withBody('anthropic-messages', (body) => body.replace('lanes/anthropic-messages', injected))],
    'model_not_found',
  );
  for (const bytes of [
    field(`"user":"${injected}"`)('openai-chat'),
    withHead('anthropic-messages', (head) => [...head, 'X-Request-Id: mine', 'X-Generation-Id: mine']),
  ]) {
    const { answer, status, connection } = await send(bytes);
    connection.close();
    assert.equal(status, 200);
    assert.ok(answer !== null && headerOf(answer, 'x-injected') === null);
    assert.match(headerOf(answer, 'x-generation-id') ?? '', /^gen-[0-9a-z]{26}$/);
    assert.doesNotMatch(JSON.stringify(answer.rawHeaders), /mine/);
    for (const settled of (await bench.ledger.settled(1)).values())
      row.note('the answer, with the gateway’s own ids', outcomeOf(settled));
  }
});

const GUESSES = 2_000;
const GUESS_CPU_MICROSECONDS = 20;

/** A wrong key: of the right form, or a real one with another letter, cut, longer, or of another vendor's form. */
function wrongKey(guess: number, real: string): string {
  const other = real.endsWith('a') ? 'b' : 'a';
  const kinds = [newSecret().reveal(), real.slice(0, -1) + other, real.slice(0, -1), `${real}a`, `sk-proj-${guess}`];
  return kinds[guess % kinds.length] ?? '';
}

faultRow('C22', FILE, async (row) => {
  // Heads that wait for those before them are late on a busy machine: here they have the usual time.
  const patient = row.owns(await openFaultBench({ file: { limits: { badKeysBurst: 100_000 } } }));
  patient.play('none');
  const strict = row.owns(await openFaultBench({ file: { limits: { badKeysBurst: 20, badKeysPerSecond: 1 } } }));
  const paths = FORMATS.map((format) => goodRequest(format));
  const connections = await Promise.all(paths.map(() => RawConnection.open(patient.url)));
  const entered = patient.calls.length;
  for (let guess = 0; guess < GUESSES / paths.length; guess += 1)
    for (const [index, { path }] of paths.entries()) {
      const head = `Host: x\r\nAuthorization: Bearer ${wrongKey(guess, patient.key)}\r\nContent-Length: 2`;
      void connections[index]?.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n{}`);
    }
  for (const connection of connections) {
    await connection.answer(GUESSES / paths.length);
    assert.deepEqual([...new Set(connection.answers.map(statusOf))], [401]);
    for (const { body } of connection.answers) assert.match(String(body), /invalid_api_key/);
    connection.close();
  }
  assert.equal(patient.calls.length - entered, 0, 'none of them became a call');
  row.note('401 `invalid_api_key`', 'L0');
  // Each is judged at once, by what is in memory.
  const { keys } = patient.app.gateway;
  const guesses = Array.from({ length: GUESSES }, (_, guess) => wrongKey(guess, patient.key));
  const judge = () => {
    const before = process.threadCpuUsage();
    let refused = 0;
    for (const secret of guesses)
      try {
        authenticate(['Authorization', `Bearer ${secret}`], keys, 0);
      } catch (error) {
        if (error instanceof GatewayError && error.code === 'invalid_api_key') refused += 1;
      }
    assert.equal(refused, GUESSES);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / GUESSES;
  };
  judge();
  const microseconds = Math.min(judge(), judge(), judge());
  assert.ok(microseconds < GUESS_CPU_MICROSECONDS, `${microseconds} µs each`);
  // Beyond the burst an address waits, and those with a key do not.
  const waiting: RawConnection[] = [];
  for (let guess = 0; guess <= 20; guess += 1) {
    const connection = await strict.connect();
    await connection.write(
      `POST /v1/messages HTTP/1.1\r\nHost: x\r\nX-API-Key: ${newSecret().reveal()}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    waiting.push(connection);
    if (guess < 20) assert.equal(statusOf(await connection.answer()), 401);
  }
  const [lane] = [
    { name: 'chat', dialect: 'openai-chat', upstream: 'openai-chat', model: 'lanes/openai-chat' } as const,
  ];
  assert.ok((await strict.call(lane, false)).isWhole, 'a good key from the same address is served meanwhile');
  strict.clock.advance(5_000);
  assert.equal(statusOf((await waiting.at(-1)?.answer()) ?? null), 429);
  row.note('429 `rate_limit_exceeded` once an address has failed too often', 'L0');
  for (const connection of waiting) connection.close();
  await strict.ledger.settled(1);
  await patient.ledger.settled(0);
});

faultRow('C24', FILE, async (row) => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==';
  for (const format of FORMATS) {
    const { path } = goodRequest(format);
    const socket = await send(
      Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\n${upgrade}\r\nAuthorization: Bearer ${bench.key}\r\n\r\n`),
    );
    assert.deepEqual([socket.status, socket.code], [426, 'websocket_not_supported']);
    row.note('426 `websocket_not_supported`', 'L0');
    socket.connection.close();
    const preflight = `Host: x\r\nOrigin: https://elsewhere.test\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization`;
    const asked = await send(Buffer.from(`OPTIONS ${path} HTTP/1.1\r\n${preflight}\r\n\r\n`));
    asked.connection.close();
    const told = asked.answer?.rawHeaders.map(([name, value]) => `${name.toLowerCase()}: ${value}`) ?? [];
    assert.deepEqual(
      told.filter((line) => line.startsWith('access-control-allow-credentials')),
      [],
    );
    assert.ok(told.every((line) => !line.includes(bench.key)));
  }
  row.note('no page of another origin may read an answer with credentials', 'L0');
  await bench.ledger.settled(0);
});
