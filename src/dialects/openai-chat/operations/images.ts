/**
 * Images of a text: https://platform.openai.com/docs/api-reference/images/create. Models that report a usage are charged by its tokens, others by
 * the image, whose class is its size and quality: `image/1024x1024/high`.
 */
import { asArray, asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import { ANY, unitClass } from '../../../core/units/units.ts';
import { NO_USAGE, readCount, type Usage } from '../../../core/usage.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import type { OperationPart } from '../../interface/operation-part.ts';
import type { AskedUnits, Peek } from '../../interface/peek.ts';
import type { PartContext } from '../../interface/relay.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import type { WholeReading, WholeUsage } from '../../kit/meter/whole-meter.ts';
import { refused } from '../../kit/peek/governed-field.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';
import { patchPart } from './patch-part.ts';
import { partReader } from './peek-part.ts';
import { wholeRelayOf } from './whole-relay.ts';

/** How other servers call `n`, which would be images that nobody has paid for. */
const OTHER_COUNTS = ['batch_size', 'num_images', 'num_outputs', 'num_samples', 'number_results', 'samples'];

const read = partReader({
  governed: OTHER_COUNTS.map((name) => refused(name, 'it asks for more images than "n" says', 'Use "n".')),
  read: ['prompt', 'n', 'size', 'quality', 'response_format', 'output_format', 'background', 'style', 'user'],
  prompt: ['prompt'],
});

/** OpenAI makes 10 at most; others may make more. */
const IMAGES_MAX = 100;
/**
 * Of one image: the largest in high quality has 6,240, https://platform.openai.com/docs/guides/image-generation#cost-and-latency. A model with
 * the price `outputImage` is held for by its own cap, if that is larger.
 */
const IMAGE_TOKENS_MAX = 8_192;
/** What an image counts if its tokens are not reported: as an image in a prompt does. */
const IMAGE_TOKENS = 1_000;

export const images: OperationPart = {
  exampleBody: (model) => ({ model, prompt: 'Hello, Turnpike' }),
  peek({ document }) {
    const peek = read(document);
    requirePrompt(document);
    if (requestFields.readFlag(document, 'stream'))
      throw unsupported('stream', 'Images are not streamed by this gateway: leave "stream" out.');
    const most = requestFields.readWholeNumber(document, 'n', IMAGES_MAX) ?? 1;
    return {
      ...peek,
      outputCap: IMAGE_TOKENS_MAX,
      choices: most,
      // Each image may be counted with the whole prompt.
      growth: peek.growth * most + peek.bodyBytes * (most - 1),
      promptUnbounded: document.watched.some(({ type }) => type !== 'null'),
      units: {
        name: `image/${classOf(document, 'size')}/${classOf(document, 'quality')}`,
        most,
        orTokens: true,
        field: 'n',
      },
    };
  },
  patchRequest: patchPart,
  openRelay: wholeRelayOf(readingOf),
};

function requirePrompt(document: JsonDocument): void {
  if (requestFields.required(document, 'prompt').type !== 'string') throw invalid('prompt', '"prompt" must be a text.');
}

function classOf(document: JsonDocument, name: string): string {
  const field = requestFields.present(document, name);
  if (field === null) return ANY;
  if (field.type !== 'string') throw invalid(name, `"${name}" must be a string.`);
  return unitClass(readString(document, field));
}

function readingOf({ units }: Peek, context: PartContext): WholeReading {
  const asked = units as AskedUnits;
  return {
    isAnswer: ({ data }) => imagesIn(data) > 0,
    readUsage,
    readUnits: (answer) => ({ units: imagesIn(answer['data']), unitLine: lineOf(answer, asked, context) }),
    tokensOf: ({ data }) => imagesIn(data) * IMAGE_TOKENS,
  };
}

function imagesIn(data: unknown): number {
  return asArray(data)?.length ?? 0;
}

/** The price of the class that the answer states; without a statement that of the request, up to what it leaves open; else the dearest that it may be. */
function lineOf(answer: JsonObject, { name }: AskedUnits, { unitLine }: PartContext): number {
  const [kind = '', size = ANY, quality = ANY] = name.split('/');
  const made = [size === ANY ? stated(answer['size']) : size, quality === ANY ? stated(answer['quality']) : quality];
  const known = made.includes(ANY) ? made.slice(0, made.indexOf(ANY)) : made;
  return unitLine([kind, ...known].join('/')) || unitLine(name);
}

function stated(value: unknown): string {
  const text = asText(value);
  return text === null ? ANY : unitClass(text);
}

/** https://platform.openai.com/docs/api-reference/images/object */
function readUsage({ usage }: JsonObject): WholeUsage | null {
  const counts = asObject(usage);
  if (counts === null) return null;
  const [inputTokens, outputTokens] = [readCount(counts['input_tokens']), readCount(counts['output_tokens'])];
  // All of the output is images unless it says otherwise.
  const details = asObject(counts['output_tokens_details']);
  const imageTokens = details === null ? outputTokens : readCount(details['image_tokens'] ?? 0);
  const isInvalid = inputTokens === null || outputTokens === null || imageTokens === null || imageTokens > outputTokens;
  const read: Usage = {
    ...NO_USAGE,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    outputImageTokens: imageTokens ?? 0,
  };
  return { usage: read, isInvalid };
}
