/** The content of a Chat Completions message: a string, or a list of parts. */
import { isObject, objectsOf } from '../../core/json-object.ts';

/** One image, audio clip or file counts as this many tokens. */
const MEDIA_TOKENS = 85;

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => part['text'] ?? part['refusal'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}

export function userMediaTokens(content: unknown): number {
  return MEDIA_TOKENS * objectsOf(content).filter((part) => MEDIA_TYPES.has(String(part['type']))).length;
}

export const MEDIA_TYPES: ReadonlySet<string> = new Set(['image_url', 'input_audio', 'file']);

/** Whether every part has one of these types, and text parts have a text. */
export function areParts(content: unknown, types: ReadonlySet<string>): boolean {
  if (!Array.isArray(content) || content.length === 0) return false;
  return content.every(
    (part) =>
      isObject(part) &&
      types.has(String(part['type'])) &&
      (part['type'] !== 'text' || typeof part['text'] === 'string'),
  );
}
