/**
 * Goal: OpenAI's package gets transcripts of Deepgram through the gateway: the file arrives byte for byte as a body of its own, while it arrives here, what is
 * asked for is the query, each of OpenAI's formats is made of the answer, its seconds are charged once and never above what was held, and what
 * is no answer costs nothing. Method: the official package and forms by hand against a provider that takes only what Deepgram documents.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import OpenAI, { toFile } from 'openai';
import { FormWriter, LINE_BREAK } from '../../src/wire/multipart/form-writer.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { DURATION, ODD, startStrictDeepgram, TRANSCRIPT } from '../support/operations/deepgram.ts';
import { CREDENTIAL as USUAL_CREDENTIAL } from '../support/operations/operations-bench.ts';
import { startStrictOperations } from '../support/operations/strict-operations.ts';
import { sha256Of } from '../support/read-form.ts';
import type { StrictServer } from '../support/strict-server.ts';

const PATH = '/api/v1/audio/transcriptions';
const CREDENTIAL = 'canary-credential-of-deepgram';
const NANO = 100_000n;
const SECONDS = Math.ceil(DURATION);
const PRICES = { units: { second: 0.0001 } };
const outputModalities = ['transcription'];
const MIB = 1024 * 1024;
const LONG = randomBytes(5 * MIB);
const DETECTED = '/v1/listen?model=nova-3&smart_format=true&utterances=true&detect_language=true';

let strict: StrictServer;
let usual: StrictServer;
let bench: OpenGateway;
let openai: OpenAI;
before(async () => {
  strict = await startStrictDeepgram(CREDENTIAL);
  usual = await startStrictOperations(USUAL_CREDENTIAL);
  const both = { id: 'deep/both', prices: PRICES, outputModalities };
  bench = await openGateway({
    providers: [
      {
        ...{ name: 'deepgram', origin: strict.origin, credential: CREDENTIAL },
        models: [
          { ...both, upstream: 'nova-3' },
          ...['nova-3', 'refusing', 'poor', 'echoing', ...Object.keys(ODD)].map((name) => ({
            ...{ id: `deep/${name}`, upstream: name, prices: PRICES, outputModalities },
          })),
        ],
      },
      {
        ...{ name: 'usual', kind: 'custom', origin: usual.origin, credential: USUAL_CREDENTIAL },
        models: [{ ...both, upstream: 'down' }],
      },
    ],
  });
  openai = new OpenAI({ baseURL: `${bench.url}/api/v1`, apiKey: bench.key, maxRetries: 0 });
});
after(async () => {
  await bench.close();
  await strict.close();
  await usual.close();
});

type Fields = readonly (readonly [name: string, value: string])[];
interface Sent {
  readonly fields?: Fields;
  readonly after?: Fields;
  readonly file?: Buffer;
  readonly type?: string;
  /** Sent chunked, in pieces of as many bytes. */
  readonly piece?: number;
}

const MODEL: Fields = [['model', 'deep/nova-3']];

async function send({ fields = MODEL, after: later = [], file = LONG, type = 'audio/mpeg', piece }: Sent) {
  const writer = new FormWriter();
  const field = ([name, value]: readonly [string, string]) => writer.field({ name, value: Buffer.from(value) });
  const body = Buffer.concat([
    ...fields.map(field),
    ...[writer.file({ name: 'file', fileName: 'a.mp3', contentType: type }), file, LINE_BREAK],
    ...later.map(field),
    writer.end(),
  ]);
  return fetch(`${bench.url}${PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.key}`, 'content-type': writer.contentType },
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

async function errorOf(response: Response): Promise<{ code: string; param: string | null; message: string }> {
  return ((await response.json()) as { error: { code: string; param: string | null; message: string } }).error;
}

function last() {
  const record = bench.records.at(-1);
  assert.ok(record !== undefined && record.hold !== null);
  assert.ok(record.charge <= record.hold, `${record.charge} is more than ${record.hold}`);
  return record;
}

test('the package’s file is the body, its fields are the query, and the seconds of the answer are charged', async () => {
  for (const bytes of [randomBytes(40_000), LONG])
    for (const language of [undefined, 'de']) {
      const ended = bench.nextRecord();
      const file = await toFile(bytes, 'dawn.mp3', { type: 'audio/mpeg' });
      const answer = await openai.audio.transcriptions.create({
        ...{ file, model: 'deep/nova-3', response_format: 'json' },
        ...(language !== undefined && { language }),
      });
      assert.deepEqual(answer, { text: TRANSCRIPT, usage: { type: 'duration', seconds: SECONDS } });
      const { path, headers, bytes: arrived } = strict.last();
      assert.equal(path, language === undefined ? DETECTED : DETECTED.replace('detect_language=true', 'language=de'));
      assert.deepEqual([headers['content-type'], headers['content-length']], ['audio/mpeg', String(bytes.length)]);
      assert.equal(sha256Of(arrived), sha256Of(bytes));
      const record = await ended;
      assert.deepEqual(
        [record.operation, record.usage.units, record.usageSource, record.charge, record.ending],
        ['transcriptions', SECONDS, 'reported', BigInt(SECONDS) * NANO, 'complete'],
      );
      // A second has a thousand bytes at least.
      assert.equal(record.hold, BigInt(Math.ceil(bytes.length / 1_000)) * NANO);
      assert.equal(record.upstreamDialect, 'deepgram-listen');
    }
});

test('a file after its model is sent on as it arrives, and what follows says what becomes of the answer', async () => {
  for (const piece of [undefined, 60_000]) {
    const response = await send({
      after: [['response_format', 'text']],
      ...(piece !== undefined && { piece }),
    });
    assert.deepEqual([response.status, await response.text()], [200, `${TRANSCRIPT}\n`]);
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    const { headers, bytes } = strict.last();
    assert.equal(headers['transfer-encoding'], 'chunked');
    assert.equal(sha256Of(bytes), sha256Of(LONG));
    assert.equal(last().charge, BigInt(SECONDS) * NANO);
  }
});

test('a file of any length in any pieces arrives whole, and one before its model is complete first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3_000_000 }),
      fc.integer({ min: 20_000, max: 500_000 }),
      fc.boolean(),
      async (length, piece, isFirst) => {
        const file = randomBytes(length);
        const language: Fields = [['language', 'de']];
        const sent = isFirst ? { fields: [], after: [...MODEL, ...language] } : { fields: [...MODEL, ...language] };
        const response = await send({ ...sent, file, piece });
        assert.equal(response.status, 200, await response.text());
        const { bytes, path } = strict.last();
        assert.equal(sha256Of(bytes), sha256Of(file));
        assert.match(path, /language=de$/);
        last();
      },
    ),
    { numRuns: 25 },
  );
});

