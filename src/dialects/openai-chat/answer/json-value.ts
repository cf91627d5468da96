/** Reading what a provider sent, which may be anything. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object, or null where the value is none; arrays are none. */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** The array, or an empty one where the value is none. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NOTHING;
}

/** The text when it is one and holds anything, else null. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

const NOTHING: readonly unknown[] = [];
