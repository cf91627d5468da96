/**
 * Goal: OpenAI's package edits images through the gateway as at OpenAI: the form that the provider gets has the caller's fields and files, byte for byte, in
 * any order and any pieces; it is held for like the same request in JSON, and charged once. Method: the official package against a provider
 * as strict as OpenAI, which reads forms with Node's reader; forms by hand; and the demo.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import OpenAI, { toFile } from 'openai';
import { IMAGES, jpeg, PDF, PNG } from '../../src/dialects/kit/media/media-fixture.ts';
import { FormWriter, LINE_BREAK } from '../../src/wire/multipart/form-writer.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { IMAGE } from '../support/operations/images.ts';
import { type OperationsBench, openOperationsBench } from '../support/operations/operations-bench.ts';
import { sha256Of } from '../support/read-form.ts';

const PATH = '/api/v1/images/edits';
const CENT = 10_000_000n;
const MIB = 1024 * 1024;
const PRICES = { units: { image: 0.04, 'image/1024x1024/hd': 0.08, 'image/1536x1024/high': 0.25 } };
const TOKENS = { input: 5, output: 40 };

let bench: OperationsBench;
let small: OperationsBench;
let demo: OpenGateway;
before(async () => {
  const models = [
    { id: 'strict/by-piece', upstream: 'by-piece', prices: PRICES },
    { id: 'strict/counted', upstream: 'counted', prices: TOKENS, contextWindow: 400_000 },
    { id: 'strict/unknown', upstream: 'by-piece', prices: { input: 5, output: 0, units: { image: 0.04 } } },
  ];
  bench = await openOperationsBench(models);
  small = await openOperationsBench(models, { limits: { memoryBytes: 8 * MIB } });
  demo = await openGateway({ demo: true });
});
after(async () => {
  await Promise.all([bench.close(), small.close(), demo.close()]);
});

type Field = readonly [name: string, value: string];
type Part = Field | readonly [name: string, file: Buffer, type?: string];

/** A PNG of about this many bytes. */
function png(bytes: number): Buffer {
  return Buffer.concat([PNG, randomBytes(bytes)]);
}

function bodyOf(parts: readonly Part[]): { readonly body: Buffer; readonly type: string } {
  const writer = new FormWriter();
  const written = parts.flatMap(([name, value, contentType = 'image/png']) =>
    typeof value === 'string'
      ? [writer.field({ name, value: Buffer.from(value) })]
      : [writer.file({ name, fileName: 'a.png', contentType }), value, LINE_BREAK],
  );
  return { body: Buffer.concat([...written, writer.end()]), type: writer.contentType };
}

