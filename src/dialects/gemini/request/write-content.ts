/** Parts as a provider of this format reads them: https://ai.google.dev/api/caching#Part */
import type {
  AudioBlock,
  DocumentBlock,
  ImageBlock,
  TextBlock,
  ToolResultBlock,
  VideoBlock,
} from '../../../chat/request.ts';
import type { DialectTarget } from '../quirks.ts';
import { wireToolName } from './tool-names.ts';
import { writeAudio, writeDocument, writeImage, writeVideo } from './write-media.ts';
import type { Written } from './written.ts';

export type PartBlock = TextBlock | ImageBlock | DocumentBlock | AudioBlock | VideoBlock;

/** Throws `GatewayError` 400 for what the provider cannot read. */
export function writeParts(block: PartBlock, target: DialectTarget, warnings: Set<string>): readonly Written[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ text: block.text }];
    case 'image':
      return [writeImage(block, target)];
    case 'document':
      return writeDocument(block, target, warnings);
    case 'audio':
      return [writeAudio(block)];
    case 'video':
      return [writeVideo(block, target)];
  }
}

export interface WrittenResult {
  readonly response: Written;
  /** What the response cannot contain; it follows the responses. */
  readonly after: readonly Written[];
}

/** A response is an object with a result or an error; newer models also read images that come with it. */
export function writeResult(
  result: ToolResultBlock,
  name: string,
  target: DialectTarget,
  warnings: Set<string>,
): WrittenResult {
  const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const media = result.content
    .filter((block) => block.type !== 'text')
    .flatMap((block) => writeParts(block, target, warnings));
  const inside = target.quirks.resultMedia ? media.filter((part) => 'inlineData' in part) : [];
  const outside = target.quirks.resultMedia ? media.filter((part) => !('inlineData' in part)) : media;
  const wireName = wireToolName(name);
  const text = texts.length === 0 && outside.length > 0 ? 'The result follows the results.' : texts.join('\n');
  const functionResponse = {
    id: result.callId,
    name: wireName,
    response: result.isError ? { error: text === '' ? 'Error' : text } : { result: text },
    ...(inside.length > 0 && { parts: inside }),
  };
  return {
    response: { functionResponse },
    after: outside.length === 0 ? [] : [{ text: `From the result of ${wireName} (${result.callId}):` }, ...outside],
  };
}
