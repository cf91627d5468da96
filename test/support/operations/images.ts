/**
 * https://platform.openai.com/docs/api-reference/images/create and createEdit. `counted` reports tokens, `by-piece` does not; `large` makes images of the
 * size in bytes that its prompt says; `cut` breaks off after its previews, `held` stops before its last image.
 */
import type { ReceivedFile } from '../read-form.ts';
import { isObject, type JsonObject, Refusal } from '../strict-server.ts';
import type { Sent, StrictOperation } from './strict-operation.ts';

const FIELDS = [
  ...['model', 'prompt', 'n', 'size', 'quality', 'user', 'response_format', 'stream', 'partial_images'],
  ...['background', 'moderation', 'output_compression', 'output_format'],
];

export const images: StrictOperation = {
  fields: [...FIELDS, 'style'],
  answer: (body) => answer(body, 'image_generation'),
};

export const imageEdits: StrictOperation = {
  fields: [...FIELDS, 'images', 'mask', 'input_fidelity', 'image', 'image[]', 'markup'],
  answer(body) {
    if (body['image'] !== undefined || body['image[]'] !== undefined) return answer(ofForm(body), 'image_edit');
    const { images: sources, mask = null } = body;
    if (!Array.isArray(sources) || sources.length === 0 || sources.length > 16)
      throw new Refusal(400, 'Invalid images.', { param: 'images' });
    for (const source of [...sources, ...(mask === null ? [] : [mask])])
      if (!isObject(source) || (typeof source['image_url'] !== 'string') === (typeof source['file_id'] !== 'string'))
        throw new Refusal(400, 'Provide exactly one of image_url or file_id.', { param: 'images' });
    return answer(body, 'image_edit');
  },
};

const FILE_BYTES_MAX = 50 * 1024 * 1024;
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** Checks the files; its fields as JSON has them. */
function ofForm(body: JsonObject): JsonObject {
  const { image = [], 'image[]': several = [], mask = [], markup = [], n = '1', stream = 'false' } = body;
  if (Array.isArray(image) === ((several as unknown[]).length === 0) || 'images' in body)
    throw new Refusal(400, 'Provide either image or image[].', { param: 'image' });
  for (const file of [image, several, mask, markup].flat() as ReceivedFile[]) {
    if (!TYPES.includes(file.type)) throw new Refusal(400, 'unsupported mimetype', { param: 'image' });
    if (file.bytes > FILE_BYTES_MAX) throw new Refusal(400, 'Image too large.', { param: 'image' });
  }
  if ((several as unknown[]).length > 16) throw new Refusal(400, 'Too many images.', { param: 'image' });
  const previews = body['partial_images'];
  return {
    ...body,
    ...{ n: Number(n), stream: stream === 'true' },
    ...(previews !== undefined && { partial_images: Number(previews) }),
  };
}

function answer(body: JsonObject, name: string): JsonObject | Sent {
  const { model, prompt, n = 1, stream = false } = body;
  if (typeof prompt !== 'string' || prompt === '') throw new Refusal(400, 'Missing prompt.', { param: 'prompt' });
  if (typeof n !== 'number' || n < 1 || n > 10) throw new Refusal(400, 'Invalid n.', { param: 'n' });
  const b64 = model === 'large' ? 'A'.repeat(Number(prompt)) : IMAGE;
  if (stream === true) return events(body, { name, b64, count: n });
  const data = Array.from({ length: n }, () =>
    body['response_format'] === 'url' ? { url: 'https://images.example/1.png' } : { b64_json: b64 },
  );
  if (model !== 'counted') return { created: 1_700_000_000, data };
  return { created: 1_700_000_000, background: 'opaque', output_format: 'png', ...made(body), data, usage: usageOf(n) };
}

/** What is left open is a large image in high quality. */
function made({ size = null, quality = null }: JsonObject): JsonObject {
  return {
    size: size === null || size === 'auto' ? '1536x1024' : size,
    quality: quality === null || quality === 'auto' ? 'high' : quality,
  };
}

interface Events {
  readonly name: string;
  readonly b64: string;
  readonly count: number;
}

function events(body: JsonObject, { name, b64, count }: Events): Sent {
  const { model, partial_images: previews = 0 } = body;
  const event = (type: string, more: object) => {
    const data = { type: `${name}.${type}`, b64_json: b64, created_at: 1_700_000_000, ...made(body), ...more };
    return Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const pieces = Array.from({ length: count }, () => [
    ...Array.from({ length: Number(previews) }, (_, index) => event('partial_image', { partial_image_index: index })),
    ...(model === 'cut' ? [] : [event('completed', model === 'counted' ? { usage: usageOf(1) } : {})]),
  ]).flat();
  if (model === 'held') return { contentType: 'text/event-stream', pieces: pieces.slice(0, -1), end: 'hold' };
  return { contentType: 'text/event-stream', pieces, end: model === 'cut' ? 'break' : 'end' };
}

export const IMAGE = Buffer.from('not really an image').toString('base64');

function usageOf(count: number): JsonObject {
  return {
    ...{ input_tokens: 12, output_tokens: 100 * count, total_tokens: 12 + 100 * count },
    input_tokens_details: { text_tokens: 12, image_tokens: 0 },
  };
}
