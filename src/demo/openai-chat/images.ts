/**
 * Images as OpenAI's interface makes them, of one colour: https://platform.openai.com/docs/api-reference/images/create, and of others:
 * https://platform.openai.com/docs/api-reference/images/createEdit
 */
import type { ServerResponse } from 'node:http';
import { asObject, type JsonObject } from '../../core/json-object.ts';
import { colourOf, IMAGE_MODEL, pngOf } from '../png-of.ts';
import type { DemoForm } from '../read-form.ts';
import { badRequest, modelNotFound } from '../refusal.ts';

/** 2026-11-01: the same request has the same answer. */
const CREATED_SECONDS = Date.UTC(2026, 10, 1) / 1000;
/** As many as OpenAI makes. */
const IMAGES_MAX = 10;
const PREVIEWS_MAX = 3;
const SIZES: ReadonlyMap<unknown, number> = new Map([
  ['256x256', 256],
  ['512x512', 512],
  ['1024x1024', 1024],
]);

/** Sends images of a text. Throws a `Refusal` before anything is sent. */
export function sendImages(body: JsonObject, response: ServerResponse): void {
  send(body, '', 'image_generation', response);
}

/** Sends images whose colour depends on the images in the request as well. Throws a `Refusal` before anything is sent. */
export function sendImageEdits(body: JsonObject, response: ServerResponse): void {
  const { images } = body;
  if (!Array.isArray(images) || images.length === 0)
    throw badRequest('images must be a list of objects with an image_url.', { param: 'images' });
  const sources = images.map((image) => {
    const source = asObject(image)?.['image_url'];
    if (typeof source !== 'string' || !source.startsWith('data:image/'))
      throw badRequest('The demo reads no images by URL: image_url must be a data: URL.', { param: 'images' });
    return source;
  });
  send(body, sources.join(' '), 'image_edit', response);
}

/** The same for a form. */
export function sendImageEditForm({ fields, files }: DemoForm, response: ServerResponse): void {
  const images = files.filter(({ name }) => name === 'image' || name === 'image[]');
  if (images.length === 0) throw badRequest('image must be a file.', { param: 'image' });
  const source = files.map(({ head, bytes }) => `${head.toString('hex')} ${bytes}`).join(' ');
  const values = ['n', 'partial_images'].flatMap((name) => {
    const text = fields.get(name);
    return text === undefined ? [] : [[name, Number(text)] as const];
  });
  const stream = fields.get('stream') === 'true';
  send({ ...Object.fromEntries(fields), ...Object.fromEntries(values), stream }, source, 'image_edit', response);
}

/** `name`: what the names of events begin with. */
function send(body: JsonObject, source: string, name: string, response: ServerResponse): void {
  const { model, prompt, n = 1, size = '256x256', stream = false, partial_images: previews = 0 } = body;
  if (model !== IMAGE_MODEL) throw modelNotFound(String(model));
  if (typeof prompt !== 'string' || prompt === '') throw badRequest('prompt must be a text.', { param: 'prompt' });
  if (typeof n !== 'number' || !Number.isInteger(n) || n < 1 || n > IMAGES_MAX)
    throw badRequest(`n must be a whole number from 1 to ${IMAGES_MAX}.`, { param: 'n' });
  if (typeof previews !== 'number' || !Number.isInteger(previews) || previews < 0 || previews > PREVIEWS_MAX)
    throw badRequest(`partial_images must be from 0 to ${PREVIEWS_MAX}.`, { param: 'partial_images' });
  const pixels = SIZES.get(size);
  if (pixels === undefined) throw badRequest(`size must be ${[...SIZES.keys()].join(', ')}.`, { param: 'size' });
  const images = Array.from({ length: n }, (_, index) =>
    pngOf(colourOf(`${source}${prompt}${index}`), pixels).toString('base64'),
  );
  if (stream === true) return sendEvents(images, { previews, name, size }, response);
  const data = images.map((b64_json) => ({ b64_json }));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ created: CREATED_SECONDS, data, size }));
}

interface Streamed {
  /** Of each image. */
  readonly previews: number;
  readonly name: string;
  readonly size: unknown;
}

function sendEvents(images: readonly string[], { previews, name, size }: Streamed, response: ServerResponse): void {
  const event = (type: string, b64_json: string, more: object) => {
    const data = {
      type: `${name}.${type}`,
      b64_json,
      created_at: CREATED_SECONDS,
      size,
      output_format: 'png',
      ...more,
    };
    response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const image of images) {
    for (let index = 0; index < previews; index += 1) event('partial_image', image, { partial_image_index: index });
    event('completed', image, {});
  }
  response.end();
}