async function send(
  parts: readonly Part[],
  { piece, to = bench }: { readonly piece?: number; readonly to?: OperationsBench } = {},
): Promise<Response> {
  const { body, type } = bodyOf(parts);
  return fetch(`${to.url}${PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${to.key}`, 'content-type': type },
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

function received(bytes: Buffer, type = 'image/png', filename = 'a.png') {
  return { filename, type, bytes: bytes.length, sha256: sha256Of(bytes) };
}

async function errorOf(response: Response): Promise<{ code: string; param: string; message: string }> {
  return ((await response.json()) as { error: { code: string; param: string; message: string } }).error;
}

const MODEL: Field = ['model', 'strict/by-piece'];
const PROMPT: Field = ['prompt', 'a road'];

test('the package’s form arrives with one image or several, with a mask, and each image made is charged', async () => {
  const [one, two, mask] = [png(40_000), png(1_500_000), png(900)];
  const file = (bytes: Buffer, name: string) => toFile(bytes, name, { type: 'image/png' });
  const asked = { prompt: 'a "road"\r\n--é', size: '1024x1024', quality: 'hd', n: 2, input_fidelity: 'high' } as const;
  for (const isList of [false, true]) {
    const ended = bench.nextRecord();
    const image = isList ? [await file(one, 'one.png'), await file(two, 'two é.png')] : await file(one, 'one.png');
    const answer = await bench.openai.images.edit({
      ...{ image, mask: await file(mask, 'mask.png'), model: 'strict/by-piece' },
      ...(asked as Omit<typeof asked, 'quality'>),
    });
    assert.deepEqual(answer.data?.[1], { b64_json: IMAGE });
    const { body, headers } = bench.strict.last();
    const first = received(one, 'image/png', 'one.png');
    assert.deepEqual(body, {
      ...(isList ? { 'image[]': [first, received(two, 'image/png', 'two é.png')] } : { image: first }),
      ...{ mask: received(mask, 'image/png', 'mask.png'), ...asked, n: '2', model: 'by-piece' },
    });
    assert.ok(Number(headers['content-length']) > one.length);
    const record = await ended;
    assert.deepEqual(
      [record.operation, record.usage.units, record.hold, record.charge, record.ending],
      ['image_edits', 2, 16n * CENT, 16n * CENT, 'complete'],
    );
  }
});

test('previews and images arrive as events through the package', async () => {
  const ended = bench.nextRecord();
  const stream = await bench.openai.images.edit({
    ...{ image: await toFile(PNG, 'a.png', { type: 'image/png' }), prompt: 'a road', model: 'strict/by-piece' },
    ...{ stream: true, partial_images: 2, size: '1024x1024' },
  });
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  assert.deepEqual(
    types,
    ['partial_image', 'partial_image', 'completed'].map((type) => `image_edit.${type}`),
  );
  const { charge, streamed } = await ended;
  assert.deepEqual([charge, streamed], [4n * CENT, true]);
});

test('a form is held for like the same request in JSON: its images by their number, whatever their bytes', async () => {
  const holdOf = async (asking: Promise<Response>) => {
    const ended = bench.nextRecord();
    const response = await asking;
    assert.equal(response.status, 200, await response.text());
    const { hold, charge } = await ended;
    assert.ok(charge <= (hold ?? 0n));
    return Number(hold) / 1e9;
  };
  const model: Field = ['model', 'strict/counted'];
  for (const images of [[PNG], [PNG, jpeg(700_000)], [PNG, png(200_000), PNG]]) {
    const image_url = `data:image/png;base64,${PNG.toString('base64')}`;
    const json = { model: 'strict/counted', prompt: 'a road', images: images.map(() => ({ image_url })) };
    const files = images.map((file): Part => ['image[]', file, file[0] === 0xff ? 'image/jpeg' : 'image/png']);
    const ofForm = await holdOf(send([model, PROMPT, ...files]));
    const ofJson = await holdOf(bench.post(PATH, json));
    // The form's document describes its files with other words than JSON has around them.
    assert.ok(Math.abs(ofForm - ofJson) < 0.002, `${ofForm} and ${ofJson}`);
  }
  // What is no image may be as long as the context window, at $5 a million.
  for (const file of [
    ['image', PDF, 'image/png'],
    ['image', PNG, 'image/jpeg'],
    ['mask', PDF, 'image/png'],
  ] as const) {
    const more: readonly Part[] = file[0] === 'mask' ? [['image', PNG]] : [];
    assert.ok((await holdOf(send([model, PROMPT, ...more, file]))) > 2);
  }
  for (const [type, file] of IMAGES.filter(([name]) => name !== 'image/gif'))
    assert.ok((await holdOf(send([model, PROMPT, ['image', file, type]]))) < 1, type);
});

test('a form above a few photographs is sent on while it arrives, and held for as if all of its images came', async () => {
  const photos = [png(6 * MIB), png(6 * MIB)];
  for (const [model, hold] of [
    ['strict/by-piece', 8n * CENT],
    ['strict/counted', null],
  ] as const) {
    const ended = bench.nextRecord();
    const fields: readonly Field[] = [['model', model], PROMPT, ['size', '1024x1024']];
    const files = photos.map((file): Part => ['image[]', file]);
    const response = await send([...fields, ...files, ['stream', 'false'], ['user', 'x']], { piece: 300_000 });
    assert.equal(response.status, 200, await response.text());
    const { body, headers } = bench.strict.last();
    assert.equal(headers['transfer-encoding'], 'chunked');
    assert.deepEqual(body, {
      ...{ model: model.split('/')[1], prompt: 'a road', size: '1024x1024', stream: 'false', user: 'x' },
      'image[]': photos.map((file) => received(file)),
    });
    const record = await ended;
    if (hold !== null) assert.deepEqual([record.hold, record.charge], [hold, 4n * CENT]);
    // 19 images, each at the most that one of an unknown model takes, within the window.
    else assert.ok((record.hold ?? 0n) > 2_000_000_000n, String(record.hold));
  }
});

test('what comes after the files and makes the call cost more ends it before the provider has all of it', async () => {
  const { length } = bench.strict.requests;
  const photo: Part = ['image', png(9 * MIB)];
  const counted: Field = ['model', 'strict/counted'];
  for (const [parts, param] of [
    [[MODEL, PROMPT, photo, ['n', '2']], null],
    [[counted, PROMPT, photo, ['user', 'x'.repeat(90_000)]], null],
    [[MODEL, PROMPT, photo, ['num_images', '2']], 'num_images'],
    [[MODEL, PROMPT, photo, ['image', PNG]], 'image'],
    [[MODEL, PROMPT, photo, ['mask', Buffer.alloc(0)]], 'mask'],
    [[MODEL, PROMPT, ['mask', png(9 * MIB)]], 'image'],
  ] as readonly (readonly [readonly Part[], string | null])[]) {
    const ended = bench.nextRecord();
    const response = await send(parts);
    assert.equal(response.status, 400, String(parts.at(-1)?.[0]));
    const error = await errorOf(response);
    assert.equal(error.param, param);
    if (param === null) assert.match(error.message, /before the files/);
    const { charge, fault } = await ended;
    assert.deepEqual([charge, fault], [0n, 0n]);
  }
  assert.equal(bench.strict.requests.length, length);
  // With fewer bytes of images, all of it is read first, in any order.
  const response = await send([photo.with(1, png(3 * MIB)) as unknown as Part, ['n', '2'], PROMPT, MODEL]);
  assert.equal(response.status, 200, await response.text());
  assert.equal(bench.records.at(-1)?.usage.units, 2);
});

test('with little memory a form goes on as soon as it can be judged; otherwise the error says what helps', async () => {
  const photo: Part = ['image', png(6 * MIB)];
  const answered = await send([MODEL, PROMPT, photo], { to: small });
  assert.equal(answered.status, 200, await answered.text());
  assert.equal(small.strict.last().headers['transfer-encoding'], 'chunked');
  const refused = await send([photo, MODEL, PROMPT], { to: small });
  assert.equal(refused.status, 413);
  assert.match((await errorOf(refused)).message, /send the fields "model" and "prompt" before the files/);
  assert.equal(small.app.gateway.memory.used, 0);
});

test('a form in any order and in any pieces arrives as it was sent', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  const field = fc.tuple(fc.constantFrom('user', 'background', 'moderation'), text);
  const fields = fc.uniqueArray(field, { selector: ([name]) => name });
  const sizes = fc.array(fc.integer({ min: 1, max: 2_500_000 }), { minLength: 1, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(
      fields,
      sizes,
      fc.boolean(),
      fc.infiniteStream(fc.nat()),
      fc.nat(480_000),
      async (others, lengths, hasMask, places, piece) => {
        const kept = lengths.reduce((sum, length) => (sum + length > 20 * MIB ? sum : sum + length), 0);
        const files = lengths.filter((_, at) => at < 4 || kept < 8 * MIB).map(png);
        const mask = png(500);
        const parts: Part[] = files.map((file) => ['image[]', file]);
        const add = (part: Part) => parts.splice((places.next().value as number) % (parts.length + 1), 0, part);
        for (const each of others) add(each);
        if (hasMask) add(['mask', mask]);
        // So that it can go on before it is complete, or not.
        add(MODEL);
        add(PROMPT);
        const response = await send(parts, { piece: 20_000 + piece });
        assert.equal(response.status, 200, await response.text());
        assert.deepEqual(bench.strict.last().body, {
          ...Object.fromEntries(others),
          ...{ model: 'by-piece', prompt: 'a road', 'image[]': files.map((file) => received(file)) },
          ...(hasMask && { mask: received(mask) }),
        });
      },
    ),
    { numRuns: 20 },
  );
});

test('a form that is cut anywhere is the caller’s error, reaches no provider whole, and costs nothing', async () => {
  const { length } = bench.strict.requests;
  const forms = [
    bodyOf([MODEL, PROMPT, ['image[]', png(2_000)], ['image[]', png(100)], ['mask', png(100)], ['n', '1']]),
    bodyOf([MODEL, PROMPT, ['image[]', png(9 * MIB)], ['image[]', png(100)], ['n', '1']]),
  ];
  const charged = bench.records.reduce((sum, { charge }) => sum + charge, 0n);
  for (const { body, type } of forms) {
    const ends = Array.from({ length: 12 }, (_, at) => body.length - 6 - at * 61);
    for (const end of ends) {
      const response = await fetch(`${bench.url}${PATH}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bench.key}`, 'content-type': type },
        body: new Uint8Array(body.subarray(0, end)),
      });
      assert.equal(response.status, 400, String(end));
      assert.match((await errorOf(response)).message, /not valid multipart/);
    }
  }
  assert.equal(bench.strict.requests.length, length);
  assert.equal(
    bench.records.reduce((sum, { charge }) => sum + charge, 0n),
    charged,
  );
});

