/** What making images and editing them have in common: how many are asked for, of which class, and how their answers are read. */
import { asArray } from '../../../core/json-object.ts';
import { ANY, unitClass } from '../../../core/units/units.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import type { OperationPart, StreamingPart } from '../../interface/operation-part.ts';
import type { AskedUnits, Peek } from '../../interface/peek.ts';
import type { PartContext } from '../../interface/relay.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import type { InlineMedia } from '../../kit/media/inline-media.ts';
import type { WholeReading } from '../../kit/meter/whole-meter.ts';
import { refused } from '../../kit/peek/governed-field.ts';
import { type RequestFields, requestFields } from '../../kit/peek/request-fields.ts';
import { FrameRelay } from '../../kit/relay/frame-relay.ts';
import { passingEditor } from '../../kit/relay/passing-editor.ts';
import { ImageStreamMeter } from '../meter/image-stream-meter.ts';
import { IMAGE_TOKENS, imageLine, readImageUsage } from '../meter/image-usage.ts';
import { type PartFields, type PeekPart, partReader } from './peek-part.ts';
import { wholeRelayOf } from './whole-relay.ts';

/** How other servers call `n`, which would be images that nobody has paid for. */
const OTHER_COUNTS = ['batch_size', 'num_images', 'num_outputs', 'num_samples', 'number_results', 'samples'];

const READ = [
  ...['prompt', 'n', 'size', 'quality', 'response_format', 'output_format', 'output_compression', 'background'],
  ...['moderation', 'partial_images', 'style', 'user', 'frame_count'],
];

/** Of a moving image, each of which may be counted like an image: https://platform.openai.com/docs/api-reference/images/create */
const FRAMES_MAX = 16;
const FRAMES_USUAL = 9;
/** OpenAI makes 10 at most; others may make more. */
const IMAGES_MAX = 100;
/**
 * Of one image: the largest in high quality has 6,240, https://platform.openai.com/docs/guides/image-generation#cost-and-latency, and each of its
 * previews 100. A model with the price `outputImage` is held for by its own cap, if that is larger.
 */
const IMAGE_TOKENS_MAX = 8_192;

/** The longest event with an image: base 64 of one of 8 megapixels that does not compress. */
export const imageStreaming: StreamingPart = { frameBytesMax: 32 * 1024 * 1024 };

export interface ImageReading {
  /** Fields that are read besides those of every request for images. */
  readonly fields?: readonly string[];
  /** The same for governed ones. */
  readonly governed?: PartFields['governed'];
  /** Reads numbers and flags; those of JSON if absent. */
  readonly values?: Pick<RequestFields<string>, 'readFlag' | 'readWholeNumber'>;
}

export function imageReader({ fields = [], governed = [], values = requestFields }: ImageReading = {}): PeekPart {
  const counts = OTHER_COUNTS.map((name) => refused(name, 'it asks for more images than "n" says', 'Use "n".'));
  const read = partReader({ governed: [...counts, ...governed], read: [...READ, ...fields], prompt: ['prompt'] });
  return (document) => {
    const peek = read(document);
    requirePrompt(document);
    const most = values.readWholeNumber(document, 'n', IMAGES_MAX) ?? 1;
    const frames =
      values.readWholeNumber(document, 'frame_count', FRAMES_MAX) ?? (isMoving(document) ? FRAMES_USUAL : 1);
    return {
      ...peek,
      stream: values.readFlag(document, 'stream'),
      outputCap: IMAGE_TOKENS_MAX,
      choices: most * frames,
      units: {
        name: `image/${classOf(document, 'size')}/${classOf(document, 'quality')}`,
        most,
        orTokens: true,
        field: 'n',
      },
    };
  };
}

/** With the images that are read: each one that is made may be counted with all of them, and with the whole prompt. */
export function withReadImages(peek: Peek, media: InlineMedia): Peek {
  const textBytes = peek.bodyBytes - media.bytes;
  return {
    ...peek,
    media: { ...media, images: media.images * peek.choices },
    growth: peek.growth * peek.choices + textBytes * (peek.choices - 1),
    promptUnbounded: !media.isBounded,
  };
}

function requirePrompt(document: JsonDocument): void {
  if (requestFields.required(document, 'prompt').type !== 'string') throw invalid('prompt', '"prompt" must be a text.');
}

function classOf(document: JsonDocument, name: string): string {
  const field = requestFields.present(document, name);
  if (field === null) return ANY;
  if (field.type !== 'string') throw invalid(name, `"${name}" must be a string.`);
  return unitClass(readString(document, field));
}

function isMoving(document: JsonDocument): boolean {
  const field = requestFields.present(document, 'output_format');
  return field?.type === 'string' && readString(document, field) === 'gif';
}

export const openImageRelay: OperationPart['openRelay'] = (peek, context) =>
  peek.stream
    ? new FrameRelay({
        meter: new ImageStreamMeter(peek.units as AskedUnits, (name) => context.unitLine(name), readsImages(peek)),
        editor: passingEditor,
        guard: context.guard,
      })
    : openWhole(peek, context);

const openWhole = wholeRelayOf(readingOf);

function readsImages({ media }: Peek): boolean {
  return media.images > 0;
}

function readingOf(peek: Peek, { unitLine }: PartContext): WholeReading {
  return {
    isAnswer: ({ data }) => imagesIn(data) > 0,
    readUsage: (answer) => readImageUsage(answer, readsImages(peek)),
    readUnits: (answer) => ({
      units: imagesIn(answer['data']),
      unitLine: imageLine(answer, peek.units as AskedUnits, unitLine),
    }),
    tokensOf: ({ data }) => imagesIn(data) * IMAGE_TOKENS,
  };
}

function imagesIn(data: unknown): number {
  return asArray(data)?.length ?? 0;
}
