/** The parts of a message or of a tool's result, as a provider of this format reads them. */
import type { TextBlock, UserBlock } from '../../../chat/request.ts';
import { assertNever } from '../../../core/assert.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { inputText, writeDocument, writeImage } from './write-media.ts';

export type PartBlock = Exclude<UserBlock, { readonly type: 'tool_result' }>;

/** Throws `GatewayError` 400 for sound, which this format does not take. */
export function writePart(block: PartBlock, warnings: Set<string>): readonly JsonObject[] {
  switch (block.type) {
    case 'text':
      return [inputText(block.text)];
    case 'image':
      return [writeImage(block)];
    case 'document':
      return writeDocument(block, warnings);
    case 'audio':
      throw unsupported(
        'messages',
        "This model's provider takes requests in OpenAI's Responses format, which has no sound; send the words as text, or use a model that takes sound.",
      );
    case 'video':
      throw unsupported(
        'messages',
        "This model's provider takes requests in OpenAI's Responses format, which has no video.",
      );
    default:
      return assertNever(block);
  }
}

/** One text alone is written as a string, which every server reads; several are not joined, so that a prompt cache finds the same prefix. */
export function writeTexts(blocks: readonly TextBlock[]): string | readonly JsonObject[] {
  const [first] = blocks;
  if (first === undefined) return '';
  return blocks.length === 1 ? first.text : blocks.map(({ text }) => inputText(text));
}
