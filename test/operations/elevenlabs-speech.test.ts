/**
 * Goal: OpenAI's package speaks with ElevenLabs' voices through the gateway: the request that arrives is ElevenLabs' own, the sound passes byte for byte, the
 * characters are charged once, what its format lacks is refused before anything is held, and its refusals are OpenAI's errors without anything
 * of the operator's. Method: the official package against a provider that takes only what ElevenLabs documents.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import OpenAI from 'openai';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { startStrictElevenlabs } from '../support/operations/elevenlabs.ts';
import { SOUND } from '../support/operations/speech.ts';
import { startStrictOperations } from '../support/operations/strict-operations.ts';
import type { StrictServer } from '../support/strict-server.ts';

const SPEECH = '/api/v1/audio/speech';
const CREDENTIAL = 'canary-credential-of-elevenlabs';
const USUAL_CREDENTIAL = 'canary-credential-of-the-usual-one';
const NANO = 100_000n;
const PRICES = { units: { character: 0.0001 } };
const outputModalities = ['audio'];
const VOICE = '21m00Tcm4TlvDq8ikWAM';
const WHOLE = Buffer.concat(SOUND);

let strict: StrictServer;
let usual: StrictServer;
let bench: OpenGateway;
let openai: OpenAI;
before(async () => {
  strict = await startStrictElevenlabs(CREDENTIAL);
  usual = await startStrictOperations(USUAL_CREDENTIAL);
  const model = (name: string, upstream = name) => ({ id: `labs/${name}`, upstream, prices: PRICES, outputModalities });
  bench = await openGateway({
    providers: [
      {
        ...{ name: 'elevenlabs', origin: strict.origin, credential: CREDENTIAL },
        models: [
          ...['eleven_v3', 'cut', 'held', 'silent', 'refusing', 'poor', 'echoing', 'both'].map((name) => model(name)),
        ],
      },
      {
        ...{ name: 'usual', kind: 'custom', origin: usual.origin, credential: USUAL_CREDENTIAL },
        models: [model('both', 'tts')],
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

async function speak(body: object): Promise<Buffer> {
  const response = await bench.post(SPEECH, { model: 'labs/eleven_v3', voice: VOICE, ...body });
  assert.equal(response.status, 200, await response.clone().text());
  return Buffer.from(await response.arrayBuffer());
}

async function errorOf(response: Response): Promise<{ code: string; param: string | null; message: string }> {
  return ((await response.json()) as { error: { code: string; param: string | null; message: string } }).error;
}

test('the package’s request is ElevenLabs’ own, the sound passes byte for byte with its type, and its characters are charged', async () => {
  for (const [response_format, outputFormat, type] of [
    [undefined, 'mp3_44100_128', 'audio/mpeg'],
    ['mp3', 'mp3_44100_128', 'audio/mpeg'],
    ['opus', 'opus_48000_128', 'audio/opus'],
    ['pcm', 'pcm_24000', 'audio/pcm'],
  ] as const) {
    const ended = bench.nextRecord();
    const response = await openai.audio.speech.create({
      ...{ model: 'labs/eleven_v3', input: 'A turnpike at dawn', voice: VOICE, speed: 1.1 },
      ...(response_format !== undefined && { response_format }),
    });
    assert.equal(response.headers.get('content-type'), type);
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(WHOLE), outputFormat);
    const { path, body } = strict.last();
    assert.equal(path, `/v1/text-to-speech/${VOICE}/stream?output_format=${outputFormat}`);
    assert.deepEqual(body, { text: 'A turnpike at dawn', model_id: 'eleven_v3', voice_settings: { speed: 1.1 } });
    const record = await ended;
    assert.deepEqual(
      [record.operation, record.usage.units, record.usageSource, record.charge, record.hold, record.ending],
      ['speech', 18, 'reported', 18n * NANO, 18n * NANO, 'complete'],
    );
    assert.deepEqual([record.streamed, record.upstreamDialect], [true, 'elevenlabs-speech']);
  }
});

test('any text arrives as it was sent, and costs what it was held for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), async (input) => {
      const ended = bench.nextRecord();
      await speak({ input, voice: { id: VOICE } });
      assert.deepEqual(strict.last().body, { text: input, model_id: 'eleven_v3' });
      const { charge, hold, usage } = await ended;
      assert.equal(usage.units, [...input].length);
      assert.deepEqual([charge, hold], [BigInt(usage.units) * NANO, charge]);
    }),
    { numRuns: 30 },
  );
});

test('what its format lacks is refused before a provider is asked, and nothing is held', async () => {
  const [{ length }, records] = [strict.requests, bench.records.length];
  for (const [body, param, code] of [
    [{ stream_format: 'sse' }, 'stream_format', 'unsupported_value'],
    [{ response_format: 'wav' }, 'response_format', 'unsupported_value'],
    [{ response_format: 7 }, 'response_format', 'invalid_value'],
    [{ instructions: 'in a whisper' }, 'instructions', 'unsupported_value'],
    [{ output_format: 'ulaw_8000' }, 'output_format', 'unsupported_value'],
    [{ voice: undefined }, 'voice', 'missing_field'],
    [{ voice: '' }, 'voice', 'invalid_value'],
    [{ voice: '..' }, 'voice', 'invalid_value'],
    [{ voice: 'a/../../user' }, 'voice', 'invalid_value'],
    [{ voice: 'a?output_format=x' }, 'voice', 'invalid_value'],
    [{ voice: { id: ['x'] } }, 'voice', 'invalid_value'],
    [{ voice: 'x'.repeat(5_000) }, 'voice', 'invalid_value'],
  ] as const) {
    const response = await bench.post(SPEECH, { model: 'labs/eleven_v3', input: 'x', voice: VOICE, ...body });
    assert.equal(response.status, 400, JSON.stringify(body));
    const error = await errorOf(response);
    assert.deepEqual([error.param, error.code], [param, code], error.message);
    assert.match(error.message, /ElevenLabs|required|must be/);
  }
  assert.equal(strict.requests.length, length);
  for (const { hold, charge } of bench.records.slice(records)) assert.deepEqual([hold, charge], [null, 0n]);
});

test('a provider that has the operation in OpenAI’s format comes first, and has what the other lacks', async () => {
  const asked = { model: 'labs/both', input: 'Hello', voice: VOICE };
  for (const stream_format of ['audio', 'sse'] as const) {
    const [{ length }, before] = [strict.requests, usual.requests.length];
    const response = await bench.post(SPEECH, { ...asked, stream_format });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
    assert.deepEqual([strict.requests.length, usual.requests.length], [length, before + 1], stream_format);
  }
  const preferred = await bench.post(SPEECH, { ...asked, provider: { order: ['elevenlabs'] } });
  assert.ok(Buffer.from(await preferred.arrayBuffer()).equals(WHOLE));
  assert.match(strict.last().path, /text-to-speech/);
  const only = await bench.post(SPEECH, { ...asked, stream_format: 'sse', provider: { only: ['elevenlabs'] } });
  assert.equal(only.status, 400);
  assert.equal((await errorOf(only)).param, 'stream_format');
});

test('its refusals are the package’s errors, say what is wrong with the request, and nothing of the operator’s', async () => {
  const long = 'x'.repeat(5_001);
  for (const [sent, status, words] of [
    [{ model: 'labs/eleven_v3', input: 'x', voice: 'missing' }, 404, /was not found/],
    [{ model: 'labs/eleven_v3', input: long, voice: VOICE }, 400, /5001 characters/],
    [{ model: 'labs/eleven_v3', input: 'x', voice: VOICE, speed: 0.5, response_format: 'pcm' }, 200, null],
    [{ model: 'labs/poor', input: 'x', voice: VOICE }, 502, null],
  ] as const) {
    const ended = bench.nextRecord();
    const asked = openai.audio.speech.create(sent);
    if (status === 200) await (await asked).arrayBuffer();
    else
      await assert.rejects(
        () => asked,
        (error) => {
          assert.ok(error instanceof OpenAI.APIError && error.status === status, String(error));
          assert.ok(!JSON.stringify(error.error).includes(CREDENTIAL) && !String(error).includes(CREDENTIAL));
          assert.doesNotMatch(JSON.stringify(error.error), /"detail"/);
          if (words !== null) assert.match(error.message, words);
          return true;
        },
      );
    const record = await ended;
    if (status !== 200)
      assert.deepEqual([record.charge, record.ending], [0n, status === 502 ? 'upstream_failed' : 'refused_upstream']);
  }
});

test('a stream that breaks off ends broken and costs nothing, and a caller that leaves pays for the text', async () => {
  const cut = bench.nextRecord();
  await assert.rejects(speak({ model: 'labs/cut', input: 'Hello' }));
  const broken = await cut;
  assert.deepEqual([broken.ending, broken.charge, broken.fault], ['upstream_failed', 0n, 5n * NANO]);
  const ended = bench.nextRecord();
  const leaving = new AbortController();
  const response = await fetch(`${bench.url}${SPEECH}`, {
    ...{ method: 'POST', signal: leaving.signal },
    body: JSON.stringify({ model: 'labs/held', input: 'Hello', voice: VOICE }),
    headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
  });
  await response.body?.getReader().read();
  leaving.abort();
  const record = await ended;
  assert.deepEqual([record.ending, record.charge, record.usage.units], ['caller_left', 5n * NANO, 5]);
  assert.equal(await strict.last().closed, 'cut');
});

test('no sound, an error with status 200, and sound with the operator’s key in it are errors in JSON that cost nothing', async () => {
  for (const name of ['silent', 'refusing', 'echoing']) {
    const ended = bench.nextRecord();
    const response = await bench.post(SPEECH, { model: `labs/${name}`, input: 'Hello', voice: VOICE });
    assert.equal(response.status, 502, name);
    assert.equal((await errorOf(response)).code, 'bad_gateway');
    assert.equal((await ended).charge, 0n);
  }
});
