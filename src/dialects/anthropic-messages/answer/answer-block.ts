/**
 * Reads and writes one content block of a whole answer.
 *
 * https://docs.anthropic.com/en/api/messages (content)
 */
import type { JsonObject as ChatObject, ReasoningBlock } from '../../../chat/request.ts';
import type { AnswerBlock, AnswerText } from '../../../chat/response.ts';
import { addWarning } from '../../../chat/warnings.ts';
import { type JsonObject, stringOf } from '../../../core/json-object.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { addHiddenThought } from '../../kit/answer/left-out-thoughts.ts';
import { toolInput } from '../../kit/answer/tool-input.ts';
import { isRecord } from '../../kit/request/request-values.ts';
import type { WireIds } from '../../kit/request/wire-ids.ts';
import { readCitations, writeCitation } from './citation.ts';
import { CITATION_PLACE, CITATION_WITHOUT_TEXT, IMAGE, lossOfBlock, lossOfCall } from './losses.ts';
import { openSignature, sealSignature } from './reasoning-tag.ts';

/**
 * Null for blocks that are not the model's output: server tools and their results, compaction, unknown types. `fallbackId` is the id for a
 * tool call without one. Adds what is left out to `warnings`.
 */
export function readAnswerBlock(block: JsonObject, fallbackId: string, warnings: Set<string>): AnswerBlock | null {
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: stringOf(block['text']), citations: readCitations(block['citations'], warnings) };
    case 'thinking': {
      const opened = openSignature(stringOf(block['signature']));
      return { type: 'reasoning', text: stringOf(block['thinking']), encrypted: null, ...opened };
    }
    case 'redacted_thinking': {
      const { signature, ...author } = openSignature(stringOf(block['data']));
      return { type: 'reasoning', text: '', signature: null, encrypted: signature ?? '', ...author };
    }
    case 'tool_use': {
      const { id, name } = readToolCall(block, fallbackId);
      const loss = lossOfCall(block);
      if (loss !== null) addWarning(warnings, loss);
      return { type: 'tool_call', id, name, input: readInput(block['input']), cache: null };
    }
    default:
      addWarning(warnings, lossOfBlock(block['type']));
      return null;
  }
}

/** The name of a call, and the id that its result must have. */
export function readToolCall(block: JsonObject, fallbackId: string): { id: string; name: string } {
  const id = stringOf(block['id']);
  return { id: id === '' ? fallbackId : id, name: stringOf(block['name']) };
}

/**
 * Null if a caller has no use for the block, or would be refused when it sends the block back. Call ids are adapted to the format for the
 * same reason: the conversation may continue at Anthropic.
 */
export function writeAnswerBlock(block: AnswerBlock, ids: WireIds, context: WriteContext): JsonObject | null {
  switch (block.type) {
    case 'text':
      addCitationLosses(block, context.warnings);
      return block.text === '' ? null : writeText(block);
    case 'image':
      context.warnings.add(IMAGE);
      return null;
    case 'refusal':
      return block.text === '' ? null : { type: 'text', text: block.text, citations: null };
    case 'tool_call':
      return { type: 'tool_use', id: ids.call(block.id), name: block.name, input: block.input };
    case 'reasoning':
      return writeReasoning(block, context);
  }
}

function writeText({ text, citations }: AnswerText): JsonObject {
  return { type: 'text', text, citations: citations.length === 0 ? null : citations.map(writeCitation) };
}

function addCitationLosses({ text, citations }: AnswerText, warnings: Set<string>): void {
  for (const { start } of citations) {
    if (text === '') warnings.add(CITATION_WITHOUT_TEXT);
    else if (start !== null) warnings.add(CITATION_PLACE);
  }
}

/** A caller that does not see thoughts still gets their signature: without it, its next turn is refused. */
function writeReasoning(block: ReasoningBlock, context: WriteContext): JsonObject | null {
  const { origin, signature, encrypted } = block;
  if (encrypted !== null) return { type: 'redacted_thinking', data: sealSignature(origin, encrypted, block) };
  if (block.text !== '') addHiddenThought(context);
  const thinking = context.showsReasoning ? block.text : '';
  if (thinking === '' && (signature ?? '') === '') return null;
  return { type: 'thinking', thinking, signature: sealSignature(origin, signature, block) };
}

/** Arguments are an object; anything else is kept as text. */
function readInput(value: unknown): ChatObject {
  if (isRecord(value)) return value;
  if (value === undefined || value === null) return {};
  return typeof value === 'string' ? toolInput(value) : { _raw: JSON.stringify(value) };
}
