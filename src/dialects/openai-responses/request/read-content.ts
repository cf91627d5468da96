/**
 * The content of messages and results: a string or a list of parts. Blank text gives no block, because some providers refuse it; a cache mark
 * on it goes to the block before, where the same prefix ends.
 */
import type {
  AudioBlock,
  CacheMark,
  DocumentBlock,
  ImageBlock,
  JsonObject,
  RefusalBlock,
  TextBlock,
} from '../../../chat/request.ts';
import { asObject } from '../../../core/json-object.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { isAbsent, isBlank, readName, readObject, readText } from '../../kit/request/request-values.ts';
import { readAudio, readFile, readImage } from './read-media.ts';
import { quoted, warnOfUnknown } from './unknown-fields.ts';

type PartBlock = TextBlock | ImageBlock | DocumentBlock | AudioBlock | RefusalBlock;
type PartType = PartBlock['type'];

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
  } else if (Array.isArray(content)) {
    content.forEach((part: unknown, index) => {
      readPart(part, `${path}[${index}]`, blocks, warnings);
    });
  } else if (!isAbsent(content)) {
    throw invalid(path, `"${path}" must be a string or an array.`);
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

/** Fields that are read, and those of answers that clients send back unchanged. `detail` is a hint. */
const KNOWN_FIELDS = fieldsByType(['type', 'prompt_cache_breakpoint'], {
  'input_text|output_text|text|summary_text': ['text', 'annotations', 'logprobs', 'parsed'],
  refusal: ['refusal'],
  input_image: ['image_url', 'file_id', 'detail'],
  input_file: ['file_data', 'file_url', 'file_id', 'filename', 'detail'],
  input_audio: ['input_audio'],
});

function readPart(value: unknown, path: string, blocks: PartBlock[], warnings: Set<string>): void {
  // Some clients mix plain strings into the list.
  const part = typeof value === 'string' ? { type: 'input_text', text: value } : readObject(value, path);
  const cache = readCacheMark(part, warnings);
  warnOfUnknown(part, KNOWN_FIELDS.of(part['type']), 'input[].content[].', warnings);
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text': {
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
    case 'input_image':
      blocks.push(readImage(part, path, cache));
      return;
    case 'input_file':
      blocks.push(readFile(part, path, cache, warnings));
      return;
    case 'input_audio':
      blocks.push(readAudio(part['input_audio'], `${path}.input_audio`, cache, warnings));
      return;
    default:
      throw unsupported(
        `${path}.type`,
        `"${path}" is a part ${quoted(readName(part['type'], `${path}.type`))}, which cannot be passed on to the provider of this model.`,
      );
  }
}

/** OpenAI's explicit mark, which has no duration: https://platform.openai.com/docs/guides/prompt-caching */
function readCacheMark({ prompt_cache_breakpoint: mark }: JsonObject, warnings: Set<string>): CacheMark | null {
  if (isAbsent(mark)) return null;
  warnOfUnknown(asObject(mark) ?? {}, KNOWN_IN_BREAKPOINT, 'prompt_cache_breakpoint.', warnings);
  return '5m';
}

const KNOWN_IN_BREAKPOINT: ReadonlySet<string> = new Set(['mode']);

function markLast(blocks: PartBlock[], cache: CacheMark | null): void {
  const at = blocks.findLastIndex(({ type }) => type !== 'refusal');
  const last = blocks[at];
  if (cache !== null && last !== undefined) blocks[at] = Object.assign({ ...last }, { cache });
}
