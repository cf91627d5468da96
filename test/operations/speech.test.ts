/**
 * Goal: OpenAI's package gets speech through the gateway as from OpenAI, byte for byte and as it is made, and it is charged once: by the character from
 * the first byte on, or by tokens, never above what was held. Method: the official package against a provider as strict as OpenAI, and the demo.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import OpenAI from 'openai';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type OperationsBench, openOperationsBench } from '../support/operations/operations-bench.ts';
import { SOUND, USAGE } from '../support/operations/speech.ts';

const SPEECH = '/api/v1/audio/speech';
const NANO = 15_000n;
const PRICES = { units: { character: 0.000015 } };
const TOKENS = { input: 0.6, output: 10, outputAudio: 12 };
const outputModalities = ['audio'];
const WHOLE = Buffer.concat(SOUND);

let bench: OperationsBench;
let demo: OpenGateway;
before(async () => {
  bench = await openOperationsBench([
    ...['tts', 'cut', 'held', 'silent', 'refusing'].map((name) => ({
      ...{ id: `strict/${name}`, upstream: name, prices: PRICES, outputModalities },
    })),
    { id: 'strict/tokens', upstream: 'tts', prices: TOKENS, contextWindow: 2_000, outputModalities },
    { id: 'strict/free', upstream: 'tts', prices: 'free', outputModalities },
    { id: 'strict/images', upstream: 'tts', prices: { units: { image: 1 } }, outputModalities },
    { id: 'strict/writer', upstream: 'tts', prices: PRICES, outputModalities: ['text'] },
  ]);
  demo = await openGateway({ demo: true });
});
after(async () => {
  await bench.close();
  await demo.close();
});

function last() {
  const record = bench.records.at(-1);
  assert.ok(record !== undefined && record.hold !== null);
  assert.ok(record.charge <= record.hold, `${record.charge} is more than ${record.hold}`);
  return record;
}

async function spoken(body: object): Promise<Buffer> {
  const ended = bench.nextRecord();
  const response = await bench.post(SPEECH, { voice: 'alloy', ...body });
  assert.equal(response.status, 200);
  const bytes = Buffer.from(await response.arrayBuffer());
  await ended;
  return bytes;
}

test('every format passes byte for byte, with its type, through OpenAI’s package', async () => {
  const formats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
  for (const response_format of formats) {
    const ended = bench.nextRecord();
    const sent = { input: 'A turnpike at dawn', voice: 'alloy', response_format, speed: 1.5, instructions: 'slowly' };
    const response = await bench.openai.audio.speech.create({ model: 'strict/tts', ...sent });
    assert.equal(
      response.headers.get('content-type'),
      response_format === 'mp3' ? 'audio/mpeg' : `audio/${response_format}`,
    );
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(WHOLE), response_format);
    assert.deepEqual(bench.strict.last().body, { model: 'tts', ...sent });
    const record = await ended;
    assert.deepEqual(
      [record.operation, record.usage.units, record.usageSource, record.charge, record.hold, record.ending],
      ['speech', 18, 'reported', 18n * NANO, 18n * NANO, 'complete'],
    );
    assert.deepEqual([record.streamed, record.responseBytes], [true, WHOLE.length]);
  }
});

test('characters are counted as Unicode has them, whatever their escapes, and a voice may be an object', async () => {
  for (const [input, characters] of [
    ['é', 1],
    ['👋🏽', 2],
    ['日本語', 3],
    ['\u0000\\"\n', 4],
  ] as const) {
    await spoken({ model: 'strict/tts', input, voice: { id: 'voice_1' } });
    assert.equal(last().usage.units, characters, input);
  }
  const body = Buffer.from('{"model":"strict/tts","voice":"a","input":"\\ud83d\\udc4b\\u00e9"}');
  const ended = bench.nextRecord();
  const response = await fetch(`${bench.url}${SPEECH}`, {
    ...{ method: 'POST', body },
    headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
  });
  await response.arrayBuffer();
  assert.equal((await ended).usage.units, 2);
});

test('events pass as they are, and the usage of the last one is charged', async () => {
  const bytes = await spoken({ model: 'strict/tokens', input: 'Hello', stream_format: 'sse' });
  const events = bytes
    .toString()
    .split('\n\n')
    .filter((text) => text !== '');
  const data = events.map((text) => JSON.parse(text.replace('data: ', '')));
  const sound = data.slice(0, -1).map(({ audio }) => Buffer.from(audio, 'base64'));
  assert.ok(Buffer.concat(sound).equals(WHOLE));
  assert.deepEqual(data.at(-1), { type: 'speech.audio.done', usage: USAGE });
  const record = last();
  assert.deepEqual(
    [record.usage.inputTokens, record.usage.outputAudioTokens, record.usage.units, record.usageSource],
    [USAGE.input_tokens, USAGE.output_tokens, 0, 'reported'],
  );
  assert.equal(record.charge, 14n * 600n + 101n * 12_000n);
});

test('sound as bytes of a model that is paid by tokens is estimated by the text', async () => {
  await spoken({ model: 'strict/tokens', input: 'x'.repeat(100) });
  const record = last();
  assert.deepEqual(
    [record.usageSource, record.usage.outputAudioTokens, record.usage.outputTokens],
    ['estimated', 150, 0],
  );
});

test('the hold covers slow speech of any text, by the token', async () => {
  const asked = fc.record({
    input: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
    speed: fc.constantFrom(0.25, 0.5, 1, 4),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ input, speed }) => {
      await spoken({ model: 'strict/tokens', input, speed });
      const { hold, charge, variance } = last();
      // A second of sound for every byte, 25 tokens each.
      const tokens = Math.ceil((Buffer.byteLength(input) / Math.min(1, speed)) * 25);
      assert.ok(BigInt(tokens) * 12_000n <= (hold ?? 0n), `${input}: ${hold}`);
      assert.ok(charge <= (hold ?? 0n) && variance === 0n);
    }),
    { numRuns: 40 },
  );
});

test('what is free costs nothing, and what has no price is refused before a provider is asked', async () => {
  await spoken({ model: 'strict/free', input: 'Hello' });
  assert.equal(last().charge, 0n);
  const { length } = bench.strict.requests;
  const response = await bench.post(SPEECH, { model: 'strict/images', input: 'x', voice: 'a' });
  assert.equal(response.status, 404);
  assert.match(await response.text(), /no price for character/);
  assert.equal(bench.strict.requests.length, length);
});

test('a stream that breaks off ends broken, is not charged, and is the operator’s', async () => {
  for (const stream_format of ['audio', 'sse']) {
    const ended = bench.nextRecord();
    const response = await bench.post(SPEECH, { model: 'strict/cut', input: 'Hello', voice: 'a', stream_format });
    assert.equal(response.status, 200);
    if (stream_format === 'audio') await assert.rejects(response.arrayBuffer());
    else assert.match(await response.text(), /"error"/);
    const record = await ended;
    assert.deepEqual([record.ending, record.charge, record.fault], ['upstream_failed', 0n, 5n * NANO], stream_format);
  }
});

test('a caller that leaves after the first byte pays for the text', async () => {
  const ended = bench.nextRecord();
  const leaving = new AbortController();
  const response = await fetch(`${bench.url}${SPEECH}`, {
    ...{
      method: 'POST',
      signal: leaving.signal,
      body: JSON.stringify({ model: 'strict/held', input: 'Hello', voice: 'a' }),
    },
    headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
  });
  await response.body?.getReader().read();
  leaving.abort();
  const record = await ended;
  assert.deepEqual([record.ending, record.charge, record.usage.units], ['caller_left', 5n * NANO, 5]);
  assert.equal(await bench.strict.last().closed, 'cut');
});

test('an answer without sound, and an error with status 200, are errors in JSON that cost nothing', async () => {
  for (const name of ['silent', 'refusing']) {
    const response = await bench.post(SPEECH, { model: `strict/${name}`, input: 'Hello', voice: 'a' });
    assert.equal(response.status, 502, name);
    const { error } = (await response.json()) as { error: { code: string } };
    assert.equal(error.code, 'bad_gateway');
    assert.equal(last().charge, 0n);
  }
});

test('a refusal of the provider is the package’s error, and nothing is charged', async () => {
  await assert.rejects(
    () =>
      bench.openai.audio.speech.create({
        ...{ model: 'strict/tts', input: 'x', voice: 'alloy', response_format: 'ogg' as never },
      }),
    (error) => error instanceof OpenAI.APIError && error.status === 400 && error.param === 'response_format',
  );
  assert.equal(last().charge, 0n);
});

test('what is no text to speak is refused before a provider is asked', async () => {
  const { length } = bench.strict.requests;
  const model = 'strict/tts';
  for (const [body, param] of [
    [{ model }, 'input'],
    [{ model, input: '' }, 'input'],
    [{ model, input: ['x'] }, 'input'],
    [{ model, input: 'x'.repeat(1_100_000) }, 'input'],
    [{ model, input: 'x', speed: 0 }, 'speed'],
    [{ model, input: 'x', speed: 'slow' }, 'speed'],
    [{ model, input: 'x', Input: 'y' }, 'Input'],
    [{ model, input: 'x', api_key: 'k' }, 'api_key'],
    [{ input: 'x' }, 'model'],
    [{ model: 'strict/writer', input: 'x' }, 'model'],
  ] as const) {
    const response = await bench.post(SPEECH, body);
    assert.equal(response.status, 400, JSON.stringify(body).slice(0, 80));
    const { error } = (await response.json()) as { error: { param: string } };
    assert.equal(error.param, param);
  }
  assert.equal(bench.strict.requests.length, length);
});

test('the demo speaks a WAV that is as long as its head says, and events with the same sound', async () => {
  const openai = new OpenAI({ baseURL: `${demo.url}/api/v1`, apiKey: demo.key, maxRetries: 0 });
  const asked = { model: 'demo/speak', input: 'A turnpike at dawn', voice: 'alloy' };
  const wav = Buffer.from(await (await openai.audio.speech.create(asked)).arrayBuffer());
  assert.deepEqual([wav.toString('latin1', 0, 4), wav.toString('latin1', 8, 12)], ['RIFF', 'WAVE']);
  assert.deepEqual([wav.readUInt32LE(4), wav.readUInt32LE(40)], [wav.length - 8, wav.length - 44]);
  assert.equal(demo.records.at(-1)?.charge, 18n * NANO);
  const events = await (await openai.audio.speech.create({ ...asked, stream_format: 'sse' })).text();
  const sound = [...events.matchAll(/"audio":"([^"]*)"/g)].map(([, text]) => Buffer.from(text ?? '', 'base64'));
  assert.ok(Buffer.concat(sound).equals(wav));
});
