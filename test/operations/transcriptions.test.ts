/**
 * Goal: OpenAI's package gets transcripts through the gateway as from OpenAI: the form that the provider gets has the caller's fields and file, byte for
 * byte, in any order, and the answer passes as it is; it is charged once, by what the answer reports, never above what was held. Method: the
 * official package against a provider as strict as OpenAI, which reads forms with Node's reader; forms by hand; and the demo.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import OpenAI, { toFile } from 'openai';
import { FormWriter, LINE_BREAK } from '../../src/wire/multipart/form-writer.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { CREDENTIAL, type OperationsBench, openOperationsBench } from '../support/operations/operations-bench.ts';
import { SECONDS, TEXT, TOKENS } from '../support/operations/transcriptions.ts';
import { sha256Of } from '../support/read-form.ts';

const PATH = '/api/v1/audio/transcriptions';
const NANO = 100_000n;
const PRICES = { units: { second: 0.0001 } };
const BY_TOKENS = { input: 2.5, output: 10, inputAudio: 6 };
const outputModalities = ['transcription'];
const MIB = 1024 * 1024;
/** Of an upload that is not held, because it is longer than what is read of it first. */
const LONG = randomBytes(5 * MIB);

let bench: OperationsBench;
let demo: OpenGateway;
before(async () => {
  bench = await openOperationsBench([
    ...['whisper', 'silent', 'cut', 'held', 'quiet'].map((name) => ({
      ...{ id: `strict/${name}`, upstream: name, prices: PRICES, outputModalities },
    })),
    { id: 'strict/tokens', upstream: 'tokens', prices: BY_TOKENS, contextWindow: 16_000, outputModalities },
    { id: 'strict/free', upstream: 'whisper', prices: 'free', outputModalities },
    { id: 'strict/writer', upstream: 'whisper', prices: PRICES, outputModalities: ['text'] },
  ]);
  demo = await openGateway({ demo: true });
});
after(async () => {
  await bench.close().finally(() => demo.close());
});

interface Sent {
  readonly fields?: readonly (readonly [name: string, value: string])[];
  /** The fields after the file. */
  readonly after?: readonly (readonly [name: string, value: string])[];
  readonly file?: Buffer | null;
  readonly filename?: string;
  /** Sent chunked, in pieces of as many bytes. */
  readonly piece?: number;
}

async function send(
  { fields = [['model', 'strict/whisper']], after: later = [], file = LONG, filename = 'a.mp3', piece }: Sent,
  headers: Readonly<Record<string, string>> = {},
  path = PATH,
): Promise<Response> {
  const writer = new FormWriter();
  const field = ([name, value]: readonly [string, string]) => writer.field({ name, value: Buffer.from(value) });
  const body = Buffer.concat([
    ...fields.map(field),
    ...(file === null
      ? []
      : [writer.file({ name: 'file', fileName: filename, contentType: 'audio/mpeg' }), file, LINE_BREAK]),
    ...later.map(field),
    writer.end(),
  ]);
  return fetch(`${bench.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.key}`, 'content-type': writer.contentType, ...headers },
    body: piece === undefined ? new Uint8Array(body) : inPieces(body, piece),
    duplex: 'half',
  } as RequestInit);
}

function inPieces(body: Buffer, piece: number): ReadableStream {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.length) return controller.close();
      controller.enqueue(new Uint8Array(body.subarray(at, at + piece)));
      at += piece;
    },
  });
}

function last() {
  const record = bench.records.at(-1);
  assert.ok(record !== undefined && record.hold !== null);
  assert.ok(record.charge <= record.hold, `${record.charge} is more than ${record.hold}`);
  return record;
}

async function errorOf(response: Response): Promise<{ code: string; param: string; message: string }> {
  return ((await response.json()) as { error: { code: string; param: string; message: string } }).error;
}

