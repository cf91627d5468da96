/**
 * The content of messages: a string or a list of parts. Blank text gives no block, because some providers refuse it;
 * a cache mark on it goes to the block before, where the same prefix ends.
 */
import type {
  AudioBlock,
  CacheMark,
  DocumentBlock,
  ImageBlock,
  RefusalBlock,
  TextBlock,
  VideoBlock,
} from '../../../chat/request.ts';
import { asObject, type JsonObject } from '../../../core/json-object.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { isAbsent, isBlank, readName, readObject, readText } from '../../kit/request/request-values.ts';
import { markLast, readCacheMark } from './read-cache-mark.ts';
import { readAudio, readFile, readImage, readVideo } from './read-media.ts';
import { warnOfUnknown } from './unknown-fields.ts';

export type PartBlock = TextBlock | ImageBlock | DocumentBlock | AudioBlock | VideoBlock | RefusalBlock;
export type PartType = PartBlock['type'];

/** The blocks of a content, all of them of the allowed types. */
export function readContent<Type extends PartType>(
  content: unknown,
  path: string,
  allowed: readonly Type[],
  warnings: Set<string>,
): Extract<PartBlock, { readonly type: Type }>[] {
  const blocks: PartBlock[] = [];
  if (typeof content === 'string') {
    if (!isBlank(content)) blocks.push(textBlock(content, null));
  } else if (!isAbsent(content)) {
    textOrParts(content, path).forEach((part, index) => {
      readPart(part, `${path}[${index}]`, blocks, warnings);
    });
  }
  for (const { type } of blocks) {
    if (!(allowed as readonly PartType[]).includes(type)) {
      throw unsupported(path, `"${path}" cannot hold ${type} parts.`);
    }
  }
  return blocks as Extract<PartBlock, { readonly type: Type }>[];
}

export function textBlock(text: string, cache: CacheMark | null): TextBlock {
  return { type: 'text', text, cache };
}

/** The first two are of answers, which clients send back unchanged. */
const KNOWN_FIELDS = fieldsByType(['id', 'index', 'type', 'cache_control', 'prompt_cache_breakpoint'], {
  'text|input_text|output_text': ['text', 'annotations', 'logprobs'],
  refusal: ['refusal'],
  image_url: ['image_url'],
  file: ['file'],
  video_url: ['video_url'],
  input_audio: ['input_audio'],
});
/** `detail` is a hint. */
const KNOWN_IN_IMAGE: ReadonlySet<string> = new Set(['url', 'detail']);
const KNOWN_IN_FILE: ReadonlySet<string> = new Set(['filename', 'file_data', 'file_id']);
const KNOWN_IN_AUDIO: ReadonlySet<string> = new Set(['data', 'format']);
const KNOWN_IN_VIDEO: ReadonlySet<string> = new Set(['url']);

function warnOfPart(part: JsonObject, warnings: Set<string>): void {
  const at = 'messages[].content[].';
  warnOfUnknown(part, KNOWN_FIELDS.of(part['type']), at, warnings);
  warnOfUnknown(asObject(part['image_url']) ?? {}, KNOWN_IN_IMAGE, `${at}image_url.`, warnings);
  warnOfUnknown(asObject(part['file']) ?? {}, KNOWN_IN_FILE, `${at}file.`, warnings);
  warnOfUnknown(asObject(part['input_audio']) ?? {}, KNOWN_IN_AUDIO, `${at}input_audio.`, warnings);
  warnOfUnknown(asObject(part['video_url']) ?? {}, KNOWN_IN_VIDEO, `${at}video_url.`, warnings);
}

function textOrParts(content: unknown, path: string): readonly unknown[] {
  if (Array.isArray(content)) return content;
  throw invalid(path, `"${path}" must be a string or an array.`);
}

function readPart(value: unknown, path: string, blocks: PartBlock[], warnings: Set<string>): void {
  // Some clients mix plain strings into the list.
  const part = typeof value === 'string' ? { type: 'text', text: value } : readObject(value, path);
  const cache = readCacheMark(part, `${path}.`, warnings);
  warnOfPart(part, warnings);
  switch (part['type']) {
    case 'text':
    case 'input_text':
    case 'output_text': {
      const text = readText(part['text'], `${path}.text`);
      if (isBlank(text)) markLast(blocks, cache);
      else blocks.push(textBlock(text, cache));
      return;
    }
    case 'refusal': {
      const text = readText(part['refusal'], `${path}.refusal`);
      if (!isBlank(text)) blocks.push({ type: 'refusal', text });
      return;
    }
    case 'image_url':
      blocks.push(readImage(part['image_url'], `${path}.image_url`, cache));
      return;
    case 'file':
      blocks.push(readFile(readObject(part['file'], `${path}.file`), `${path}.file`, cache));
      return;
    case 'video_url':
      blocks.push(readVideo(part['video_url'], `${path}.video_url`, cache));
      return;
    case 'input_audio':
      blocks.push(readAudio(part['input_audio'], `${path}.input_audio`, cache));
      return;
    default:
      readName(part['type'], `${path}.type`);
      throw unsupported(
        `${path}.type`,
        `"${path}" is of a type that cannot be passed on to the provider of this model.`,
      );
  }
}
