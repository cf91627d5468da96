/** JSON from a provider, which may be anything. */
import type { Frame } from '../../../wire/frame.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object this text is, or null when it is something else or no JSON: the caller then knows that nothing was said. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // A proxy's page, or a frame that is broken: null says so, and whoever asked decides what it means.
    return null;
  }
}

/** The object that an event carries; null as above. */
export function readPayload(frame: Frame): JsonObject | null {
  const value = frame.json();
  return isObject(value) ? value : null;
}