test('what cannot be served is refused before a provider is asked', async () => {
  const { length } = bench.strict.requests;
  const image: Part = ['image', PNG];
  const cases: readonly (readonly [readonly Part[], string | null])[] = [
    [[PROMPT, image], 'model'],
    [[MODEL, image], 'prompt'],
    [[MODEL, PROMPT], 'image'],
    [[MODEL, PROMPT, ['mask', PNG]], 'image'],
    [[MODEL, PROMPT, ['image', Buffer.alloc(0)]], 'image'],
    [[MODEL, PROMPT, ['image', 'https://images.example/1.png']], 'image'],
    [[MODEL, PROMPT, ['image[]', 'https://images.example/1.png']], 'image[]'],
    [[MODEL, PROMPT, image, image], 'image'],
    [[MODEL, PROMPT, ...Array.from({ length: 17 }, (): Part => ['image[]', PNG])], 'image[]'],
    [[MODEL, PROMPT, image, ['file', PNG]], 'file'],
    [[MODEL, PROMPT, image, ['__proto__', PNG]], '__proto__'],
    [[MODEL, PROMPT, image, ['images', '[{"file_id":"file-1"}]']], 'images'],
    [[MODEL, PROMPT, image, ['images[]', 'https://images.example/1.png']], 'images[]'],
    [[MODEL, PROMPT, image, ['Image[]', 'https://images.example/1.png']], 'Image[]'],
    [[MODEL, PROMPT, image, ['Image', 'https://images.example/1.png']], 'Image'],
    [[MODEL, PROMPT, image, ['image_url', 'https://images.example/1.png']], 'image_url'],
    [[MODEL, PROMPT, image, ['file_id', 'file-1']], 'file_id'],
    [[MODEL, PROMPT, image, ['n', '0']], 'n'],
    [[MODEL, PROMPT, image, ['n', '1e1']], 'n'],
    [[MODEL, PROMPT, image, ['n', '101']], 'n'],
    [[MODEL, PROMPT, image, ['stream', 'maybe']], 'stream'],
    [[MODEL, PROMPT, image, ['batch_size', '4']], 'batch_size'],
    [[MODEL, PROMPT, image, ['N', '4']], 'N'],
    [[MODEL, PROMPT, image, ['api_key', 'x']], 'api_key'],
    [[MODEL, ['prompt', 'x'.repeat(140_000)], image], 'prompt'],
  ];
  for (const [parts, param] of cases) {
    const response = await send(parts);
    assert.equal(response.status, 400, JSON.stringify(parts).slice(0, 200));
    assert.equal((await errorOf(response)).param, param);
  }
  for (const type of ['multipart/form-data', 'multipart/mixed; boundary=x', 'text/plain']) {
    const response = await fetch(`${bench.url}${PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.key}`, 'content-type': type },
      body: '{}',
    });
    assert.equal(response.status, 415, type);
  }
  assert.equal(bench.strict.requests.length, length);
});

