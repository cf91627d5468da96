/** How much output a part of an answer carries, in UTF-8 bytes: text, thoughts, arguments, code. */
import { asObject, asText, type JsonObject, objectsOf, stringOf } from '../../../core/json-object.ts';

/** The output of a part as text; empty for media and for what Google's own tools found, which is input of the model. */
export function partText(part: JsonObject): string {
  if (typeof part['text'] === 'string') return part['text'];
  const call = asObject(part['functionCall']);
  if (call !== null) return argumentText(call);
  return stringOf(asObject(part['executableCode'])?.['code']);
}

/** Tokens of an image in an answer: https://ai.google.dev/gemini-api/docs/pricing */
export const IMAGE_TOKENS = 1_290;

export function holdsImage(part: JsonObject): boolean {
  return asText(asObject(part['inlineData'])?.['mimeType'])?.startsWith('image/') === true;
}

function argumentText({ args, partialArgs }: JsonObject): string {
  const whole = asObject(args);
  if (whole !== null) return Object.keys(whole).length === 0 ? '' : JSON.stringify(whole);
  let text = '';
  for (const piece of objectsOf(partialArgs)) {
    const value = piece['stringValue'] ?? piece['numberValue'] ?? piece['boolValue'];
    if (value !== undefined) text += String(value);
  }
  return text;
}
