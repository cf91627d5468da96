/** How much output an event or a block carries: text, thinking and tool arguments. */
import { isObject, type JsonObject, stringOf } from '../../../core/json-object.ts';

/** The output in the `delta` of a `contentBlockDelta`. */
export function deltaText(delta: JsonObject): string {
  const { text, toolUse, reasoningContent } = delta;
  if (typeof text === 'string') return text;
  if (isObject(toolUse)) return stringOf(toolUse['input']);
  if (!isObject(reasoningContent)) return '';
  return stringOf(reasoningContent['text']) + stringOf(reasoningContent['redactedContent']);
}

/** The output in a content block of a whole answer. */
export function blockText(block: JsonObject): string {
  const { text, toolUse, reasoningContent, citationsContent } = block;
  if (typeof text === 'string') return text;
  if (isObject(toolUse)) return argumentText(toolUse['input']);
  if (isObject(citationsContent)) return citedText(citationsContent);
  if (!isObject(reasoningContent)) return '';
  const { reasoningText, redactedContent } = reasoningContent;
  return (isObject(reasoningText) ? stringOf(reasoningText['text']) : '') + stringOf(redactedContent);
}

/** The text that citations belong to, which comes in parts. */
export function citedText(citationsContent: JsonObject): string {
  const { content } = citationsContent;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) ? stringOf(part['text']) : '')).join('');
}

function argumentText(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
