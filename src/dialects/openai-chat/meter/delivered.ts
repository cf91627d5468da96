/**
 * The output in a choice: UTF-8 bytes of text, reasoning and tool arguments, the basis of an estimate if the provider reports no usage; and
 * whether it has any output at all.
 */
import { asArray, asObject, asText, type JsonObject } from '../../../core/json-object.ts';

/** Output bytes of a `delta` of a stream or a `message` of a whole answer. */
export function outputBytes(delta: JsonObject): number {
  return (
    contentBytes(delta['content']) +
    textBytes(delta['refusal']) +
    // OpenRouter's `reasoning_details` repeat `reasoning`, and some vendors send it under both names: one counts.
    Math.max(textBytes(delta['reasoning']), textBytes(delta['reasoning_content'])) +
    textBytes(asObject(delta['audio'])?.['transcript']) +
    callBytes(delta['tool_calls']) +
    textBytes(asObject(delta['function_call'])?.['arguments'])
  );
}

/** Whether it has output without bytes to count: a tool call without arguments, an image, a sound. */
export function holdsOutput(delta: JsonObject): boolean {
  return (
    asArray(delta['tool_calls']).length > 0 ||
    asArray(delta['images']).length > 0 ||
    asArray(delta['reasoning_details']).length > 0 ||
    asObject(delta['audio']) !== null ||
    asObject(delta['function_call']) !== null
  );
}

/** Mistral's reasoning models send parts: `{type: "thinking", thinking: [{type: "text", text}]}`. */
function contentBytes(content: unknown): number {
  if (typeof content === 'string') return Buffer.byteLength(content);
  let bytes = 0;
  for (const item of asArray(content)) {
    const part = asObject(item);
    if (part !== null) bytes += textBytes(part['text']) + textBytes(part['refusal']) + contentBytes(part['thinking']);
  }
  return bytes;
}

/** Arguments are a JSON string in the format; some local servers send them as an object. */
function callBytes(calls: unknown): number {
  let bytes = 0;
  for (const item of asArray(calls)) {
    const call = asObject(item);
    const called = asObject(call?.['function']);
    bytes += textBytes(called?.['arguments']) + textBytes(asObject(call?.['custom'])?.['input']);
    const fields = asObject(called?.['arguments']);
    if (fields !== null) bytes += Buffer.byteLength(JSON.stringify(fields));
  }
  return bytes;
}

function textBytes(value: unknown): number {
  const text = asText(value);
  return text === null ? 0 : Buffer.byteLength(text);
}
