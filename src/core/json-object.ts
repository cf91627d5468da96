/** Readers for JSON from outside, whose shape is unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** False for arrays and `null`. True for a number that keeps its digits: see `isExact` in `wire/exact-numbers.ts`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or null if the value is not one. */
export function asObject(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}

/** The array, or an empty one if the value is not an array. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NOTHING;
}

/** The objects of an array; an empty list for anything else. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return asArray(value).filter(isObject);
}

/** The text if it is one and not empty, otherwise null. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The text, or an empty one if the value is not text. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function isWholeNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

/** Parses a JSON object; null if the text is not JSON (a proxy's HTML page, a broken frame) or not an object. */
export function parseObject(text: string): JsonObject | null {
  return asObject(parseOrNull(text));
}

/** Like `JSON.parse`, but returns null if the text is not JSON. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const NOTHING: readonly unknown[] = [];