test('each of OpenAI’s formats is made of the answer', async () => {
  const ask = async (response_format: string, more: object = {}) =>
    (await openai.audio.transcriptions.create({
      ...{ file: await toFile(Buffer.alloc(50_000, 1), 'a.wav'), model: 'deep/nova-3', response_format, ...more },
    } as never)) as unknown;
  assert.equal(await ask('text'), `${TRANSCRIPT}\n`);
  const first = 'Where the road begins.';
  const second = 'Who -> pays?';
  assert.equal(
    await ask('srt'),
    `1\n00:00:00,100 --> 00:00:02,000\n${first}\n\n2\n01:00:01,500 --> 01:00:05,000\n${second}\n\n`,
  );
  assert.equal(
    await ask('vtt'),
    `WEBVTT\n\n00:00:00.100 --> 00:00:02.000\n${first}\n\n01:00:01.500 --> 01:00:05.000\n${second}\n\n`,
  );
  const base = { task: 'transcribe', language: 'en', duration: DURATION, text: TRANSCRIPT };
  const usage = { type: 'duration', seconds: SECONDS };
  const segments = [
    { id: 0, start: 0.1, end: 2.0004, text: first },
    { id: 1, start: 3601.5, end: 3605, text: 'Who\n-->\npays?' },
  ];
  const words = [
    { word: 'Where', start: 0.1, end: 0.42 },
    { word: 'the', start: 0.42, end: 0.6 },
  ];
  assert.deepEqual(await ask('verbose_json'), { ...base, segments, usage });
  assert.deepEqual(await ask('verbose_json', { timestamp_granularities: ['word'] }), { ...base, words, usage });
  assert.deepEqual(await ask('verbose_json', { timestamp_granularities: ['segment', 'word'], language: 'de' }), {
    ...{ ...base, language: 'de' },
    ...{ words, segments, usage },
  });
});

