/** What an answer with images, or an event with one, says that they cost: https://platform.openai.com/docs/api-reference/images/object */
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import { ANY, unitClass } from '../../../core/units/units.ts';
import { NO_USAGE, readCount } from '../../../core/usage.ts';
import type { AskedUnits } from '../../interface/peek.ts';
import type { PartContext } from '../../interface/relay.ts';
import type { WholeUsage } from '../../kit/meter/whole-meter.ts';

/** What an image counts if its tokens are not reported: as an image in a prompt does. */
export const IMAGE_TOKENS = 1_000;
/** The same for a preview: https://platform.openai.com/docs/guides/image-generation#partial-images-cost */
export const PARTIAL_IMAGE_TOKENS = 100;

/** The place of the price of what was asked for, in the target's price list; 0 if it has none. */
export type UnitLine = PartContext['unitLine'];

/** That of the class that the answer states; without a statement that of the request, up to what it leaves open; else the dearest that it may be. */
export function imageLine(answer: JsonObject, { name }: AskedUnits, unitLine: UnitLine): number {
  const [kind = '', size = ANY, quality = ANY] = name.split('/');
  const made = [size === ANY ? stated(answer['size']) : size, quality === ANY ? stated(answer['quality']) : quality];
  const known = made.includes(ANY) ? made.slice(0, made.indexOf(ANY)) : made;
  return unitLine([kind, ...known].join('/')) || unitLine(name);
}

function stated(value: unknown): string {
  const text = asText(value);
  return text === null ? ANY : unitClass(text);
}

/**
 * Null if it reports none. Of what the details leave open, all of the output is images; and all of the prompt, too, if it has any
 * (`readsImages`): they are mostly what is read.
 */
export function readImageUsage({ usage }: JsonObject, readsImages: boolean): WholeUsage | null {
  const counts = asObject(usage);
  if (counts === null) return null;
  const [inputTokens, outputTokens] = [readCount(counts['input_tokens']), readCount(counts['output_tokens'])];
  const imageTokens = imagesOf(counts['output_tokens_details'], outputTokens, true);
  const readTokens = imagesOf(counts['input_tokens_details'], inputTokens, readsImages);
  const isInvalid = !isPart(imageTokens, outputTokens) || !isPart(readTokens, inputTokens);
  return {
    usage: {
      ...NO_USAGE,
      inputTokens: inputTokens ?? 0,
      inputImageTokens: readTokens ?? 0,
      outputTokens: outputTokens ?? 0,
      outputImageTokens: imageTokens ?? 0,
    },
    isInvalid,
  };
}

function imagesOf(stated: unknown, whole: number | null, hasImages: boolean): number | null {
  const details = asObject(stated) ?? {};
  const [images, text] = [details['image_tokens'] ?? null, details['text_tokens'] ?? null];
  if (images !== null) return readCount(images);
  if (!hasImages) return 0;
  if (text === null || whole === null) return whole;
  return readCount(whole - (readCount(text) ?? Number.NaN));
}

function isPart(part: number | null, whole: number | null): boolean {
  return part !== null && whole !== null && part <= whole;
}
