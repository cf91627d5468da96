/**
 * Goal: OpenAI's package gets images through the gateway as from OpenAI, and each is charged once, by its tokens or by the piece, never above what
 * was held. Method: the official package against a provider as strict as OpenAI, and the demo.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { IMAGE } from '../support/operations/images.ts';
import { type OperationsBench, openOperationsBench } from '../support/operations/operations-bench.ts';

let bench: OperationsBench;
let demo: OpenGateway;
const UNITS = { image: 0.04, 'image/1024x1024/hd': 0.08, 'image/1792x1024': 0.09, 'image/1536x1024/high': 0.25 };
before(async () => {
  bench = await openOperationsBench([
    { id: 'strict/by-piece', upstream: 'by-piece', prices: { units: UNITS } },
    { id: 'strict/large', upstream: 'large', prices: { units: UNITS } },
    { id: 'strict/counted', upstream: 'counted', prices: { input: 5, output: 40 } },
    { id: 'strict/both', upstream: 'counted', prices: { input: 5, output: 0, units: UNITS } },
    { id: 'strict/uncounted', upstream: 'by-piece', prices: { input: 5, output: 40 } },
    { id: 'strict/other-class', upstream: 'by-piece', prices: { units: { 'image/512x512': 0.02 } } },
    { id: 'strict/spoken', upstream: 'by-piece', prices: { units: { character: 0.02 } } },
  ]);
  demo = await openGateway({ demo: true });
});
after(async () => {
  await bench.close();
  await demo.close();
});

/** In nano-dollars. */
function last() {
  const record = bench.records.at(-1);
  assert.ok(record !== undefined && record.hold !== null);
  assert.ok(record.charge <= record.hold, `${record.charge} is more than ${record.hold}`);
  return record;
}

const CENT = 10_000_000n;

test('images are charged by the piece, at the price of their size and quality', async () => {
  for (const [sent, cents] of [
    [{ size: '1024x1024', quality: 'standard' }, 4n],
    [{ size: '1024x1024', quality: 'hd' }, 8n],
    [{ size: '1792x1024', quality: 'hd', n: 3 }, 27n],
    [{ n: 2 }, 8n],
    [{}, 4n],
  ] as const) {
    const answer = await bench.openai.images.generate({ model: 'strict/by-piece', prompt: 'a road', ...sent });
    assert.deepEqual(answer.data?.[0], { b64_json: IMAGE });
    const record = last();
    const count = 'n' in sent ? sent.n : 1;
    assert.deepEqual(
      [record.operation, record.usage.units, record.usageSource, record.charge],
      ['images', count, 'reported', cents * CENT],
      JSON.stringify(sent),
    );
    assert.deepEqual(bench.strict.last().body, { model: 'by-piece', prompt: 'a road', ...sent });
  }
});

test('a class that the answer states is charged, and was held for', async () => {
  await bench.openai.images.generate({ model: 'strict/both', prompt: 'a road', n: 2 });
  const record = last();
  // 12 tokens at $5 a million, and two images of 1536x1024 in high quality.
  assert.equal(record.charge, 60_000n + 50n * CENT);
  assert.deepEqual([record.usage.inputTokens, record.usage.outputTokens, record.usage.units], [12, 200, 2]);
});

test('a model with prices of tokens is charged by its tokens', async () => {
  await bench.openai.images.generate({ model: 'strict/counted', prompt: 'a road', n: 2, size: '1024x1024' });
  const record = last();
  assert.deepEqual(
    [record.usage.inputTokens, record.usage.outputImageTokens, record.usage.unitLine, record.charge],
    [12, 200, 0, 60_000n + 200n * 40_000n],
  );
});

test('if the provider counts no tokens, they are estimated', async () => {
  await bench.openai.images.generate({ model: 'strict/uncounted', prompt: 'a road', n: 2 });
  const record = last();
  assert.deepEqual([record.usageSource, record.usage.outputTokens], ['estimated', 2_000]);
});

test('large answers pass byte for byte', async () => {
  const bytes = 12 * 1024 * 1024;
  const answer = await bench.openai.images.generate({ model: 'strict/large', prompt: String(bytes), n: 2 });
  assert.deepEqual(
    answer.data?.map(({ b64_json: text }) => text?.length),
    [bytes, bytes],
  );
  assert.equal(last().charge, 8n * CENT);
});

test('an address of an image passes', async () => {
  const sent = { model: 'strict/by-piece', prompt: 'a road', response_format: 'url' } as const;
  const answer = await bench.openai.images.generate(sent);
  assert.equal(answer.data?.[0]?.url, 'https://images.example/1.png');
});

test('what has no price is refused before a provider is asked, and the error names it', async () => {
  const { length } = bench.strict.requests;
  for (const [model, unit] of [
    ['strict/other-class', 'image/1024x1024'],
    ['strict/spoken', 'image'],
  ] as const) {
    const response = await bench.post('/v1/images/generations', {
      ...{ model, prompt: 'x' },
      ...(unit !== 'image' && { size: '1024x1024' }),
    });
    assert.equal(response.status, 404);
    const { error } = (await response.json()) as { error: { message: string; type: string } };
    assert.match(error.message, new RegExp(`no price for ${unit},`));
  }
  const chat = { model: 'strict/by-piece', messages: [{ role: 'user', content: 'x' }] };
  const response = await bench.post('/v1/chat/completions', chat);
  assert.equal(response.status, 404);
  assert.match(await response.text(), /no price for tokens/);
  assert.equal(bench.strict.requests.length, length);
});

test('what is no request for images is refused before a provider is asked', async () => {
  const { length } = bench.strict.requests;
  const model = 'strict/by-piece';
  for (const [body, param] of [
    [{ model }, 'prompt'],
    [{ model, prompt: ['x'] }, 'prompt'],
    [{ model, prompt: 'x', n: 0 }, 'n'],
    [{ model, prompt: 'x', n: 1.5 }, 'n'],
    [{ model, prompt: 'x', size: 7 }, 'size'],
    [{ model, prompt: 'x', stream: 'yes' }, 'stream'],
    [{ model, prompt: 'x', num_images: 4 }, 'num_images'],
    [{ model, prompt: 'x', N: 4 }, 'N'],
    [{ prompt: 'x' }, 'model'],
  ] as const) {
    const response = await bench.post('/v1/images/generations', body);
    assert.equal(response.status, 400, JSON.stringify(body));
    const { error } = (await response.json()) as { error: { param: string } };
    assert.equal(error.param, param);
  }
  assert.equal(bench.strict.requests.length, length);
});

test('a refusal of the provider is the package’s error, and nothing is charged', async () => {
  await assert.rejects(
    () => bench.openai.images.generate({ model: 'strict/by-piece', prompt: 'x', n: 11 }),
    (error) => error instanceof OpenAI.APIError && error.status === 400,
  );
  assert.equal(bench.records.at(-1)?.charge ?? 0n, 0n);
});

test('the demo makes PNGs, a cent each', async () => {
  const openai = new OpenAI({ baseURL: `${demo.url}/api/v1`, apiKey: demo.key, maxRetries: 0 });
  const answer = await openai.images.generate({ model: 'demo/image', prompt: 'a road', n: 2, size: '512x512' });
  const png = Buffer.from(answer.data?.[1]?.b64_json ?? '', 'base64');
  assert.deepEqual([png.toString('latin1', 1, 4), png.readUInt32BE(16)], ['PNG', 512]);
  assert.equal(demo.records.at(-1)?.charge, 2n * CENT);
});
