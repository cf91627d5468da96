/** A tool call's arguments, which the model writes: mostly a JSON object, sometimes something else. */
import type { JsonObject } from '../../../chat/request.ts';
import { countValues } from '../../../wire/count-values.ts';
import { findLongNumbers, parseExactly } from '../../../wire/exact-numbers.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import { isRecord } from '../request/request-values.ts';

/** The most values and names in all arguments of one request, or of one answer: as many as in a document. */
export const ARGUMENT_VALUES_MAX = 100_000;
/** The most bytes in all of them; each is read several times. */
export const ARGUMENT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Reads the arguments of one request or answer. They are inside strings, where the scan of the document did not count them, so their values
 * are counted here before they are parsed.
 */
export class ToolInputs {
  #valuesLeft = ARGUMENT_VALUES_MAX;
  #bytesLeft = ARGUMENT_BYTES_MAX;

  /** As `toolInput`; null if these arguments exceed the limits together with the previous ones. */
  read(text: string): JsonObject | null {
    const bytes = Buffer.from(text);
    this.#bytesLeft -= bytes.length;
    if (this.#bytesLeft < 0) return null;
    this.#valuesLeft -= countValues(bytes, this.#valuesLeft);
    return this.#valuesLeft < 0 ? null : toolInput(text, bytes);
  }
}

/**
 * Parses the text as an object whose numbers keep their digits. Text that is not an object, or nests deeper than a request may, is kept
 * under `_raw`: nothing is lost, and nothing walks through it.
 */
export function toolInput(text: string, bytes: Buffer = Buffer.from(text)): JsonObject {
  if (text.trim() === '') return {};
  const value = parsed(text, bytes);
  return isRecord(value) && isShallow(value) ? value : { _raw: text };
}

/** The arguments as JSON text. Those that were not an object are written as the original text. */
export function argumentsText(input: JsonObject): string {
  const raw = Object.hasOwn(input, '_raw') && Object.keys(input).length === 1 ? input['_raw'] : null;
  return typeof raw === 'string' ? raw : JSON.stringify(input);
}

/** Null if it is not JSON, or has more long numbers than can be kept with their digits. */
function parsed(text: string, bytes: Buffer): unknown {
  const numbers = findLongNumbers(bytes);
  if (numbers === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return numbers.length > 0 && isShallow(value) ? parseExactly(bytes, numbers) : value;
  } catch {
    // Not swallowed: the calling function keeps the text.
    return null;
  }
}
