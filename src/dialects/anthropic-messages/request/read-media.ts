/**
 * Images, documents and search results of a Messages request.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/vision
 * https://docs.anthropic.com/en/docs/build-with-claude/pdf-support
 */
import type { DocumentBlock, ImageBlock, JsonObject, MediaSource, TextBlock } from '../../../chat/request.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import {
  isBlank,
  isEmpty,
  isRecord,
  readTextOrNull,
  requireList,
  requireObject,
  requireText,
} from '../../kit/request/request-values.ts';
import { warnOfBlock } from './known-fields.ts';
import { readCacheMark } from './read-cache-mark.ts';
import { quotable } from './unknown-fields.ts';

/** Throws 400 for a stored file, which only one provider has. */
export function readImage(block: JsonObject, param: string, warnings: Set<string>): ImageBlock {
  const at = `${param}.source`;
  const source = requireObject(block['source'], at);
  if (!isEmpty(block['transformations'])) {
    warnings.add('transformations of an image are not supported by this provider and were left out');
  }
  return {
    type: 'image',
    source: source['type'] === 'url' ? readAddress(source, at) : readBase64(source, at),
    detail: null,
    cache: readCacheMark(block, param, warnings),
  };
}

/** A document, then the images inside it. Empty for a document without content. */
export function readDocument(block: JsonObject, param: string, warnings: Set<string>): (DocumentBlock | ImageBlock)[] {
  const at = `${param}.source`;
  const source = requireObject(block['source'], at);
  const images: ImageBlock[] = [];
  const media = readDocumentSource(source, at, images, warnings);
  const cache = readCacheMark(block, param, warnings);
  if (media.type === 'text' && isBlank(media.text)) return images;
  const name = readTextOrNull(block['title'], `${param}.title`);
  const context = readTextOrNull(block['context'], `${param}.context`);
  const citations = isRecord(block['citations']) && block['citations']['enabled'] === true;
  return [{ type: 'document', source: media, name, context, citations, cache }, ...images];
}

/** A search result as text that says where it comes from: other formats have no block for it. */
export function readSearchResult(block: JsonObject, param: string, warnings: Set<string>): TextBlock {
  const title = requireText(block['title'], `${param}.title`);
  const source = requireText(block['source'], `${param}.source`);
  const text = joinTexts(block, `${param}.content`, null, warnings);
  warnings.add('a search_result is not supported by this provider and was sent as text');
  return {
    type: 'text',
    text: `Search result: ${title}\nSource: ${source}\n\n${text}`,
    cache: readCacheMark(block, param, warnings),
  };
}

function readDocumentSource(
  source: JsonObject,
  param: string,
  images: ImageBlock[],
  warnings: Set<string>,
): MediaSource {
  switch (source['type']) {
    case 'base64':
      return readBase64(source, param);
    case 'url':
      return readAddress(source, param);
    case 'text':
      return { type: 'text', text: requireText(source['data'], `${param}.data`) };
    case 'content': {
      const at = `${param}.content`;
      const { content } = source;
      return { type: 'text', text: typeof content === 'string' ? content : joinTexts(source, at, images, warnings) };
    }
    default:
      throw unknownSource(source, param);
  }
}

function readBase64(source: JsonObject, param: string): MediaSource {
  if (source['type'] !== 'base64') throw unknownSource(source, param);
  const data = requireText(source['data'], `${param}.data`);
  if (data === '') throw invalid(`${param}.data`, `"${param}.data" must not be empty.`);
  return { type: 'base64', mediaType: requireText(source['media_type'], `${param}.media_type`), data };
}

function readAddress(source: JsonObject, param: string): MediaSource {
  return { type: 'url', url: requireText(source['url'], `${param}.url`) };
}

/** The texts of a list of blocks; images among them are added to `images`, or are a 400 if that is null. */
function joinTexts(holder: JsonObject, param: string, images: ImageBlock[] | null, warnings: Set<string>): string {
  const texts: string[] = [];
  requireList(holder['content'], param).forEach((value, index) => {
    const at = `${param}[${index}]`;
    const block = requireObject(value, at);
    warnOfBlock(block, 'messages[].content[].content[].', warnings);
    if (block['type'] === 'text') texts.push(requireText(block['text'], `${at}.text`));
    else if (block['type'] === 'image' && images !== null) images.push(readImage(block, at, warnings));
    else throw invalid(`${at}.type`, `"${at}.type" must be a type of block that is allowed here.`);
  });
  return texts.join('\n\n');
}

function unknownSource(source: JsonObject, param: string): Error {
  if (source['type'] === 'file') {
    return unsupported(param, 'Stored files are not accessible; send its content as base64, text or a url.');
  }
  return invalid(`${param}.type`, `"${quotable(source['type'])}" is not a known type of source.`);
}