test('the package’s form arrives with its fields and its file, the file first, and the seconds of the answer are charged', async () => {
  for (const bytes of [randomBytes(40_000), LONG]) {
    const ended = bench.nextRecord();
    const file = await toFile(bytes, 'dawn "at" é.mp3', { type: 'audio/mpeg' });
    const { text } = await bench.openai.audio.transcriptions.create({
      ...{ file, model: 'strict/whisper', language: 'en', prompt: 'turnpike\r\n--x' },
      ...{ temperature: 0.5, timestamp_granularities: ['word', 'segment'], response_format: 'json' },
    });
    assert.equal(text, TEXT);
    const { body, headers } = bench.strict.last();
    assert.deepEqual(body, {
      file: { filename: 'dawn "at" é.mp3', type: 'audio/mpeg', bytes: bytes.length, sha256: sha256Of(bytes) },
      ...{ model: 'whisper', language: 'en', prompt: 'turnpike\r\n--x', temperature: '0.5', response_format: 'json' },
      'timestamp_granularities[]': ['word', 'segment'],
    });
    assert.ok(Number(headers['content-length']) > bytes.length);
    const record = await ended;
    assert.deepEqual(
      [record.operation, record.usage.units, record.usageSource, record.charge, record.ending, record.streamed],
      ['transcriptions', SECONDS, 'reported', BigInt(SECONDS) * NANO, 'complete', false],
    );
    // A second has a thousand bytes at least.
    assert.equal(record.hold, BigInt(Math.ceil(bytes.length / 1_000)) * NANO);
  }
});