test('a refusal of the provider is the package’s error, and nothing is charged', async () => {
  const ended = bench.nextRecord();
  const image = await toFile(PNG, 'a.gif', { type: 'image/gif' });
  await assert.rejects(
    () => bench.openai.images.edit({ image, prompt: 'x', model: 'strict/unknown' }),
    (error) => error instanceof OpenAI.APIError && error.status === 400 && error.param === 'image',
  );
  assert.equal((await ended).charge, 0n);
});

test('the demo makes other images of other files, whole and as events', async () => {
  const openai = new OpenAI({ baseURL: `${demo.url}/api/v1`, apiKey: demo.key, maxRetries: 0 });
  const edit = async (bytes: Buffer, more: object = {}) =>
    openai.images.edit({
      ...{ image: await toFile(bytes, 'a.png', { type: 'image/png' }), prompt: 'a road', model: 'demo/image' },
      ...more,
    } as OpenAI.ImageEditParamsNonStreaming);
  const [one, again, other] = [await edit(PNG), await edit(PNG), await edit(jpeg(), { n: 2 })];
  assert.deepEqual(one.data, again.data);
  assert.notDeepEqual(one.data?.[0], other.data?.[0]);
  assert.equal(demo.records.at(-1)?.charge, 2n * CENT);
  const types: string[] = [];
  const events = (await edit(PNG, { stream: true, partial_images: 1 })) as unknown as AsyncIterable<{ type: string }>;
  for await (const { type } of events) types.push(type);
  assert.deepEqual(types, ['image_edit.partial_image', 'image_edit.completed']);
});
