/**
 * Goal: images as events, and images made of others, pass as from OpenAI, and each is charged once, never above what was held. Method: the official package
 * against a provider as strict as OpenAI, and the demo.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { IMAGE } from '../support/operations/images.ts';
import { type OperationsBench, openOperationsBench } from '../support/operations/operations-bench.ts';

const CENT = 10_000_000n;
const EDITS = '/api/v1/images/edits';
const PRICES = { units: { image: 0.04, 'image/1024x1024/hd': 0.08, 'image/1536x1024/high': 0.25 } };
/** A white pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAGx7yMgAAAABJRU5ErkJggg==';
const DATA = `data:image/png;base64,${PIXEL}`;

let bench: OperationsBench;
let demo: OpenGateway;
before(async () => {
  bench = await openOperationsBench([
    ...['by-piece', 'large', 'cut', 'held'].map((name) => ({ id: `strict/${name}`, upstream: name, prices: PRICES })),
    { id: 'strict/counted', upstream: 'counted', prices: { input: 5, output: 40 }, contextWindow: 400_000 },
    { id: 'strict/uncounted', upstream: 'by-piece', prices: { input: 5, output: 40 } },
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

test('previews and images arrive as events through OpenAI’s package, and only images are counted', async () => {
  const ended = bench.nextRecord();
  const sent = { prompt: 'a road', n: 2, partial_images: 2, size: '1024x1024' } as const;
  const stream = await bench.openai.images.generate({ model: 'strict/by-piece', ...sent, stream: true });
  const types: string[] = [];
  for await (const event of stream) {
    types.push(event.type);
    assert.equal(event.b64_json, IMAGE);
  }
  const one = ['partial_image', 'partial_image', 'completed'].map((type) => `image_generation.${type}`);
  assert.deepEqual(types, [...one, ...one]);
  assert.deepEqual(bench.strict.last().body, { model: 'by-piece', ...sent, stream: true });
  const record = await ended;
  assert.deepEqual(
    [record.operation, record.usage.units, record.charge, record.usageSource, record.streamed],
    ['images', 2, 8n * CENT, 'reported', true],
  );
});

test('what the events say is charged: their class, and the tokens of each image', async () => {
  for (const [model, charge] of [
    ['strict/by-piece', 50n * CENT],
    ['strict/counted', 2n * (12n * 5_000n + 100n * 40_000n)],
  ] as const) {
    const ended = bench.nextRecord();
    const response = await bench.post('/api/v1/images/generations', { model, prompt: 'a road', n: 2, stream: true });
    await response.text();
    assert.equal((await ended).charge, charge, model);
    last();
  }
});

test('an event with a large image passes byte for byte', async () => {
  const bytes = 9 * 1024 * 1024;
  const ended = bench.nextRecord();
  const stream = await bench.openai.images.generate({
    model: 'strict/large',
    prompt: String(bytes),
    stream: true,
    size: '1024x1024',
  });
  for await (const event of stream) assert.equal(event.b64_json, 'A'.repeat(bytes));
  assert.deepEqual([(await ended).charge, last().usage.units], [4n * CENT, 1]);
});

test('an event that is longer than any image breaks the stream off, and costs nothing', async () => {
  const ended = bench.nextRecord();
  const body = { model: 'strict/large', prompt: String(33 * 1024 * 1024), stream: true };
  const response = await bench.post('/api/v1/images/generations', body);
  assert.match(await response.text(), /more than 33554432 bytes/);
  const record = await ended;
  assert.deepEqual([record.ending, record.charge], ['upstream_failed', 0n]);
});

test('a large event takes memory while it arrives: without any left the stream ends, and it is given back', async () => {
  const small = await openOperationsBench([{ id: 'strict/large', upstream: 'large', prices: PRICES }], {
    limits: { memoryBytes: 4 * 1024 * 1024 },
  });
  try {
    const ask = async (bytes: number) => {
      const ended = small.nextRecord();
      const body = { model: 'strict/large', prompt: String(bytes), stream: true };
      const text = await (await small.post('/api/v1/images/generations', body)).text();
      await ended;
      return text;
    };
    assert.match(await ask(9 * 1024 * 1024), /needs more memory than one account can use/);
    assert.equal(small.records.at(-1)?.charge, 0n);
    assert.equal(small.app.gateway.memory.used, 0);
    assert.match(await ask(1024 * 1024), /image_generation\.completed/);
  } finally {
    await small.close();
  }
});

test('a stream that breaks off after its previews costs the caller nothing', async () => {
  const ended = bench.nextRecord();
  const body = { model: 'strict/cut', prompt: 'a road', stream: true, partial_images: 3 };
  const text = await (await bench.post('/api/v1/images/generations', body)).text();
  assert.match(text, /partial_image/);
  assert.match(text, /bad_gateway/);
  const record = await ended;
  assert.deepEqual([record.ending, record.charge, record.fault], ['upstream_failed', 0n, 25n * CENT]);
});

test('a caller that leaves with its previews pays for the images that they show', async () => {
  for (const [n, cents] of [
    [1, 25n],
    [2, 50n],
  ] as const) {
    const ended = bench.nextRecord();
    const leaving = new AbortController();
    const body = { model: 'strict/held', prompt: 'a road', n, stream: true, partial_images: 1 };
    const response = await fetch(`${bench.url}/api/v1/images/generations`, {
      ...{ method: 'POST', signal: leaving.signal, body: JSON.stringify(body) },
      headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
    });
    const reader = response.body?.getReader() ?? assert.fail('it has a body');
    let text = '';
    while (text.split('partial_image_index').length <= n)
      text += Buffer.from((await reader.read()).value ?? '').toString();
    leaving.abort();
    const record = await ended;
    assert.deepEqual([record.ending, record.charge, record.usage.units], ['caller_left', cents * CENT, n]);
  }
});

test('images are made of others, whole and as events, and permitted like images', async () => {
  const images = [{ image_url: DATA }, { image_url: 'https://images.example/a.png' }];
  for (const stream of [false, true]) {
    const ended = bench.nextRecord();
    const sent = {
      prompt: 'as a painting',
      images,
      mask: { image_url: DATA },
      size: '1024x1024',
      quality: 'hd',
      stream,
    };
    const response = await bench.post(EDITS, { model: 'strict/by-piece', ...sent });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    assert.ok(text.includes(IMAGE) && text.includes('image_edit.completed') === stream);
    assert.deepEqual(bench.strict.last().body, { model: 'by-piece', ...sent });
    const record = await ended;
    assert.deepEqual([record.operation, record.usage.units, record.charge], ['image_edits', 1, 8n * CENT]);
  }
});

test('images in the body are held for by the image, those by URL for the whole window', async () => {
  const hold = async (images: readonly object[], n = 1) => {
    await (await bench.post(EDITS, { model: 'strict/counted', prompt: 'x', images, n })).text();
    return last().hold ?? 0n;
  };
  const [one, two, twice, byUrl] = [
    await hold([{ image_url: DATA }]),
    await hold([{ image_url: DATA }, { image_url: DATA }]),
    await hold([{ image_url: DATA }], 2),
    await hold([{ image_url: 'https://images.example/a.png' }]),
  ];
  assert.ok(two > one && twice > one && byUrl > two, `${one}, ${two}, ${twice}, ${byUrl}`);
  assert.ok(byUrl >= 400_000n * 5_000n);
});

test('what is no request for an edit, and what a provider keeps, is refused before one is asked', async () => {
  const { length } = bench.strict.requests;
  const model = 'strict/by-piece';
  const images = [{ image_url: DATA }];
  for (const [body, param] of [
    [{ model, images }, 'prompt'],
    [{ model, prompt: 'x' }, 'images'],
    [{ model, prompt: 'x', images: [] }, 'images'],
    [{ model, prompt: 'x', images: DATA }, 'images'],
    [{ model, prompt: 'x', image: DATA }, 'image'],
    [{ model, prompt: 'x', images: [{ file_id: 'file-1' }] }, 'images[].file_id'],
    [{ model, prompt: 'x', images, mask: { file_id: 'file-1' } }, 'mask.file_id'],
    [{ model, prompt: 'x', images, num_images: 4 }, 'num_images'],
    [{ model, prompt: 'x', images, Images: images }, 'Images'],
  ] as const) {
    const response = await bench.post(EDITS, body);
    assert.equal(response.status, 400, JSON.stringify(body));
    const { error } = (await response.json()) as { error: { param: string } };
    assert.equal(error.param, param);
  }
  assert.equal(bench.strict.requests.length, length);
});

test('the demo makes events, and other images of an image', async () => {
  const openai = new OpenAI({ baseURL: `${demo.url}/api/v1`, apiKey: demo.key, maxRetries: 0 });
  const ended = demo.nextRecord();
  const types: string[] = [];
  const asked = { model: 'demo/image', prompt: 'a road', partial_images: 1 } as const;
  for await (const { type } of await openai.images.generate({ ...asked, stream: true })) types.push(type);
  assert.deepEqual(types, ['image_generation.partial_image', 'image_generation.completed']);
  assert.equal((await ended).charge, CENT);
  const edited = await demo.post(EDITS, { ...asked, images: [{ image_url: DATA }] });
  const { data } = (await edited.json()) as { data: { b64_json: string }[] };
  assert.equal(Buffer.from(data[0]?.b64_json ?? '', 'base64').toString('latin1', 1, 4), 'PNG');
});
