/** Reading JSON that came from outside, whose shape nobody promised. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Arrays are none, nor is `null`. A number that is kept with its digits is one: see `isExact` in `wire/exact-numbers.ts`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or null where the value is none. */
export function asObject(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}

/** The array, or an empty one where the value is none. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NOTHING;
}

/** The objects of an array; an empty list for anything else. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return asArray(value).filter(isObject);
}

/** The text when it is one and holds anything, else null. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The text, or an empty one where the value is none. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function isWholeNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

/** The object this text is, or null when it is something else or no JSON: a proxy's page, or a frame that is broken. */
export function parseObject(text: string): JsonObject | null {
  return asObject(parseOrNull(text));
}

/** As `JSON.parse`, and null where the text is no JSON: what that means is the caller's to say. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not swallowed: null says so.
    return null;
  }
}

const NOTHING: readonly unknown[] = [];
