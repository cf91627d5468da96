/**
 * Estimates how many tokens a request has when the model's tokenizer is not known. It errs on the high side: a client that plans by it must
 * not overrun a context window.
 */
import type { ChatRequest, DocumentBlock, ImageBlock, Turn, VideoBlock } from './request.ts';

/** Text in most languages, and code, has more bytes per token than this. */
const BYTES_PER_TOKEN = 3.2;
/** What a turn, a block or a tool adds around its text. */
const FRAME_TOKENS = 8;
/** About what the largest image costs: https://docs.anthropic.com/en/docs/build-with-claude/vision */
const IMAGE_TOKENS = 1_600;
/** A page of a PDF costs some 3,000 tokens and is seldom smaller than this many bytes per token. */
const DOCUMENT_BYTES_PER_TOKEN = 20;

export function estimatePromptTokens(request: ChatRequest): number {
  const instructions = sum(request.system, (block) => textTokens(block.text) + FRAME_TOKENS);
  const tools = sum(request.tools, toolTokens);
  const format = request.format?.type === 'json_schema' ? textTokens(JSON.stringify(request.format.schema)) : 0;
  return Math.ceil(instructions + tools + format + sum(request.turns, turnTokens)) + FRAME_TOKENS;
}

function toolTokens(tool: ChatRequest['tools'][number]): number {
  return (
    textTokens(tool.name) + textTokens(tool.description ?? '') + textTokens(JSON.stringify(tool.schema)) + FRAME_TOKENS
  );
}

function turnTokens(turn: Turn): number {
  return FRAME_TOKENS + sum<Turn['blocks'][number]>(turn.blocks, blockTokens);
}

function blockTokens(block: Turn['blocks'][number]): number {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return textTokens(block.text);
    case 'image':
    case 'document':
    case 'video':
      return mediaTokens(block);
    case 'audio':
      return block.data.length / DOCUMENT_BYTES_PER_TOKEN;
    case 'tool_call':
      return textTokens(block.name) + textTokens(JSON.stringify(block.input)) + FRAME_TOKENS;
    case 'tool_result':
      return FRAME_TOKENS + sum<Turn['blocks'][number]>(block.content, blockTokens);
    case 'reasoning':
      return textTokens(block.text);
  }
}

function mediaTokens({ type, source }: ImageBlock | DocumentBlock | VideoBlock): number {
  if (source.type === 'text') return textTokens(source.text);
  if (type === 'image' || source.type === 'url') return IMAGE_TOKENS;
  return source.data.length / DOCUMENT_BYTES_PER_TOKEN;
}

function textTokens(text: string): number {
  return Buffer.byteLength(text) / BYTES_PER_TOKEN;
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}
