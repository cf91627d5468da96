/**
 * Reads one content block of a whole answer.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
 */
import { ANTHROPIC_REASONING, type JsonObject as ChatObject, UNKNOWN_REASONING } from '../../../chat/request.ts';
import type { AnswerBlock, AnswerText } from '../../../chat/response.ts';
import { addWarning } from '../../../chat/warnings.ts';
import { asArray, asText, isObject, type JsonObject, stringOf } from '../../../core/json-object.ts';
import { toolInput } from '../../kit/answer/tool-input.ts';
import { isRecord } from '../../kit/request/request-values.ts';
import { citedText } from '../meter/delivered.ts';
import { readCitation } from './citation.ts';
import { CITATION_WITHOUT_ADDRESS, lossOfBlock, SERVER_TOOL } from './losses.ts';
import { readRedacted } from './redacted-content.ts';

/** Null for blocks that are not the model's words. `fallbackId` is the id for a call without one. Adds what is left out to `warnings`. */
export function readAnswerBlock(block: JsonObject, fallbackId: string, warnings: Set<string>): AnswerBlock | null {
  const { text, toolUse, reasoningContent, citationsContent } = block;
  if (typeof text === 'string') return text === '' ? null : { type: 'text', text, citations: [] };
  if (isObject(citationsContent)) return readCited(citationsContent, warnings);
  if (isObject(reasoningContent)) return readReasoning(reasoningContent);
  if (!isObject(toolUse)) {
    addWarning(warnings, lossOfBlock(block));
    return null;
  }
  if (isServerTool(toolUse)) {
    addWarning(warnings, SERVER_TOOL);
    return null;
  }
  const id = asText(toolUse['toolUseId']) ?? fallbackId;
  return { type: 'tool_call', id, name: stringOf(toolUse['name']), input: readInput(toolUse['input']), cache: null };
}

/** Whether the provider runs the tool itself. */
export function isServerTool(toolUse: JsonObject): boolean {
  return toolUse['type'] === 'server_tool_use';
}

function readCited(citationsContent: JsonObject, warnings: Set<string>): AnswerText | null {
  const text = citedText(citationsContent);
  const all = asArray(citationsContent['citations']);
  const citations = all.map(readCitation).filter((citation) => citation !== null);
  if (citations.length < all.length) addWarning(warnings, CITATION_WITHOUT_ADDRESS);
  return text === '' ? null : { type: 'text', text, citations };
}

/** Only Claude signs or encrypts its thoughts. */
function readReasoning({ reasoningText, redactedContent }: JsonObject): AnswerBlock | null {
  if (typeof redactedContent === 'string') {
    const encrypted = readRedacted(redactedContent);
    return { type: 'reasoning', text: '', signature: null, encrypted, origin: ANTHROPIC_REASONING };
  }
  const { text, signature } = isObject(reasoningText) ? reasoningText : {};
  const signed = asText(signature);
  if (signed === null && stringOf(text) === '') return null;
  const origin = signed === null ? UNKNOWN_REASONING : ANTHROPIC_REASONING;
  return { type: 'reasoning', text: stringOf(text), signature: signed, encrypted: null, origin };
}

/** Arguments are an object; anything else is kept as text. */
function readInput(value: unknown): ChatObject {
  if (isRecord(value)) return value;
  if (value === undefined || value === null) return {};
  return typeof value === 'string' ? toolInput(value) : { _raw: JSON.stringify(value) };
}
