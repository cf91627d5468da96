/** A tool call's arguments, which are a model's own words: mostly a JSON object, now and then something else. */
import type { JsonObject } from '../../../chat/request.ts';
import { countValues } from '../../../wire/count-values.ts';
import { findLongNumbers, parseExactly } from '../../../wire/exact-numbers.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import { isRecord } from '../request/request-values.ts';

/** The most values and names that the arguments of one request, or of one answer, have all together: as many as a document. */
export const ARGUMENT_VALUES_MAX = 100_000;
/** Likewise their bytes, each of which is looked at several times. */
export const ARGUMENT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Reads the arguments of one request or answer. They stand in texts, where the scan of the document did not count them, so they
 * are counted here, before they are parsed.
 */
export class ToolInputs {
  #valuesLeft = ARGUMENT_VALUES_MAX;
  #bytesLeft = ARGUMENT_BYTES_MAX;

  /** As `toolInput`; null where these arguments would be too many values with those before. */
  read(text: string): JsonObject | null {
    const bytes = Buffer.from(text);
    this.#bytesLeft -= bytes.length;
    if (this.#bytesLeft < 0) return null;
    this.#valuesLeft -= countValues(bytes, this.#valuesLeft);
    return this.#valuesLeft < 0 ? null : toolInput(text, bytes);
  }
}

/**
 * The object that this text is, with the digits of its numbers. Text that is none, or that nests deeper than a request
 * may, stays the text it is, under `_raw`: then nothing is lost, and nobody walks through it.
 */
export function toolInput(text: string, bytes: Buffer = Buffer.from(text)): JsonObject {
  if (text.trim() === '') return {};
  const value = parsed(text, bytes);
  return isRecord(value) && isShallow(value) ? value : { _raw: text };
}

/** Null where it is no JSON, or holds more long numbers than can be kept with their digits. */
function parsed(text: string, bytes: Buffer): unknown {
  const numbers = findLongNumbers(bytes);
  if (numbers === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return numbers.length > 0 && isShallow(value) ? parseExactly(bytes, numbers) : value;
  } catch {
    // Not swallowed: the caller of this keeps the text.
    return null;
  }
}
