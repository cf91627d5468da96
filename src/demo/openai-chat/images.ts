/** Images as OpenAI's interface makes them, of one colour: https://platform.openai.com/docs/api-reference/images/create */
import type { JsonObject } from '../../core/json-object.ts';
import { colourOf, IMAGE_MODEL, pngOf } from '../png-of.ts';
import { badRequest, modelNotFound } from '../refusal.ts';

/** 2026-11-01: the same request has the same answer. */
const CREATED_SECONDS = Date.UTC(2026, 10, 1) / 1000;
/** As many as OpenAI makes. */
const IMAGES_MAX = 10;
const SIZES: ReadonlyMap<unknown, number> = new Map([
  ['256x256', 256],
  ['512x512', 512],
  ['1024x1024', 1024],
]);

/** The answer as JSON. Throws a `Refusal`. */
export function answerImages(body: JsonObject): string {
  const { model, prompt, n = 1, size = '256x256' } = body;
  if (model !== IMAGE_MODEL) throw modelNotFound(String(model));
  if (typeof prompt !== 'string' || prompt === '') throw badRequest('prompt must be a text.');
  if (typeof n !== 'number' || !Number.isInteger(n) || n < 1 || n > IMAGES_MAX)
    throw badRequest(`n must be a whole number from 1 to ${IMAGES_MAX}.`);
  const pixels = SIZES.get(size);
  if (pixels === undefined) throw badRequest(`size must be ${[...SIZES.keys()].join(', ')}.`);
  const data = Array.from({ length: n }, (_, index) => ({
    b64_json: pngOf(colourOf(`${prompt}${index}`), pixels).toString('base64'),
  }));
  return JSON.stringify({ created: CREATED_SECONDS, data, size });
}