test('what its format lacks is refused before a provider is asked, and nothing is held', async () => {
  const [{ length }, records] = [strict.requests, bench.records.length];
  const file = Buffer.alloc(50_000, 1);
  for (const [name, value, code] of [
    ['stream', 'true', 'unsupported_value'],
    ['response_format', 'diarized_json', 'unsupported_value'],
    ['prompt', 'Turnpike', 'unsupported_value'],
    ['include[]', 'logprobs', 'unsupported_value'],
    ['callback', 'http://127.0.0.1:9/', 'unsupported_value'],
    ['language', 'de&callback=x', 'invalid_value'],
  ] as const)
    for (const place of ['fields', 'after'] as const) {
      const extra: Fields = [[name, value]];
      const response = await send(place === 'fields' ? { fields: [...MODEL, ...extra], file } : { after: extra, file });
      assert.equal(response.status, 400, name);
      const error = await errorOf(response);
      assert.deepEqual([error.param, error.code], [name, code], error.message);
    }
  assert.equal(strict.requests.length, length);
  for (const { hold, charge } of bench.records.slice(records)) assert.deepEqual([hold, charge], [null, 0n]);
  const response = await send({
    fields: [...MODEL, ['prompt', ''], ['response_format', ''], ['temperature', '0.2'], ['stream', 'false']],
    file,
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('x-turnpike-warnings') ?? '', /^temperature cannot be passed on/);
});

test('what comes too late, after a long file, ends the call before the provider has all of it', async () => {
  const { length } = strict.requests;
  for (const [name, value, words] of [
    ['language', 'de', /send the field "file" last/],
    ['stream', 'true', /A stream cannot be passed on/],
    ['prompt', 'Turnpike', /"prompt" cannot be passed on/],
  ] as const) {
    const ended = bench.nextRecord();
    const response = await send({ after: [[name, value]] });
    assert.equal(response.status, 400, name);
    assert.match((await errorOf(response)).message, words);
    const { charge, fault } = await ended;
    assert.deepEqual([charge, fault], [0n, 0n]);
  }
  assert.equal(strict.requests.length, length);
});

test('after a failure elsewhere it is asked, unless what arrived since is more than its format can express', async () => {
  const file = randomBytes(MIB + 300_000);
  const fields: Fields = [['model', 'deep/both']];
  for (const [later, status] of [
    [[['response_format', 'text']], 200],
    [[['prompt', 'Turnpike']], 502],
  ] as const) {
    const before = [usual.requests.length, strict.requests.length] as const;
    const ended = bench.nextRecord();
    const response = await send({ fields, after: later, file });
    assert.equal(response.status, status, await response.text());
    assert.equal(usual.requests.length, before[0] + 1);
    assert.equal(strict.requests.length, before[1] + (status === 200 ? 1 : 0));
    const { charge, attempts } = await ended;
    assert.equal(charge, status === 200 ? BigInt(SECONDS) * NANO : 0n);
    assert.equal(attempts[0]?.provider, 'usual');
  }
});

test('a file that says it is no sound is never read as the address of one', async () => {
  for (const type of ['application/json', 'text/plain', 'audio/x; a', 'audio/']) {
    const response = await send({ file: Buffer.from('{"url":"http://127.0.0.1:9/"}'), type });
    assert.equal(response.status, 200, type);
    assert.equal(strict.last().headers['content-type'], 'application/octet-stream');
  }
});

test('nothing said is an empty text, and its seconds are charged as Deepgram charges them', async () => {
  for (const [format, text] of [
    ['text', '\n'],
    ['srt', ''],
    ['vtt', 'WEBVTT\n\n'],
  ] as const) {
    const ended = bench.nextRecord();
    const response = await send({
      fields: [
        ['model', 'deep/silent'],
        ['response_format', format],
      ],
    });
    assert.deepEqual([response.status, await response.text()], [200, text], format);
    const { charge, ending } = await ended;
    assert.deepEqual([charge, ending], [12n * NANO, 'complete']);
  }
});

test('an invalid length is not charged: the usual length counts, as an estimate', async () => {
  const file = randomBytes(320_000);
  for (const name of ['negative', 'infinite', 'wordy', 'week', 'timeless']) {
    const ended = bench.nextRecord();
    const response = await send({ fields: [['model', `deep/${name}`]], file });
    assert.deepEqual([response.status, await response.json()], [200, { text: TRANSCRIPT }], name);
    const { usage, usageSource, charge } = await ended;
    // As sound of 128 kbit/s.
    assert.deepEqual([usage.units, usageSource, charge], [20, 'estimated', 20n * NANO], name);
  }
});

test('an answer without a transcript, or with invalid times, is an error that costs nothing', async () => {
  for (const [name, format] of [
    ...['accepted', 'wordless', 'page', 'echoing'].map((each) => [each, 'json'] as const),
    ...['srt', 'vtt', 'verbose_json'].map((each) => ['spoken', each] as const),
  ]) {
    const ended = bench.nextRecord();
    const response = await send({
      fields: [
        ['model', `deep/${name}`],
        ['response_format', format],
      ],
    });
    assert.equal(response.status, 502, `${name} ${format}`);
    assert.equal((await errorOf(response)).code, 'bad_gateway');
    assert.equal((await ended).charge, 0n);
  }
});

test('its refusals are the package’s errors, and nothing of the operator’s is in them', async () => {
  for (const [name, status, words] of [
    ['refusing', 400, /corrupt or unsupported data/],
    ['poor', 502, null],
  ] as const) {
    const ended = bench.nextRecord();
    const file = await toFile(Buffer.alloc(50_000, 1), 'a.wav');
    await assert.rejects(
      () => openai.audio.transcriptions.create({ file, model: `deep/${name}` }),
      (error) => {
        assert.ok(error instanceof OpenAI.APIError && error.status === status, String(error));
        assert.ok(!JSON.stringify(error.error).includes(CREDENTIAL));
        assert.doesNotMatch(JSON.stringify(error.error), /err_msg/);
        if (words !== null) assert.match(error.message, words);
        return true;
      },
    );
    assert.equal((await ended).charge, 0n);
  }
});