test('a file after its model is sent on as it arrives, chunked, with what comes after it', async () => {
  for (const piece of [undefined, 60_000]) {
    const ended = bench.nextRecord();
    const response = await send({
      fields: [['model', 'strict/whisper']],
      after: [['language', 'de']],
      ...(piece !== undefined && { piece }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    assert.equal(((await response.json()) as { text: string }).text, TEXT);
    const { body, headers } = bench.strict.last();
    assert.deepEqual(body, {
      ...{ model: 'whisper', language: 'de' },
      file: { filename: 'a.mp3', type: 'audio/mpeg', bytes: LONG.length, sha256: sha256Of(LONG) },
    });
    assert.equal(headers['transfer-encoding'], 'chunked');
    const { hold, charge } = await ended;
    assert.equal(charge, BigInt(SECONDS) * NANO);
    // The length of the form bounds it, otherwise the limit.
    assert.ok((hold ?? 0n) / NANO >= 5_243n && (hold ?? 0n) / NANO <= (piece === undefined ? 5_244n : 104_858n));
  }
});

test('each format of answers passes as it is', async () => {
  for (const [format, start] of [
    ['text', TEXT],
    ['srt', '1\n00:00:00,000'],
    ['vtt', 'WEBVTT'],
  ] as const) {
    const file = randomBytes(3_200_000);
    const ended = bench.nextRecord();
    const response = await send({
      file,
      fields: [
        ['response_format', format],
        ['model', 'strict/whisper'],
      ],
    });
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.ok((await response.text()).startsWith(start));
    const record = await ended;
    // As long as sound of 128 kbit/s.
    assert.deepEqual([record.usage.units, record.usageSource], [200, 'estimated'], format);
  }
  const response = await send({
    fields: [
      ['model', 'strict/silent'],
      ['response_format', 'verbose_json'],
    ],
  });
  assert.equal(((await response.json()) as { duration: number }).duration, 33.4);
  assert.deepEqual([last().usage.units, last().usageSource], [SECONDS, 'reported']);
});

test('events pass as they are, also if "stream" comes after the file, and tokens are charged', async () => {
  const stream = await bench.openai.audio.transcriptions.create({
    ...{ file: await toFile(Buffer.alloc(50_000), 'a.wav'), model: 'strict/tokens', stream: true },
  });
  let text = '';
  for await (const event of stream) if (event.type === 'transcript.text.delta') text += event.delta;
  assert.equal(text, TEXT);
  const charge = 10n * 2_500n + 340n * 6_000n + 21n * 10_000n;
  const ended = bench.nextRecord();
  const response = await send({ fields: [['model', 'strict/tokens']], after: [['stream', 'true']] });
  assert.match(await response.text(), /transcript\.text\.done/);
  const record = await ended;
  assert.deepEqual([record.charge, record.streamed, record.usageSource], [charge, true, 'reported']);
  assert.deepEqual(
    [record.usage.inputTokens, record.usage.inputAudioTokens, record.usage.outputTokens],
    [10, TOKENS.input_token_details.audio_tokens, 21],
  );
});

test('nothing said is an empty text, and costs nothing', async () => {
  const ended = bench.nextRecord();
  const response = await send({
    fields: [
      ['model', 'strict/quiet'],
      ['response_format', 'text'],
    ],
  });
  assert.deepEqual([response.status, await response.text()], [200, '']);
  const { ending, charge } = await ended;
  assert.deepEqual([ending, charge], ['empty', 0n]);
});

test('translations go to their own path', async () => {
  const file = await toFile(Buffer.alloc(50_000), 'a.wav');
  assert.equal((await bench.openai.audio.translations.create({ file, model: 'strict/whisper' })).text, TEXT);
  assert.equal(bench.strict.last().path, '/v1/audio/translations');
  assert.equal(last().operation, 'translations');
});

test('a form in any order and in any pieces arrives as it was sent', async () => {
  const name = fc.constantFrom('language', 'prompt', 'temperature');
  const value = fc.string({ unit: 'grapheme', maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(name as fc.Arbitrary<string>, value), { selector: ([each]) => each }),
      fc.nat(),
      fc.nat(4),
      fc.integer({ min: 1, max: 3_000_000 }),
      fc.integer({ min: 20_000, max: 500_000 }),
      async (others, place, model, length, piece) => {
        const given = others.map(([each, text]) => [each, each === 'temperature' ? '1' : text] as const);
        const fields = given.toSpliced(model % (given.length + 1), 0, ['model', 'strict/whisper']);
        const split = place % (fields.length + 1);
        const file = randomBytes(length);
        const response = await send({ fields: fields.slice(0, split), after: fields.slice(split), file, piece });
        assert.equal(response.status, 200, await response.text());
        assert.deepEqual(bench.strict.last().body, {
          ...Object.fromEntries(given),
          ...{
            model: 'whisper',
            file: { filename: 'a.mp3', type: 'audio/mpeg', bytes: length, sha256: sha256Of(file) },
          },
        });
        last();
      },
    ),
    { numRuns: 25 },
  );
});

test('what is free costs nothing', async () => {
  await (await send({ fields: [['model', 'strict/free']] })).text();
  assert.equal(last().charge, 0n);
});

test('an answer that breaks off ends broken, and is not charged', async () => {
  const ended = bench.nextRecord();
  const response = await send({
    fields: [
      ['model', 'strict/cut'],
      ['stream', 'true'],
    ],
  });
  assert.match(await response.text(), /"error"/);
  const record = await ended;
  assert.deepEqual([record.ending, record.charge], ['upstream_failed', 0n]);
});

test('a refusal of the provider is the package’s error, and nothing is charged', async () => {
  const file = await toFile(LONG, 'a.exe');
  await assert.rejects(
    () => bench.openai.audio.transcriptions.create({ file, model: 'strict/whisper' }),
    (error) => error instanceof OpenAI.APIError && error.status === 400 && error.param === 'file',
  );
  assert.equal(last().charge, 0n);
});

test('what cannot be served is refused before a provider is asked', async () => {
  const { length } = bench.strict.requests;
  const model = ['model', 'strict/whisper'] as const;
  const many = Array.from({ length: 10_000 }, (_, at) => [`x${at}`, 'y'] as const);
  const cases: readonly (readonly [Sent, number, string | null])[] = [
    [{ fields: [], file: Buffer.from('x') }, 400, 'model'],
    [{ fields: [model], file: null }, 400, 'file'],
    [{ fields: [model], file: Buffer.alloc(0) }, 400, 'file'],
    [{ fields: [['model', 'strict/writer']] }, 400, 'model'],
    [{ fields: [['model', 'strict/unknown']] }, 404, 'model'],
    [{ fields: [model, ['language', 'x'.repeat(140_000)]] }, 400, 'language'],
    [{ fields: [model, ...many] }, 400, null],
    [{ fields: [model, model] }, 400, 'model'],
    [{ fields: [model, ['api_key', 'x']] }, 400, 'api_key'],
    [{ fields: [model, ['Model', 'x']] }, 400, 'Model'],
    [{ fields: [model, ['stream', 'maybe']] }, 400, 'stream'],
    [{ fields: [model, ['file', 'x']] }, 400, 'file'],
  ];
  for (const [sent, status, param] of cases) {
    const response = await send(sent);
    assert.equal(response.status, status, JSON.stringify(sent).slice(0, 200));
    assert.equal((await errorOf(response)).param, param);
  }
  for (const type of ['application/json', 'multipart/form-data', 'multipart/form-data; boundary=']) {
    const response = await send({}, { 'content-type': type });
    assert.equal(response.status, 415, type);
    assert.match((await errorOf(response)).message, /multipart\/form-data/);
  }
  const again = await send({}, { 'idempotency-key': 'once' });
  assert.equal(again.status, 400);
  assert.match((await errorOf(again)).message, /Idempotency-Key/);
  assert.equal(bench.strict.requests.length, length);
});

test('what comes too late, after the file, ends the call before the provider has all of it', async () => {
  const { length } = bench.strict.requests;
  for (const [name, value] of [
    ['api_key', 'x'],
    ['model', 'strict/free'],
    ['stream', 'maybe'],
  ] as const) {
    const ended = bench.nextRecord();
    const response = await send({ after: [[name, value]] });
    assert.equal(response.status, 400, name);
    assert.equal((await errorOf(response)).param, name);
    const { charge, fault } = await ended;
    assert.deepEqual([charge, fault], [0n, 0n]);
  }
  assert.equal(bench.strict.requests.length, length);
});

test('Groq charges no recording for less than ten seconds, and that much is held', async () => {
  const models = [{ id: 'groq/short', upstream: 'short', prices: PRICES, outputModalities }];
  const groq = await openGateway({
    providers: [{ name: 'groq', origin: bench.strict.origin, credential: CREDENTIAL, models }],
  });
  const openai = new OpenAI({ baseURL: `${groq.url}/api/v1`, apiKey: groq.key, maxRetries: 0 });
  try {
    for (const file of [Buffer.alloc(500, 1), Buffer.alloc(50_000, 1)]) {
      const ended = groq.nextRecord();
      await openai.audio.transcriptions.create({ file: await toFile(file, 'a.mp3'), model: 'groq/short' });
      assert.equal(bench.strict.last().path, '/openai/v1/audio/transcriptions');
      const { usage, charge, hold } = await ended;
      assert.deepEqual([usage.units, charge], [10, 10n * NANO]);
      assert.equal(hold, BigInt(Math.max(10, file.length / 1_000)) * NANO);
    }
  } finally {
    await groq.close();
  }
});

test('the demo answers in every format, the same each time', async () => {
  const openai = new OpenAI({ baseURL: `${demo.url}/api/v1`, apiKey: demo.key, maxRetries: 0 });
  const text = 'This recording has 32001 bytes.';
  const ask = async (more: object) =>
    openai.audio.transcriptions.create({
      ...{ file: await toFile(Buffer.alloc(32_001), 'a.wav'), model: 'demo/listen' },
      ...more,
    } as never) as Promise<unknown>;
  assert.deepEqual(await ask({}), { text, usage: { type: 'duration', seconds: 3 } });
  assert.equal(demo.records.at(-1)?.charge, 3n * NANO);
  assert.equal(((await ask({ response_format: 'verbose_json' })) as { duration: number }).duration, 3);
  assert.equal(await ask({ response_format: 'text' }), `${text}\n`);
  assert.match(String(await ask({ response_format: 'srt' })), /--> 00:00:03,000/);
  assert.match(String(await ask({ response_format: 'vtt' })), /--> 00:00:03\.000/);
  const events = (await ask({ stream: true })) as AsyncIterable<{ type: string; delta?: string }>;
  let said = '';
  for await (const { delta = '' } of events) said += delta;
  assert.equal(said, text);
});
